"""Variables and the table of rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from blm import phenomenon as p
from blm import syntax as s
from blm.check.conditions import distinct_cells
from blm.check.names import Domains, resolve_domain
from blm.check.operators import Context
from blm.check.report import Report
from blm.check.rules import position_exists


def check_variables(
    entries: Iterable[s.Variables], domains: Domains, report: Report
) -> tuple[dict[str, p.VariableDeclaration], tuple[tuple[str, ...], ...]]:
    """The variables of a matrix, and the groups that take different values."""
    variables: dict[str, p.VariableDeclaration] = {}
    groups: list[tuple[str, ...]] = []
    for entry in entries:
        domain = resolve_domain(entry.domain, domains, report)
        values = domain.values if domain else ()
        for name in entry.names:
            if name.text in variables:
                report.duplicate("variable", name.text, name, variables[name.text].span)
                continue
            variables[name.text] = p.VariableDeclaration(name.text, values, name.span)
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


def check_use_of_variables(entries: Iterable[s.Variables], context: Context) -> None:
    """Refuse variables that nothing uses, and those that are called like a value."""
    report = context.report
    values = {value for cell in context.names.cells.values() if cell for value in cell.domain}
    for entry in entries:
        for name in entry.names:
            if name.text in values:
                message = f"'{name.text}' is a value, so a variable cannot be called so"
                report.error("variable-is-value", message, name)
            elif name.text not in context.used and not report.may_be_lost("rule"):
                report.error("unused-variable", f"the variable '{name.text}' is not used", name)


def check_rows(tables: Sequence[s.Rows], context: Context) -> tuple[p.Row, ...]:
    """The table of rows: every item of the context once, in any order."""
    for second in tables[1:]:
        context.report.error("duplicate-rows", "there is a table of rows already", second)
    if not tables:
        return ()
    table = tables[0]
    cells = distinct_cells(table.columns, context.names, context.report)
    columns = cells if len(cells) == len(table.columns) else None
    rows = list(_rows(table, columns, context))
    _check_items(table, context)
    return tuple(sorted(rows, key=lambda row: row.item))


def _rows(
    table: s.Rows, columns: Sequence[p.Cell] | None, context: Context
) -> Iterator[p.Row]:
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
        elif row.entries is not None and _fits(table, row, context) and columns is not None:
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
    columns: Sequence[p.Cell], entries: Sequence[s.Value | s.Blank], context: Context
) -> Iterator[tuple[p.CellName, p.Term]]:
    for cell, entry in zip(columns, entries, strict=True):
        if isinstance(entry, s.Blank):
            continue
        absent = entry.value == p.ABSENT
        if absent and p.ABSENT not in context.names.sequence_values(cell):
            message = f"{cell.name} is never absent: {cell.name.object} is not optional"
            context.report.error("not-optional", message, entry)
        elif (term := context.term(entry, cell)) is not None:
            yield cell.name, term


def _check_items(table: s.Rows, context: Context) -> None:
    if context.report.broken & {"matrix"}:
        return
    present = {row.item.value for row in table.rows}
    missing = [item for item in range(1, context.shape.size) if item not in present]
    if missing:
        listed = ", ".join(map(str, missing[:10])) + (" ..." if len(missing) > 10 else "")
        message = f"the table has no row for item {listed}"
        help_ = "a row of '_' leaves an item free"
        context.report.error("missing-row", message, table, help_)
