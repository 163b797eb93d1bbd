from itertools import product

import pytest

from blm.conditions import evaluate
from blm.diagnostics import InternalError
from blm.phenomenon import (
    ABSENT,
    PRESENCE,
    PRESENT,
    And,
    Appears,
    CellName,
    Changes,
    Compare,
    Comparison,
    Condition,
    Count,
    Disappears,
    Distinct,
    Implies,
    Is,
    Matches,
    Not,
    Or,
)

A, B, GONE = CellName("a", "x"), CellName("b", "x"), CellName("c", "x")
ITEM = {A: 1, B: 2, CellName("o", PRESENCE): PRESENT}

TRUE, FALSE, NONE = Is(A, 1), Is(A, 2), Is(GONE, 1)
THREE: dict[bool | None, Condition] = {True: TRUE, False: FALSE, None: NONE}
RANK: dict[bool | None, int] = {False: 0, None: 1, True: 2}


def test_atoms() -> None:
    assert evaluate(TRUE, ITEM) is True
    assert evaluate(FALSE, ITEM) is False
    assert evaluate(NONE, ITEM) is None
    assert evaluate(Matches(A, B), ITEM) is False
    assert evaluate(Matches(A, GONE), ITEM) is None


@pytest.mark.parametrize(("p", "q"), list(product(THREE, THREE)))
def test_connectives_are_strong_kleene(p: bool | None, q: bool | None) -> None:
    one, other = THREE[p], THREE[q]
    least, greatest = min(p, q, key=RANK.__getitem__), max(p, q, key=RANK.__getitem__)
    negated = None if p is None else not p
    assert evaluate(Not(one), ITEM) is negated
    assert evaluate(And((one, other)), ITEM) is least
    assert evaluate(Or((one, other)), ITEM) is greatest
    assert evaluate(Implies(one, other), ITEM) is max(negated, q, key=RANK.__getitem__)


def test_counts_and_distinct_always_have_a_value() -> None:
    assert evaluate(Count((TRUE, FALSE, NONE), "=", 1), ITEM) is True
    assert evaluate(Count((NONE,), ">=", 1), ITEM) is False
    assert evaluate(Distinct((A, B, GONE)), ITEM) is True
    assert evaluate(Distinct((A, B)), {A: 1, B: 1}) is False


@pytest.mark.parametrize(
    ("operator", "expected"),
    [("=", False), ("!=", True), ("<", True), ("<=", True), (">", False), (">=", False)],
)
def test_comparisons(operator: Comparison, expected: bool) -> None:
    assert evaluate(Compare(A, operator, 2), ITEM) is expected
    assert evaluate(Compare(A, operator, B), ITEM) is expected
    assert evaluate(Compare(A, operator, GONE), ITEM) is None
    sizes = {A: ("small", "large"), B: ("small", "large")}
    sized = {A: "small", B: "large"}
    assert evaluate(Compare(A, operator, B), sized, domains=sizes) is expected


def test_an_order_that_nobody_declared_is_our_mistake() -> None:
    with pytest.raises(InternalError):
        evaluate(Compare(A, "<", "z"), {A: "y"})


def test_edits() -> None:
    here, gone = {A: 1, CellName("o", PRESENCE): PRESENT}, {CellName("o", PRESENCE): ABSENT}
    assert evaluate(Changes(A), here, {A: 2}) is True
    assert evaluate(Changes(A), here, here) is False
    assert evaluate(Changes(A), here, gone) is False
    assert evaluate(Appears("o"), here, gone) is True
    assert evaluate(Disappears("o"), gone, here) is True
    assert evaluate(Disappears("o"), here, gone) is False
    with pytest.raises(InternalError):
        evaluate(Changes(A), here)
