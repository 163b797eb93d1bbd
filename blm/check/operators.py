"""Operators: parameters resolved, and refused where they cannot fit a cell or a length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from blm import phenomenon as p
from blm import syntax as s
from blm.check.conditions import report_unknown_value, report_unordered
from blm.check.names import Names
from blm.check.report import Report


class Context(Struct, frozen=True):
    """What the rules of a phenomenon may refer to."""

    names: Names
    variables: Mapping[str, p.VariableDeclaration]
    distinct: tuple[tuple[str, ...], ...]
    shape: p.Shape
    report: Report

    def on_trial(self) -> Context:
        """The same, with a report of its own: to find out whether something fits."""
        return replace(self, report=Report(self.report.broken))

    def term(self, value: s.Value, cell: p.Cell) -> p.Term | None:
        """A value that a sequence of the cell can take, or a variable over such values."""
        values = self.names.sequence_values(cell)
        variable = self.variables.get(str(value.value))
        if variable is None:
            if value.value in values:
                return value.value
            if not self.report.may_be_lost("variable"):
                known = (*map(str, values), *self.variables)
                also = " or a variable" if self.variables else ""
                message = f"'{value.value}' is not a value of {cell.name}{also}"
                self.report.unknown("value", str(value.value), known, value, message)
            return None
        if foreign := [v for v in variable.values if v not in values]:
            message = f"{cell.name} cannot be {variable.name}: it has no value '{foreign[0]}'"
            help_ = f"{variable.name} ranges over {', '.join(map(str, variable.values))}"
            self.report.error("variable-values", message, value, help_)
        return p.Variable(variable.name)


def values_of_operator(operator: s.Operator) -> tuple[s.Value, ...]:
    """The values and variables that an operator names."""
    match operator:
        case s.Alternates(start=start) | s.Progresses(start=start):
            written: tuple[s.Value | s.Blank | None, ...] = (start,)
        case s.Switches(before=before, after=after):
            written = (before, after)
        case s.Distributes(values=values):
            written = values
        case s.Cycles(values=values, start=start):
            written = (*values, start)
        case s.Follows(schedule=schedule):
            written = schedule
        case s.Constant() | s.Varies():
            written = ()
        case _:
            assert_never(operator)
    return tuple(value for value in written if isinstance(value, s.Value))


def _shown(term: p.Term) -> str:
    return term.name if isinstance(term, p.Variable) else str(term)


class OperatorCheck(Struct, frozen=True):
    """Checks operators on one cell, over sequences of `length` items (None: not known)."""

    context: Context
    cell: p.Cell
    length: int | None

    def resolve(self, operator: s.Operator) -> p.Operator | None:
        """The operator with its parameters resolved; mistakes are reported."""
        match operator:
            case s.Alternates():
                return self._alternates(operator)
            case s.Switches():
                return self._switches(operator)
            case s.Progresses():
                return self._progresses(operator)
            case s.Constant():
                return self._constant(operator)
            case s.Varies():
                self._needs_two_values(operator)
                return p.Varies()
            case s.Distributes():
                return self._distributes(operator)
            case s.Cycles():
                return self._cycles(operator)
            case s.Follows():
                return self._follows(operator)
            case _:
                assert_never(operator)

    # each operator

    def _alternates(self, node: s.Alternates) -> p.Alternates:
        self._needs_two_values(node)
        every = self._at_least_one(node.every)
        if self.length is not None and every >= self.length:
            self._too_short(node, f"alternates every {every}", every + 1)
        return p.Alternates(every, self._optional_term(node.start))

    def _switches(self, node: s.Switches) -> p.Switches:
        self._needs_two_values(node)
        at, length = node.at.value, self.length
        if at < 2 or (length is not None and at > length):
            last = "the last one" if length is None else str(length)
            message = f"a switch is at one of the items 2 to {last} of its sequence, not at {at}"
            self._error("position-out-of-range", message, node.at)
        before, after = self._optional_term(node.before), self._optional_term(node.after)
        if node.after and before is not None and before == after:
            self._error("same-value", "a switch is between two different values", node.after)
        return p.Switches(at, before, after)

    def _progresses(self, node: s.Progresses) -> p.Progresses:
        step, every = self._at_least_one(node.step), self._at_least_one(node.every)
        start = self._start(node)
        if not self.cell.ordered:
            report_unordered(self.cell, node, self.context.report)
        elif self.length is not None:
            self._steps(node, step, (self.length - 1) // every, start)
        return p.Progresses(step, every, start)

    def _start(self, node: s.Progresses) -> p.Value | None:
        if node.start is None:
            return None
        if node.start.value in self.cell.domain:
            return node.start.value
        if node.start.value in self.context.variables:
            message = "a progression starts from a value, not from a variable"
            self._error("variable-as-start", message, node.start)
        else:
            report_unknown_value(self.cell, self.cell.domain, node.start, self.context.report)
        return None

    def _steps(self, node: s.Progresses, step: int, steps: int, start: p.Value | None) -> None:
        if steps == 0:
            self._too_short(node, "progresses", 2 if node.every is None else node.every.value + 1)
            return
        possible = _longest_progressions(self.cell.domain, step)
        longest = possible.get(start, 0) if start is not None else max(possible.values())
        if longest < steps:
            message = f"{self.cell.name} would have to grow {steps} times, by {step}"
            origin = "" if start is None else f" from {start}"
            values = ", ".join(map(str, self.cell.domain[:8]))
            help_ = f"its values{origin} allow {longest}: {values}"
            self._error("too-many-steps", message, node, help_)

    def _constant(self, node: s.Constant) -> p.Constant:
        if len(self._values) < 2:
            message = f"{self.cell.name} has one value only: it cannot but be constant"
            self._error("trivial-rule", message, node)
        return p.Constant()

    def _distributes(self, node: s.Distributes) -> p.Distributes:
        values = self._distinct_terms(node.values)
        size = len(node.values)
        if size < 2:
            self._error("too-few-values", "a distribution needs two values at least", node)
        elif self.length is not None and self.length % size:
            message = f"{self.length} items do not divide into groups of {size}"
            self._error("does-not-divide", message, node)
        return p.Distributes(values)

    def _cycles(self, node: s.Cycles) -> p.Cycles:
        values = self._distinct_terms(node.values)
        size = len(node.values)
        if size < 2:
            self._error("too-few-values", "a cycle needs two values at least", node)
        elif self.length is not None and size > self.length:
            self._too_short(node, f"this cycle of {size} values", size)
        start = self._optional_term(node.start)
        if node.start and start is not None and start not in values:
            self._error("not-in-cycle", f"'{node.start.value}' is not in the cycle", node.start)
        return p.Cycles(values, start)

    def _follows(self, node: s.Follows) -> p.Follows:
        size = len(node.schedule)
        if self.length is not None and size != self.length:
            message = f"this schedule has {size} values for {self.length} items"
            self._error("wrong-length", message, node, "'_' leaves an item free")
        if all(isinstance(entry, s.Blank) for entry in node.schedule):
            message = "this schedule leaves everything free: it cannot be broken"
            self._error("trivial-rule", message, node)
        return p.Follows(
            tuple(
                None if isinstance(entry, s.Blank) else self.context.term(entry, self.cell)
                for entry in node.schedule
            )
        )

    # parameters

    @property
    def _values(self) -> Sequence[p.Value]:
        return self.context.names.sequence_values(self.cell)

    def _needs_two_values(self, node: s.Operator) -> None:
        if len(self._values) < 2:
            message = f"{self.cell.name} has one value only: it cannot change"
            self._error("one-value", message, node)

    def _at_least_one(self, number: s.Number | None) -> int:
        if number is None:
            return 1
        if number.value == 0:
            self._error("number-too-small", "this number must be 1 or more", number)
        return max(1, number.value)

    def _optional_term(self, value: s.Value | None) -> p.Term | None:
        return None if value is None else self.context.term(value, self.cell)

    def _distinct_terms(self, values: tuple[s.Value, ...]) -> tuple[p.Term, ...]:
        seen: dict[p.Term, s.Value] = {}
        for value in values:
            term = self.context.term(value, self.cell)
            if term is None:
                continue
            if term in seen:
                first = seen[term].span
                self.context.report.duplicate("value", str(value.value), value, first)
            other = next((t for t in seen if self._may_be_same(t, term)), None)
            if other is not None and term not in seen:
                message = f"'{_shown(other)}' and '{value.value}' may stand for the same value"
                help_ = "declare the variables 'distinct', or take this value out of their range"
                self._error("may-coincide", message, value, help_)
            seen.setdefault(term, value)
        return tuple(seen)

    def _may_be_same(self, first: p.Term, second: p.Term) -> bool:
        """Whether two terms can have the same value in some matrix."""
        match first, second:
            case p.Variable(one), p.Variable(two):
                if any(one in group and two in group for group in self.context.distinct):
                    return False
                ranges = [set(self.context.variables[name].values) for name in (one, two)]
                return bool(ranges[0] & ranges[1])
            case (p.Variable(name), value) | (value, p.Variable(name)):
                return value in self.context.variables[name].values
            case _:
                return False

    def _too_short(self, node: s.Node, what: str, needed: int) -> None:
        message = f"'{what}' needs {needed} items; its sequence has {self.length}"
        self._error("sequence-too-short", message, node)

    def _error(self, code: str, message: str, at: s.Node, help_: str = "") -> None:
        self.context.report.error(code, message, at, help_)


def _longest_progressions(domain: Sequence[p.Value], step: int) -> dict[p.Value, int]:
    """How many times each value can grow by `step`: by number, or else by rank."""
    ranks = {v: v if isinstance(v, int) else rank for rank, v in enumerate(domain)}
    if not all(isinstance(value, int) for value in domain):
        ranks = {value: rank for rank, value in enumerate(domain)}
    values = {rank: value for value, rank in ranks.items()}
    longest: dict[p.Value, int] = {}
    for rank in sorted(values, reverse=True):
        following = values.get(rank + step)
        longest[values[rank]] = 0 if following is None else longest[following] + 1
    return longest
