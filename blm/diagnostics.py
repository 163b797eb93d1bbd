"""Positions in source text, and how a message about one is shown."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import StrEnum
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, astuple

from blm.text import harmless

MOST_DIAGNOSTICS = 200
"""After so many messages about one file no more are made."""

_SHOWN = 100
"""Characters of a line that are shown before a place; from there on, twice as many."""

_BREAK = re.compile("\n")


@dataclass(frozen=True, slots=True)
class Source:
    """A text with its path as the user wrote it. Offsets count characters from 0."""

    path: str
    text: str = field(repr=False)
    starts: tuple[int, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Index the line starts once, so that a position costs a bisection."""
        starts = (0, *(found.end() for found in _BREAK.finditer(self.text)))
        object.__setattr__(self, "starts", starts)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line (from 1), without its line break."""
        start = self.starts[number - 1]
        end = self.starts[number] if number < len(self.starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")


class Span(Struct, frozen=True):
    """A stretch of a source, from offset `start` up to, not including, `end`."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        """Line of the first character, from 1."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """Column of the first character, from 1."""
        return self.source.position(self.start)[1]

    @property
    def text(self) -> str:
        """The stretch itself."""
        return self.source.text[self.start : self.end]

    def __str__(self) -> str:
        return f"{self.source.path}:{self.line}:{self.column}"


class Placed(Struct, frozen=True, eq=False):
    """What stands in a text. Where it stands does not count in comparisons."""

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return self._said() == other._said()

    def __hash__(self) -> int:
        return hash(self._said())

    def __repr__(self) -> str:
        fields = (f"{n}={v!r}" for n, v in asdict(self).items() if not isinstance(v, Span))
        return f"{type(self).__name__}({', '.join(fields)})"

    def _said(self) -> tuple[Any, ...]:
        """The fields that are no places."""
        return tuple([v for v in astuple(self) if not isinstance(v, Span)])


class Severity(StrEnum):
    """An error stops the work on a grammar; a warning does not."""

    ERROR = "error"
    WARNING = "warning"


class Diagnostic(Struct, frozen=True):
    """A message about a place: what is wrong (`message`), and what to do (`help`).

    `code` names the kind of mistake, such as `unknown-attribute`; tests and programs use it.
    """

    code: str
    message: str
    span: Span
    help: str = ""
    severity: Severity = Severity.ERROR

    def render(self) -> str:
        """The message as a person reads it: position, line, caret, help.

        A file without any text (it cannot be read) has no line to show, and no position.
        """
        if not self.span.source.text:
            shown = f"{self.span.source.path}: {self.severity}: {self.message}"
            return harmless(f"{shown}\n  help: {self.help}" if self.help else shown)
        before, marked, after = self._clipped()
        margin = "".join(map(_blank, before))
        carets = "^" * max(1, len("".join(map(_blank, marked))))
        line = before + marked + after
        shown = f"{self.span}: {self.severity}: {self.message}\n  {line}\n  {margin}{carets}"
        return harmless(f"{shown}\n  help: {self.help}" if self.help else shown)

    def _clipped(self) -> tuple[str, str, str]:
        """The line before, in and after the span; of a long one, what stands near."""
        line = self.span.source.line(self.span.line)
        start = self.span.column - 1
        end = min(len(line), start + self.span.end - self.span.start)
        first, last = max(0, start - _SHOWN), min(len(line), start + 2 * _SHOWN)
        before = ("…" if first else "") + line[first:start]
        after = line[end:last] + ("…" if last < len(line) else "")
        return before, line[start : min(end, last)], after

    def to_json(self) -> dict[str, object]:
        """The message for programs."""
        return {
            "path": self.span.source.path,
            "line": self.span.line,
            "column": self.span.column,
            "severity": str(self.severity),
            "code": self.code,
            "message": self.message,
            "help": self.help,
        }


def _blank(character: str) -> str:
    """White space as wide as a character is on a terminal."""
    if character == "\t":
        return "\t"
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return ""
    return "  " if unicodedata.east_asian_width(character) in "WF" else " "


class GrammarError(Exception):
    """A grammar has mistakes; `diagnostics` lists them all."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(d.render() for d in self.diagnostics))


class InternalError(Exception):
    """A defect of blm itself, never of the author's file."""


def limited(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Of each file at most MOST_DIAGNOSTICS, errors before warnings; a last one counts the rest."""
    every = list(diagnostics)
    by_file: dict[str, list[Diagnostic]] = {}
    for found in sorted(every, key=lambda d: d.severity is not Severity.ERROR):
        by_file.setdefault(found.span.source.path, []).append(found)
    kept = {id(found) for listed in by_file.values() for found in listed[:MOST_DIAGNOSTICS]}
    return [
        *(found for found in every if id(found) in kept),
        *(_rest(listed) for listed in by_file.values() if len(listed) > MOST_DIAGNOSTICS),
    ]


def _rest(listed: Sequence[Diagnostic]) -> Diagnostic:
    number = len(listed) - MOST_DIAGNOSTICS
    message = f"{number:,} more messages about this file are not shown"
    last = listed[MOST_DIAGNOSTICS - 1].span
    return Diagnostic("more", message, last, severity=Severity.WARNING)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`did you mean 'x'?` for a near name, else the list of what is known."""
    names = list(dict.fromkeys(known))
    if near := get_close_matches(name, names, n=1, cutoff=0.6):
        return f"did you mean '{near[0]}'?"
    return f"known here: {', '.join(names)}" if names else ""
