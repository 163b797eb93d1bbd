"""Text to entries: the tokens of a file, grouped by indentation.

A line at column 1 is a header. The first indented line after it sets the indentation of
the section's entries; a line that is indented deeper, or that opens with a closing bracket,
continues the entry above; a line that opens with an item number (`3:`) is a row.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from enum import Enum, auto

from msgspec import Struct

from blm.diagnostics import Diagnostic, Source, Span

LARGEST_NUMBER = 10_000
"""Numbers above this are refused: positions, periods, domains and shapes stay below it."""

_TOKEN = re.compile(
    r"""(?P<space>[^\S\n]+|\#[^\n]*)
      | (?P<newline>\n)
      | (?P<text>"(?:[^"\\\n]|\\[^\n])*")
      | (?P<item>[0-9]+[^\S\n]*:)
      | (?P<word>\w+)
      | (?P<symbol>\.\.|<=|>=|[][(){}<>=:;,.?|@+*/!×-])""",
    re.VERBOSE,
)
_WORD = re.compile(r"\w*")
_TAB = 8
_CLOSING = {"}": "{", "]": "[", ")": "("}


class Kind(Enum):
    """What a token is, as far as its characters tell."""

    WORD = auto()
    NUMBER = auto()
    TEXT = auto()
    ITEM = auto()
    SYMBOL = auto()


class Token(Struct, frozen=True):
    """A token at characters `start` to `end`; a word is in Unicode normal form C."""

    kind: Kind
    text: str
    start: int
    end: int


class Place(Enum):
    """Where an entry stands."""

    HEADER = auto()
    ENTRY = auto()
    ROW = auto()


class Entry(Struct):
    """A header, an entry or a row: its tokens, and whether some of it was unreadable."""

    place: Place
    tokens: list[Token]
    broken: bool = False

    def span(self, source: Source) -> Span:
        """From the first token to the last."""
        return Span(source, self.tokens[0].start, self.tokens[-1].end)


class _Line(Struct):
    """The tokens of one line; a line of unreadable characters only has none."""

    indent: int
    tokens: list[Token]
    broken: bool = False


def scan(source: Source) -> tuple[list[Entry], list[Diagnostic]]:
    """Split a text into entries; what cannot be read is reported and left out."""
    diagnostics: list[Diagnostic] = []
    entries = _entries(_lines(source, diagnostics), source, diagnostics)
    for entry in entries:
        if problem := _bracket_problem(entry.tokens, source):
            diagnostics.append(problem)
            entry.broken = True
    return entries, diagnostics


# --- lines ----------------------------------------------------------


def _lines(source: Source, diagnostics: list[Diagnostic]) -> Iterator[_Line]:
    line: _Line | None = None
    offset, start, text = 0, 0, source.text
    while offset < len(text):
        match = _TOKEN.match(text, offset)
        kind = match.lastgroup if match else None
        end = match.end() if match else offset + 1
        if kind == "newline":
            if line:
                yield line
            line, start = None, end
        elif kind != "space":
            line = line or _Line(_indent(text[start:offset]), [])
            token, problem = _token(source, kind, offset, end)
            if problem:
                diagnostics.append(problem)
                line.broken = True
                end = problem.span.end
            if token:
                line.tokens.append(token)
                end = token.end
        offset = end
    if line:
        yield line


def _indent(space: str) -> int:
    return len(space.expandtabs(_TAB))


def _token(
    source: Source, kind: str | None, start: int, end: int
) -> tuple[Token | None, Diagnostic | None]:
    text = source.text[start:end]
    match kind:
        case "text":
            return Token(Kind.TEXT, re.sub(r"\\(.)", r"\1", text[1:-1]), start, end), None
        case "item":
            return _number(source, Kind.ITEM, start, start + len(text[:-1].rstrip()), end)
        case "word" if text.isascii() and text.isdigit():
            return _number(source, Kind.NUMBER, start, end, end)
        case "word":
            end = _end_of_word(source.text, end)
            name = unicodedata.normalize("NFC", source.text[start:end])
            return Token(Kind.WORD, name, start, end), None
        case "symbol":
            return Token(Kind.SYMBOL, text, start, end), None
        case _:
            return None, _unreadable(source, start)


def _end_of_word(text: str, end: int) -> int:
    """Include combining marks (accents, vowel signs), which are not letters to `re`."""
    while end < len(text) and unicodedata.category(text[end]).startswith("M"):
        match = _WORD.match(text, end + 1)
        end = match.end() if match else end + 1
    return end


def _number(
    source: Source, kind: Kind, start: int, end: int, token_end: int
) -> tuple[Token, Diagnostic | None]:
    digits = source.text[start:end].lstrip("0") or "0"
    if len(digits) <= len(str(LARGEST_NUMBER)) and int(digits) <= LARGEST_NUMBER:
        return Token(kind, digits, start, token_end), None
    message = f"this number is too large: numbers go up to {LARGEST_NUMBER}"
    problem = Diagnostic("number-too-large", message, Span(source, start, end))
    return Token(kind, "1", start, token_end), problem


def _unreadable(source: Source, offset: int) -> Diagnostic:
    character = source.text[offset]
    if character == '"':
        end = source.text.find("\n", offset)
        span = Span(source, offset, len(source.text) if end < 0 else end)
        return Diagnostic(
            "unclosed-text",
            "this text has no closing quote",
            span,
            'end it with " on the same line',
        )
    named = unicodedata.name(character, "a control character").lower()
    shown = f"'{character}' " if character.isprintable() else ""
    message = f"unexpected character {shown}(U+{ord(character):04X}, {named})"
    help_ = 'texts stand in straight double quotes: "..."' if "quot" in named else ""
    return Diagnostic("unexpected-character", message, Span(source, offset, offset + 1), help_)


# --- entries ----------------------------------------------------------


def _entries(lines: Iterator[_Line], source: Source, diagnostics: list[Diagnostic]) -> list[Entry]:
    entries: list[Entry] = []
    depth: int | None = None  # the indentation of the section's entries
    for line in lines:
        if entries and (not line.tokens or _continues(line, depth)):
            entries[-1].tokens += line.tokens
            entries[-1].broken |= line.broken
            continue
        if not line.tokens:
            continue
        entries.append(Entry(_place(line), line.tokens, line.broken))
        if line.indent == 0:
            depth = None
        elif depth is None:
            depth = line.indent
        elif line.indent < depth and entries[-1].place is Place.ENTRY:
            diagnostics.append(_bad_indentation(line, source))
    return entries


def _continues(line: _Line, depth: int | None) -> bool:
    first = line.tokens[0]
    if first.text in _CLOSING and first.kind is Kind.SYMBOL:
        return True
    return depth is not None and line.indent > depth and _place(line) is Place.ENTRY


def _place(line: _Line) -> Place:
    if line.indent == 0:
        return Place.HEADER
    return Place.ROW if line.tokens[0].kind is Kind.ITEM else Place.ENTRY


def _bad_indentation(line: _Line, source: Source) -> Diagnostic:
    first = line.tokens[0]
    return Diagnostic(
        "bad-indentation",
        "this entry is indented less than the first entry of its section",
        Span(source, first.start, first.end),
        "indent all entries of a section alike",
    )


def _bracket_problem(tokens: list[Token], source: Source) -> Diagnostic | None:
    opened: list[Token] = []
    for token in tokens:
        if token.kind is not Kind.SYMBOL:
            continue
        if token.text in _CLOSING.values():
            opened.append(token)
        elif token.text in _CLOSING and not (opened and opened.pop().text == _CLOSING[token.text]):
            span = Span(source, token.start, token.end)
            message = f"'{token.text}' closes nothing that is open here"
            return Diagnostic("unmatched-bracket", message, span)
    if not opened:
        return None
    span = Span(source, opened[-1].start, opened[-1].end)
    return Diagnostic(
        "unclosed-bracket",
        f"'{span.text}' is never closed",
        span,
        "the lines of an entry are indented deeper than its first line",
    )
