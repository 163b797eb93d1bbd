"""Rules: clauses, scopes and pools."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from msgspec import Struct

from blm import phenomenon as p
from blm import syntax as s
from blm.check.conditions import Conditions, distinct_cells
from blm.check.operators import Context, OperatorCheck
from blm.check.triviality import report_trivial
from blm.show import show_body


def check_rule(node: s.Rule, family: p.Family, context: Context) -> Iterator[p.Rule]:
    """The rule of an entry, or for a pool one rule for each of its cells."""
    text = node.text.text if node.text else show_body(node.body)
    if isinstance(node.body, s.Pool):
        for clause in _pool(node, node.body, context):
            name = f"{node.name.text}[{clause.cell}]"
            yield p.Rule(name, family, (clause,), text, node.span)
        return
    checker = _Clauses(context)
    clauses = tuple(found for c in node.body if (found := checker.clause(c)))
    yield p.Rule(node.name.text, family, clauses, text, node.span)


_NOWHERE = p.Positions(())
"""The scope of a clause whose scope has a mistake: nothing is said about its length."""


class _Clauses(Struct, frozen=True):
    context: Context

    def clause(self, node: s.Clause) -> p.Clause | None:
        match node:
            case s.ConditionClause():
                return self._condition(node)
            case s.SequenceClause():
                return self._sequence(node)
            case s.MovementClause():
                return self._movement(node)
            case _:
                assert_never(node)

    def _condition(self, node: s.ConditionClause) -> p.ItemClause | None:
        condition = self._conditions().resolve(node.condition)
        if isinstance(node.scope, s.ByRow | s.ByColumn):
            message = "a condition is about single items: it has no rows and columns"
            self._error("scope-of-condition", message, node.scope)
            return None
        scope = self._scope(node.scope)
        if condition is None:
            return None
        report, consequence = self.context.report, "no answer can break it"
        report_trivial(condition, self.context.names, node.condition, report, consequence)
        return p.ItemClause(condition, scope, node.span)

    def _sequence(self, node: s.SequenceClause) -> p.SequenceClause | None:
        cell = self.context.names.cell(node.cell, self.context.report)
        scope = self._scope(node.scope)
        length = self._length(scope, node)
        if cell is None or length == 0:
            return None
        operator = OperatorCheck(self.context, cell, length).resolve(node.operator)
        return p.SequenceClause(cell.name, operator, scope, node.span) if operator else None

    def _length(self, scope: p.Scope, node: s.SequenceClause) -> int | None:
        """The length of the sequences of a scope, None if it depends on items, 0 if refused."""
        match scope:
            case p.Where():
                return None
            case p.Positions(()):
                return None
            case p.Positions(positions):
                length = len(positions)
            case p.ByRow():
                length = self.context.shape.columns
            case p.ByColumn():
                length = self.context.shape.rows
            case _:
                length = self.context.shape.size
        if self.context.report.may_be_lost("shape"):
            return None
        if self.context.shape.rows == 1 and isinstance(scope, p.ByRow | p.ByColumn):
            message = "the matrix has one row only"
            help_ = "give it a shape: 'matrix 3 x 3'"
            self._error("one-row", message, node.scope or node, help_)
            return 0
        if length < 2:
            message = "an operator relates items, and this scope has fewer than two"
            self._error("too-few-items", message, node.scope or node)
            return 0
        return length

    def _scope(self, node: s.Scope | None) -> p.Scope:
        match node:
            case None:
                return None
            case s.ByRow():
                return p.ByRow()
            case s.ByColumn():
                return p.ByColumn()
            case s.OverWhere():
                condition = self._conditions().resolve(node.condition)
                return p.Where(condition) if condition else _NOWHERE
            case s.OverItems():
                return p.Positions(self._positions(node))
            case _:
                assert_never(node)

    def _positions(self, node: s.OverItems) -> tuple[int, ...]:
        """The items that are named, in order; none if there is a mistake."""
        chosen: set[int] = set()
        named = 0
        for stretch in node.stretches:
            last = stretch.last or stretch.first
            positions = range(stretch.first.value, last.value + 1)
            named += max(1, len(positions))
            if not positions:
                message = f"this range is empty: {stretch.first.value} is more than {last.value}"
                self._error("empty-range", message, stretch)
            elif self._position(stretch.first) and self._position(last):
                if not chosen.isdisjoint(positions):
                    self._error("repeated-position", "these items are named twice", stretch)
                chosen.update(positions)
        return tuple(sorted(chosen)) if len(chosen) == named else ()

    def _position(self, number: s.Number) -> bool:
        return position_exists(number, self.context)

    def _movement(self, node: s.MovementClause) -> p.MovementClause | None:
        names, report = self.context.names, self.context.report
        source, target = names.cell(node.source, report), names.cell(node.target, report)
        first, second = node.source_item, node.target_item
        placed = self._position(first) & self._position(second)
        if placed and first.value == second.value:
            message = "a movement is between two items"
            self._error("same-item", message, second, "use 'matches' for cells of one item")
        if source is None or target is None:
            return None
        if set(names.sequence_values(source)).isdisjoint(names.sequence_values(target)):
            message = f"{source.name} can never become {target.name}: they share no value"
            self._error("no-shared-value", message, node)
        return p.MovementClause(source.name, first.value, target.name, second.value, node.span)

    def _conditions(self) -> Conditions:
        variables = frozenset(self.context.variables)
        return Conditions(self.context.names, self.context.report, variables=variables)

    def _error(self, code: str, message: str, at: s.Node, help_: str = "") -> None:
        self.context.report.error(code, message, at, help_)


def position_exists(number: s.Number, context: Context) -> bool:
    """Whether the matrix has an item of this number; reported if not."""
    size = context.shape.size
    if 1 <= number.value <= size or context.report.may_be_lost("shape"):
        return True
    message = f"there is no item {number.value}: the matrix has items 1 to {size}"
    context.report.error("position-out-of-range", message, number)
    return False


# --- pools ----------------------------------------------------------


def _pool(node: s.Rule, pool: s.Pool, context: Context) -> Iterator[p.PooledClause]:
    cells = distinct_cells(pool.cells, context.names, context.report)
    if len(cells) < len(pool.cells):
        return
    fitting = {cell.name: tuple(_fitting(pool.operators, cell, context)) for cell in cells}
    _report_misfits(pool, cells, fitting, context)
    for cell in cells:
        resolved = tuple(op for op in fitting[cell.name] if op is not None)
        operators = tuple(dict.fromkeys(resolved))
        yield p.PooledClause(node.name.text, cell.name, operators, pool.once, pool.span)
    if pool.once and not _assignable(fitting.values()):
        message = "there are not enough operators for every cell to have its own"
        context.report.error("pool-too-small", message, pool)


_Fitting = Sequence[p.Operator | None]
"""For each operator of a pool: what it is on a cell, or None where it does not fit."""


def _fitting(
    operators: Iterable[s.Operator], cell: p.Cell, context: Context
) -> Iterator[p.Operator | None]:
    for operator in operators:
        trial = context.on_trial()
        found = OperatorCheck(trial, cell, context.shape.size).resolve(operator)
        yield None if trial.report.failed else found


def _report_misfits(
    pool: s.Pool,
    cells: Sequence[p.Cell],
    fitting: dict[p.CellName, tuple[p.Operator | None, ...]],
    context: Context,
) -> None:
    for index, operator in enumerate(pool.operators):
        if all(fits[index] is None for fits in fitting.values()):
            trial = context.on_trial()
            OperatorCheck(trial, cells[0], context.shape.size).resolve(operator)
            reasons = [d.message for d in trial.report.diagnostics()]
            message = "this operator fits no cell of the pool"
            context.report.error("operator-fits-no-cell", message, operator, "; ".join(reasons))
    for ref, fits in zip(pool.cells, fitting.values(), strict=True):
        if all(operator is None for operator in fits):
            message = f"no operator of the pool fits {ref}"
            context.report.error("cell-without-operator", message, ref)


def _assignable(fitting: Iterable[_Fitting]) -> bool:
    """Whether every cell can have an operator of its own (bipartite matching)."""
    owner: dict[int, int] = {}
    rows = [[i for i, operator in enumerate(fits) if operator is not None] for fits in fitting]

    def place(cell: int, tried: set[int]) -> bool:
        for operator in rows[cell]:
            if operator in tried:
                continue
            tried.add(operator)
            if operator not in owner or place(owner[operator], tried):
                owner[operator] = cell
                return True
        return False

    return all(place(cell, set()) for cell in range(len(rows)))
