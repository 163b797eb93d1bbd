"""The file of a phenomenon, section by section."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from blm import phenomenon as p
from blm import syntax as s
from blm.check.answers import check_axes, check_correct, check_labels
from blm.check.conditions import Conditions
from blm.check.matrix import check_rows, check_use_of_variables, check_variables
from blm.check.names import Domains, Names, collect_domains
from blm.check.objects import check_objects
from blm.check.operators import Context
from blm.check.report import Report
from blm.check.rules import check_rule
from blm.check.sections import check_sections, entries_of, sections_of
from blm.check.triviality import report_trivial
from blm.diagnostics import Diagnostic, Span


def check_phenomenon(file: s.File) -> tuple[p.Phenomenon | None, list[Diagnostic]]:
    """What the file of a phenomenon means, or what is wrong with it; warnings in either case.

    The diagnostics are sorted by position. Nothing is reported twice, nor what only follows
    from an earlier mistake, nor what an entry that cannot be read (`file.broken`) may declare.
    """
    report = Report(file.broken)
    check_sections(file, report)
    phenomenon = _phenomenon(file, report)
    return None if report.failed or file.broken else phenomenon, report.diagnostics()


def _phenomenon(file: s.File, report: Report) -> p.Phenomenon | None:
    """The phenomenon as far as it can be made out; to be discarded if there are errors."""
    domains = collect_domains(entries_of(sections_of(file, s.Domains)), report)
    names = check_objects(entries_of(sections_of(file, s.Objects)), domains, report)
    context = _context(sections_of(file, s.Matrix), names, domains, report)
    possible = tuple(_constraints(entries_of(sections_of(file, s.Possible)), names, report))
    rules = tuple(_rules(file, context))
    rows = _rows(file, context)
    answers = sections_of(file, s.Answers)
    correct = check_correct(answers, report)
    places = {rule.name: rule.span for rule in rules}
    constraints = [constraint.name for constraint in possible]
    labels = check_labels(entries_of(answers), names, places, constraints, report)
    axes = check_axes(entries_of(answers), names, report)
    header = next(iter(sections_of(file, s.PhenomenonHeader)), None)
    if header is None:
        return None
    return p.Phenomenon(
        name=header.name.text,
        title=header.title.text if header.title else "",
        objects=tuple(names.objects.values()),
        cells=tuple(cell for cell in names.cells.values() if cell),
        possible=possible,
        rules=rules,
        shape=context.shape,
        variables=tuple(context.variables.values()),
        distinct=context.distinct,
        rows=rows,
        labels=labels,
        axes=axes,
        axes_span=next((e.span for e in entries_of(answers) if isinstance(e, s.Balanced)), None),
        span=header.span,
        correct=correct,
    )


def _context(
    matrices: Sequence[s.Matrix], names: Names, domains: Domains, report: Report
) -> Context:
    if not matrices:
        report.broken |= {"shape"}
    rows, columns = (matrices[0].rows, matrices[0].columns) if matrices else (None, None)
    shape = p.Shape(rows.value if rows else 1, columns.value if columns else 1)
    declarations = [e for e in entries_of(matrices) if isinstance(e, s.Variables)]
    variables, distinct = check_variables(declarations, domains, names, report)
    return Context(names, variables, distinct, shape, report)


def _rules(file: s.File, context: Context) -> Iterator[p.Rule]:
    seen: dict[str, Span] = {}
    for family, rule in _rule_entries(file):
        name = rule.name.text
        if name in seen:
            context.report.duplicate("rule", name, rule.name, seen[name])
        seen.setdefault(name, rule.name.span)
        yield from check_rule(rule, family, context)


def _rule_entries(file: s.File) -> Iterator[tuple[p.Family, s.Rule]]:
    for section in file.sections:
        match section:
            case s.Rules(family=family):
                yield from ((family, rule) for rule in section.entries)
            case s.Matrix():
                rules = (entry for entry in section.entries if isinstance(entry, s.Rule))
                yield from ((p.Family.RELATIONAL, rule) for rule in rules)
            case _:
                pass


def _rows(file: s.File, context: Context) -> tuple[p.Row, ...]:
    entries = entries_of(sections_of(file, s.Matrix))
    tables = [entry for entry in entries if isinstance(entry, s.Rows)]
    check_use_of_variables([rule for _, rule in _rule_entries(file)], tables, context)
    return check_rows(tables, context)


def _constraints(
    entries: Iterable[s.Constraint], names: Names, report: Report
) -> Iterator[p.Constraint]:
    seen: dict[str, Span] = {}
    conditions = Conditions(names, report)
    for entry in entries:
        name = entry.name.text
        if name in seen:
            report.duplicate("constraint", name, entry.name, seen[name])
        seen.setdefault(name, entry.name.span)
        condition = conditions.resolve(entry.condition)
        if condition:
            report_trivial(condition, names, entry.condition, report, "it rules out nothing")
            yield p.Constraint(name, condition, entry.span)
