"""What the answers of a problem have in common, for many problems at once.

The words of answers, or their features, are sets.  For a block of problems they are a matrix of
ones and zeros, whose product with itself says how many members any two answers share.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blm.audit.table import Bools, Ids

Numbers = NDArray[np.int64]
Floats = NDArray[np.float64]
Similarity = Callable[[Floats, Floats, Floats], NDArray[Any]]
"""From how many members two sets share, and how many each of them has."""

_LARGEST = 2**23
"""Ones and zeros in a block, 32 MB."""


def nearness(
    answers: Ids, filled: Bools, sets: Mapping[int, Collection[str]], similarity: Similarity
) -> Floats:
    """For each answer the sum of its similarities to the others of its row, (rows, answers).

    `answers` are the numbers of sets, of which a number that is not in `sets` has no members;
    `filled` says which answers are there.
    """
    scores = np.zeros(answers.shape)
    for rows, shared in _blocks(answers, sets):
        sizes = np.einsum("rkk->rk", shared)
        found = similarity(shared, sizes[:, :, None], sizes[:, None, :])
        there = filled[rows]
        both = there[:, :, None] & there[:, None, :] & ~np.eye(answers.shape[1], dtype=bool)
        scores[rows] = np.where(both, found, 0).sum(axis=2)
    return scores


def _blocks(answers: Ids, sets: Mapping[int, Collection[str]]) -> Iterator[tuple[slice, Floats]]:
    """Rows, and how many members each two of their answers share, (rows, answers, answers)."""
    number, width = answers.shape
    starts, members = _flat(sets, int(answers.max(initial=-1)) + 1)
    step = max(1, min(number, 1000))
    for start in range(0, number, step):
        rows = slice(start, min(number, start + step))
        yield from _split(rows, answers[rows], starts, members, width)


def _split(
    rows: slice, answers: Ids, starts: Numbers, members: Numbers, width: int
) -> Iterator[tuple[slice, Floats]]:
    """The rows of a block together or, where their sets have too many members, in halves."""
    row, place, member = _members(answers, starts, members)
    columns = _within(row, member, len(answers))
    size = int(columns.max(initial=-1)) + 1
    if len(answers) > 1 and len(answers) * width * size > _LARGEST:
        half = len(answers) // 2
        middle = rows.start + half
        yield from _split(slice(rows.start, middle), answers[:half], starts, members, width)
        yield from _split(slice(middle, rows.stop), answers[half:], starts, members, width)
        return
    ones = np.zeros((len(answers), width, size), dtype=np.float32)
    ones[row, place, columns] = 1
    yield rows, (ones @ ones.transpose(0, 2, 1)).astype(np.float64)


def _flat(sets: Mapping[int, Collection[str]], size: int) -> tuple[Numbers, Numbers]:
    """The members of all sets in a row, by number; where those of set n begin, (size + 2,).

    Place -1, that of an answer without a set, is an empty one.
    """
    known: dict[str, int] = {}
    listed = [[known.setdefault(m, len(known)) for m in sets.get(n, ())] for n in range(size)]
    counts = [0, *map(len, listed), 0]
    flat = np.array([m for members in listed for m in members], dtype=np.int64)
    return np.cumsum(counts, dtype=np.int64), flat


def _members(answers: Ids, starts: Numbers, flat: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Row, place in the row and member, for each member of the set of each answer."""
    first, last = starts[answers], starts[answers + 1]
    counts = np.where(answers < 0, 0, last - first).ravel()
    row = np.repeat(np.repeat(np.arange(len(answers)), answers.shape[1]), counts)
    place = np.repeat(np.tile(np.arange(answers.shape[1]), len(answers)), counts)
    offsets = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return row, place, flat[np.repeat(first.ravel(), counts) + offsets]


def _within(row: Numbers, member: Numbers, rows: int) -> Numbers:
    """Members as numbers from 0 within their row."""
    base = int(member.max(initial=0)) + 1
    keys, numbers = np.unique(row * base + member, return_inverse=True)
    return np.asarray(numbers.ravel() - np.searchsorted(keys, np.arange(rows) * base)[row])
