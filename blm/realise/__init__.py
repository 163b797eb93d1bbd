"""How the items of a phenomenon are said: one module per language, registered here.

`realise` says one item.  Work on many items keeps a `speaker`, which remembers phrases.
"""

from __future__ import annotations

from collections.abc import Mapping

from blm.concrete import Concrete
from blm.conditions import Item
from blm.realise.english import English
from blm.realise.frames import Words
from blm.realise.french import French
from blm.realise.italian import Italian
from blm.realise.language import Language
from blm.realise.romanian import Romanian
from blm.realise.speaker import Sentence, Speaker
from blm.realise.turkish import Turkish
from blm.words import Lexicon, Seed

REALISERS: Mapping[str, type[Language]] = {
    "en": English,
    "fr": French,
    "it": Italian,
    "ro": Romanian,
    "tr": Turkish,
}
"""The languages with sandhi and function words of their own, by ISO 639-1 code."""


def language(code: str) -> Language:
    """The language of this code; one without function words and sandhi if it is not known."""
    return REALISERS.get(code, Language)()


def function_words(code: str) -> frozenset[str]:
    """The function words that phrases of this language may use (`def`, `be`)."""
    return frozenset(language(code).functions)


def languages() -> Mapping[str, frozenset[str]]:
    """Every language of its own module, with its function words, for the checker."""
    return {code: function_words(code) for code in REALISERS}


def speaker(concrete: Concrete) -> Speaker:
    """A speaker of `concrete`: says many items fast."""
    return Speaker(concrete, language(concrete.language))


def realise(
    concrete: Concrete, lexicon: Lexicon, clause: str, item: Item, seed: str | Seed
) -> Sentence:
    """The sentence that says `item` with the words of `seed` in this clause type.

    Raises KeyError for an unknown clause type or seed, and FormError (a ValueError) where a
    word lacks the form needed, which cannot happen with a lexicon that was loaded.
    """
    found = lexicon.seed(seed) if isinstance(seed, str) else seed
    return speaker(concrete).say(clause, item, found.words)


__all__ = [
    "REALISERS",
    "Language",
    "Sentence",
    "Speaker",
    "Words",
    "function_words",
    "language",
    "languages",
    "realise",
    "speaker",
]
