"""What an audit says: a kind of fault, how often it was found, and where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

MOST_EXAMPLES = 5
"""Examples of one finding, where nothing else is asked for."""


class Severity(StrEnum):
    """An error spoils results, a warning may; a note says what a reader should know."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Example:
    """A place: the row counts from 1, the first row of data (not the header). 0 is the file."""

    file: str
    row: int
    column: str
    text: str

    def to_json(self) -> dict[str, object]:
        """The example for programs."""
        return {"file": self.file, "row": self.row, "column": self.column, "text": self.text}


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of finding: its code, what it says, how bad it is, and why no repair is certain."""

    code: str
    title: str
    severity: Severity
    unit: str = "rows"
    left: str = ""

    def found(
        self,
        file: str,
        count: int,
        of: int,
        examples: Sequence[Example] = (),
        *,
        detail: str = "",
        severity: Severity | None = None,
        title: str = "",
        measures: Mapping[str, Any] | None = None,
    ) -> Finding:
        """A finding of this kind."""
        return Finding(
            code=self.code,
            severity=severity or self.severity,
            title=title or self.title,
            file=file,
            count=int(count),
            of=int(of),
            unit=self.unit,
            examples=tuple(examples),
            detail=detail,
            measures=dict(measures or {}),
        )


@dataclass(frozen=True, slots=True)
class Finding:
    """`count` of the `of` units looked at, in one file. `measures` holds the numbers behind it."""

    code: str
    severity: Severity
    title: str
    file: str
    count: int
    of: int
    unit: str
    examples: tuple[Example, ...]
    detail: str
    measures: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        """The finding for programs."""
        return {
            "code": self.code,
            "severity": str(self.severity),
            "title": self.title,
            "file": self.file,
            "count": self.count,
            "of": self.of,
            "unit": self.unit,
            "detail": self.detail,
            "measures": dict(self.measures),
            "examples": [example.to_json() for example in self.examples],
        }
