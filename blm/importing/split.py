"""Splits a noun phrase in both numbers into preposition, article and noun.

Nothing here knows how a language contracts or elides: what may be a split is said by the
language module, and kept if that gives the fragment back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from blm.importing.columns import PL, SG
from blm.importing.fragments import Pair
from blm.realise import Language
from blm.realise.tokens import GENDER, Token, split
from blm.text import APOSTROPHE
from blm.words import FormError

ARTICLE = "def"
"""The function word that a split takes out."""
ONSETS: Mapping[str, tuple[str, ...]] = {
    "en": ("consonant", "vowel"),
    "fr": ("aspirated", "mute"),
    "it": ("plain", "impure", "vowel"),
}
"""Values of the feature `onset` by which a noun overrides the rules of its language."""

_MOST_WORDS = 12
"""Fragments of more words are not split."""
_SAMPLES = ("ba", "a", "sta")
"""Nouns before which articles differ: plain consonant, vowel, Italian impure s."""


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun with what the lexicon must know of it; "" where it need not."""

    sg: str
    pl: str
    gender: str = ""
    onset: str = ""


@dataclass(frozen=True, slots=True)
class Split:
    """`du château, des châteaux` is the preposition `de` and the noun `château`."""

    preposition: str
    noun: Noun


class Splitter:
    """Splits fragments of one language."""

    def __init__(self, code: str, language: Language) -> None:
        self.language = language
        article = language.functions.get(ARTICLE)
        self.able = article is not None and article.agrees
        has_gender = article is not None and GENDER in article.groups
        self.genders = sorted(GENDER.values, reverse=True) if has_gender else [""]
        self.onsets = ("", *ONSETS.get(code, ()))
        self._contracting = self._find_contracting() if self.able else ()
        self._known: dict[tuple[str, str, bool], tuple[Split, ...]] = {}
        self.articles = {number: self._articles(number) for number in (SG, PL)}

    def splits(self, pair: Pair, *, bare: bool) -> tuple[Split, ...]:
        """The ways to split a pair, all with the same preposition; none if there is none.

        `bare` phrases have no preposition.  Several ways differ in the gender of the noun, where
        the fragment does not show it.
        """
        key = (pair.sg.text, pair.pl.text, bare)
        if key not in self._known:
            self._known[key] = self._find_splits(pair, bare=bare)
        return self._known[key]

    def _find_splits(self, pair: Pair, *, bare: bool) -> tuple[Split, ...]:
        if not self.able or max(len(cell.text.split()) for _, cell in pair.cells) > _MOST_WORDS:
            return ()
        target = {number: self.language.fold(cell.text) for number, cell in pair.cells}
        for preposition in [""] if bare else self._prepositions(pair.sg.text):
            for onset in self.onsets:
                nouns = [
                    noun
                    for gender in self.genders
                    for noun in self._nouns(pair, gender, onset)
                    if all(self._says(preposition, noun, n, text) for n, text in target.items())
                ]
                if nouns:
                    return tuple(Split(preposition, noun) for noun in nouns)
        return ()

    def written(self, tokens: list[Token]) -> str:
        """The text of tokens."""
        return "".join(self.language.written(tokens)).strip()

    def article(self, number: str, gender: str) -> tuple[Token, ...]:
        """The article; empty where the language has no such form."""
        features = frozenset(filter(None, (number, gender)))
        try:
            return self.language.function(ARTICLE, frozenset({number}), [features])
        except FormError:
            return ()

    def _articles(self, number: str) -> frozenset[str]:
        """All that the language puts before nouns of a number: `le`, `l’`, `du`, `au`."""
        if not self.able:
            return frozenset()
        found: set[str] = set()
        for gender in self.genders:
            for preposition in ("", *self._contracting):
                for noun in _SAMPLES:
                    tokens = [
                        *split(preposition, "literal"),
                        *self.article(number, gender),
                        Token(noun, "word"),
                    ]
                    found.update(words_of(self.written(tokens))[:-1])
        return frozenset(found - set(self._contracting))

    def _says(self, preposition: str, noun: Noun, number: str, target: str) -> bool:
        features = frozenset({f"onset={noun.onset}"}) if noun.onset else frozenset[str]()
        form = noun.sg if number == SG else noun.pl
        tokens = [
            *split(preposition, "literal"),
            *self.article(number, noun.gender),
            *split(form, "word", features),
        ]
        return self.language.fold(self.written(tokens)) == target

    def _nouns(self, pair: Pair, gender: str, onset: str) -> Iterator[Noun]:
        """All endings of both fragments with the same number of words."""
        singular, plural = _endings(pair.sg.text), _endings(pair.pl.text)
        for sg, pl in zip(singular, plural, strict=False):
            yield Noun(sg, pl, gender, onset)

    def _prepositions(self, text: str) -> Iterator[str]:
        """Beginnings of a fragment, the last word perhaps contracted: `près du` is `près de`."""
        words = words_of(text)
        for count in range(1, len(words)):
            yield _joined(words[:count])
            for preposition in self._contracting:
                yield _joined([*words[: count - 1], preposition])

    def _find_contracting(self) -> tuple[str, ...]:
        """The prepositions that the language joins with the article."""
        return tuple(
            form
            for form in sorted(self.language.reactive)
            if not form.endswith(APOSTROPHE)
            and any(self._contracts(form, n, g) for n in (SG, PL) for g in self.genders)
        )

    def _contracts(self, form: str, number: str, gender: str) -> bool:
        """Whether `form` changes before the article, or swallows it."""
        tokens = [*self.article(number, gender), Token(_SAMPLES[0], "word")]
        apart = f"{form} {self.written(tokens)}"
        return self.written([Token(form, "literal"), *tokens]) != apart


def words_of(text: str) -> list[str]:
    """Words, elided ones apart: `de`, `l’`, `eau`."""
    return text.replace(APOSTROPHE, APOSTROPHE + " ").split()


def _joined(words: list[str]) -> str:
    return " ".join(words).replace(f"{APOSTROPHE} ", APOSTROPHE)


def _endings(text: str) -> list[str]:
    """The last word, the last two words, and so on; an elided word counts as one."""
    starts = [i for i in range(1, len(text)) if text[i - 1] in (" ", APOSTROPHE)]
    starts = [start for start in starts if text[start] != " "]
    return [text[start:] for start in reversed([0, *starts])]
