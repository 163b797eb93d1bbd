"""From an item and words to a sentence.

What a phrase says depends on few cells and few words, so it is kept by the values of those;
a sentence costs little more than finding its pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from msgspec import Struct, field

from blm.concrete import Concrete, Element, PhraseReference
from blm.conditions import Item
from blm.phenomenon import CellName, Value
from blm.realise.frames import Frame, Inner, Words
from blm.realise.language import Language
from blm.realise.phrases import PhraseBook
from blm.realise.pieces import Piece, merged, piece
from blm.realise.tokens import Token
from blm.words import Word


class Sentence(Struct, frozen=True):
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


class Part(Struct, eq=False):
    """A phrase of a clause type, or a run of words beside its phrases.

    `cells` decide what it says. `frames` holds what it said so far.
    """

    elements: tuple[Element, ...]
    cells: tuple[CellName, ...]
    joined: bool
    frames: dict[tuple[Value | None, ...], KnownFrame] = field(default_factory=dict)


class KnownFrame(Struct, eq=False):
    """A frame with the slots it needs, and its pieces so far by the words in those."""

    frame: Frame
    slots: tuple[str, ...]
    pieces: dict[tuple[Word | str, ...], Piece] = field(default_factory=dict)


class Speaker:
    """Says items of a concrete grammar in its language, and remembers pieces of sentences."""

    def __init__(self, concrete: Concrete, language: Language) -> None:
        self.language = language
        self._book = PhraseBook(concrete)
        self._parts = {c.name: self._split(c.elements, c.joined) for c in concrete.clauses}
        self._joined = {clause.name: clause.joined for clause in concrete.clauses}
        self._merged: dict[tuple[Piece, ...], Piece] = {}

    def say(self, clause: str, item: Item, words: Words) -> Sentence:
        """The sentence of this clause type; FormError where a word lacks the form needed.

        Raises KeyError for an unknown clause type or a slot that `words` does not fill.
        """
        pieces = [self.piece(part, item, words) for part in self._parts[clause]]
        text = ""
        phrases: list[tuple[str, int, int]] = []
        for one in self.settled(pieces):
            base = len(text)
            for name, start, end in one.places:
                phrases.append((name, base + start, base + end))
            text += one.text
        return Sentence(self.finish(clause, text), tuple(phrases))

    def finish(self, clause: str, text: str) -> str:
        """The sentence, or word form, from the text of its pieces."""
        text = text.rstrip()
        return text if self._joined[clause] else self.language.sentence(text)

    def parts(self, clause: str) -> tuple[Part, ...]:
        """The parts of a clause type, in order."""
        return self._parts[clause]

    def piece(self, part: Part, item: Item, words: Words) -> Piece:
        """What `part` says, as if nothing stood beside it."""
        values = tuple(map(item.get, part.cells))
        known = part.frames.get(values)
        if known is None:
            frame = self.frame(part, item)
            known = part.frames[values] = KnownFrame(frame, frame.slots())
        filled = tuple([words[slot] for slot in known.slots])
        found = known.pieces.get(filled)
        if found is None:
            found = known.pieces[filled] = self._piece(known.frame, words, part.joined)
        return found

    def settled(self, pieces: Sequence[Piece]) -> list[Piece]:
        """The pieces that say something, those merged that depend on each other."""
        done: list[Piece] = []
        waiting: list[Piece] = []
        for one in pieces:
            if not one.tokens:
                continue
            if waiting and not (waiting[-1].open or one.leans):
                done.append(waiting[0] if len(waiting) == 1 else self.merge(tuple(waiting)))
                waiting = [one]
            else:
                waiting.append(one)
        if waiting:
            done.append(waiting[0] if len(waiting) == 1 else self.merge(tuple(waiting)))
        return done

    def merge(self, pieces: tuple[Piece, ...]) -> Piece:
        """The pieces written together."""
        found = self._merged.get(pieces)
        if found is None:
            found = self._merged[pieces] = merged(self.language, pieces)
        return found

    def frame(self, part: Part, item: Item) -> Frame:
        """What `part` consists of for `item`, before words fill it."""
        return self._book.frame(part.elements, {c: item[c] for c in part.cells if c in item})

    def slots(self, part: Part) -> frozenset[str]:
        """The slots that `part` may use, for any item."""
        return frozenset(slot for e in part.elements for slot in self._book.slots_of(e))

    def _split(self, elements: Sequence[Element], joined: bool) -> tuple[Part, ...]:
        """The parts: words between two phrases belong together, as an article and its noun."""
        parts: list[Part] = []
        for is_phrase, run in groupby(elements, lambda e: isinstance(e, PhraseReference)):
            together = tuple(run)
            for group in [(e,) for e in together] if is_phrase else [together]:
                cells = dict.fromkeys(c for e in group for c in self._book.cells(e))
                parts.append(Part(group, tuple(cells), joined))
        return tuple(parts)

    def _piece(self, frame: Frame, words: Words, joined: bool) -> Piece:
        tokens: list[Token] = []
        starts = [0]
        for index in range(len(frame.leaves)):
            tokens += frame.tokens(index, words, self.language)
            starts.append(len(tokens))
        inner = [Inner(i.phrase, starts[i.start], starts[i.end]) for i in frame.inner]
        return piece(self.language, tokens, inner, joined)
