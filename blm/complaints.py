"""Syntax errors in the words of the language: what was found, what could stand there."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from lark import Token, UnexpectedToken

from blm.diagnostics import Diagnostic, Span, did_you_mean

_SCANNED = {
    "NAME": "a name",
    "NUMBER": "a number",
    "TEXT": 'a text in "..."',
    "ITEM": "an item number such as '1:'",
    "$END": "the end of the entry",
}
_OPERATORS = (
    "alternates",
    "switches",
    "progresses",
    "constant",
    "varies",
    "distributes",
    "cycles",
    "follows",
)
_COMPARISONS = frozenset(
    {"is", "is not", "is one of", "matches", "differs from", "<", "<=", ">", ">="}
)
_EDITS = frozenset({"changes", "appears", "disappears"})
_COMPARISON = "a comparison (is, is not, is one of, matches, differs from, <, <=, >, >=)"
# Sets of terminals that mean one thing to the author, and what; the largest first.
_GROUPS: tuple[tuple[frozenset[str], str], ...] = (
    (
        frozenset({"a name", "(", "not", "if", "count", "any of", "none of", "all of", "distinct"}),
        "a condition",
    ),
    (frozenset({"a name", "a number", "present", "absent"}), "a value"),
    (frozenset(_OPERATORS), f"an operator ({', '.join(_OPERATORS)})"),
    (_COMPARISONS | _EDITS, _COMPARISON),
    (_COMPARISONS, _COMPARISON),
    (frozenset({"over items", "by row", "by column"}), "a scope (over items, by row, by column)"),
)
_HINTS = {
    "=": "equality is written 'is'",
    "!": "inequality is written 'is not'",
    ",": "clauses are separated by ';', conditions joined by 'and'",
    ";": "only the clauses of a rule are separated by ';'",
}


def explain_syntax_error(
    error: UnexpectedToken, tokens: Sequence[Token], words: Mapping[str, str], end: Span
) -> Diagnostic:
    """The diagnostic for an entry that Lark refuses.

    `tokens` are those of the entry, `words` what Lark's names for keywords stand for, and
    `end` is where the entry ends.
    """
    token = error.token
    names = error.accepts or error.expected
    accepted = {_SCANNED.get(name) or words[name] for name in names}
    expected = f"expected {_options(accepted)}"
    if token.type == "$END":
        return Diagnostic(
            "syntax", f"this ends too early: {expected}", end, _half(tokens, accepted)
        )
    span = Span(end.source, token.start_pos or 0, token.end_pos or 0)
    found = str(token)
    is_word = token.type in words and found.split()[0].isidentifier()
    if is_word and "a name" in accepted:
        message = f"'{found}' is a reserved word and cannot be a name: {expected}"
        return Diagnostic("reserved-word", message, span)
    unknown = token.type == "NAME" and accepted.issuperset(_OPERATORS)
    code = "unknown-operator" if unknown else "syntax"
    help_ = _suggestion(token, accepted) or _half(tokens, accepted) or _hint(found, accepted)
    return Diagnostic(code, f"unexpected '{_shown(token)}': {expected}", span, help_)


def _shown(token: Token) -> str:
    text = f'"{token}"' if token.type == "TEXT" else f"{token}"
    return text if len(text) <= 40 else f"{text[:40]}..."


def _suggestion(token: Token, accepted: Collection[str]) -> str:
    """The keyword that a word is a misspelling of, if it looks like one."""
    keywords = sorted(option for option in accepted if option not in _SCANNED.values())
    help_ = did_you_mean(str(token), keywords) if token.type == "NAME" else ""
    return help_ if help_.startswith("did you mean") else ""


def _hint(found: str, accepted: Collection[str]) -> str:
    """Help for symbols that mean something else elsewhere."""
    inside_rule = not {"and", ";"}.isdisjoint(accepted)
    return _HINTS.get(found, "") if found != "," or inside_rule else ""


def _half(tokens: Sequence[Token], accepted: Collection[str]) -> str:
    """Help for `a is x or y`, where the second half is no condition."""
    joined = any(token in ("or", "and") for token in tokens)
    if joined and {"is", "matches"} <= set(accepted):
        return "'and' and 'or' join whole conditions; for values write 'is one of {x, y}'"
    return ""


def _options(accepted: Collection[str]) -> str:
    left = set(accepted)
    options = []
    for group, name in _GROUPS:
        if group <= left:
            options.append(name)
            left -= group
    options += [text for text in _SCANNED.values() if text in left and text != _SCANNED["$END"]]
    plain = sorted(
        left.difference(_SCANNED.values()), key=lambda word: (not word[0].isalpha(), word)
    )
    options += [f"'{word}'" for word in plain]
    if _SCANNED["$END"] in left:
        options.append(_SCANNED["$END"])
    *most, last = options
    return f"{', '.join(most)} or {last}" if most else last
