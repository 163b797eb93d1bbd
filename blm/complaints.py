"""Syntax errors in the words of the language: what was found, what could stand there."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from lark import Token, UnexpectedToken

from blm.diagnostics import Diagnostic, Source, Span, did_you_mean

_SCANNED = {
    "NAME": "a name",
    "NUMBER": "a number",
    "TEXT": 'a text in "..."',
    "ITEM": "an item number such as '1:'",
    "$END": "the end of the entry",
}


def explain_syntax_error(
    error: UnexpectedToken,
    keywords: Mapping[tuple[str, ...], str],
    source: Source,
    end: int,
) -> Diagnostic:
    """The diagnostic for an entry that Lark refuses; `end` is where the entry ends."""
    token = error.token
    words = {name: " ".join(key) for key, name in keywords.items()}
    accepted = error.accepts or error.expected
    at_end = token.type == "$END"
    span = Span(source, end, end) if at_end else _span(token, source)
    found = "the entry ends too early" if at_end else f"unexpected '{span.text}'"
    options = _options(accepted, words)
    return Diagnostic("syntax", f"{found}: expected {options}", span)


def _span(token: Token, source: Source) -> Span:
    return Span(source, token.start_pos or 0, token.end_pos or 0)


def _options(accepted: Collection[str], words: Mapping[str, str]) -> str:
    return ", ".join(sorted(_SCANNED.get(name) or f"'{words[name]}'" for name in accepted))
