"""Reads a table that a spreadsheet wrote, and remembers where each cell stands.

Comma, semicolon or tab, whichever the header line has most of; UTF-8 with or without byte
order mark; cells may be quoted.  Nothing about words here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from blm.diagnostics import Diagnostic, Source, Span
from blm.text import CONTROL, normalise

DELIMITERS = (",", ";", "\t")
FIELD_LIMIT = 10_000
"""Characters in one cell; more is a file that is no table."""
SIZE_LIMIT = 64 * 2**20
"""Bytes in one table."""


class Field(Struct, frozen=True):
    """A cell: its text, normalised, and where it stands."""

    text: str
    span: Span


class Table(Struct, frozen=True):
    """A header and rows of the same width, without the empty ones."""

    header: tuple[Field, ...]
    rows: tuple[tuple[Field, ...], ...]


def read_table(path: str, declared: Span, problems: list[Diagnostic]) -> Table | None:
    """The table at `path`; what is wrong with it goes to `problems`.

    `declared` is where the grammar names the table: a file that cannot be read is reported
    there.  Rows of another width than the header are reported and left out; with a faulty header
    there is no table.
    """
    source = _read(path, declared, problems)
    if source is None:
        return None
    rows = list(_rows(source, _delimiter(source.text), problems))
    if not rows:
        problems.append(
            Diagnostic("table-empty", f"{path} is empty", declared, "its first row names columns")
        )
        return None
    header, *body = rows
    if not header:
        return None
    return Table(header, tuple(row for row in body if row and _fits(row, header, problems)))


def _read(path: str, declared: Span, problems: list[Diagnostic]) -> Source | None:
    def fail(code: str, message: str, help: str = "") -> None:
        problems.append(Diagnostic(code, f"{path}: {message}", declared, help))

    try:
        file = Path(path)
        if not file.exists() and not file.is_symlink():
            fail("table-missing", "there is no such file", "paths start at the grammar's folder")
            return None
        if not file.is_file():
            fail("table-unreadable", "this is not a file")
            return None
        if file.stat().st_size > SIZE_LIMIT:
            fail("table-size", f"larger than {SIZE_LIMIT // 2**20} MiB")
            return None
        data = file.read_bytes()
    except (OSError, ValueError) as error:
        fail("table-unreadable", f"cannot be read ({getattr(error, 'strerror', None) or error})")
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        fail("table-encoding", f"line {line} is not UTF-8", "save it as 'CSV UTF-8'")
        return None
    return Source(path, text.replace("\r\n", "\n").replace("\r", "\n"))


def _delimiter(text: str) -> str:
    """The separator that the header line has most of, outside quotes."""
    line = next((line for line in text.split("\n") if line.strip()), "")
    bare = re.sub(r'"[^"]*"', "", line)
    return max(DELIMITERS, key=bare.count)


def _rows(
    source: Source, delimiter: str, problems: list[Diagnostic]
) -> Iterator[tuple[Field, ...]]:
    """The rows with something in them.  One with a faulty cell is reported, and is empty."""
    cell = re.compile(
        rf'[^\S\n{delimiter}]*"((?:[^"]|"")*+)"[^\S\n{delimiter}]*(?=[{delimiter}\n]|\Z)'
        rf"|([^{delimiter}\n]*)"
    )
    row: list[Field] = []
    sound, offset, text = True, 0, source.text
    while offset <= len(text):
        found = cell.match(text, offset)
        assert found is not None
        raw = found[2] if found[1] is None else found[1].replace('""', '"')
        span = _trimmed(source, *found.span())
        fault = _fault(raw, quoted=found[1] is not None, span=span)
        if fault is not None:
            problems.append(fault)
            sound = False
        row.append(Field(normalise(raw) if fault is None else "", span))
        offset = found.end() + 1
        if text[found.end() : offset] != delimiter:
            if not sound or any(field.text for field in row):
                yield tuple(row) if sound else ()
            row, sound = [], True


def _trimmed(source: Source, start: int, end: int) -> Span:
    """The span without white space at its ends."""
    raw = source.text[start:end]
    text = raw.strip()
    first = start + raw.find(text) if text else start
    return Span(source, first, first + len(text))


def _fault(raw: str, *, quoted: bool, span: Span) -> Diagnostic | None:
    if len(raw) > FIELD_LIMIT:
        short = Span(span.source, span.start, span.start + 1)
        return Diagnostic("table-field", f"a cell of {len(raw)} characters", short)
    if not quoted and raw.lstrip().startswith('"'):
        return Diagnostic(
            "table-quote",
            "this quotation mark is not closed before the next cell",
            span,
            'inside a quoted cell write "" for a quotation mark',
        )
    if control := CONTROL.search(raw):
        return Diagnostic("table-control", f"control character U+{ord(control[0]):04X}", span)
    return None


def _fits(row: tuple[Field, ...], header: tuple[Field, ...], problems: list[Diagnostic]) -> bool:
    extra = row[len(header) :]
    if len(row) >= len(header) and not any(field.text for field in extra):
        return True
    problems.append(
        Diagnostic(
            "table-width",
            f"row '{row[0].text}' has {len(row)} cells, the header has {len(header)}",
            extra[0].span if extra else row[-1].span,
            "quote a cell that contains the separator" if extra else "leave a cell empty instead",
        )
    )
    return False
