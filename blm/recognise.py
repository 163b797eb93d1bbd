"""From a sentence back to the items that are said so, deviant items included."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from itertools import chain, count, islice

from msgspec import Struct

from blm.concrete import Concrete
from blm.distance import Words, extend, first_row, words_of
from blm.phenomenon import CellName, Value
from blm.trails import Trail, Trails
from blm.words import Lexicon, Seed, Word

DEFAULT_LIMIT = 100
"""Readings of one sentence: cells that no phrase shows multiply them without end."""

_NEAR_SEEDS = 40
"""Seeds among which the nearest sentences are sought."""
_COMPARED_WORDS = 20_000
"""Words of a lexicon among which a mistyped word is sought."""
_NEAR_STEPS = 20_000
"""Trails that are followed in the search for the nearest sentences."""


class Reading(Struct, frozen=True):
    """One way to understand a sentence: its clause type, its item, the name of its seed."""

    clause: str
    item: Mapping[CellName, Value]
    seed: str

    def __hash__(self) -> int:
        return hash((self.clause, self.seed))


class Recogniser:
    """Reads the sentences of a concrete grammar with the seeds of its lexicon."""

    def __init__(self, concrete: Concrete, lexicon: Lexicon) -> None:
        self._trails = Trails(concrete)
        self._seeds = lexicon.seeds
        self._vocabulary: dict[str, list[int]] = {}

    def recognise(self, text: str, *, limit: int = DEFAULT_LIMIT) -> tuple[Reading, ...]:
        """Every reading of `text`, at most `limit`; none if the grammar does not say it.

        Case, spacing, the kind of apostrophe and the final stop make no difference.
        """
        readings = (
            Reading(trail.clause, item, trail.seed.name)
            for trail in self._matches(text)
            for item in self._trails.items(trail)
        )
        return tuple(islice(readings, limit))

    def nearest(self, text: str, k: int = 3) -> tuple[tuple[str, Reading], ...]:
        """The `k` sentences nearest to `text`, best first, each with one reading.

        Words are compared one by one, and different words by their letters.  Only seeds that
        share most words with `text` are looked at.
        """
        found: dict[str, Reading] = {}
        itself = islice(self._matches(text), 1)  # with many seeds the search may not reach it
        near = self._nearest_trails(words_of(self._trails.language.fold(text)))
        for trail in chain(itself, near):
            item = next(self._trails.items(trail), None)
            if item is not None:
                reading = Reading(trail.clause, item, trail.seed.name)
                found.setdefault(self._trails.text(trail), reading)
            if len(found) >= k:
                break
        return tuple(found.items())[:k]

    # --- exact ------------------------------------------------------

    def _matches(self, text: str) -> Iterator[Trail]:
        language = self._trails.language
        target = language.fold(text)
        letters = _letters(target) + "..."  # a literal may end in a stop that folding drops
        for seed in self._seeds:
            stack = [self._trails.start(clause, seed) for clause in self._trails.clauses]
            while stack:
                trail = stack.pop()
                if trail.parts:
                    stack += [
                        step
                        for step in self._trails.steps(trail)
                        if letters.startswith(_letters(language.lower(self._trails.certain(step))))
                    ]
                elif language.fold(self._trails.text(trail)) == target:
                    yield trail

    # --- near ------------------------------------------------------

    def _nearest_trails(self, target: Words) -> Iterator[Trail]:
        """Whole trails by their distance from `target`: best-first search, so exact.

        A trail waits under the least distance that its settled words leave possible, a whole
        sentence under its own.
        """
        order = count()
        start = first_row(target)
        heap = [
            (0.0, 0, next(order), self._trails.start(clause, seed), start, False)
            for seed in self._near_seeds(target)
            for clause in self._trails.clauses
        ]
        for _ in range(_NEAR_STEPS):
            if not heap:
                return
            _, _, _, trail, row, whole = heapq.heappop(heap)
            if whole:
                yield trail
            elif trail.parts:
                for step in self._trails.steps(trail):
                    further = extend(row, self._words(step.settled[len(trail.settled) :]), target)
                    entry = (min(further), len(step.parts), next(order), step, further, False)
                    heapq.heappush(heap, entry)
            else:
                full = extend(start, self._words(self._trails.text(trail)), target)
                heapq.heappush(heap, (full[-1], 0, next(order), trail, full, True))

    def _words(self, text: str) -> Words:
        return words_of(self._trails.language.fold(text))

    def _near_seeds(self, target: Words) -> list[Seed]:
        """The seeds that share most words with `target`, mistyped ones included."""
        if not self._vocabulary:
            self._vocabulary = self._index()
        shared = Counter[int]()
        for word in target:
            for known in self._known(word):
                shared.update(self._vocabulary[known])
        best = sorted(range(len(self._seeds)), key=lambda place: (-shared[place], place))
        return [self._seeds[place] for place in best[:_NEAR_SEEDS]]

    def _known(self, word: str) -> list[str]:
        """The word, or those it may be mistyped for, if there are few enough to compare with."""
        if word in self._vocabulary:
            return [word]
        if len(self._vocabulary) > _COMPARED_WORDS:
            return []
        return get_close_matches(word, self._vocabulary, n=2, cutoff=0.75)

    def _index(self) -> dict[str, list[int]]:
        """The seeds in which a word occurs in some form, by their places."""
        index: dict[str, dict[int, None]] = {}
        for place, seed in enumerate(self._seeds):
            for content in seed.words.values():
                forms = [f for _, f in content.forms] if isinstance(content, Word) else [content]
                for word in {word for form in forms for word in self._words(form)}:
                    index.setdefault(word, {})[place] = None
        return {word: list(places) for word, places in index.items()}


def _letters(text: str) -> str:
    return text.replace(" ", "")
