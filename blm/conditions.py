"""Conditions on one item, evaluated in Python with strong Kleene logic.

A condition is true, false or has no value (None): a comparison with a cell that the item
does not have has none.  The logic program gives conditions the same meaning; this module is
for phrases, for recognition and for tests that compare the two.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import assert_never

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
    Phenomenon,
    Value,
)

Item = Mapping[CellName, Value]
"""A value for every cell that the item has; a cell without value is not in it."""

Domains = Mapping[CellName, tuple[Value, ...]]
"""The domain of each cell, in the author's order, for comparisons of ordered values."""

_OPERATORS: Mapping[Comparison, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def domains_of(phenomenon: Phenomenon) -> dict[CellName, tuple[Value, ...]]:
    """The domain of every cell of `phenomenon`."""
    return {cell.name: cell.domain for cell in phenomenon.cells}


def evaluate(
    condition: Condition,
    item: Item,
    correct: Item | None = None,
    *,
    domains: Domains | None = None,
) -> bool | None:
    """Whether `condition` holds in `item`; None where it has no value.

    `correct` is the correct answer, which Changes, Appears and Disappears compare with.
    `domains` gives the order of values that are not numbers.

    Raises InternalError where `correct` or a domain is needed and not given: the checker
    admits neither.
    """
    match condition:
        case Is(cell, value):
            return None if cell not in item else item[cell] == value
        case Matches(left, right):
            return None if left not in item or right not in item else item[left] == item[right]
        case Compare():
            return _compare(condition, item, domains or {})
        case Distinct(cells):
            values = [item[cell] for cell in cells if cell in item]
            return len(values) == len(set(values))
        case Changes() | Appears() | Disappears():
            return _compare_items(condition, item, correct)
        case Count() | Not() | And() | Or() | Implies():
            return _combine(condition, item, correct, domains)
        case _:
            assert_never(condition)


def _combine(
    condition: Count | Not | And | Or | Implies,
    item: Item,
    correct: Item | None,
    domains: Domains | None,
) -> bool | None:
    def value(inner: Condition) -> bool | None:
        return evaluate(inner, item, correct, domains=domains)

    match condition:
        case Not(inner):
            return _negate(value(inner))
        case And(conditions):
            return _all(value(inner) for inner in conditions)
        case Or(conditions):
            return _negate(_all(_negate(value(inner)) for inner in conditions))
        case Implies(premise, conclusion):
            return _negate(_all((value(premise), _negate(value(conclusion)))))
        case Count(conditions, comparison, number):
            true = sum(value(inner) is True for inner in conditions)
            return _OPERATORS[comparison](true, number)
        case _:
            assert_never(condition)


def _negate(value: bool | None) -> bool | None:
    return None if value is None else not value


def _all(values: Iterable[bool | None]) -> bool | None:
    """The least of the values, where false < no value < true."""
    result: bool | None = True
    for value in values:
        if value is False:
            return False
        if value is None:
            result = None
    return result


def _compare(condition: Compare, item: Item, domains: Domains) -> bool | None:
    left = item.get(condition.left)
    right: Value | None = (
        item.get(condition.right) if isinstance(condition.right, CellName) else condition.right
    )
    if left is None or right is None:
        return None
    if condition.operator in ("=", "!="):
        return (left == right) is (condition.operator == "=")
    if not (isinstance(left, int) and isinstance(right, int)):
        left, right = _rank(left, condition, domains), _rank(right, condition, domains)
    return _OPERATORS[condition.operator](left, right)


def _rank(value: Value, condition: Compare, domains: Domains) -> int:
    try:
        return domains[condition.left].index(value)
    except (KeyError, ValueError) as error:
        raise InternalError(f"no order of {value!r} in {condition.left}") from error


def _compare_items(
    condition: Changes | Appears | Disappears, item: Item, correct: Item | None
) -> bool:
    if correct is None:
        raise InternalError(f"{condition} needs the correct answer to compare with")
    match condition:
        case Changes(cell):
            return cell in item and cell in correct and item[cell] != correct[cell]
        case Appears(name):
            return _has(item, name) and not _has(correct, name)
        case Disappears(name):
            return _has(correct, name) and not _has(item, name)
        case _:
            assert_never(condition)


def _has(item: Item, name: str) -> bool:
    return item.get(CellName(name, PRESENCE), ABSENT) == PRESENT
