"""The sentences of a report, computed from rows; needs neither torch nor matplotlib."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from blm.experiment.results import Prediction
from blm.report.findings import difference, findings
from blm.report.select import at_home


def rows(encoder: str, kind: str, hits: int, *, problems: int = 20) -> Iterator[Prediction]:
    """Two runs that solve the first `hits` problems of four candidates."""
    for seed in (1, 2):
        for number in range(problems):
            right = number < hits
            yield Prediction(
                encoder=encoder, encoder_kind=kind, solver="ffnn", kind="network",
                train="fr-I", train_language="fr", train_type="I", train_size=9, size="all",
                seed=seed, test="fr-I", test_language="fr", test_type="I", phenomenon="toy",
                problem=f"p{number}", matrix="m1", clause="main", seeds=("s",), answer=0,
                chosen=0 if right else 1, ties=1, among=right, correct=right,
                label="correct" if right else "AE", rules=(), families=(),
                labels=("correct", "AE", "WN", "Coord"), scores=(1.0, 0.0, 0.0, 0.0),
            )  # fmt: skip


@pytest.mark.parametrize(
    ("own", "given", "words"),
    [
        (
            18,
            4,
            "my, solves more than the best given, e5: 0.900 against 0.200, 0.700 more",
        ),
        (
            4,
            18,
            "my, solves less than the best given, e5: 0.200 against 0.900, 0.700 less",
        ),
        (10, 9, "my, is level with the best given, e5: 0.500 against 0.450, 0.050 more"),
    ],
)
def test_the_sentence_says_which_encoder_solves_more(own: int, given: int, words: str) -> None:
    made = [*rows("my", "own", own), *rows("e5", "given", given), *rows("worse", "given", 0)]
    (sentence,) = findings(made)
    assert words in sentence
    assert "over 20 problems; chance 0.250; mean of ffnn over 2 runs" in sentence


def test_nothing_is_said_without_something_to_compare() -> None:
    assert findings(list(rows("my", "own", 3))) == []
    assert findings([]) == []


def test_the_interval_is_over_problems() -> None:
    """Gaps 1, 1, 0, 0: mean 0.5, variance 1/3, so 0.5 ± 1.96 √(1/12)."""
    mine, theirs = rows("my", "own", 2, problems=4), rows("e5", "given", 0, problems=4)
    half = 1.96 * (1 / 12) ** 0.5
    assert difference(list(mine), list(theirs)) == pytest.approx((0.5 - half, 0.5 + half))


def test_home_is_the_largest_amount_there_is() -> None:
    from dataclasses import replace

    whole = list(rows("e5", "given", 3))
    equal = [replace(row, size="equal") for row in whole]
    few = [replace(row, size="60") for row in whole]
    assert at_home([*whole, *equal, *few]) == whole
    assert at_home([*equal, *few]) == equal
