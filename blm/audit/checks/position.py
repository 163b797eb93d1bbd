"""Whether the place of the right answer gives it away."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from blm.audit.checks.base import Check, Job
from blm.audit.finding import Finding, Kind, Severity
from blm.audit.statistics import binomial_tail, chi_squared, chi_squared_tail

BIAS = Kind(
    "position-bias",
    "the right answer stands in some places more often than in others",
    Severity.ERROR,
    left="shuffling the answers is a change of the data that its author should make",
)

UNLIKELY = 0.001
"""One fair data set in a thousand is as uneven: beyond this it is an error."""
DOUBTFUL = 0.01
"""Beyond this it is a warning."""
_EVEN = "the right answer is spread over its places as by chance; in the place met most often"
_LEAST_EXPECTED = 5.0
"""Rows expected in a place below which the chi-squared distribution does not hold."""


def position_bias(job: Job) -> Iterator[Finding]:
    """Counts by place, against an even spread over the answers of each row."""
    part = job.part
    rows = part.judged
    if not len(rows) or part.answers.shape[1] < 2:
        return
    counts = np.bincount(part.correct[rows], minlength=part.answers.shape[1])
    filled = part.filled[rows]
    expected = (filled / filled.sum(axis=1, keepdims=True)).sum(axis=0)
    statistic = chi_squared(counts.tolist(), expected.tolist())
    degrees = int((expected > 0).sum()) - 1
    most = int(np.argmax(counts))
    if expected[expected > 0].min() >= _LEAST_EXPECTED:
        test, p = "chi-squared", chi_squared_tail(statistic, degrees)
    else:
        test = "binomial, for the place met most often, times the number of places"
        tail = binomial_tail(int(counts[most]), len(rows), float(expected[most]) / len(rows))
        p = min(1.0, tail * (degrees + 1))
    name = part.answer_names[most]
    where = "always" if counts[most] == len(rows) else "most often"
    detail = f"{where} {name}; chi-squared {statistic:.1f}, {degrees} degrees, {_p(p)}"
    yield BIAS.found(
        part.file,
        counts[most],
        len(rows),
        detail=detail,
        severity=_severity(p),
        title=_EVEN if _severity(p) is Severity.NOTE else "",
        measures={
            "counts": counts.tolist(),
            "expected": [round(float(e), 3) for e in expected],
            "chi_squared": round(statistic, 4),
            "degrees": degrees,
            "p": p,
            "test": test,
        },
    )


def _severity(p: float) -> Severity:
    if p < UNLIKELY:
        return Severity.ERROR
    return Severity.WARNING if p < DOUBTFUL else Severity.NOTE


def _p(p: float) -> str:
    return f"p = {p:.3f}" if p >= UNLIKELY else f"p < {UNLIKELY}"


CHECKS = (Check(BIAS, position_bias),)
