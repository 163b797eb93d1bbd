"""Lexical variation: which words say the sentences of a problem (types I, II, III).

Merlo et al. (CLiC-it 2023), section 3:

* type I: the context and all answers share one seed;
* type II: one slot's word differs from sentence to sentence; the answers share one word;
* type III: every sentence has its own seed; the answers share one more (`shared`), or each has
  its own (`own`).

A *wording* is a way to fill all slots: a seed, or a seed with another word in one slot.  For
each type the ways to choose wordings for a problem are counted exactly and numbered from 0;
words that must differ are drawn in order and without repetition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import accumulate
from math import perm
from typing import Any, Protocol

import numpy as np

Places = np.ndarray[Any, np.dtype[np.int64]]

Exact = np.ndarray[Any, np.dtype[Any]]
"""Whole numbers of 64 bits or, where some are larger, Python's, as objects: exact either way."""

Numbers = Sequence[int] | Exact
"""Numbers of problems or choices; they may be larger than 64 bits."""

BITS_64 = 2**63
"""Numbers from 0 that are smaller than this fit in 64 bits with a sign."""


class LexicalType(StrEnum):
    """The types of lexical variation; III has two readings."""

    I = "I"  # noqa: E741
    II = "II"
    III = "III"
    III_OWN = "III-own"


class Choice(Protocol):
    """The numbered ways to choose wordings for the sentences of a problem."""

    @property
    def count(self) -> int:
        """How many there are."""

    def choose(self, numbers: Numbers) -> tuple[Places, Places]:
        """Wordings of the context, shape (len(numbers), n - 1), and of the answers, (.., k)."""


@dataclass(frozen=True)
class OneSeed:
    """Type I: `wordings` are the seeds that serve."""

    wordings: tuple[int, ...]
    context: int
    answers: int

    @property
    def count(self) -> int:
        """One way for each seed."""
        return len(self.wordings)

    def choose(self, numbers: Numbers) -> tuple[Places, Places]:
        """The same wording everywhere."""
        chosen = self._wordings[exact(numbers)]
        return (
            np.repeat(chosen[:, None], self.context, axis=1),
            np.repeat(chosen[:, None], self.answers, axis=1),
        )

    @cached_property
    def _wordings(self) -> Places:
        return np.array(self.wordings, dtype=np.int64)


@dataclass(frozen=True)
class OneSlot:
    """Type II: `families` holds, for each seed, its wordings that differ in the varied slot."""

    families: tuple[tuple[int, ...], ...]
    context: int
    answers: int

    @property
    def count(self) -> int:
        """For each seed, the ordered choices of different words for the context and the answers."""
        return self._ends[-1] if self._ends else 0

    @cached_property
    def _ends(self) -> list[int]:
        sentences = self.context + 1
        return list(accumulate(perm(len(family), sentences) for family in self.families))

    def choose(self, numbers: Numbers) -> tuple[Places, Places]:
        """Different words for the context sentences, one more for all answers."""
        numbers = exact(numbers)
        rows = np.zeros((len(numbers), self.context + 1), dtype=np.int64)
        blocks = np.searchsorted(exact(self._ends), numbers, side="right")
        for block in np.unique(blocks).tolist():
            places = np.flatnonzero(blocks == block)
            within = numbers[places] - (self._ends[block - 1] if block else 0)
            family = np.array(self.families[block], dtype=np.int64)
            rows[places] = family[arrangements(within, len(family), self.context + 1)]
        return rows[:, :-1], np.repeat(rows[:, -1:], self.answers, axis=1)


@dataclass(frozen=True)
class ManySeeds:
    """Type III: a seed for each context sentence, and one for all answers or one for each."""

    wordings: tuple[int, ...]
    context: int
    answers: int
    own: bool

    @property
    def count(self) -> int:
        """The ordered choices of different seeds."""
        return perm(len(self.wordings), self._sentences)

    @property
    def _sentences(self) -> int:
        return self.context + (self.answers if self.own else 1)

    def choose(self, numbers: Numbers) -> tuple[Places, Places]:
        """Different seeds for all sentences that have their own."""
        chosen = arrangements(numbers, len(self.wordings), self._sentences)
        rows = self._wordings[chosen]
        context, rest = rows[:, : self.context], rows[:, self.context :]
        return context, rest if self.own else np.repeat(rest, self.answers, axis=1)

    @cached_property
    def _wordings(self) -> Places:
        return np.array(self.wordings, dtype=np.int64)


def arrangements(numbers: Numbers, size: int, length: int) -> Places:
    """Arrangement number i of `length` different places out of `size`; shape (.., length).

    They are in lexicographic order: number 0 is 0, 1, 2, ...

    >>> arrangements([0, 1, 5], 3, 2).tolist()
    [[0, 1], [0, 2], [2, 1]]
    """
    chosen = digits(numbers, [size - k for k in range(length)])
    # A digit counts the places that no earlier one has taken. From the right, each place lets
    # those after it count it too: what stands there then is right among all places.
    for place in reversed(range(length - 1)):
        later = chosen[:, place + 1 :]
        later += later >= chosen[:, place, None]
    return chosen


def digits(numbers: Numbers, radices: Sequence[int]) -> Places:
    """The digits of numbers in a mixed radix, the first slowest; shape (.., len(radices)).

    Columns lie together in memory, as they are worked on one by one.
    """
    rows = np.zeros((len(radices), len(numbers)), dtype=np.int64)
    rest, end = exact(numbers), len(radices)
    while end:
        start, product = end - 1, radices[end - 1]
        while start and product * radices[start - 1] < BITS_64:
            start -= 1
            product *= radices[start]
        rest, low = parted(rest, product)
        for column in reversed(range(start, end)):
            low, rows[column] = parted(low, radices[column])
        end = start
    return rows.T


def parted(numbers: Exact, by: int) -> tuple[Exact, Exact]:
    """Quotients and remainders of numbers from 0, each of 64 bits where all of them fit."""
    if by >= BITS_64:
        numbers = numbers.astype(object)
    quotients = numbers // by
    return exact(quotients), exact(numbers - quotients * by)


def exact(numbers: Numbers) -> Exact:
    """Numbers from 0 as an array (b,): of 64 bits where all fit, else of Python's, as objects."""
    if isinstance(numbers, np.ndarray) and numbers.dtype == np.int64:
        return numbers
    fits = max(numbers, default=0) < BITS_64
    return np.array(numbers, dtype=np.int64 if fits else object)
