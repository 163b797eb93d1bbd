"""Fragments that look wrong; they are imported as they stand, and pointed out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from blm.diagnostics import Diagnostic, Severity
from blm.importing.columns import PL, SG, Chunk, Role
from blm.importing.fragments import Cell, Pair
from blm.importing.split import Splitter, words_of
from blm.realise.tokens import Token

_NOMINAL = (Role.SUBJECT, Role.EMBEDDED, Role.COORDINATED)
_OTHER = {SG: "singular", PL: "plural"}


def suspects(row: Mapping[Chunk, Pair], splitter: Splitter) -> Iterator[Diagnostic]:
    """A warning for each cell of a row that looks wrong."""
    for chunk, pair in row.items():
        if chunk.role in (*_NOMINAL, Role.VERB):
            yield from _equal(pair, splitter)
        if chunk.role in _NOMINAL:
            for number, cell in pair.cells:
                yield from _uncontracted(cell, splitter)
                yield from _wrong_article(cell, number, splitter)
                yield from _capital(chunk, cell)
            yield from _invariable(pair, splitter)
        if chunk.role is Role.COORDINATED:
            yield from _other_noun(row.get(Chunk(Role.EMBEDDED, chunk.index)), pair, splitter)


def _warn(code: str, cell: Cell, message: str) -> Diagnostic:
    return Diagnostic(code, f"{cell}: {message}", cell.span, severity=Severity.WARNING)


def _equal(pair: Pair, splitter: Splitter) -> Iterator[Diagnostic]:
    if splitter.language.fold(pair.sg.text) == splitter.language.fold(pair.pl.text):
        yield _warn("no-number", pair.pl, "the plural is written like the singular")


def _invariable(pair: Pair, splitter: Splitter) -> Iterator[Diagnostic]:
    """The noun alone: `le canyon`, `des canyon`."""
    (*before, sg), (*others, pl) = words_of(pair.sg.text), words_of(pair.pl.text)
    if sg == pl and before != others and before and others:
        articles = splitter.articles[SG] ^ splitter.articles[PL]
        if before[-1] in articles or others[-1] in articles:
            yield _warn("invariable-noun", pair.pl, f"'{pl}' is written as in the singular")


def _uncontracted(cell: Cell, splitter: Splitter) -> Iterator[Diagnostic]:
    """The language writes these words in another way when they stand side by side."""
    known = splitter.articles[SG] | splitter.articles[PL]
    tokens = [
        Token(word, "determiner" if word in known else "word")
        for word in words_of(splitter.language.lower(cell.text))
    ]
    written = splitter.written(tokens)
    if splitter.language.fold(written) != splitter.language.fold(cell.text):
        yield _warn("uncontracted", cell, f"the language writes '{written}'")


def _wrong_article(cell: Cell, number: str, splitter: Splitter) -> Iterator[Diagnostic]:
    """The first article of the phrase is one of the other number."""
    own = splitter.articles[number]
    other = splitter.articles[PL if number == SG else SG]
    first = next((w for w in words_of(cell.text.lower()) if w in own | other), None)
    if first is not None and first not in own:
        yield _warn("article-number", cell, f"'{first}' is not {_OTHER[number]}")


def _capital(chunk: Chunk, cell: Cell) -> Iterator[Diagnostic]:
    if chunk.role is not Role.SUBJECT and cell.raw[:1] != cell.text[:1]:
        yield _warn("capital", cell, "a capital within the sentence; taken as a small letter")


def _other_noun(
    attractor: Pair | None, coordinated: Pair, splitter: Splitter
) -> Iterator[Diagnostic]:
    """The coordinated phrase ends in another word than the embedded one."""
    if attractor is None:
        return
    for (_, one), (_, other) in zip(attractor.cells, coordinated.cells, strict=True):
        last, expected = words_of(other.text)[-1], words_of(one.text)[-1]
        if splitter.language.fold(last) != splitter.language.fold(expected):
            yield _warn("other-noun", other, f"column '{one.column}' has '{expected}'")
