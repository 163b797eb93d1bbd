"""Wordings by number: the seeds, then each seed with another word in its varied slot.

The grammar says which slot type II varies, and which seeds lend each other their words:
`vary subject within kind`.  A variant is never stored: the variants of a seed follow each
other in the order in which its kind has the words, so that one is found by its number.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import overload

from blm.realise import Words
from blm.words import Lexicon, Seed, Text, Word, key_of


class Wordings(Sequence[Words]):
    """All wordings of a lexicon; number k below the number of seeds is seed k.

    Seeds with the same word in the slot `within` (all seeds, if None) lend each other their
    word in `slot`; without `slot` there is nothing but seeds.
    """

    def __init__(
        self, lexicon: Lexicon, slot: str | None = None, within: str | None = None
    ) -> None:
        self._seeds = lexicon.seeds
        self.slot = slot
        self.within = within

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else len(self._seeds)

    @overload
    def __getitem__(self, index: int) -> Words: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Words]: ...

    def __getitem__(self, index: int | slice) -> Words | Sequence[Words]:
        """What fills the slots. IndexError if there is no such wording."""
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        seed, word = self._parts(index)
        words = self._seeds[seed].words
        return words if word is None or self.slot is None else {**words, self.slot: word}

    def name(self, index: int) -> str:
        """`fr.seeds:3`, or `fr.seeds:3 subject=chat` for a seed with another word."""
        seed, word = self._parts(index)
        name = self._seeds[seed].name
        return name if word is None else f"{name} {self.slot}={key_of(word)}"

    def seed(self, index: int) -> Seed:
        """The seed that a wording is, or comes from."""
        return self._seeds[self._parts(index)[0]]

    def families(self, seeds: Iterable[int]) -> dict[int, tuple[int, ...]]:
        """For each of these seeds, itself and its variants with words of these seeds.

        Of seeds that differ in nothing but the varied slot the first has them; the others have
        none, for theirs are the same.
        """
        chosen = list(seeds)
        lent: dict[str, set[int]] = {}
        if self.slot is not None:
            for seed in chosen:
                lent.setdefault(self._kind[seed], set()).add(self._place[seed])
        places = {kind: sorted(own) for kind, own in lent.items()}
        first: dict[object, int] = {}
        for seed in chosen:
            first.setdefault(self.stem(seed), seed)
        return {
            seed: (seed, *self._variants(seed, places)) if first[self.stem(seed)] == seed else ()
            for seed in chosen
        }

    def stem(self, seed: int) -> object:
        """What seeds share that differ in nothing but the varied slot."""
        words = self._seeds[seed].words
        rest = tuple((slot, key_of(word)) for slot, word in words.items() if slot != self.slot)
        return rest, self._seeds[seed].requires

    def _variants(self, seed: int, places: dict[str, list[int]]) -> Iterator[int]:
        """The numbers of the variants of a seed with the words at these places of its kind."""
        if self.slot is None:
            return
        start, own = self._start(seed), self._place[seed]
        for place in places[self._kind[seed]]:
            if place != own:
                yield start + place - (place > own)

    def _parts(self, index: int) -> tuple[int, Word | Text | None]:
        """The seed of a wording, and the word that it has in place of its own, if any."""
        number = index + len(self) if index < 0 else index
        if not 0 <= number < len(self):
            raise IndexError(f"there are {len(self)} wordings; {index} is not one of them")
        if number < len(self._seeds):
            return number, None
        seed = bisect_right(self._ends, number)
        place = number - self._start(seed)
        place += place >= self._place[seed]
        return seed, self._words[self._kind[seed]][place]

    # --- where the variants of a seed stand ------------------------------------------------------

    def _start(self, seed: int) -> int:
        return self._ends[seed - 1] if seed else len(self._seeds)

    @cached_property
    def _ends(self) -> list[int]:
        """The number after the last variant of each seed; empty without a varied slot."""
        if self.slot is None:
            return []
        variants = [len(self._words[kind]) - 1 for kind in self._kind]
        return list(accumulate(variants, initial=len(self._seeds)))[1:]

    @cached_property
    def _kind(self) -> list[str]:
        """The kind of each seed."""
        if self.within is None:
            return [""] * len(self._seeds)
        return [key_of(seed.words[self.within]) for seed in self._seeds]

    @cached_property
    def _places(self) -> dict[str, dict[Word | Text, int]]:
        """By kind, its different words in the varied slot, numbered by first appearance."""
        found: dict[str, dict[Word | Text, int]] = {}
        for kind, seed in zip(self._kind, self._seeds, strict=True):
            places = found.setdefault(kind, {})
            places.setdefault(self._own(seed), len(places))
        return found

    @cached_property
    def _words(self) -> dict[str, list[Word | Text]]:
        return {kind: list(places) for kind, places in self._places.items()}

    @cached_property
    def _place(self) -> list[int]:
        """The place of the own word of each seed among those of its kind."""
        return [
            self._places[kind][self._own(seed)]
            for kind, seed in zip(self._kind, self._seeds, strict=True)
        ]

    def _own(self, seed: Seed) -> Word | Text:
        assert self.slot is not None
        return seed.words[self.slot]
