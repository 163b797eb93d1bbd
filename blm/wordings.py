"""Wordings by number: the seeds, then each seed with another word in its varied slot.

The grammar says which slot type II varies (`vary subject by kind`), and which seeds lend each
other their words: those that have the same text in the column `kind`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import overload

from blm.realise import Words
from blm.words import Lexicon, Seed, Word


class Wordings(Sequence[Words]):
    """All wordings of a lexicon; number k below the number of seeds is seed k."""

    def __init__(self, lexicon: Lexicon, slot: str | None = None, by: str | None = None) -> None:
        self._seeds = lexicon.seeds
        self.slot = slot
        self._by = by

    def __len__(self) -> int:
        return len(self._seeds) + len(self._variants)

    @overload
    def __getitem__(self, index: int) -> Words: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Words]: ...

    def __getitem__(self, index: int | slice) -> Words | Sequence[Words]:
        """What fills the slots. IndexError if there is no such wording."""
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        if index < len(self._seeds):
            return self._seeds[index].words
        seed, word = self._variants[index - len(self._seeds)]
        assert self.slot is not None
        return {**self._seeds[seed].words, self.slot: word}

    def name(self, index: int) -> str:
        """`fr.seeds:3`, or `fr.seeds:3 subject=chat` for a seed with another word."""
        if index < len(self._seeds):
            return self._seeds[index].name
        seed, word = self._variants[index - len(self._seeds)]
        return f"{self._seeds[seed].name} {self.slot}={_key(word)}"

    def seed(self, index: int) -> Seed:
        """The seed that a wording is, or comes from."""
        if index < len(self._seeds):
            return self._seeds[index]
        return self._seeds[self._variants[index - len(self._seeds)][0]]

    def families(self, seeds: Iterable[int]) -> dict[int, tuple[int, ...]]:
        """For each of these seeds, itself and its variants with words of these seeds."""
        chosen = list(seeds)
        lent = {kind: set(words) for kind, words in self._lent(chosen).items()}
        first: dict[int, list[int]] = {}
        for place, (seed, word) in enumerate(self._variants, len(self._seeds)):
            if word in lent.get(self._kind(seed), ()):
                first.setdefault(seed, []).append(place)
        return {seed: (seed, *first.get(seed, ())) for seed in chosen}

    @cached_property
    def _variants(self) -> list[tuple[int, Word | str]]:
        if self.slot is None:
            return []
        lent = self._lent(range(len(self._seeds)))
        return [
            (number, word)
            for number, seed in enumerate(self._seeds)
            for word in lent[self._kind(number)]
            if word != seed.words[self.slot]
        ]

    def _lent(self, seeds: Iterable[int]) -> dict[str, list[Word | str]]:
        """The different words in the varied slot of these seeds, by kind."""
        found: dict[str, dict[Word | str, None]] = {}
        if self.slot is not None:
            for number in seeds:
                found.setdefault(self._kind(number), {})[self._seeds[number].words[self.slot]] = (
                    None
                )
        return {kind: list(words) for kind, words in found.items()}

    def _kind(self, seed: int) -> str:
        return "" if self._by is None else _key(self._seeds[seed].words[self._by])


def _key(word: Word | str) -> str:
    return word if isinstance(word, str) else word.key
