"""Text to syntax tree; every mistake of a file is reported, each at its place.

The scanner splits a file into entries, and each entry is parsed on its own with the start
symbol of its section, so that a mistake in one entry hides none in another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from lark import Lark, Token, Tree, UnexpectedToken
from lark.common import LexerConf
from lark.lexer import Lexer, LexerState

from blm import syntax as s
from blm.build import build
from blm.complaints import explain_syntax_error
from blm.diagnostics import Diagnostic, Source, Span, did_you_mean
from blm.phenomenon import Family
from blm.scan import LARGEST_NUMBER, Entry, Kind, Place, scan
from blm.scan import Token as Scanned

DEEPEST_NESTING = 60
"""Conditions nested deeper than this are refused; what people write has three or four levels."""


@dataclass(frozen=True, slots=True)
class _Section:
    """How a section is read: the start symbols of its header and of its entries."""

    head: str | None
    entry: str | None


_SECTIONS = {
    "phenomenon": _Section("title", None),
    "domains": _Section(None, "domain"),
    "objects": _Section(None, "objects_entry"),
    "possible": _Section(None, "possible_entry"),
    "external": _Section(None, "rule"),
    "internal": _Section(None, "rule"),
    "matrix": _Section("shape", "matrix_entry"),
    "answers": _Section(None, "answers_entry"),
    "language": _Section("title", None),
    "of": _Section("path", None),
    "words": _Section(None, "words_entry"),
    "seeds": _Section(None, "seeds_entry"),
    "phrases": _Section(None, "phrases_entry"),
    "sentences": _Section(None, "sentences_entry"),
    "forms": _Section(None, "sentences_entry"),
}


def parse(source: Source) -> tuple[s.File, list[Diagnostic]]:
    """The syntax tree of what could be read, and what could not.

    Never raises for any text. A section in which something is unreadable is listed in
    `File.broken`, so that `check` does not report what depends on it.
    """
    entries, diagnostics = scan(source)
    reader = _Reader(source, diagnostics)
    sections = tuple(reader.sections(entries))
    span = Span(source, 0, len(source.text))
    return s.File(span, sections, frozenset(reader.broken)), diagnostics


# --- the Lark parser ------------------------------------------------------------------------


class _Prescanned(Lexer):
    """Hands the tokens of an entry to Lark."""

    __future_interface__ = 2

    def __init__(self, conf: LexerConf) -> None:
        pass

    def lex(self, lexer_state: LexerState, parser_state: object) -> Iterator[Token]:
        return iter(lexer_state.text)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class _Grammar:
    """The Lark parser, and the keywords of the language: their words, and Lark's name."""

    lark: Lark
    keywords: dict[tuple[str, ...], str]


@cache
def _grammar() -> _Grammar:
    text = resources.files("blm").joinpath("phenomenon.lark").read_text(encoding="utf-8")
    starts = {n for k in _SECTIONS.values() for n in (k.head, k.entry) if n} - {"shape"}
    lark = Lark(
        text,
        parser="lalr",
        lexer=_Prescanned,
        start=[*sorted(starts), "row"],
        propagate_positions=True,
        maybe_placeholders=True,
    )
    return _Grammar(lark, {tuple(t.pattern.value.split()): t.name for t in lark.terminals})


def reserved_words() -> frozenset[str]:
    """The words that cannot be names."""
    words = (key[0] for key in _grammar().keywords if len(key) == 1)
    return frozenset(word for word in words if word.isidentifier() and word != "_")


_LONGEST_KEYWORD = 3
_TERMINALS = {Kind.NUMBER: "NUMBER", Kind.TEXT: "TEXT", Kind.ITEM: "ITEM", Kind.WORD: "NAME"}


def _classify(scanned: Sequence[Scanned], keywords: dict[tuple[str, ...], str]) -> list[Token]:
    """Lark's tokens: keywords of several words are joined, the longest one first."""
    tokens: list[Token] = []
    index = 0
    while index < len(scanned):
        name, length = _terminal(scanned, index, keywords)
        group = scanned[index : index + length]
        text = " ".join(token.text for token in group)
        tokens.append(Token(name, text, group[0].start, end_pos=group[-1].end))
        index += length
    return tokens


def _terminal(
    scanned: Sequence[Scanned], index: int, keywords: dict[tuple[str, ...], str]
) -> tuple[str, int]:
    token = scanned[index]
    if token.kind in (Kind.WORD, Kind.SYMBOL):
        for length in range(_LONGEST_KEYWORD, 0, -1):
            group = scanned[index : index + length]
            if any(t.kind not in (Kind.WORD, Kind.SYMBOL) for t in group):
                continue
            if name := keywords.get(tuple(t.text for t in group)):
                return name, len(group)
    return _TERMINALS.get(token.kind, "SYMBOL"), 1


# --- sections ---------------------------------------------------------------------------------


class _Reader:
    """Reads the entries of one file into sections; holds what went wrong meanwhile."""

    def __init__(self, source: Source, diagnostics: list[Diagnostic]) -> None:
        self.source = source
        self.diagnostics = diagnostics
        self.broken: set[str] = set()

    def sections(self, entries: list[Entry]) -> Iterator[s.Section]:
        """Every section whose header can be read."""
        for header, body in _by_section(entries):
            if header is None:
                self._report(
                    "entry-outside-section",
                    "an indented line must stand below a section header",
                    body[0],
                    f"the sections are: {', '.join(_SECTIONS)}",
                )
                self.broken |= {*_SECTIONS, "shape"}
            elif (word := self._section_word(header)) and (
                section := self._section(word, header, body)
            ):
                yield section

    def _section_word(self, header: Entry) -> str | None:
        word = header.tokens[0].text
        if word in _SECTIONS:
            return word
        help_ = did_you_mean(word, _SECTIONS)
        first = Entry(Place.HEADER, header.tokens[:1])
        self._report("unknown-section", f"'{word}' is no section", first, help_)
        guess = re.match(r"did you mean '(.+)'", help_)
        if not guess:
            self.broken |= {*_SECTIONS, "shape"}
        return guess[1] if guess else None

    def _section(self, word: str, header: Entry, body: list[Entry]) -> s.Section | None:
        kind = _SECTIONS[word]
        head = self._head(word, kind, header)
        if kind.entry is None and body:
            message = f"'{word}' has no entries below it"
            self._report("entry-outside-section", message, body[0])
            self.broken |= {*_SECTIONS, "shape"}
        nodes = self._nodes(word, kind.entry, body) if kind.entry else ()
        span = Span(self.source, header.tokens[0].start, header.tokens[0].end)
        if kind.head and head is None:
            self.broken.add("shape" if word == "matrix" else word)
            head = _default_shape(span) if word == "matrix" else None
            if head is None:
                return None
        return _assemble(word, span, head, nodes)

    def _head(self, word: str, kind: _Section, header: Entry) -> object:
        rest = Entry(Place.HEADER, header.tokens[1:], header.broken)
        if kind.head is None:
            if rest.tokens:
                message = f"nothing can stand on the line of '{word}'"
                self._report("syntax", message, rest, "put its entries on indented lines below")
            return None
        if kind.head == "shape":
            return self._shape(header)
        return self._parsed(kind.head, rest, after=header.tokens[0].end)

    def _shape(self, header: Entry) -> tuple[s.Number, s.Number] | None:
        tokens = header.tokens[1:]
        written = "".join(token.text for token in tokens)
        match = re.fullmatch(r"([0-9]+)(?:[x×]([0-9]+))?", written)
        if not match:
            after = Entry(Place.HEADER, tokens or header.tokens[:1])
            message = "expected the number of items, or rows x columns"
            self._report("syntax", message, after, "write 'matrix 8' or 'matrix 3 x 3'")
            return None
        span = Span(self.source, tokens[0].start, tokens[-1].end)
        counts = (int(match[1]), int(match[2])) if match[2] else (1, int(match[1]))
        if counts[0] * counts[1] > LARGEST_NUMBER:
            message = f"this matrix is too large: it may have {LARGEST_NUMBER} items"
            self._report("number-too-large", message, Entry(Place.HEADER, tokens))
            return None
        return s.Number(span, counts[0]), s.Number(span, counts[1])

    def _nodes(self, word: str, start: str, body: list[Entry]) -> tuple[s.Node, ...]:
        nodes: list[s.Node] = []
        for entry in body:
            is_row = entry.place is Place.ROW
            if is_row and not (nodes and isinstance(nodes[-1], s.Rows)):
                if word not in self.broken:
                    message = "a row of items stands below 'rows' only"
                    self._report("row-outside-table", message, entry)
                self.broken.add(word)
                continue
            node = self._parsed("row" if is_row else start, entry)
            match node:
                case None:
                    self.broken.add(word)
                case s.Row():
                    table = nodes[-1]
                    assert isinstance(table, s.Rows)
                    nodes[-1] = s.Rows(table.span, table.columns, (*table.rows, node))
                case s.Node():
                    nodes.append(node)
        return tuple(nodes)

    def _parsed(self, start: str, entry: Entry, *, after: int = 0) -> object:
        """The node of an entry, or None when it has a mistake."""
        if entry.broken:
            return None
        grammar = _grammar()
        tokens = _classify(entry.tokens, grammar.keywords)
        try:
            tree: Tree[Token] = grammar.lark.parse(tokens, start=start)  # type: ignore[arg-type]
        except UnexpectedToken as error:
            end = entry.tokens[-1].end if entry.tokens else after
            self.diagnostics.append(
                explain_syntax_error(error, grammar.keywords, self.source, end)
            )
            return None
        if _depth(tree) > DEEPEST_NESTING:
            message = f"this is nested too deeply: {DEEPEST_NESTING} levels are allowed"
            self._report("too-deep", message, entry, "split it into several rules")
            return None
        return build(tree, self.source)

    def _report(self, code: str, message: str, entry: Entry, help_: str = "") -> None:
        self.diagnostics.append(Diagnostic(code, message, entry.span(self.source), help_))


def _by_section(entries: list[Entry]) -> Iterator[tuple[Entry | None, list[Entry]]]:
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


def _depth(tree: Tree[Token]) -> int:
    """How deeply conditions are nested, without recursion."""
    deepest = 0
    stack: list[tuple[Tree[Token], int]] = [(tree, 1)]
    while stack:
        node, depth = stack.pop()
        deepest = max(deepest, depth)
        stack += [(child, depth + 1) for child in node.children if isinstance(child, Tree)]
    return deepest


def _default_shape(span: Span) -> tuple[s.Number, s.Number]:
    return s.Number(span, 1), s.Number(span, 1)


_PLAIN: dict[str, type[s.Domains | s.Objects | s.Possible | s.Answers | s.Words | s.Seeds | s.Phrases]] = {
    "domains": s.Domains,
    "objects": s.Objects,
    "possible": s.Possible,
    "answers": s.Answers,
    "words": s.Words,
    "seeds": s.Seeds,
    "phrases": s.Phrases,
}


def _assemble(word: str, span: Span, head: Any, nodes: tuple[Any, ...]) -> s.Section:
    match word:
        case "phenomenon":
            return s.PhenomenonHeader(span, *head)
        case "language":
            return s.LanguageHeader(span, *head)
        case "of":
            return s.Of(span, head)
        case "external" | "internal":
            return s.Rules(span, Family(word), nodes)
        case "matrix":
            return s.Matrix(span, *head, nodes)
        case "sentences" | "forms":
            return s.Sentences(span, nodes, joined=word == "forms")
        case _:
            return _PLAIN[word](span, nodes)
