"""Phrases of a concrete grammar: what they read, and which frame an item gives them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from blm.concrete import (
    CellFeature,
    Concrete,
    Element,
    Feature,
    Function,
    Inflected,
    Literal,
    Phrase,
    PhraseReference,
    Slot,
    SlotOf,
    Word,
    WordFeature,
)
from blm.conditions import Item, domains_of, evaluate
from blm.phenomenon import ABSENT, PRESENCE, CellName, cells_of
from blm.realise.frames import Frame, Inner, Leaf


class PhraseBook:
    """The phrases of `concrete`, with the cells on which each depends."""

    def __init__(self, concrete: Concrete) -> None:
        self._phrases = {phrase.name: phrase for phrase in concrete.phrases}
        self._optional = {o.name for o in concrete.phenomenon.objects if o.optional}
        self._domains = domains_of(concrete.phenomenon)
        self._presence = {c.name for c in concrete.phenomenon.cells}

    def cells(self, element: Element) -> tuple[CellName, ...]:
        """The cells that decide how `element` is said, each once, in reading order."""
        return tuple(dict.fromkeys(self._cells(element)))

    def frame(self, elements: tuple[Element, ...], item: Item) -> Frame:
        """What `elements` consist of for `item`, every reference followed."""
        leaves: list[Leaf] = []
        inner: list[Inner] = []
        for element in elements:
            self._collect(element, item, leaves, inner)
        return Frame(tuple(leaves), tuple(inner), item)

    def slots_of(self, element: Element) -> Iterator[str]:
        """The slots that `element` may use, for any item."""
        match element:
            case PhraseReference(name):
                for realisation in self._phrases[name].realisations:
                    for inner in realisation.elements:
                        yield from self.slots_of(inner)
            case Inflected(word, features):
                yield from self._word_slots(word)
                yield from self._feature_slots(features)
            case Function(features=features):
                yield from self._feature_slots(features)
            case Literal():
                pass
            case _:
                assert_never(element)

    def _feature_slots(self, features: tuple[Feature, ...]) -> Iterator[str]:
        for feature in features:
            if isinstance(feature, WordFeature):
                yield from self._word_slots(feature.word)

    def _word_slots(self, word: Word) -> Iterator[str]:
        match word:
            case Slot(name):
                yield name
            case SlotOf(cell):
                yield from (str(value) for value in self._domains[cell])
            case _:
                assert_never(word)

    def _cells(self, element: Element) -> Iterator[CellName]:
        match element:
            case PhraseReference(name):
                yield from self._phrase_cells(self._phrases[name])
            case Inflected(word, features):
                if isinstance(word, SlotOf):
                    yield word.cell
                yield from _feature_cells(features)
            case Function(features=features):
                yield from _feature_cells(features)
            case Literal():
                pass
            case _:
                assert_never(element)

    def _phrase_cells(self, phrase: Phrase) -> Iterator[CellName]:
        if phrase.name in self._optional:
            yield CellName(phrase.name, PRESENCE)
        for realisation in phrase.realisations:
            if realisation.condition is not None:
                yield from cells_of(realisation.condition)
            for element in realisation.elements:
                yield from self._cells(element)

    def _collect(
        self, element: Element, item: Item, leaves: list[Leaf], inner: list[Inner]
    ) -> None:
        if not isinstance(element, PhraseReference):
            leaves.append(element)
            return
        start = len(leaves)
        for part in self._chosen(self._phrases[element.name], item):
            self._collect(part, item, leaves, inner)
        inner.append(Inner(element.name, start, len(leaves)))

    def _chosen(self, phrase: Phrase, item: Item) -> tuple[Element, ...]:
        """The first realisation that applies; empty for an absent object, or if none does."""
        presence = CellName(phrase.name, PRESENCE)
        if phrase.name in self._optional and item.get(presence, ABSENT) == ABSENT:
            return ()
        for realisation in phrase.realisations:
            condition = realisation.condition
            if condition is None or evaluate(condition, item, domains=self._domains):
                return realisation.elements
        return ()


def _feature_cells(features: tuple[Feature, ...]) -> Iterator[CellName]:
    for feature in features:
        match feature:
            case CellFeature(cell) | WordFeature(word=SlotOf(cell)):
                yield cell
