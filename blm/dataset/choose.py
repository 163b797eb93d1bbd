"""Fills and shuffles answer sets, a whole batch at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from blm.answers import Pool
from blm.dataset.batch import Column
from blm.dataset.texts import TextTable
from blm.layout import Layout
from blm.problem import Candidate
from blm.sampling import Words, noise
from blm.variation import Numbers, exact

Flags = np.ndarray[Any, np.dtype[np.bool_]]


@dataclass(frozen=True)
class Filled:
    """The answers of a batch, shuffled; see `Batch`. `refused` counts places left empty."""

    answer: Column
    place: Column
    wording: Column
    text: Column
    correct: Column
    refused: Counter[str]


@dataclass(frozen=True)
class PoolTable:
    """The pools of a batch's matrices as arrays.

    `candidate[m, p, a]` numbers the a-th candidate for place p of matrix m (-1: none), `item`
    its item; `label[m, p]` numbers the label of the place.
    """

    candidates: list[Candidate]
    labels: list[str]
    candidate: Column
    item: Column
    label: Column

    @classmethod
    def of(cls, pools: Sequence[Pool], texts: TextTable, layout: Layout) -> PoolTable:
        """Number the candidates, items and labels of these pools."""
        places = max((len(pool.places) for pool in pools), default=0)
        choices = max((len(c) for pool in pools for _, c in pool.places), default=0)
        candidate = np.full((len(pools), places, choices), -1, dtype=np.int64)
        item = np.zeros_like(candidate)
        label = np.full((len(pools), places), -1, dtype=np.int64)
        candidates: list[Candidate] = []
        labels: dict[str, int] = {}
        for m, pool in enumerate(pools):
            for p, (name, fitting) in enumerate(pool.places):
                label[m, p] = labels.setdefault(name, len(labels))
                for a, one in enumerate(fitting):
                    candidate[m, p, a] = len(candidates)
                    item[m, p, a] = texts.item(layout.encode_item(one.item).tobytes(), one.item)
                    candidates.append(one)
        return cls(candidates, list(labels), candidate, item, label)


def fill(
    table: PoolTable,
    texts: TextTable,
    numbers: Numbers,
    matrix: Column,
    clause: Column,
    wording: Column,
    *,
    seed: int,
    exclude_repeats: bool,
) -> Filled:
    """One candidate for each place, no two with the same sentence, in shuffled order.

    `matrix`, `clause` (b,) and `wording` (b, places) say how each problem is said. Which
    candidate fills a place, and where it stands, depends on the problem's number and `seed`.
    """
    words = halves(numbers)
    barred = _barred(table) if exclude_repeats else np.zeros(len(table.candidates), dtype=bool)
    # A row a place: what is done for a place is done for all problems, which lie together.
    chosen = np.full(wording.shape[::-1], -1, dtype=np.int64)
    said = np.full_like(chosen, -1)
    problems = np.arange(len(matrix))
    for place in range(len(chosen)):
        left: Any = slice(None)  # the problems whose place is empty: a slice is taken without copy
        for alternative in _order(words, seed, table, matrix, place):
            where = matrix[left] * table.item.shape[2] + alternative[left]
            one = table.candidate[:, place].reshape(-1)[where]
            item = table.item[:, place].reshape(-1)[where]
            text = texts.numbers(item, clause[left], wording[left, place])
            fits = (one >= 0) & ~barred[one] & ~(said[:place, left] == text).any(axis=0)
            chosen[place, left] = np.where(fits, one, -1)
            said[place, left] = np.where(fits, text, -1)
            left = problems[left][~fits & (one >= 0)]
            if not len(left):
                break
    refused = _refused(table, texts, matrix, clause, wording, said.T, barred)
    return _shuffled(table.label[matrix], chosen, said, wording, words, seed, refused)


def _shuffled(
    label: Column,
    chosen: Column,
    said: Column,
    wording: Column,
    words: tuple[Words, Words],
    seed: int,
    refused: Counter[str],
) -> Filled:
    """`chosen` and `said` have the shape (places, b), `label` and `wording` (b, places)."""
    places = np.arange(len(chosen), dtype=np.uint64)[:, None]
    key = noise(seed, _SHUFFLE, *words, places)
    key[chosen < 0] = _LAST
    rank = _ranks(key)
    answer = _scattered(chosen, rank)
    return Filled(
        answer=answer,
        place=np.where(answer < 0, -1, _scattered(label.T, rank)),
        wording=_scattered(wording.T, rank),
        text=_scattered(said, rank),
        correct=rank[0] if len(rank) else np.zeros(len(label), dtype=np.int64),
        refused=refused,
    )


def _ranks(key: Words) -> Column:
    """The place of each key (n, b) in the order of its column; equal ones stay as they stand.

    Comparing each row with each earlier one is faster than sorting many short columns.
    """
    rank = np.zeros(key.shape, dtype=np.int64)
    for row in range(1, len(key)):
        before = key[:row] <= key[row]
        rank[row] = before.sum(axis=0)
        rank[:row] += ~before
    return rank


def _scattered(values: Column, rank: Column) -> Column:
    """Values (places, b) put where the ranks say, shape (b, places)."""
    places, problems = rank.shape
    moved = np.empty((problems, places), dtype=np.int64)
    moved.reshape(-1)[rank + np.arange(problems) * places] = values
    return moved


def _order(
    words: tuple[Words, Words], seed: int, table: PoolTable, matrix: Column, place: int
) -> Column:
    """In which order the candidates for a place are tried, shape (candidates, b)."""
    there = table.candidate[:, place] >= 0
    choices = int(there.sum(axis=1).max(initial=0))
    if choices < 2:
        return np.zeros((choices, len(matrix)), dtype=np.int64)
    numbers = np.arange(choices, dtype=np.uint64)[:, None]
    key = noise(seed, _CHOOSE, *words, np.array(place, dtype=np.uint64), numbers)
    key[~there.T[:choices, matrix]] = _LAST
    order = np.empty(key.shape, dtype=np.int64)
    np.put_along_axis(order, _ranks(key), np.arange(choices)[:, None], axis=0)
    return order


def halves(numbers: Numbers) -> tuple[Words, Words]:
    """The low and the high 64 bits of numbers of any size."""
    numbers = exact(numbers)
    if numbers.dtype != object:
        return numbers.astype(np.uint64), np.zeros(len(numbers), dtype=np.uint64)
    low = np.array([number & _MASK for number in numbers], dtype=np.uint64)
    high = np.array([(number >> 64) & _MASK for number in numbers], dtype=np.uint64)
    return low, high


_MASK = 2**64 - 1
_LAST = np.uint64(_MASK)
_CHOOSE = np.array(1, dtype=np.uint64)
_SHUFFLE = np.array(2, dtype=np.uint64)


def _barred(table: PoolTable) -> Flags:
    """Which candidates repeat a sentence of the context."""
    return np.array([bool(c.repeats) and not c.correct for c in table.candidates], dtype=bool)


def _refused(
    table: PoolTable,
    texts: TextTable,
    matrix: Column,
    clause: Column,
    wording: Column,
    said: Column,
    barred: Flags,
) -> Counter[str]:
    """Why places stayed empty, by label."""
    reasons: Counter[str] = Counter()
    rows, places = np.nonzero((said < 0) & (table.label[matrix] >= 0))
    own = matrix[rows]
    text = texts.numbers(table.item[own, places, 0], clause[rows], wording[rows, places])
    for row, matrix_, place, its_text in zip(rows, own, places, text, strict=True):
        label = table.labels[table.label[matrix_, place]]
        if barred[table.candidate[matrix_, place, 0]]:
            reasons[f"{label}: a sentence of the context"] += 1
            continue
        other = int(np.argmax(said[row] == its_text))
        same = table.labels[table.label[matrix_, other]]
        reasons[f"{label}: the same sentence as {same}"] += 1
    return reasons
