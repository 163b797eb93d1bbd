"""An audit as people read it: a table that fits a screen, or plain lines in a pipe."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from blm.audit.finding import Example, Finding, Severity
from blm.audit.report import Report

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from blm.audit.repair import Repaired

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.NOTE: "dim"}


def print_report(report: Report, console: Console, *, full: bool = False) -> None:
    """A line for each kind of finding; with `full` every finding of every file, with examples."""
    _line(console, _heading(report), "bold")
    for name, why in report.skipped:
        _line(console, f"  not read: {name}: {why}", "dim")
    for group in _groups(report.findings):
        worst = group[0].severity
        several = len(report.files) > 1
        files = f", {len(group)} of {len(report.files)} files" if several else ""
        _row(console, worst, f"{group[0].title}: {_amount(group)}{files}", group[0].code)
        for line in _full(group) if full else _brief(group, several=several):
            _line(console, f"           {line}", "dim")
    _line(console, _total(report), "bold")


def print_repaired(repaired: Repaired, console: Console) -> None:
    """What a corrected copy changed, and what it left and why."""
    _line(console, f"{repaired.out}: a corrected copy", "bold")
    for change in repaired.changes:
        _line(
            console,
            f"  corrected {change.code}: {_counted(change.count, 'sentence')} in {change.file}",
            "green",
        )
        for before, after in change.examples[:1]:
            _line(console, f"           {before.strip()}  ->  {after}", "dim")
    if not repaired.changes:
        _line(console, "  nothing to correct", "green")
    by_reason = sorted(repaired.left, key=lambda entry: (entry.code, entry.why))
    for (code, why), entries in groupby(by_reason, key=lambda entry: (entry.code, entry.why)):
        files = ", ".join(f"{entry.file}: {entry.count:,}" for entry in entries)
        _line(console, f"  left {code} ({files}): {why}", "yellow")


def _heading(report: Report) -> str:
    problems = sum(file.problems for file in report.files)
    layouts = ", ".join(dict.fromkeys(file.layout for file in report.files))
    languages = ", ".join(dict.fromkeys(file.language or "?" for file in report.files))
    count = f"{len(report.files)} files, " if len(report.files) > 1 else ""
    return (
        f"{report.path}: {count}{problems:,} problems ({layouts}; language {languages}); "
        "row 1 is the first row of data"
    )


def _total(report: Report) -> str:
    numbers = [_counted(report.count(severity), str(severity)) for severity in Severity]
    return "findings: " + ", ".join(numbers)


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _groups(findings: Iterable[Finding]) -> Iterator[list[Finding]]:
    """Findings of one kind that are equally bad together, the worst first; findings come so."""
    groups: dict[tuple[str, Severity], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.code, finding.severity), []).append(finding)
    seen: set[str] = set()
    for (code, severity), group in groups.items():
        if code not in seen or severity is not Severity.NOTE:
            yield group
        seen.add(code)


def _amount(group: Sequence[Finding]) -> str:
    count, of = sum(f.count for f in group), sum(f.of for f in group)
    return f"{count:,} of {of:,} {group[0].unit}"


def _brief(group: Sequence[Finding], *, several: bool) -> Iterator[str]:
    """One line: an example, or the numbers."""
    first = group[0]
    if first.severity is Severity.NOTE:
        return
    if "accuracy" in first.measures and len(group) > 1:
        yield ", ".join(f"{_range(group, key)} {key}" for key in ("accuracy", "chance"))
    elif first.examples:
        yield _example(first.examples[0], several)
    elif first.detail:
        yield f"{first.file}: {first.detail}" if several else first.detail


def _range(group: Sequence[Finding], key: str) -> str:
    low, high = (f"{end([f.measures[key] for f in group]):.3f}" for end in (min, max))
    return low if low == high else f"{low} to {high}"


def _full(group: Sequence[Finding]) -> Iterator[str]:
    for finding in group:
        yield f"{finding.file}: {_amount([finding])}; {finding.detail}"
        for example in finding.examples:
            yield f"  {_example(example, False)}"


def _example(example: Example, with_file: bool) -> str:
    row = f"row {example.row}" if example.row else "header"
    place = ", ".join(
        part for part in (example.file if with_file else "", row, example.column) if part
    )
    return f"{place}: {' '.join(example.text.split())}"


def _row(console: Console, severity: Severity, text: str, code: str) -> None:
    from rich.text import Text

    line = Text(f"  {severity:8} ", style=_STYLES[severity])
    line.append(text, style="")
    line.append(f"  [{code}]", style="dim")
    _print(console, line)


def _line(console: Console, text: str, style: str) -> None:
    from rich.text import Text

    _print(console, Text(text, style=style))


def _print(console: Console, line: Text) -> None:
    """A line, cut at the edge of a terminal; whole elsewhere."""
    if console.is_terminal:
        console.print(line, no_wrap=True, overflow="ellipsis", highlight=False)
    else:
        console.file.write(line.plain.rstrip() + "\n")
