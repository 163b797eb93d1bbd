"""English: `a` or `an` by sound.

The article follows the first sound of the next word, not its letter: *an hour*, *a university*
(Quirk et al., *A Comprehensive Grammar of the English Language*, chapter 5).  A word of the lexicon
overrides the lists here with the feature `onset`: `vowel` or `consonant`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from blm.realise.language import Language, by_name, following
from blm.realise.tokens import NUMBER, FunctionWord, Token, auxiliary, paradigm, table
from blm.text import without_accents

_SILENT_H = re.compile(r"(?:hour|honest|honou?r|heir)")
_GLIDE = re.compile(
    # written with a vowel, spoken with [j] (university, user, European) or [w] (one, once)
    r"(?:uni(?!n|m(?!od)|dent|ssued)|unanim|us[aeiu]|u-|ub[ie]|ufo|ugand|uk[er]|ukulele"
    r"|ura[nl]|ure[at]|uri[cn]|urol|urugu|ut[aeio]|uvu|eu|ew|one(?:s|ness|self|’s|-.*)?$|once(?:-|$)|ouija)"
)
_VOWEL_LETTERS = frozenset("AEFHILMNORSX")
_ACRONYM = re.compile(r"[A-Z](?:[A-Z0-9.&]*[A-Z0-9.]s?)?")
_SPOKEN_ACRONYMS = frozenset({"FIFA", "NAFTA", "NASA", "NATO", "SARS"})
_VOWEL_NUMERAL = re.compile(r"8|1[18](?!\d)")

_BE = paradigm(
    present="am are is are are are",
    past="was were was were were were",
    infinitive="be",
    participle="been",
    ing="being",
)
_HAVE = paradigm(
    present="have have has have have have",
    past="had had had had had had",
    infinitive="have",
    participle="had",
    ing="having",
)
_DO = paradigm(
    present="do do does do do do",
    past="did did did did did did",
    infinitive="do",
    participle="done",
    ing="doing",
)


def _determiner(name: str, singular: str, plural: str) -> FunctionWord:
    return FunctionWord(name, "determiner", table(sg=singular, pl=plural), (NUMBER,), agrees=True)


class English(Language):
    """English: `def`, `indef` (nothing in the plural), `this`, `that`; `be`, `have`, `do`."""

    functions = by_name(
        _determiner("def", "the", "the"),
        _determiner("indef", "a", ""),
        _determiner("this", "this", "these"),
        _determiner("that", "that", "those"),
        auxiliary("be", _BE),
        auxiliary("have", _HAVE),
        auxiliary("do", _DO),
    )
    reactive: ClassVar = frozenset({"a"})

    def shape(self, tokens: Sequence[Token], index: int) -> str:
        """The article before a vowel sound is `an`."""
        after = following(tokens, index)
        return "an " if after is not None and starts_with_vowel(after) else "a "


def starts_with_vowel(token: Token) -> bool:
    """Whether `token` is spoken with a vowel at its start.

    >>> [starts_with_vowel(Token(form, "word")) for form in ("apple", "hour", "user", "MRI")]
    [True, True, False, True]
    """
    if "onset=vowel" in token.features or "onset=consonant" in token.features:
        return "onset=vowel" in token.features
    form = token.form
    if _ACRONYM.fullmatch(form.partition("-")[0]) and form not in _SPOKEN_ACRONYMS:
        return form[0] in _VOWEL_LETTERS
    plain = without_accents(form).lower()
    if _VOWEL_NUMERAL.match(plain) or _SILENT_H.match(plain):
        return True
    return plain[0] in "aeiou" and not _GLIDE.match(plain)
