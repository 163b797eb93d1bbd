"""From an item and words to a sentence.

What a phrase says depends on few cells and few words, so its tokens are kept by the values
of those; a sentence costs little more than joining them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby
from typing import assert_never

from blm.concrete import ClauseType, Concrete, Element, Function, Inflected, Literal, PhraseReference
from blm.conditions import Item
from blm.phenomenon import CellName, Value
from blm.realise.language import Language
from blm.realise.phrases import Inner, Leaf, PhraseBook, slot_name, slots_used, wanted
from blm.realise.tokens import Token, split
from blm.words import FormError, Word

Words = Mapping[str, Word | str]
"""What each slot holds: `Seed.words`, or a mixture of several seeds."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, and where each of its phrases stands: name, start and end offset.

    Phrases come in the order of their ends, inner ones before those that hold them.  A phrase
    that says nothing is not listed.
    """

    text: str
    phrases: tuple[tuple[str, int, int], ...]

    def __str__(self) -> str:
        return self.text

    def span(self, phrase: str) -> tuple[int, int] | None:
        """Start and end of a phrase, or None where the sentence does not say it."""
        return next(((a, b) for name, a, b in self.phrases if name == phrase), None)


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """The tokens of a part of a sentence; `inner` counts tokens."""

    tokens: tuple[Token, ...]
    inner: tuple[Inner, ...]


@dataclass(slots=True, eq=False)
class Frame:
    """A part of a sentence for given values of its cells, and its pieces so far by words."""

    leaves: tuple[Leaf, ...]
    inner: tuple[Inner, ...]
    item: Item
    slots: tuple[str, ...]
    pieces: dict[tuple[Word | str, ...], Piece] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Part:
    """A phrase of a clause type, or a run of words beside its phrases."""

    elements: tuple[Element, ...]
    cells: tuple[CellName, ...]
    frames: dict[tuple[Value | None, ...], Frame] = field(default_factory=dict)


class Speaker:
    """Says items of `concrete` in its language.  Keeps what phrases say; never changes else."""

    def __init__(self, concrete: Concrete, language: Language) -> None:
        self.language = language
        self._book = PhraseBook(concrete)
        self._clauses = {c.name: (c.joined, self._parts(c.elements)) for c in concrete.clauses}

    def say(self, clause: str, item: Item, words: Words) -> Sentence:
        """The sentence of this clause type; FormError where a word lacks the form needed.

        Raises KeyError for an unknown clause type or a slot that `words` does not fill.
        """
        joined, parts = self._clauses[clause]
        tokens: list[Token] = []
        inner: list[tuple[int, Inner]] = []
        for part in parts:
            piece = self.piece(part, item, words)
            if piece.inner:
                base = len(tokens)
                inner += [(base, place) for place in piece.inner]
            tokens += piece.tokens
        return self._sentence(joined, tokens, inner)

    def parts(self, clause: str) -> tuple[Part, ...]:
        """The parts of a clause type, in order."""
        return self._clauses[clause][1]

    def piece(self, part: Part, item: Item, words: Words) -> Piece:
        """What `part` says, whatever stands beside it."""
        values = tuple(map(item.get, part.cells))
        frame = part.frames.get(values)
        if frame is None:
            frame = part.frames[values] = self.frame(part, item)
        filled = tuple([words[slot] for slot in frame.slots])
        piece = frame.pieces.get(filled)
        if piece is None:
            piece = frame.pieces[filled] = self._piece(frame, words)
        return piece

    def frame(self, part: Part, item: Item) -> Frame:
        """The leaves of `part` for `item`, with the slots they use."""
        chosen = self._book.leaves(part.elements, item)
        own = {cell: item[cell] for cell in part.cells if cell in item}
        slots = dict.fromkeys(slot for leaf in chosen.leaves for slot in slots_used(leaf, own))
        return Frame(chosen.leaves, chosen.inner, own, tuple(slots))

    def leaf(self, frame: Frame, index: int, words: Words) -> tuple[Token, ...]:
        """The tokens of one leaf of `frame`; FormError where a word lacks the form needed."""
        match frame.leaves[index]:
            case Literal(text):
                return split(text, "literal")
            case Inflected() as inflected:
                return _inflected(inflected, frame.item, words)
            case Function(name, features):
                nouns = [
                    _features(after, frame.item, words)
                    for after in frame.leaves[index + 1 :]
                    if isinstance(after, Inflected)
                ]
                given = wanted(features, frame.item, words)
                return self.language.function(name, given, nouns)
            case unknown:
                assert_never(unknown)

    def written(self, joined: bool, tokens: Sequence[Token]) -> list[str]:
        """Each token as it is written in a sentence or, `joined`, in a word form."""
        texts = self.language.written(tokens)
        return [text.rstrip() for text in texts] if joined else texts

    def _parts(self, elements: Sequence[Element]) -> tuple[Part, ...]:
        """The parts: words between two phrases belong together, as an article and its noun."""
        parts: list[Part] = []
        for is_phrase, run in groupby(elements, lambda e: isinstance(e, PhraseReference)):
            together = tuple(run)
            for group in [(e,) for e in together] if is_phrase else [together]:
                cells = dict.fromkeys(c for e in group for c in self._book.cells(e))
                parts.append(Part(group, tuple(cells)))
        return tuple(parts)

    def _piece(self, frame: Frame, words: Words) -> Piece:
        tokens: list[Token] = []
        starts = [0]
        for index in range(len(frame.leaves)):
            tokens += self.leaf(frame, index, words)
            starts.append(len(tokens))
        inner = (Inner(i.phrase, starts[i.start], starts[i.end]) for i in frame.inner)
        return Piece(tuple(tokens), tuple(i for i in inner if i.end > i.start))

    def _sentence(
        self, joined: bool, tokens: Sequence[Token], inner: Sequence[tuple[int, Inner]]
    ) -> Sentence:
        texts = self.written(joined, tokens)
        text = "".join(texts)
        ends = list(accumulate(map(len, texts), initial=0))
        phrases: list[tuple[str, int, int]] = []
        for base, place in inner:
            start, end = ends[base + place.start], ends[base + place.end]
            if end > start and text[end - 1] == " ":
                end -= 1
            phrases.append((place.phrase, start, end))
        text = text.rstrip()
        return Sentence(text if joined else self.language.sentence(text), tuple(phrases))


def _inflected(leaf: Inflected, item: Item, words: Words) -> tuple[Token, ...]:
    word = words[slot_name(leaf.word, item)]
    if isinstance(word, str):
        return split(word, "literal")
    onset = frozenset(f"{name}={value}" for name, value in word.features.items())
    return split(word.form(wanted(leaf.features, item, words)), "word", onset)


def _features(leaf: Inflected, item: Item, words: Words) -> frozenset[str]:
    """The features an article before `leaf` agrees with: asked for, and inherent."""
    word = words[slot_name(leaf.word, item)]
    asked = wanted(leaf.features, item, words)
    return asked if isinstance(word, str) else asked | frozenset(word.features.values())


__all__ = ["FormError", "Frame", "Part", "Piece", "Sentence", "Speaker", "Words"]
