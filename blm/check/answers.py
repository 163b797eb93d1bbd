"""Labels and balanced axes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from blm import phenomenon as p
from blm import syntax as s
from blm.check.conditions import Conditions
from blm.check.names import Names
from blm.check.report import Report
from blm.diagnostics import Span


def check_correct(sections: Sequence[s.Answers], report: Report) -> str:
    """The name of the correct answer, which there must be once."""
    found = [e for section in sections for e in section.entries if isinstance(e, s.Correct)]
    for second in found[1:]:
        report.duplicate("label", "correct", second, found[0].span)
    if sections and not found and "answers" not in report.broken:
        message = "the answers have no correct one"
        report.error("missing-correct", message, sections[0], "add an entry 'correct'")
    return found[0].name.text if found and found[0].name else "correct"


def check_labels(
    entries: Sequence[s.AnswersEntry],
    names: Names,
    rules: Mapping[str, Span],
    constraints: Iterable[str],
    report: Report,
) -> tuple[p.Label, ...]:
    """The named kinds of wrong answers."""
    correct = [e for e in entries if isinstance(e, s.Correct)]
    seen = {entry.name.text if entry.name else "correct": entry.span for entry in correct}
    conditions = Conditions(names, report, edits=True)
    labels: list[p.Label] = []
    for entry in entries:
        if not isinstance(entry, s.Label):
            continue
        name = entry.name.text
        if name in seen:
            report.duplicate("label", name, entry.name, seen[name])
        seen.setdefault(name, entry.name.span)
        alternatives = tuple(
            p.Alternative(
                _broken(alternative, rules, constraints, report),
                conditions.resolve(alternative.condition) if alternative.condition else None,
                alternative.span,
            )
            for alternative in entry.alternatives
        )
        text = entry.text.text if entry.text else ""
        labels.append(p.Label(name, text, alternatives, entry.span))
    return tuple(labels)


def _broken(
    alternative: s.Alternative,
    rules: Mapping[str, Span],
    constraints: Iterable[str],
    report: Report,
) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for ref in alternative.rules:
        name = str(ref)
        if name not in rules:
            _report_unknown_rule(ref, rules, constraints, report)
        elif name in found:
            report.error("duplicate-rule", f"'{name}' stands here twice", ref)
        found[name] = None
    return tuple(found)


def _report_unknown_rule(
    ref: s.RuleRef, rules: Iterable[str], constraints: Iterable[str], report: Report
) -> None:
    name = str(ref)
    pooled = [rule for rule in rules if rule.startswith(f"{ref.name.text}[")]
    if pooled and ref.cell is None:
        message = f"'{name}' is a pool; each of its cells has a rule of its own"
        report.error("unknown-rule", message, ref, f"write {' or '.join(pooled)}")
    elif name in constraints:
        message = f"'{name}' is a constraint of 'possible': no item can break it"
        report.error("unknown-rule", message, ref)
    else:
        report.unknown("rule", name, rules, ref)


def check_axes(
    entries: Sequence[s.AnswersEntry], names: Names, report: Report
) -> tuple[tuple[p.CellName, ...], ...]:
    """The axes of balanced answer sets."""
    found = [entry for entry in entries if isinstance(entry, s.Balanced)]
    for second in found[1:]:
        report.error("duplicate-balanced", "there is a 'balanced' entry already", second)
    if not found:
        return ()
    seen: set[p.CellName] = set()
    return tuple(
        tuple(name for ref in axis if (name := _on_axis(ref, names, seen, report)))
        for axis in found[0].axes
    )


def _on_axis(
    ref: s.CellRef, names: Names, seen: set[p.CellName], report: Report
) -> p.CellName | None:
    cell = names.cell(ref, report)
    if cell is None:
        return None
    if len(cell.domain) < 2:
        report.error("one-value", f"{cell.name} has one value only: it cannot change", ref)
    if cell.name in seen:
        report.error("duplicate-cell", f"{cell.name} stands on the axes twice", ref)
    seen.add(cell.name)
    return cell.name
