"""Sentences of a seed with the place of one noun in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from blm.conditions import Item
from blm.grammar import Grammar
from blm.phenomenon import Value
from blm.realise import Words
from blm.words import FormError, Forms, Seed, Word

Parts = tuple[str, ...]
"""A text around a noun: what stands before it, between its repetitions, and after."""

_FIRST_MARK = 0xE000
_HOLE = chr(_FIRST_MARK)
_MARKS = re.compile(" ?([\ue000-\uf8ff])")
_MATRICES, _LOOKED_AT = 64, 4096
"""Matrices whose items are said; matrices in which values that a seed requires are sought."""


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence: the parts around the noun, the noun as it is written, the form that it has."""

    text: str
    parts: Parts
    noun: str
    features: frozenset[str]

    def seen(self, window: int) -> Parts:
        """The parts, no more than `window` words left and right of the noun; 0: all of them."""
        if window == 0:
            return self.parts
        words = _HOLE.join(self.parts).split(" ")
        place = next(k for k, word in enumerate(words) if _HOLE in word)
        near = words[max(0, place - window) : place + window + 1]
        return tuple(" ".join(near).split(_HOLE))

    def heard(self, window: int) -> str:
        """The text, no more than `window` words left and right of the noun."""
        return self.noun.join(self.seen(window)) if window else self.text


@dataclass(frozen=True, slots=True)
class Reading:
    """An item that a clause type says, with the noun in the form of these features."""

    clause: str
    item: Item
    features: frozenset[str]


@dataclass
class Reader:
    """Says sentences of a grammar around the word in one slot."""

    grammar: Grammar
    slot: str
    _items: dict[tuple[tuple[str, Value], ...], tuple[Item, ...]] = field(default_factory=dict)

    def say(self, reading: Reading, words: Words, word: Word) -> Said | None:
        """The sentence with `word` in the slot.

        None where the slot is not said, the word lacks the form, or it cannot be found again.
        """
        try:
            text = self._said(reading, words, word)
            for between in (" ", ""):  # a word of its own changes nothing before it
                said = _located(self._said(reading, words, _marked(word, between)), word.forms)
                if said is not None and said.text == text:
                    return said
        except FormError:
            pass
        return None

    def _said(self, reading: Reading, words: Words, word: Word) -> str:
        filled = {**words, self.slot: word}
        return self.grammar.speaker.say(reading.clause, reading.item, filled).text

    def readings(self, seed: Seed) -> tuple[Reading, ...]:
        """A correct item for each form that the noun of a seed can have.

        The first is the solution of the first matrix; the others differ from it as little as
        they can. Empty where no sentence says the slot.
        """
        word = seed.words[self.slot]
        assert isinstance(word, Word)
        for clause in self.grammar.concrete.clauses:
            found: dict[frozenset[str], list[Item]] = {}
            for item in self._correct(seed):
                said = self.say(Reading(clause.name, item, frozenset()), seed.words, word)
                if said is not None:
                    found.setdefault(said.features, []).append(item)
            if found:
                first = next(iter(found.values()))[0]
                return tuple(
                    Reading(clause.name, min(items, key=lambda i: _distance(i, first)), features)
                    for features, items in found.items()
                )
        return ()

    def _correct(self, seed: Seed) -> tuple[Item, ...]:
        """Items of matrices that the seed serves, solutions first."""
        if seed.requires not in self._items:
            self._items[seed.requires] = tuple(_items(self.grammar, dict(seed.requires)))
        return self._items[seed.requires]

    def contexts(
        self, reading: Reading, seed: Seed, stand_ins: Sequence[Word], window: int
    ) -> tuple[Parts, ...]:
        """What may stand around the noun: articles and verbs agree with each of `stand_ins`."""
        said = (self.say(reading, seed.words, word) for word in stand_ins)
        return tuple(dict.fromkeys(one.seen(window) for one in said if one is not None))


def _marked(word: Word, between: str) -> Word:
    """The word with a mark of its own behind each of its forms."""
    forms = tuple(
        (features, f"{form}{between}{chr(_FIRST_MARK + number)}")
        for number, (features, form) in enumerate(word.forms)
    )
    return Word(word.key, word.category, word.features, forms)


def _located(marked: str, forms: Forms) -> Said | None:
    """The sentence without its marks; None where what stands before a mark is not the form."""
    parts: list[str] = []
    nouns: list[str] = []
    features: list[frozenset[str]] = []
    end = 0
    for mark in _MARKS.finditer(marked):
        own, form = forms[ord(mark[1]) - _FIRST_MARK]
        start = max(end, mark.start() - len(form))
        parts.append(marked[end:start])
        nouns.append(marked[start : mark.start()])
        features.append(own)
        if nouns[-1].casefold() != form.casefold():
            return None
        end = mark.end()
    if not nouns:
        return None
    parts.append(marked[end:])
    return Said(_MARKS.sub("", marked), tuple(parts), nouns[0], features[0])


def _items(grammar: Grammar, required: Mapping[str, Value]) -> Iterator[Item]:
    """Each item once: the solutions of the first matrices that fit, then their other items."""
    serving = (
        matrix
        for matrix in grammar.matrices(limit=_LOOKED_AT)
        if all(matrix.choices.get(name) == value for name, value in required.items())
    )
    matrices = list(islice(serving, _MATRICES))
    found = [matrix.items[-1] for matrix in matrices]
    found += [item for matrix in matrices for item in matrix.items[:-1]]
    yield from {tuple(item.items()): item for item in found}.values()


def _distance(one: Item, other: Item) -> int:
    """The number of cells that differ."""
    return sum(one.get(cell) != other.get(cell) for cell in {*one, *other})
