"""Frames: what a part of a sentence consists of for some values of its cells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from msgspec import Struct

from blm.concrete import (
    CellFeature,
    Feature,
    FixedFeature,
    Function,
    Inflected,
    Literal,
    Slot,
    SlotOf,
    WordFeature,
)
from blm.concrete import Word as WordReference
from blm.conditions import Item
from blm.realise.language import Language
from blm.realise.tokens import Token, split
from blm.words import FormError, Word

Words = Mapping[str, Word | str]
"""What each slot holds: `Seed.words`, or a mixture of several seeds."""

Leaf = Literal | Inflected | Function
"""An element that is no reference to another phrase."""


class Inner(Struct, frozen=True):
    """A phrase inside a frame or a piece: its leaves, or tokens, from `start` to before `end`."""

    phrase: str
    start: int
    end: int


class Frame(Struct, frozen=True, eq=False):
    """The leaves of a part, every reference followed, and the phrases among them.

    `item` has the cells that the leaves read.
    """

    leaves: tuple[Leaf, ...]
    inner: tuple[Inner, ...]
    item: Item

    def slots(self) -> tuple[str, ...]:
        """The slots that the frame needs; FormError as `needs` raises it."""
        return tuple(dict.fromkeys(s for i in range(len(self.leaves)) for s in self.needs(i)))

    def needs(self, index: int) -> tuple[str, ...]:
        """The slots that decide what a leaf says: its own, and those an article agrees with.

        Raises FormError where a slot is named by a cell without value.
        """
        leaves = (self.leaves[index], *self._following(index))
        return tuple(dict.fromkeys(s for leaf in leaves for s in self._slots(leaf)))

    def slot(self, word: WordReference) -> str:
        """The slot that `word` names; FormError where its cell has no value."""
        match word:
            case Slot(name):
                return name
            case SlotOf(cell) if cell in self.item:
                return str(self.item[cell])
            case SlotOf(cell):
                raise FormError(
                    "no-role",
                    f"'@{cell}' names no word where {cell} has no value",
                    f"say this only where {cell} has one: `where {cell.object} is present`",
                )
            case _:
                assert_never(word)

    def wanted(self, features: tuple[Feature, ...], words: Words) -> frozenset[str]:
        """The features asked for; a cell or a word without a value asks for none."""
        return frozenset(v for f in features if (v := self._value(f, words)) is not None)

    def tokens(self, index: int, words: Words, language: Language) -> tuple[Token, ...]:
        """The tokens of a leaf; FormError where a word lacks the form needed."""
        match self.leaves[index]:
            case Literal(text):
                return split(text, "literal")
            case Inflected(reference, features):
                word = words[self.slot(reference)]
                if isinstance(word, str):
                    return split(word, "literal")
                inherent = frozenset(f"{name}={value}" for name, value in word.features.items())
                return split(word.form(self.wanted(features, words)), "word", inherent)
            case Function(name, features):
                nouns = [self._agreement(leaf, words) for leaf in self._following(index)]
                return language.function(name, self.wanted(features, words), nouns)
            case unknown:
                assert_never(unknown)

    def _slots(self, leaf: Leaf) -> tuple[str, ...]:
        if isinstance(leaf, Literal):
            return ()
        words = [feature.word for feature in leaf.features if isinstance(feature, WordFeature)]
        own = [leaf.word] if isinstance(leaf, Inflected) else []
        return tuple(self.slot(word) for word in own + words)

    def _following(self, index: int) -> tuple[Inflected, ...]:
        """The words after a function word, with which it may agree."""
        if not isinstance(self.leaves[index], Function):
            return ()
        return tuple(leaf for leaf in self.leaves[index + 1 :] if isinstance(leaf, Inflected))

    def _agreement(self, leaf: Inflected, words: Words) -> frozenset[str]:
        """The features an article before `leaf` agrees with: asked for, and inherent."""
        word = words[self.slot(leaf.word)]
        asked = self.wanted(leaf.features, words)
        return asked if isinstance(word, str) else asked | frozenset(word.features.values())

    def _value(self, feature: Feature, words: Words) -> str | None:
        match feature:
            case FixedFeature(value):
                return value
            case CellFeature(cell):
                return str(self.item[cell]) if cell in self.item else None
            case WordFeature(reference, name):
                word = words[self.slot(reference)]
                return None if isinstance(word, str) else word.features.get(name)
            case _:
                assert_never(feature)
