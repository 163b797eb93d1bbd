"""What the types of cells say about the truth of a condition."""

from __future__ import annotations

from blm import phenomenon as p
from blm import syntax as s
from blm.check.names import Names
from blm.check.report import Report

BOTH = frozenset({True, False})


def truths(condition: p.Condition, names: Names) -> frozenset[bool]:
    """The truth values that a condition may have, as far as single cells tell.

    An upper bound: a condition that needs reasoning about several cells may have both.
    """
    match condition:
        case p.Is(cell):
            domain = _domain(cell, names)
            return frozenset({True}) if len(domain) == 1 else BOTH
        case p.Matches(left, right):
            if left == right:
                return frozenset({True})
            domains = {*_domain(left, names)}, {*_domain(right, names)}
            if domains[0].isdisjoint(domains[1]):
                return frozenset({False})
            same = domains[0] == domains[1] and len(domains[0]) == 1
            return frozenset({True}) if same else BOTH
        case p.Not(inner):
            return frozenset(not truth for truth in truths(inner, names))
        case p.Or(parts) if _covers_domain(parts, names):
            return frozenset({True})
        case p.And(parts):
            return _joined([truths(part, names) for part in parts], absorbing=False)
        case p.Or(parts):
            return _joined([truths(part, names) for part in parts], absorbing=True)
        case p.Implies(premise, conclusion):
            return truths(p.Or((p.Not(premise), conclusion)), names)
        case p.Compare(left, operator, right) if not isinstance(right, p.CellName):
            return _compared(_domain(left, names), operator, right)
        case _:
            return BOTH


def report_trivial(
    condition: p.Condition, names: Names, at: s.Condition, report: Report, consequence: str
) -> None:
    """Report a condition that every item meets, or none does."""
    possible = truths(condition, names)
    if False not in possible:
        report.error("trivial-rule", f"this cannot be false: {consequence}", at)
    elif True not in possible:
        report.error("impossible-rule", "this cannot be true in any item", at)


def _domain(cell: p.CellName, names: Names) -> tuple[p.Value, ...]:
    found = names.cells[cell]
    return found.domain if found else ()


def _covers_domain(parts: tuple[p.Condition, ...], names: Names) -> bool:
    """`x is a or x is b`, where x has no other values."""
    chosen = {part.value for part in parts if isinstance(part, p.Is)}
    cells = {part.cell if isinstance(part, p.Is) else None for part in parts}
    (cell,) = cells if len(cells) == 1 else (None,)
    return cell is not None and chosen >= set(_domain(cell, names))


def _joined(parts: list[frozenset[bool]], *, absorbing: bool) -> frozenset[bool]:
    found: set[bool] = set()
    if any(absorbing in part for part in parts):
        found.add(absorbing)
    if all((not absorbing) in part for part in parts):
        found.add(not absorbing)
    return frozenset(found)


def _compared(
    domain: tuple[p.Value, ...], operator: p.Comparison, value: p.Value
) -> frozenset[bool]:
    rank = domain.index(value) if value in domain else None
    if rank is None:
        return BOTH
    match operator:
        case "<":
            return frozenset(i < rank for i in range(len(domain)))
        case "<=":
            return frozenset(i <= rank for i in range(len(domain)))
        case ">":
            return frozenset(i > rank for i in range(len(domain)))
        case ">=":
            return frozenset(i >= rank for i in range(len(domain)))
        case "=":
            return frozenset(i == rank for i in range(len(domain)))
        case "!=":
            return frozenset(i != rank for i in range(len(domain)))
