"""Text as every stage writes and compares it: one form of each character.

Spreadsheets and keyboards give the same word in several encodings.  Everything that enters
through a table or a grammar passes `normalise` once, so that equal words are equal strings.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import count, product
from string import ascii_lowercase

APOSTROPHE = "\N{RIGHT SINGLE QUOTATION MARK}"
"""The typographic apostrophe, the only one that realised text contains."""

_SAME_APOSTROPHE = str.maketrans(
    dict.fromkeys("'`\N{ACUTE ACCENT}\N{MODIFIER LETTER APOSTROPHE}", APOSTROPHE)
)

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Characters that do something to a terminal, but for breaks and tabs."""


def harmless(text: str) -> str:
    """A text to be shown: what would do something to a terminal is replaced."""
    return CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def normalise(text: str) -> str:
    """`text` in NFC, with typographic apostrophes and single inner spaces.

    >>> normalise("  l'eau   claire ")
    'l’eau claire'
    """
    composed = unicodedata.normalize("NFC", text.translate(_SAME_APOSTROPHE))
    return " ".join(composed.split())


def without_accents(text: str) -> str:
    """`text` without its diacritics: what a rule about vowels compares.

    >>> without_accents("été")
    'ete'
    """
    decomposed = unicodedata.normalize("NFD", text)
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def letters() -> Iterator[str]:
    """Names of answers: a, b, ..., z, aa, ab, ..."""
    for size in count(1):
        yield from map("".join, product(ascii_lowercase, repeat=size))
