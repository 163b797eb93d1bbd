"""Variables and the table of rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from blm import phenomenon as p
from blm import syntax as s
from blm.check.conditions import distinct_cells
from blm.check.names import Domains, Names, resolve_domain
from blm.check.operators import Context, values_of_operator
from blm.check.report import Report
from blm.check.rules import position_exists


def check_variables(
    entries: Iterable[s.Variables], domains: Domains, names: Names, report: Report
) -> tuple[dict[str, p.VariableDeclaration], tuple[tuple[str, ...], ...]]:
    """The variables of a matrix, and the groups that take different values."""
    taken = {value for cell in names.cells.values() if cell for value in cell.domain}
    variables: dict[str, p.VariableDeclaration] = {}
    groups: list[tuple[str, ...]] = []
    for entry in entries:
        domain = resolve_domain(entry.domain, domains, report)
        values = domain.values if domain else ()
        for name in entry.names:
            if name.text in variables:
                report.duplicate("variable", name.text, name, variables[name.text].span)
            elif name.text in taken:
                message = f"'{name.text}' is a value, so a variable cannot be called so"
                report.error("variable-is-value", message, name)
            else:
                span = name.span
                variables[name.text] = p.VariableDeclaration(name.text, values, span)
        if entry.distinct:
            groups.append(tuple(dict.fromkeys(name.text for name in entry.names)))
            _check_group(entry, values, report)
    return variables, tuple(groups)


def _check_group(entry: s.Variables, values: Sequence[p.Value], report: Report) -> None:
    if len(entry.names) < 2:
        message = "'distinct' needs two variables at least"
        report.error("too-few-variables", message, entry)
    elif 0 < len(values) < len(entry.names):
        message = f"{len(entry.names)} variables cannot differ: there are {len(values)} values"
        report.error("too-few-values", message, entry)


def check_use_of_variables(
    rules: Iterable[s.Rule], tables: Iterable[s.Rows], context: Context
) -> None:
    """Refuse variables that nothing uses."""
    report = context.report
    used = {value.value for value in (*_values_of_rules(rules), *_values_of_rows(tables))}
    if report.may_be_lost("rule") or report.may_be_lost("row"):
        return
    for variable in context.variables.values():
        if variable.name not in used:
            message = f"the variable '{variable.name}' is not used"
            report.error("unused-variable", message, variable.span)


def _values_of_rules(rules: Iterable[s.Rule]) -> Iterator[s.Value]:
    for rule in rules:
        if isinstance(rule.body, s.Pool):
            operators = list(rule.body.operators)
        else:
            operators = [c.operator for c in rule.body if isinstance(c, s.SequenceClause)]
        for operator in operators:
            yield from values_of_operator(operator)


def _values_of_rows(tables: Iterable[s.Rows]) -> Iterator[s.Value]:
    entries = (entry for table in tables for row in table.rows for entry in row.entries or ())
    return (entry for entry in entries if isinstance(entry, s.Value))


def check_rows(tables: Sequence[s.Rows], context: Context) -> tuple[p.Row, ...]:
    """The table of rows: every item of the context once, in any order."""
    for second in tables[1:]:
        context.report.error("duplicate-rows", "there is a table of rows already", second)
    if not tables:
        return ()
    table = tables[0]
    rows = list(_rows(table, _columns(table, context), context))
    _check_items(table, context)
    return tuple(sorted(rows, key=lambda row: row.item))


_Columns = Sequence[p.Cell | None]
"""The cells of a table; None is one with a mistake."""


def _columns(table: s.Rows, context: Context) -> _Columns:
    distinct_cells(table.columns, context.names, context.report)
    silent = context.on_trial().report
    return [context.names.cell(ref, silent) for ref in table.columns]


def _rows(table: s.Rows, columns: _Columns, context: Context) -> Iterator[p.Row]:
    seen: dict[int, s.Row] = {}
    for row in table.rows:
        item = row.item.value
        if item in seen:
            context.report.duplicate("row", str(item), row.item, seen[item].span)
        seen.setdefault(item, row)
        if not position_exists(row.item, context):
            continue
        if (item == context.shape.size) != (row.entries is None):
            _report_answer(row, context)
        elif row.entries is not None and _fits(table, row, context):
            yield p.Row(item, tuple(_entries(columns, row.entries, context)), row.span)


def _report_answer(row: s.Row, context: Context) -> None:
    size = context.shape.size
    if context.report.may_be_lost("shape"):
        return
    if row.entries is None:
        message = f"'?' stands for the answer, which is item {size}"
        context.report.error("row-of-the-answer", message, row)
    else:
        message = "the last item is the answer: it follows from the rules"
        help_ = f"write '{size}: ?', or leave this row out"
        context.report.error("row-of-the-answer", message, row, help_)


def _fits(table: s.Rows, row: s.Row, context: Context) -> bool:
    expected, found = len(table.columns), len(row.entries or ())
    if expected != found:
        message = f"this row has {found} entries for {expected} columns"
        columns = " ".join(map(str, table.columns))
        context.report.error("wrong-columns", message, row, f"the columns are: {columns}")
    return expected == found


def _entries(
    columns: _Columns, entries: Sequence[s.Value | s.Blank], context: Context
) -> Iterator[tuple[p.CellName, p.Term]]:
    for cell, entry in zip(columns, entries, strict=True):
        if cell is None or isinstance(entry, s.Blank):
            continue
        absent = entry.value == p.ABSENT
        if absent and p.ABSENT not in context.names.sequence_values(cell):
            message = f"{cell.name} is never absent: {cell.name.object} is not optional"
            context.report.error("not-optional", message, entry)
        elif (term := context.term(entry, cell)) is not None:
            yield cell.name, term


def _check_items(table: s.Rows, context: Context) -> None:
    if context.report.may_be_lost("row") or context.report.may_be_lost("shape"):
        return
    present = {row.item.value for row in table.rows}
    missing = [item for item in range(1, context.shape.size) if item not in present]
    if missing:
        listed = ", ".join(map(str, missing[:10])) + (" ..." if len(missing) > 10 else "")
        message = f"the table has no row for item {listed}"
        help_ = "a row of '_' leaves an item free"
        context.report.error("missing-row", message, table, help_)
