"""Text to syntax tree; every mistake of a file is reported, each at its place.

The scanner splits a file into entries, and each entry is parsed on its own with the start
symbol of its section, so that a mistake in one entry hides none in another.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from msgspec import Struct, field

from blm import syntax as s
from blm.diagnostics import MOST_DIAGNOSTICS, Diagnostic, Source, Span, did_you_mean
from blm.entries import parse_entry
from blm.phenomenon import Family
from blm.scan import LARGEST_NUMBER, Entry, Place, Token, scan

SHAPE, VARIABLES, ROWS = "shape", "variables", "rows"
"""Parts of `matrix` that stand in `File.broken` on their own."""


class _Section(Struct, frozen=True):
    """How a section is read: the start symbols of its header and of its entries.

    `make` gets the place of the header, what stands on its line, and the entries.
    """

    make: Callable[[Span, Any, tuple[Any, ...]], s.Section]
    head: str | None = None
    entry: str | None = None


_SECTIONS: Mapping[str, _Section] = {
    "phenomenon": _Section(lambda at, head, _: s.PhenomenonHeader(at, *head), head="title"),
    "domains": _Section(lambda at, _, e: s.Domains(at, e), entry="domain"),
    "objects": _Section(lambda at, _, e: s.Objects(at, e), entry="objects_entry"),
    "possible": _Section(lambda at, _, e: s.Possible(at, e), entry="possible_entry"),
    "external": _Section(lambda at, _, e: s.Rules(at, Family.EXTERNAL, e), entry="rule"),
    "internal": _Section(lambda at, _, e: s.Rules(at, Family.INTERNAL, e), entry="rule"),
    "matrix": _Section(
        lambda at, h, e: s.Matrix(at, h[0], h[1], e), head=SHAPE, entry="matrix_entry"
    ),
    "answers": _Section(lambda at, _, e: s.Answers(at, e), entry="answers_entry"),
    "language": _Section(lambda at, head, _: s.LanguageHeader(at, *head), head="title"),
    "of": _Section(lambda at, head, _: s.Of(at, head), head="path"),
    "words": _Section(lambda at, _, e: s.Words(at, e), entry="words_entry"),
    "seeds": _Section(lambda at, _, e: s.Seeds(at, e), entry="seeds_entry"),
    "phrases": _Section(lambda at, _, e: s.Phrases(at, e), entry="phrases_entry"),
    "sentences": _Section(lambda at, _, e: s.Sentences(at, e, False), entry="sentences_entry"),
    "forms": _Section(lambda at, _, e: s.Sentences(at, e, True), entry="sentences_entry"),
}
_EVERYTHING = frozenset({*_SECTIONS, SHAPE, VARIABLES, ROWS})


def parse(source: Source) -> tuple[s.File, list[Diagnostic]]:
    """The syntax tree of what could be read, and what could not, by position.

    Never raises for any text. A section in which something is unreadable is listed in
    `File.broken`, so that `check` does not report what depends on it.
    """
    entries, diagnostics = scan(source)
    reader = _Reader(source, diagnostics)
    sections = tuple(
        section
        for header, body in _by_section(entries)
        if (section := reader.section(header, body))
    )
    diagnostics.sort(key=lambda diagnostic: diagnostic.span.start)
    span = Span(source, 0, len(source.text))
    return s.File(span, sections, frozenset(reader.broken)), diagnostics


def _by_section(entries: Sequence[Entry]) -> Iterator[tuple[Entry | None, list[Entry]]]:
    """Headers with the entries below them; entries above the first header have none."""
    header: Entry | None = None
    body: list[Entry] = []
    for entry in entries:
        if entry.place is not Place.HEADER:
            body.append(entry)
            continue
        if header or body:
            yield header, body
        header, body = entry, []
    if header or body:
        yield header, body


class _Reader(Struct):
    """Reads the entries of one file; notes what is wrong, and which sections suffer from it."""

    source: Source
    diagnostics: list[Diagnostic]
    broken: set[str] = field(default_factory=set)

    def section(self, header: Entry | None, body: Sequence[Entry]) -> s.Section | None:
        """The section of a header and its entries, if the header can be read."""
        if header is None:
            message = "an indented line must stand below a section header"
            help_ = f"the sections are: {', '.join(_SECTIONS)}"
            self._report("entry-outside-section", message, body[0].tokens, help_)
            self.broken |= _EVERYTHING
            return None
        word = self._word(header)
        if word is None:
            return None
        kind = _SECTIONS[word]
        head = self._head(word, kind, header)
        entries = self._entries(word, kind, body)
        if kind.head and head is None:
            return None
        return kind.make(self._span(header.tokens[:1]), head, entries)

    def _word(self, header: Entry) -> str | None:
        """The section that a header names, or is likely to mean."""
        word = header.tokens[0].text
        if word in _SECTIONS:
            return word
        help_ = did_you_mean(word, _SECTIONS)
        self._report("unknown-section", f"'{word}' is no section", header.tokens[:1], help_)
        likely = re.match(r"did you mean '(\w+)'", help_)
        if likely is None:
            self.broken |= _EVERYTHING
        return likely[1] if likely else None

    # what stands on the line of the header

    def _head(self, word: str, kind: _Section, header: Entry) -> object:
        rest = header.tokens[1:]
        if kind.head == SHAPE:
            return self._shape(header)
        if kind.head:
            head = self._parsed(kind.head, rest, header)
            if head is None:
                self.broken.add(word)
            return head
        if rest:
            message = f"nothing else stands on the line of '{word}'"
            self._report("syntax", message, rest, "its entries are indented lines below it")
        return None

    def _shape(self, header: Entry) -> tuple[s.Number, s.Number]:
        tokens = header.tokens[1:] or header.tokens
        written = " ".join(token.text for token in header.tokens[1:])
        match = re.fullmatch(r"([0-9]+)(?: ?[x×] ?([0-9]+))?", written)
        rows, columns = (int(n) for n in _rows_and_columns(match)) if match else (0, 0)
        if not match:
            message = "expected the number of items, or rows x columns"
            self._report("syntax", message, tokens, "write 'matrix 8' or 'matrix 3 x 3'")
        elif rows * columns > LARGEST_NUMBER:
            message = f"this matrix is too large: it may have up to {LARGEST_NUMBER} items"
            self._report("number-too-large", message, tokens)
        elif rows * columns < 2:
            message = "a matrix has two items at least: one to see, one to find"
            self._report("too-few-items", message, tokens)
        if not match or not 2 <= rows * columns <= LARGEST_NUMBER or header.broken:
            self.broken.add(SHAPE)
        span = self._span(tokens)
        return s.Number(span, rows), s.Number(span, columns)

    # entries

    def _entries(self, word: str, kind: _Section, body: Sequence[Entry]) -> tuple[s.Node, ...]:
        if kind.entry is None:
            if body:
                message = f"'{word}' has no entries below it"
                self._report("entry-outside-section", message, body[0].tokens)
                self.broken |= _EVERYTHING
            return ()
        nodes: list[s.Node] = []
        rows: dict[int, list[s.Row]] = {}  # by the index of their table
        for entry in body:
            start = "row" if entry.place is Place.ROW else kind.entry
            node = self._entry(word, start, entry, nodes)
            if isinstance(node, s.Row):
                rows.setdefault(len(nodes) - 1, []).append(node)
            elif node:
                nodes.append(node)
        for index, below in rows.items():
            table = nodes[index]
            assert isinstance(table, s.Rows)
            nodes[index] = s.Rows(table.span, table.columns, tuple(below))
        return tuple(nodes)

    def _entry(self, word: str, start: str, entry: Entry, above: Sequence[s.Node]) -> s.Node | None:
        stray = start == "row" and not (above and isinstance(above[-1], s.Rows))
        node = None
        if not stray:
            node = self._parsed(start, entry.tokens, entry)
        elif ROWS not in self.broken:
            self._report("row-outside-table", "a row stands below 'rows'", entry.tokens)
        if node is None:
            self.broken.add(_part(word, entry))
        return node

    def _parsed(self, start: str, tokens: Sequence[Token], entry: Entry) -> Any:
        """The node of an entry, or None when it has a mistake."""
        if entry.broken or len(self.diagnostics) >= MOST_DIAGNOSTICS:
            return None
        node, problem = parse_entry(start, tokens, self.source, end=entry.tokens[-1].end)
        if problem:
            self.diagnostics.append(problem)
        return node

    def _span(self, tokens: Sequence[Token]) -> Span:
        return Span(self.source, tokens[0].start, tokens[-1].end)

    def _report(self, code: str, message: str, tokens: Sequence[Token], help_: str = "") -> None:
        if len(self.diagnostics) < MOST_DIAGNOSTICS:
            self.diagnostics.append(Diagnostic(code, message, self._span(tokens), help_))


def _part(word: str, entry: Entry) -> str:
    """What the loss of an entry makes unknown: its section, or the variables or rows in it."""
    if word != "matrix":
        return word
    if entry.place is Place.ROW:
        return ROWS
    likely = get_close_matches(entry.tokens[0].text, (VARIABLES, ROWS), n=1, cutoff=0.75)
    return likely[0] if likely else word


def _rows_and_columns(match: re.Match[str]) -> tuple[str, str]:
    return (match[1], match[2]) if match[2] else ("1", match[1])
