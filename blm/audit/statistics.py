"""The few statistics that findings need, in closed form.

Sources: E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
JASA 22 (1927) for the interval; Abramowitz & Stegun, *Handbook of Mathematical Functions*
(1964), 26.4.4-26.4.5 for the chi-squared distribution with a whole number of degrees.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Z95 = 1.959963984540054
"""The normal deviate of a two-sided 95 % interval."""


def wilson(successes: float, trials: int, z: float = Z95) -> tuple[float, float]:
    """The Wilson score interval of a proportion; (0, 1) where nothing was tried.

    >>> [round(end, 4) for end in wilson(8, 10)]
    [0.4902, 0.9433]
    """
    if trials <= 0:
        return 0.0, 1.0
    share, square = successes / trials, z * z
    centre = share + square / (2 * trials)
    spread = z * math.sqrt(share * (1 - share) / trials + square / (4 * trials * trials))
    scale = 1 + square / trials
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def chi_squared(observed: Sequence[float], expected: Sequence[float]) -> float:
    """Pearson's statistic."""
    return sum((o - e) ** 2 / e for o, e in zip(observed, expected, strict=True) if e > 0)


def chi_squared_tail(statistic: float, degrees: int) -> float:
    """The probability of a statistic at least so large, by chance.

    >>> round(chi_squared_tail(3.841459, 1), 4), round(chi_squared_tail(14.067140, 7), 4)
    (0.05, 0.05)
    """
    if degrees <= 0 or statistic <= 0:
        return 1.0
    half = statistic / 2
    if degrees % 2 == 0:
        term = total = math.exp(-half)
        for k in range(1, degrees // 2):
            term *= half / k
            total += term
        return min(1.0, total)
    total = math.erfc(math.sqrt(half))
    term = math.sqrt(statistic) * math.sqrt(2 / math.pi) * math.exp(-half)
    for k in range(1, degrees, 2):
        total += term
        term *= statistic / (k + 2)
    return min(1.0, total)


def binomial_tail(successes: int, trials: int, chance: float) -> float:
    """The probability of at least so many successes, exactly.

    >>> round(binomial_tail(9, 10, 0.5), 4)
    0.0107
    """
    if successes <= 0:
        return 1.0
    if not 0 < chance < 1:
        return float(chance >= 1)
    logs = (_log_term(k, trials, chance) for k in range(successes, trials + 1))
    return min(1.0, sum(math.exp(log) for log in logs))


def _log_term(k: int, trials: int, chance: float) -> float:
    ways = math.lgamma(trials + 1) - math.lgamma(k + 1) - math.lgamma(trials - k + 1)
    return ways + k * math.log(chance) + (trials - k) * math.log1p(-chance)
