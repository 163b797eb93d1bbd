"""What a report says in words: whether an encoder of one's own helps, computed from the rows."""

from __future__ import annotations

import math
from collections.abc import Sequence

from blm.experiment.results import Prediction
from blm.report.select import at_home, names, networks
from blm.report.stats import accuracy, chance, group

TYPE = "I"
_NORMAL95 = 1.960


def findings(rows: Sequence[Prediction]) -> list[str]:
    """A sentence for each encoder trained here and each data set of type I.

    It compares the share of test problems that the networks solve with that of the best encoder
    that was given, over the same networks and problems.
    """
    home = [row for row in networks(at_home(rows)) if row.test_type == TYPE]
    found = []
    for test, part in group(home, lambda row: row.test).items():
        given = [row for row in part if row.encoder_kind == "given"]
        best = max(names(given, "encoder"), key=lambda e: accuracy(_of(given, e)), default=None)
        for own in names([row for row in part if row.encoder_kind == "own"], "encoder"):
            if best is not None:
                found.append(_compared(test, own, _of(part, own), best, _of(part, best)))
    return found


def _of(rows: Sequence[Prediction], encoder: str) -> list[Prediction]:
    return [row for row in rows if row.encoder == encoder]


def _compared(
    test: str, own: str, mine: Sequence[Prediction], best: str, theirs: Sequence[Prediction]
) -> str:
    low, high = difference(mine, theirs)
    gap = accuracy(mine) - accuracy(theirs)
    verb = "solves more than" if low > 0 else "solves less than" if high < 0 else "is level with"
    amount = f"{abs(gap):.3f} {'more' if gap >= 0 else 'less'}"
    runs = len(names(mine, "seed"))
    return (
        f"Held-out problems of type {TYPE}, {test}: the encoder trained here, {own}, {verb} "
        f"the best given, {best}: {accuracy(mine):.3f} against {accuracy(theirs):.3f}, "
        f"{amount} (95 % interval of the difference {low:+.3f} to {high:+.3f} over "
        f"{len(names(mine, 'problem'))} problems; chance {chance(mine):.3f}; mean of "
        f"{' and '.join(names(mine, 'solver'))} over {runs} runs)."
    )


def difference(mine: Sequence[Prediction], theirs: Sequence[Prediction]) -> tuple[float, float]:
    """The 95 % interval of the difference in accuracy, paired by problem.

    Of each problem counts the mean over runs and networks, so that the interval tells how much
    depends on which problems were drawn; a single problem has none: (-inf, inf).
    """
    one, two = (
        {problem: accuracy(part) for problem, part in group(rows, lambda r: r.problem).items()}
        for rows in (mine, theirs)
    )
    gaps = [one[problem] - two[problem] for problem in one if problem in two]
    if len(gaps) < 2:
        return -math.inf, math.inf
    mean = sum(gaps) / len(gaps)
    variance = sum((gap - mean) ** 2 for gap in gaps) / (len(gaps) - 1)
    half = _NORMAL95 * math.sqrt(variance / len(gaps))
    return mean - half, mean + half
