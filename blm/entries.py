"""One entry of a file to its node: Lark does the parsing, `phenomenon.lark` has the grammar."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, cast

from lark import Lark, Token, Tree, UnexpectedToken
from lark.common import LexerConf
from lark.lexer import Lexer, LexerState
from msgspec import Struct

from blm.build import build
from blm.complaints import explain_syntax_error
from blm.diagnostics import Diagnostic, Source, Span
from blm.resources import cache_folder
from blm.scan import Kind
from blm.scan import Token as Scanned
from blm.version import __version__

DEEPEST_NESTING = 60
"""Conditions nested deeper than this are refused; what people write has three or four levels."""

STARTS = (
    "title",
    "path",
    "domain",
    "objects_entry",
    "possible_entry",
    "rule",
    "matrix_entry",
    "row",
    "answers_entry",
    "words_entry",
    "seeds_entry",
    "phrases_entry",
    "sentences_entry",
)
"""The start symbols of `phenomenon.lark`: the kinds of entries."""

Keywords = Mapping[tuple[str, ...], str]
"""The words of each keyword, and Lark's name for it."""


def parse_entry(
    start: str, tokens: Sequence[Scanned], source: Source, *, end: int
) -> tuple[Any, None] | tuple[None, Diagnostic]:
    """The node of an entry that ends at `end`, or what is wrong with its syntax."""
    grammar = _grammar()
    classified = _classify(tokens, grammar.keywords)
    try:
        tree = grammar.lark.parse(cast(str, classified), start=start)
    except UnexpectedToken as error:
        words = {name: " ".join(key) for key, name in grammar.keywords.items()}
        return None, explain_syntax_error(error, classified, words, Span(source, end, end))
    if _depth(tree) > DEEPEST_NESTING:
        message = f"this is nested too deeply: {DEEPEST_NESTING} levels are allowed"
        span = Span(source, tokens[0].start, end)
        return None, Diagnostic("too-deep", message, span, "split it into several rules")
    return build(tree, source), None


def reserved_words() -> frozenset[str]:
    """The words that cannot be names."""
    words = (key[0] for key in _grammar().keywords if len(key) == 1)
    return frozenset(word for word in words if word.isidentifier() and word != "_")


# --- the Lark parser ----------------------------------------------------------


class _Prescanned(Lexer):
    """Hands the tokens of an entry to Lark."""

    __future_interface__ = 2

    def __init__(self, conf: LexerConf) -> None:
        pass

    def lex(self, lexer_state: LexerState, parser_state: object) -> Iterator[Token]:
        return iter(cast("list[Token]", lexer_state.text))


class _Grammar(Struct, frozen=True):
    lark: Lark
    keywords: Keywords


_TABLES = f"tables-{__version__}-{sys.version_info[0]}.{sys.version_info[1]}.lark"
"""Lark looks whether the tables are of this grammar, and makes them anew if not."""


@cache
def _grammar() -> _Grammar:
    """Built on first use; the tables take a fifth of a second, so they are kept for next time."""
    folder = cache_folder()
    text = resources.files("blm").joinpath("phenomenon.lark").read_text(encoding="utf-8")
    lark = Lark(
        text,
        parser="lalr",
        lexer=_Prescanned,
        start=list(STARTS),
        propagate_positions=True,
        maybe_placeholders=True,
        cache=str(folder / _TABLES) if folder else False,
    )
    return _Grammar(lark, {tuple(t.pattern.value.split()): t.name for t in lark.terminals})


# --- tokens ----------------------------------------------------------

_LONGEST_KEYWORD = 3
_SCANNED = {Kind.NUMBER: "NUMBER", Kind.TEXT: "TEXT", Kind.ITEM: "ITEM", Kind.WORD: "NAME"}


def _classify(scanned: Sequence[Scanned], keywords: Keywords) -> list[Token]:
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


def _terminal(scanned: Sequence[Scanned], index: int, keywords: Keywords) -> tuple[str, int]:
    """Lark's name for the token at `index`, and how many scanned tokens it takes."""
    first = scanned[index]
    if first.kind not in (Kind.WORD, Kind.SYMBOL):
        return _SCANNED[first.kind], 1
    for length in range(_LONGEST_KEYWORD, 0, -1):
        group = scanned[index : index + length]
        if all(token.kind in (Kind.WORD, Kind.SYMBOL) for token in group) and (
            name := keywords.get(tuple(token.text for token in group))
        ):
            return name, len(group)
    return _SCANNED.get(first.kind, "SYMBOL"), 1


def _depth(tree: Tree[Token]) -> int:
    """How deeply a tree is nested; without recursion, as it may be too deep for that."""
    deepest = 0
    stack: list[tuple[Tree[Token], int]] = [(tree, 1)]
    while stack:
        node, depth = stack.pop()
        deepest = max(deepest, depth)
        stack += [(child, depth + 1) for child in node.children if isinstance(child, Tree)]
    return deepest
