"""A pattern of writing that is wrong, where it is looked for, and what is put in its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

Match = re.Match[str]


@dataclass(frozen=True)
class Pattern:
    """One malformed form.

    `code` is the kind of finding it belongs to; `languages` are those it holds for, all if
    empty; `allowed` tells exceptions; `repair` gives the right form where it is certain. What is
    `within_word` is a whole word, so that it can be looked for in a list of words.
    """

    code: str
    regex: re.Pattern[str]
    languages: frozenset[str] = frozenset()
    allowed: Callable[[Match], bool] | None = None
    repair: Callable[[Match], str] | None = None
    within_word: bool = False

    def holds_for(self, language: str) -> bool:
        """Whether the pattern is looked for in a language."""
        return not self.languages or language in self.languages

    def matches(self, text: str) -> Iterator[Match]:
        """Where the pattern stands in a text, exceptions left out."""
        for match in self.regex.finditer(text):
            if self.allowed is None or not self.allowed(match):
                yield match


def pattern(
    code: str,
    regex: str,
    languages: str = "",
    *,
    allowed: Callable[[Match], bool] | None = None,
    repair: Callable[[Match], str] | None = None,
    case: bool = False,
    within_word: bool = False,
) -> Pattern:
    """A pattern from its text; `languages` are separated by spaces; letters match in any case."""
    flags = 0 if case else re.IGNORECASE
    held = frozenset(languages.split())
    return Pattern(code, re.compile(regex, flags), held, allowed, repair, within_word)


def words(text: str) -> frozenset[str]:
    """A set of words from a text with spaces."""
    return frozenset(text.split())


def like(model: str, form: str) -> str:
    """`form` with a capital if `model` begins with one."""
    return form[:1].upper() + form[1:] if model[:1].isupper() else form
