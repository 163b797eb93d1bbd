"""Means over runs with their spread, and what a score is.

F1 is that of the authors' program: every candidate with the highest score counts as picked, and
precision and recall are over picks.  A solver that never ties picks one candidate a problem, of
which one is right: then precision, recall, F1 and accuracy are one number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from blm.experiment.results import Prediction

K = TypeVar("K", bound=Hashable)

# Two-sided 95 % quantiles of Student's t for 1, 2, ... degrees of freedom.
_T95: Sequence[float] = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
)
_NORMAL95 = 1.960


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over runs, its standard deviation and the 95 % confidence interval."""

    mean: float
    sd: float
    low: float
    high: float
    runs: int

    def text(self) -> str:
        """`0.87 ± 0.02`; without a spread where there is one run."""
        return f"{self.mean:.3f} ± {self.sd:.3f}" if self.runs > 1 else f"{self.mean:.3f}"

    def interval(self) -> str:
        """`[0.85, 0.89]`."""
        return f"[{self.low:.3f}, {self.high:.3f}]"


def f1(rows: Sequence[Prediction]) -> float:
    """F1 over picks; NaN without rows."""
    hits = sum(row.among for row in rows)
    picks = sum(row.ties for row in rows)
    return 2 * hits / (picks + len(rows)) if rows else math.nan


def accuracy(rows: Sequence[Prediction]) -> float:
    """The share of problems whose correct candidate was chosen; NaN without rows."""
    return sum(row.correct for row in rows) / len(rows) if rows else math.nan


def estimate(
    rows: Iterable[Prediction], measure: Callable[[Sequence[Prediction]], float] = f1
) -> Estimate:
    """A measure for each run (seed), and its mean.

    The interval is Student's over runs; for one run it is Wilson's over problems.
    """
    runs = group(rows, lambda row: row.seed)
    values = [measure(run) for run in runs.values()]
    mean = sum(values) / len(values)
    if len(values) == 1:
        low, high = wilson(mean, len(next(iter(runs.values()))))
        return Estimate(mean, 0.0, low, high, 1)
    sd = math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))
    quantile = _T95[len(values) - 2] if len(values) - 2 < len(_T95) else _NORMAL95
    half = quantile * sd / math.sqrt(len(values))
    return Estimate(mean, sd, max(mean - half, 0.0), min(mean + half, 1.0), len(values))


def wilson(share: float, number: int) -> tuple[float, float]:
    """The 95 % interval of a share of `number` trials (Wilson 1927)."""
    z = _NORMAL95
    centre = (share + z * z / (2 * number)) / (1 + z * z / number)
    spread = share * (1 - share) / number + z * z / (4 * number * number)
    half = z * math.sqrt(spread) / (1 + z * z / number)
    return max(centre - half, 0.0), min(centre + half, 1.0)


def chance(rows: Sequence[Prediction]) -> float:
    """The expected share of a choice at random: the mean of 1 / candidates."""
    return sum(1 / len(row.labels) for row in rows) / len(rows) if rows else math.nan


def group(rows: Iterable[Prediction], key: Callable[[Prediction], K]) -> dict[K, list[Prediction]]:
    """The rows by key, in order of first occurrence."""
    found: dict[K, list[Prediction]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return found
