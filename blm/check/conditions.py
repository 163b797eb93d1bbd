"""Conditions: names resolved, short forms spelled out, and what their types rule out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from msgspec import Struct

from blm import phenomenon as p
from blm import syntax as s
from blm.check.names import Names
from blm.check.report import Report
from blm.phenomenon import ABSENT, PRESENCE, PRESENT


class Conditions(Struct, frozen=True):
    """Resolves the conditions of one phenomenon; `edits` allows what only labels may say."""

    names: Names
    report: Report
    edits: bool = False
    variables: frozenset[str] = frozenset()

    def resolve(self, condition: s.Condition) -> p.Condition | None:
        """The condition with its cells; None, and reported, if it has a mistake.

        `a is not v` becomes Not(Is), `differs from` Not(Matches), `is one of` an Or of Is, and
        `any of`, `none of`, `all of` become Counts.
        """
        match condition:
            case s.Is():
                return self._is(condition.cell, condition.value)
            case s.IsNot():
                return _negated(self._is(condition.cell, condition.value))
            case s.IsOneOf():
                return self._is_one_of(condition)
            case s.Matches():
                return self._matches(condition)
            case s.Differs():
                return _negated(self._matches(condition))
            case s.Compare():
                return self._compare(condition)
            case s.Count():
                return self._count(condition)
            case s.Quantified():
                return self._quantified(condition)
            case s.Distinct():
                return self._distinct(condition)
            case s.Not():
                return _negated(self.resolve(condition.condition))
            case s.And():
                parts = self._all(condition.conditions)
                return p.And(parts) if parts else None
            case s.Or():
                parts = self._all(condition.conditions)
                return p.Or(parts) if parts else None
            case s.Implies():
                return self._implies(condition)
            case s.Edit():
                return self._edit(condition)
            case _:
                assert_never(condition)

    def _all(self, conditions: Iterable[s.Condition]) -> tuple[p.Condition, ...] | None:
        resolved = [self.resolve(condition) for condition in conditions]
        found = tuple(condition for condition in resolved if condition is not None)
        return found if len(found) == len(resolved) else None

    def _is(self, ref: s.CellRef, value: s.Value) -> p.Condition | None:
        cell = self.names.cell(ref, self.report)
        if cell is None or not self._has_value(cell, value):
            return None
        return p.Is(cell.name, value.value)

    def _has_value(self, cell: p.Cell, value: s.Value) -> bool:
        if value.value in cell.domain:
            return True
        if value.value in (ABSENT, PRESENT):
            self._report_presence(cell, value)
        elif value.value in self.variables:
            message = f"'{value.value}' is a variable; a condition speaks of values"
            help_ = "variables stand in 'rows' and after operators"
            self.report.error("variable-in-condition", message, value, help_)
        else:
            report_unknown_value(cell, cell.domain, value, self.report)
        return False

    def _report_presence(self, cell: p.Cell, value: s.Value) -> None:
        owner = self.names.objects[cell.name.object]
        if owner.optional:
            help_ = f"write '{owner.name} is {value.value}'"
        elif cell.condition:
            help_ = "state the condition under which it exists instead"
        else:
            help_ = f"{owner.name} is not optional: it is present in every item"
        message = f"presence is a matter of objects, and {cell.name} is an attribute"
        self.report.error("presence-of-attribute", message, value, help_)

    def _is_one_of(self, node: s.IsOneOf) -> p.Condition | None:
        cell = self.names.cell(node.cell, self.report)
        if cell is None:
            return None
        known = [self._has_value(cell, value) for value in node.values]
        seen: dict[p.Value, s.Value] = {}
        for value in node.values:
            if value.value in seen:
                first = seen[value.value].span
                self.report.duplicate("value", str(value.value), value, first)
            seen.setdefault(value.value, value)
        if not all(known):
            return None
        options = tuple(p.Is(cell.name, value) for value in seen)
        return p.Or(options) if len(options) > 1 else options[0]

    def _matches(self, node: s.Matches | s.Differs) -> p.Condition | None:
        left = self.names.cell(node.left, self.report)
        right = self.names.cell(node.right, self.report)
        if left is None or right is None:
            return None
        if left.name == right.name:
            self.report.error("same-cell", f"{left.name} is compared with itself", node)
            return None
        if set(left.domain).isdisjoint(right.domain):
            self.report.error(
                "no-shared-value",
                f"{left.name} and {right.name} can never match: they share no value",
                node,
                f"{left.name} has {_listed(left.domain)}; {right.name} has {_listed(right.domain)}",
            )
            return None
        return p.Matches(left.name, right.name)

    def _compare(self, node: s.Compare) -> p.Condition | None:
        left = self.names.cell(node.left, self.report)
        right: p.Cell | s.Value | None = (
            self.names.cell(node.right, self.report)
            if isinstance(node.right, s.CellRef)
            else node.right
        )
        if left is None or right is None or not self._ordered(left, node.left):
            return None
        if isinstance(right, s.Value):
            known = self._has_value(left, right)
            return p.Compare(left.name, node.operator, right.value) if known else None
        if not self._ordered(right, node.right):
            return None
        if left.domain != right.domain and not (_numeric(left) and _numeric(right)):
            message = f"the orders of {left.name} and {right.name} are not the same"
            self.report.error("incomparable", message, node, "give both the same domain")
        return p.Compare(left.name, node.operator, right.name)

    def _ordered(self, cell: p.Cell, at: s.Node) -> bool:
        if not cell.ordered:
            report_unordered(cell, at, self.report)
        return cell.ordered

    def _count(self, node: s.Count) -> p.Condition | None:
        inner = self._all(node.conditions)
        if node.number.value > len(node.conditions):
            message = f"there are only {len(node.conditions)} conditions to count"
            self.report.error("count-out-of-range", message, node.number)
        return p.Count(inner, node.operator, node.number.value) if inner else None

    def _quantified(self, node: s.Quantified) -> p.Condition | None:
        inner = self._all(node.conditions)
        if inner is None:
            return None
        match node.quantifier:
            case "any of":
                return p.Count(inner, ">=", 1)
            case "none of":
                return p.Count(inner, "=", 0)
            case "all of":
                return p.Count(inner, "=", len(inner))
            case _:
                assert_never(node.quantifier)

    def _distinct(self, node: s.Distinct) -> p.Condition | None:
        cells = distinct_cells(node.cells, self.names, self.report)
        if len(node.cells) < 2:
            self.report.error("too-few-cells", "'distinct' needs two cells at least", node)
        return p.Distinct(tuple(cell.name for cell in cells)) if cells else None

    def _implies(self, node: s.Implies) -> p.Condition | None:
        premise, conclusion = self.resolve(node.premise), self.resolve(node.conclusion)
        return p.Implies(premise, conclusion) if premise and conclusion else None

    def _edit(self, node: s.Edit) -> p.Condition | None:
        cell = self.names.cell(node.cell, self.report)
        if not self.edits:
            message = f"'{node.kind}' compares a candidate with the correct answer"
            self.report.error("edit-outside-answers", message, node, "only 'answers' may use it")
        elif cell and node.kind != "changes" and cell.name.attribute != PRESENCE:
            message = f"an object {node.kind}, and {cell.name} is an attribute"
            help_ = f"write '{cell.name.object} {node.kind}' or '{cell.name} changes'"
            self.report.error("presence-of-attribute", message, node.cell, help_)
        if cell is None:
            return None
        match node.kind:
            case "changes":
                return p.Changes(cell.name)
            case "appears":
                return p.Appears(cell.name.object)
            case "disappears":
                return p.Disappears(cell.name.object)
            case _:
                assert_never(node.kind)


def distinct_cells(refs: Iterable[s.CellRef], names: Names, report: Report) -> tuple[p.Cell, ...]:
    """The cells of a list in which none may stand twice; mistakes are left out."""
    found: dict[p.CellName, p.Cell] = {}
    for ref in refs:
        cell = names.cell(ref, report)
        if cell is None:
            continue
        if cell.name in found:
            report.error("duplicate-cell", f"{cell.name} stands here twice", ref)
        found.setdefault(cell.name, cell)
    return tuple(found.values())


def report_unknown_value(
    cell: p.Cell, known: Iterable[p.Value], value: s.Value, report: Report
) -> None:
    """Report a value that a cell does not have."""
    message = f"'{value.value}' is not a value of {cell.name}"
    report.unknown("value", str(value.value), map(str, known), value, message)


def report_unordered(cell: p.Cell, at: s.Node, report: Report) -> None:
    """Report that the values of a cell have no order."""
    chain = " < ".join(map(str, cell.domain))
    message = f"the values of {cell.name} have no order"
    report.error("unordered-domain", message, at, f"declare them as {{{chain}}}")


def _negated(condition: p.Condition | None) -> p.Condition | None:
    return p.Not(condition) if condition is not None else None


def _numeric(cell: p.Cell) -> bool:
    return all(isinstance(value, int) for value in cell.domain)


def _listed(values: Iterable[p.Value]) -> str:
    return ", ".join(map(str, values))
