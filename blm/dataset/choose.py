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
    numbers: Sequence[int],
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
    candidate, item = table.candidate[matrix], table.item[matrix]
    text = texts.numbers(item, clause[:, None, None] + 0 * item, wording[:, :, None] + 0 * item)
    order = _order(numbers, seed, candidate)
    chosen = np.full(wording.shape, -1, dtype=np.int64)
    said = np.full(wording.shape, -1, dtype=np.int64)
    barred = _barred(table) if exclude_repeats else np.zeros(len(table.candidates), dtype=bool)
    for place in range(wording.shape[1]):
        for rank in range(order.shape[2]):
            alternative = order[:, place, rank, None]
            one = np.take_along_axis(candidate[:, place], alternative, axis=1)[:, 0]
            its_text = np.take_along_axis(text[:, place], alternative, axis=1)[:, 0]
            fits = (chosen[:, place] < 0) & (one >= 0)
            fits &= ~(said[:, :place] == its_text[:, None]).any(axis=1)
            fits &= ~barred[one]
            chosen[fits, place] = one[fits]
            said[fits, place] = its_text[fits]
    refused = _refused(table, matrix, candidate, text, said, barred)
    return _shuffled(table.label[matrix], chosen, said, wording, numbers, seed, refused)


def _shuffled(
    label: Column,
    chosen: Column,
    said: Column,
    wording: Column,
    numbers: Sequence[int],
    seed: int,
    refused: Counter[str],
) -> Filled:
    places = np.arange(chosen.shape[1], dtype=np.uint64)
    key = noise(seed, _SHUFFLE, *(half[:, None] for half in halves(numbers)), places)
    key[chosen < 0] = _LAST
    order = np.argsort(key, axis=1, kind="stable")
    answer, text, label, wording = (
        np.take_along_axis(column, order, axis=1) for column in (chosen, said, label, wording)
    )
    label = np.where(answer < 0, -1, label)
    return Filled(answer, label, wording, text, np.argmin(order, axis=1), refused)


def _order(numbers: Sequence[int], seed: int, candidate: Column) -> Column:
    """In which order the candidates of each place are tried."""
    _, places, choices = candidate.shape
    place = np.arange(places, dtype=np.uint64)[:, None]
    choice = np.arange(choices, dtype=np.uint64)
    key = noise(seed, _CHOOSE, *(h[:, None, None] for h in halves(numbers)), place, choice)
    key[candidate < 0] = _LAST
    return np.argsort(key, axis=2, kind="stable")


def halves(numbers: Sequence[int]) -> tuple[Words, Words]:
    """The low and the high 64 bits of numbers of any size."""
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
    matrix: Column,
    candidate: Column,
    text: Column,
    said: Column,
    barred: Flags,
) -> Counter[str]:
    """Why places stayed empty, by label."""
    reasons: Counter[str] = Counter()
    for row, place in zip(*np.nonzero((said < 0) & (table.label[matrix] >= 0)), strict=True):
        fitting = candidate[row, place] >= 0
        first = int(np.argmax(fitting))
        label = table.labels[table.label[matrix[row], place]]
        if barred[candidate[row, place, first]]:
            reasons[f"{label}: a sentence of the context"] += 1
            continue
        other = int(np.argmax(said[row] == text[row, place, first]))
        same = table.labels[table.label[matrix[row], other]]
        reasons[f"{label}: the same sentence as {same}"] += 1
    return reasons
