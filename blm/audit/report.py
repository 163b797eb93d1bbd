"""The audit as a whole: a path is read, every check looks, and the findings are listed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from blm.audit.checks import CHECKS, WHOLE_CHECKS, Job
from blm.audit.finding import MOST_EXAMPLES, Finding, Severity
from blm.audit.items import Scheme
from blm.audit.judge import Judge
from blm.audit.readers import read_table
from blm.audit.table import Part, Table
from blm.audit.writing.language import guess
from blm.tables import html_table

if TYPE_CHECKING:
    from blm.grammar import Grammar

_RANK = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}


@dataclass(frozen=True)
class FileReport:
    """What one file is: its layout, its size, its language."""

    file: str
    layout: str
    split: str
    language: str
    problems: int
    context: int
    answers: int

    def to_json(self) -> dict[str, object]:
        """The file for programs."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True, repr=False)
class Report:
    """An audit: what was read, what was not and why, and what was found, the worst first."""

    path: Path
    files: tuple[FileReport, ...]
    skipped: tuple[tuple[str, str], ...]
    findings: tuple[Finding, ...]

    def count(self, severity: Severity) -> int:
        """How many findings are so bad."""
        return sum(finding.severity is severity for finding in self.findings)

    def of(self, code: str) -> tuple[Finding, ...]:
        """The findings of a kind."""
        return tuple(finding for finding in self.findings if finding.code == code)

    def to_json(self) -> dict[str, Any]:
        """The audit for programs. Rows count from 1, the first row of data."""
        return {
            "path": str(self.path),
            "files": [file.to_json() for file in self.files],
            "skipped": [{"file": name, "why": why} for name, why in self.skipped],
            "errors": self.count(Severity.ERROR),
            "warnings": self.count(Severity.WARNING),
            "notes": self.count(Severity.NOTE),
            "findings": [finding.to_json() for finding in self.findings],
        }

    def __repr__(self) -> str:
        told = ", ".join(f"{self.count(s)} {s}s" for s in Severity)
        return f"<Report on {self.path.name}: {told}>"

    def _repr_html_(self) -> str:
        rows = [
            [str(f.severity), f.title, f.file, f"{f.count:,} of {f.of:,} {f.unit}", f.detail]
            for f in self.findings
        ]
        return html_table(self.path.name, ["", "finding", "file", "found", ""], rows)


def audit(
    path: str | Path,
    *,
    grammar: Grammar | None = None,
    language: str = "",
    schemes: Sequence[Scheme] = (),
    examples: int = MOST_EXAMPLES,
) -> Report:
    """Look for faults in a file or folder of problems.

    With a `grammar`, labels are compared with the rules that the answers break; `schemes` say
    how templates of tokens are read, beside those that are known.  Without `language` it is
    taken from the data set, or guessed.  Raises AuditError where the path cannot be read.
    """
    table = read_table(Path(path))
    judge = None if grammar is None else Judge(grammar, schemes)
    languages = {part.file: language or _language(part, table) for part in table.parts}
    findings = [
        finding
        for part in table.parts
        for finding in _look(part, table, languages[part.file], judge, examples)
    ]
    findings += [f for check in WHOLE_CHECKS for f in check.look(table, examples)]
    findings.sort(key=lambda finding: _RANK[finding.severity])
    files = tuple(_file(part, languages[part.file]) for part in table.parts)
    return Report(Path(path), files, table.skipped, tuple(findings))


def _look(
    part: Part, table: Table, language: str, judge: Judge | None, examples: int
) -> Iterator[Finding]:
    judged = judge.judge(part, table) if judge is not None and part.rows else None
    job = Job(part, table, language, judged, examples)
    for check in CHECKS if part.rows else CHECKS[:4]:
        yield from check.look(job)


def _language(part: Part, table: Table) -> str:
    if part.meta.language:
        return part.meta.language
    numbers = sorted(set(part.sentences[part.sentences >= 0].tolist()))
    return guess(table.text(n) for n in numbers)


def _file(part: Part, language: str) -> FileReport:
    places = part.filled.sum(axis=1)
    return FileReport(
        file=part.file,
        layout=part.layout,
        split=part.split,
        language=language,
        problems=part.rows,
        context=part.context.shape[1],
        answers=int(places.max()) if len(places) else 0,
    )
