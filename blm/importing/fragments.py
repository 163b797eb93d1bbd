"""The rows of a fragments file: for each seed, what stands at each place of the sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set

from msgspec import Struct
from msgspec.structs import replace

from blm.diagnostics import Diagnostic, Severity, Source, Span
from blm.importing.columns import PL, SG, Chunk, Column, Role, columns_of
from blm.lexicon.tables import Field, read_table
from blm.realise import Language
from blm.text import APOSTROPHE

_CUT = re.compile(rf"\S*{APOSTROPHE} ")


class Cell(Struct, frozen=True):
    """What a cell says, tidied and as it stands (`raw`), the name of its column, its place."""

    text: str
    raw: str
    column: str
    span: Span

    def __str__(self) -> str:
        return f"row {self.span.line}, column '{self.column}': '{self.raw}'"


class Pair(Struct, frozen=True):
    """A fragment in both numbers; the same cell twice where it does not vary."""

    sg: Cell
    pl: Cell

    @property
    def cells(self) -> tuple[tuple[str, Cell], ...]:
        """Each number with its cell."""
        return (SG, self.sg), (PL, self.pl)


class Fragments(Struct, frozen=True):
    """The chunks that every row has, and the rows, by the line in which they stand."""

    header: Span
    chunks: tuple[Chunk, ...]
    rows: Mapping[int, Mapping[Chunk, Pair]]


def read_fragments(path: str, language: Language, problems: list[Diagnostic]) -> Fragments | None:
    """The fragments of the file at `path`; None, with an error in `problems`, if it has none.

    Rows that cannot be used are left out, with a warning.
    """
    found: list[Diagnostic] = []
    table = read_table(path, Span(Source(path, ""), 0, 0), found)
    if table is None:
        problems += found
        return None
    problems += [_left_out(problem) for problem in found]
    header = Span(
        table.header[0].span.source, table.header[0].span.start, table.header[-1].span.end
    )
    places = columns_of(table.header, problems)
    chunks = tuple(_whole(places, table.header, problems))
    tidied = _tidy(table.rows, places, language)
    named = {column: table.header[place].text for column, place in places.items()}
    rows: dict[int, Mapping[Chunk, Pair]] = {}
    for row, texts in zip(table.rows, tidied, strict=True):
        cells = {
            column: Cell(texts[column], row[place].text, named[column], row[place].span)
            for column, place in places.items()
        }
        rows[row[0].span.line] = {chunk: _pair(chunk, cells) for chunk in chunks}
    return Fragments(header, chunks, rows)


def usable_rows(
    fragments: Fragments, chunks: tuple[Chunk, ...], problems: list[Diagnostic]
) -> Fragments:
    """The rows that have something in all `chunks`, each once; the others go to `problems`."""
    rows: dict[int, Mapping[Chunk, Pair]] = {}
    known: dict[tuple[str, ...], int] = {}
    for line, row in fragments.rows.items():
        pairs = {chunk: row[chunk] for chunk in chunks}
        texts = tuple(cell.text.casefold() for p in pairs.values() for _, cell in p.cells)
        if _usable(pairs, known.setdefault(texts, line), line, problems):
            rows[line] = pairs
    return replace(fragments, rows=rows)


def _left_out(problem: Diagnostic) -> Diagnostic:
    """The row of a faulty cell is left out; that stops nothing."""
    line = problem.span.line
    return replace(
        problem, message=f"row {line} left out: {problem.message}", severity=Severity.WARNING
    )


def _whole(
    places: Mapping[Column, int], header: Sequence[Field], problems: list[Diagnostic]
) -> Iterator[Chunk]:
    """The chunks with all their columns."""
    for chunk in dict.fromkeys(column.chunk for column in places):
        given = [column.number for column in places if column.chunk == chunk]
        if given == [""] or len(given) == 2:
            yield chunk
            continue
        field = header[places[Column(chunk, given[0])]]
        message = f"column '{field.text}' has no partner in the other number, and is not read"
        problems.append(Diagnostic("half-column", message, field.span, severity=Severity.WARNING))


def _pair(chunk: Chunk, cells: Mapping[Column, Cell]) -> Pair:
    same = cells.get(Column(chunk, ""))
    if same is not None:
        return Pair(same, same)
    return Pair(cells[Column(chunk, SG)], cells[Column(chunk, PL)])


def _usable(pairs: Mapping[Chunk, Pair], first: int, line: int, problems: list[Diagnostic]) -> bool:
    """Whether a row is complete, and no repetition of the row at line `first`."""
    empty = [cell for pair in pairs.values() for _, cell in pair.cells if not cell.text]
    for cell in dict.fromkeys(empty):
        message = f"row {line} left out: nothing in column '{cell.column}'"
        problems.append(Diagnostic("empty-cell", message, cell.span, severity=Severity.WARNING))
    if first != line and not empty and pairs:
        span = next(iter(pairs.values())).sg.span
        message = f"row {line} left out: it repeats row {first}"
        problems.append(Diagnostic("repeated-row", message, span, severity=Severity.WARNING))
    return not empty and first == line


# --- tidying ----------------------------------------------------------


def _tidy(
    rows: Sequence[Sequence[Field]], places: Mapping[Column, int], language: Language
) -> Iterator[dict[Column, str]]:
    """The texts of each row, with elided words joined and capitals of sentences taken away.

    A fragment loses its capital if the file has its first word in small letters elsewhere.  A
    prefix, which begins its sentence, keeps it.
    """
    texts = [{c: _joined(row[place].text, language) for c, place in places.items()} for row in rows]
    small = {word for row in texts for text in row.values() for word in _words(text)}
    for row in texts:
        yield {
            column: text if column.chunk.role is Role.PREFIX else _uncapitalised(text, small)
            for column, text in row.items()
        }


def _joined(text: str, language: Language) -> str:
    """`l’ eau` as `l’eau`, wherever the language elides the first word."""
    return _CUT.sub(
        lambda found: (
            found[0].rstrip()
            if language.lower(found[0].rstrip()) in language.reactive
            else found[0]
        ),
        text,
    )


def _words(text: str) -> list[str]:
    return text.replace(APOSTROPHE, APOSTROPHE + " ").split()


def _uncapitalised(text: str, small: Set[str]) -> str:
    lowered = text[:1].lower() + text[1:]
    words = _words(lowered)
    return lowered if words and words[0] in small else text
