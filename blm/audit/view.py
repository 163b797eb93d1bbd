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
    several = len(report.files) > 1
    groups = list(_groups(report.findings))
    width = max((len(_amount(group, several=several)) for group in groups), default=0)
    for group in groups:
        _row(console, group[0], _amount(group, several=several).ljust(width))
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


def _amount(group: Sequence[Finding], *, several: bool = False) -> str:
    count, of = sum(f.count for f in group), sum(f.of for f in group)
    files = f" in {_counted(len(group), 'file')}" if several else ""
    return f"{count:,} of {of:,} {group[0].unit}{files}"


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
    text = "".join(c if c.isprintable() else "\ufffd" for c in " ".join(example.text.split()))
    return f"{place}: {text}"


def _row(console: Console, finding: Finding, amount: str) -> None:
    from rich.text import Text

    line = Text(f"  {finding.severity:8} ", style=_STYLES[finding.severity])
    line.append(f"{amount}  {finding.title}", style="not bold")
    line.append(f"  [{finding.code}]", style="dim not bold")
    _print(console, line)


def _line(console: Console, text: str, style: str) -> None:
    from rich.text import Text

    shown = _fit(text, console.width) if console.is_terminal else text
    _print(console, Text(shown, style=style))


def _fit(text: str, width: int) -> str:
    """A line cut in its middle, so that what is said in brackets at its end stays."""
    start = text.rfind(" [")
    tail = text[start:] if start >= 0 and text.endswith("]") else ""
    if len(text) <= width or len(tail) > width // 2:
        return text
    return f"{text[: width - len(tail) - 1]}…{tail}"


def _print(console: Console, line: Text) -> None:
    """A line, cut at the edge of a terminal; whole elsewhere."""
    if console.is_terminal:
        console.print(line, no_wrap=True, overflow="ellipsis", highlight=False)
    else:
        console.file.write(line.plain.rstrip() + "\n")
