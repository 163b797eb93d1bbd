"""What all languages share: function words, and how tokens become text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from blm.diagnostics import did_you_mean
from blm.realise.tokens import FunctionWord, Token
from blm.text import APOSTROPHE, normalise
from blm.words import FormError

CLOSING = frozenset(",.;:!?)]…»")
"""Marks that stand at the end of the word before them."""

_FINAL = frozenset(".!?…")
_LOOSE = re.compile(rf" ?{APOSTROPHE} ?| [{re.escape(''.join(sorted(CLOSING)))}]|(?<=\w)- (?=\w)")
"""Marks with a space beside them that may be missing."""


def by_name(*words: FunctionWord) -> Mapping[str, FunctionWord]:
    """Function words under their names."""
    return {word.name: word for word in words}


class Language:
    """A language without words of its own and without sandhi; the others derive from it.

    A language says which FUNCTION words it has, and how its tokens are `written` together.
    """

    functions: ClassVar[Mapping[str, FunctionWord]] = {}
    reactive: ClassVar[frozenset[str]] = frozenset()
    """The forms that `shape` may change, before or after certain others."""

    def function(
        self, name: str, given: frozenset[str], nouns: Sequence[frozenset[str]]
    ) -> tuple[Token, ...]:
        """A function word; `nouns` are the features of the words that follow it.

        An article agrees with the first that has all the features it needs.  Raises FormError
        where there is none, or the word or its features are unknown.
        """
        if name not in self.functions:
            known = did_you_mean(name, self.functions)
            raise FormError(
                "unknown-function", f"the language has no function word '{name}'", known
            )
        word = self.functions[name]
        for noun in nouns[:-1]:
            try:
                return word.tokens(given, noun)
            except FormError:
                continue
        return word.tokens(given, nouns[-1] if nouns else frozenset())

    def is_reactive(self, token: Token) -> bool:
        """Whether what follows `token` may change how it is written, or it what follows."""
        return token.form in self.reactive

    def leans(self, token: Token) -> bool:
        """Whether `token` may change what stands before it, whatever that is."""
        return token.form[0] in CLOSING

    def written(self, tokens: Sequence[Token]) -> list[str]:
        """Each token as it is written, with the space that follows it, if one does.

        The text of a sentence is their concatenation.  A token that is absorbed by its
        neighbour (`le` in `du`) is the empty string.  Two tokens side by side may change each
        other only where the first `is_reactive` or the second `leans`.
        """
        texts: list[str] = []
        reactive = self.reactive
        for index, token in enumerate(tokens):
            form = token.form
            if form in reactive:
                texts.append(self.shape(tokens, index))
            else:
                if form[0] in CLOSING:
                    last = next((k for k in reversed(range(index)) if texts[k]), None)
                    if last is not None:  # not an article that was absorbed
                        texts[last] = texts[last].rstrip()
                texts.append(form + " ")
        return texts

    def shape(self, tokens: Sequence[Token], index: int) -> str:
        """How the token at `index`, a reactive one, is written among its neighbours."""
        return tokens[index].form + " "

    def sentence(self, text: str) -> str:
        """A sentence: first letter capital, one final stop.  The length grows by at most one."""
        stop = "" if text[-1:] in _FINAL or not text else "."
        return self.upper(text[:1]) + text[1:] + stop

    def upper(self, letter: str) -> str:
        """The capital of a letter, or the letter itself where the capital is longer (ß)."""
        capital = letter.upper()
        return capital if len(capital) == 1 else letter

    def lower(self, text: str) -> str:
        """`text` in lower case."""
        return text.lower()

    def fold(self, text: str) -> str:
        """What the writings of a sentence have in common: case, spacing and final stop aside.

        >>> Language().fold("L' eau du sous- sol est froide .")
        'l’eau du sous-sol est froide'
        """
        tight = _LOOSE.sub(lambda mark: mark[0].strip(), normalise(text))
        return self.lower(tight.rstrip(" ."))


def following(tokens: Sequence[Token], index: int) -> Token | None:
    """The token after `index`, or None at the end."""
    return tokens[index + 1] if index + 1 < len(tokens) else None


def preceding(tokens: Sequence[Token], index: int) -> Token | None:
    """The token before `index`, or None at the start."""
    return tokens[index - 1] if index else None
