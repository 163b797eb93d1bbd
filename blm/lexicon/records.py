"""Rows of a table by the names of their columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from blm.diagnostics import Diagnostic, Span, did_you_mean
from blm.lexicon.tables import Field, Table

COMMENT = "#"
"""A column whose header starts so is for people: translation, source, remarks."""


class Record(Struct, frozen=True):
    """A row of a table, or an entry of the grammar file: its key and its other cells."""

    key: Field
    cells: Mapping[str, Field]

    def where(self, column: str) -> str:
        """How a message names a cell of this row."""
        return f"row '{self.key.text}', column '{column}'"


class Columns(Struct, frozen=True):
    """The columns a table may have: the key, others that it must have, others that it may.

    Rows of a table without a column for a key are named by `named_by_line`, or not read.
    """

    key: str
    required: tuple[str, ...]
    optional: tuple[str, ...] = ()
    named_by_line: bool = False

    def named(self, header: str) -> str | None:
        """The column that `header` names; the features of a form stand in any order."""
        features = sorted(header.split("."))
        known = (self.key, *self.required, *self.optional)
        return next((name for name in known if sorted(name.split(".")) == features), None)


def records(table: Table, columns: Columns, problems: list[Diagnostic]) -> Iterator[Record]:
    """The rows of `table`; none if they have no key."""
    places = _places(table.header, columns, problems)
    if columns.key not in places and not columns.named_by_line:
        return
    stem = Path(table.header[0].span.source.path).stem
    for row in table.rows:
        cells = {name: row[place] for name, place in places.items()}
        problems += [_broken(cell) for cell in cells.values() if _is_broken(cell)]
        key = cells.pop(columns.key, None)
        yield Record(key or _line_name(stem, row[0].span), cells)


def _is_broken(cell: Field) -> bool:
    """Whether a line breaks within the text of a cell, which only quotation marks allow."""
    quoted = cell.span.end - cell.span.start > len(cell.text)
    return quoted and "\n" in cell.span.text.strip('" \n')


def _broken(cell: Field) -> Diagnostic:
    written = cell.span.text
    inner = written.lstrip('" \n')
    start = cell.span.start + len(written) - len(inner) + inner.index("\n")
    place = Span(cell.span.source, start, start + 1)
    return Diagnostic("table-break", "a line break in a cell", place, "write it on one line")


def _line_name(stem: str, start: Span) -> Field:
    """The name of a row without one: `fr.seeds:3` stands in the third line of fr.seeds.csv."""
    return Field(f"{stem}:{start.line}", start)


def _places(
    header: Sequence[Field], columns: Columns, problems: list[Diagnostic]
) -> Mapping[str, int]:
    """The position of each known column; what is wrong with the header goes to `problems`."""
    places: dict[str, int] = {}
    known = (columns.key, *columns.required, *columns.optional)
    for place, field in enumerate(header):
        if field.text.startswith(COMMENT):
            continue
        name = columns.named(field.text)
        if name is None:
            message = f"unknown column '{field.text}'" if field.text else "a column without name"
            help = did_you_mean(field.text, known)
            problems.append(Diagnostic("unknown-column", message, field.span, help))
        elif name in places:
            message = f"column '{field.text}' stands here twice"
            problems.append(Diagnostic("duplicate-column", message, field.span))
        else:
            places[name] = place
    line = Span(header[0].span.source, header[0].span.start, header[-1].span.end)
    needed = columns.required if columns.named_by_line else (columns.key, *columns.required)
    for name in needed:
        if name not in places:
            problems.append(Diagnostic("missing-column", f"no column '{name}'", line))
    return places
