"""Matrices by what a problem asks of them: counted and found without listing them.

How many problems a matrix has may depend on it: on the variables that seeds look at, or on how
many answers it has.  Both are *traits*: numbers that a few columns fix.  The factors of the
space are gone through from the slowest to the fastest, and matrices that agree in what is
still to be known are taken together, so that the work grows with the kinds of matrices, not
with their number.  The order of the matrices is that of the space.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from blm.layout import Codes
from blm.solve import Factor, LimitExceeded, MatrixSpace

Kind = tuple[int, ...]
"""The numbers of a matrix, one for each sum of traits."""

Weight = Callable[[Kind], int]
"""How many problems a matrix of a kind has."""

MOST = 200_000
"""Kinds of beginnings of matrices, at one factor, beyond which counting is given up."""

_State = tuple[Kind, tuple[int, ...]]
"""The numbers so far, and the codes seen so far that some trait is still waiting for."""


@dataclass(frozen=True)
class Trait:
    """Something that `columns` of a matrix fix.

    `of` takes the codes of a matrix, shape (columns,), in which only these columns need be
    right. Its number joins the `place`-th number of the kind by `join`, which neither order
    nor grouping may matter to.
    """

    columns: tuple[int, ...]
    place: int
    of: Callable[[Codes], int]
    join: Callable[[int, int], int] = int.__add__


@dataclass(frozen=True)
class Census:
    """The matrices of a space by kind. Raises LimitExceeded where there are too many kinds."""

    space: MatrixSpace
    traits: Sequence[Trait]

    def kind(self, codes: Codes) -> Kind:
        """The kind of a matrix, by its codes, shape (columns,)."""
        kind = self._start
        for trait in self.traits:
            kind = _joined(kind, trait, codes)
        return kind

    @cached_property
    def kinds(self) -> Mapping[Kind, int]:
        """How many matrices there are of each kind."""
        amounts: dict[_State, int] = {(self._start, ()): 1}
        for step in self._steps:
            reached: dict[_State, int] = {}
            for state, amount in amounts.items():
                for number, after in enumerate(step.after[state]):
                    reached[after] = reached.get(after, 0) + amount * step.sizes[number]
            amounts = reached
        found: dict[Kind, int] = {}
        for (kind, _), amount in amounts.items():
            found[kind] = found.get(kind, 0) + amount
        return found

    def addresses(self, weight: Weight) -> Addresses:
        """The places of all problems, where a matrix of a kind has `weight(kind)` of them."""
        last = {state for step in self._steps[-1:] for row in step.after.values() for state in row}
        weights: list[dict[_State, int]] = [{state: weight(state[0]) for state in last}]
        for step in reversed(self._steps):
            weights.append(
                {
                    state: sum(
                        size * weights[-1][after]
                        for size, after in zip(step.sizes, row, strict=True)
                    )
                    for state, row in step.after.items()
                }
            )
        return Addresses(tuple(self._steps), tuple(reversed(weights)), (self._start, ()))

    @property
    def _start(self) -> Kind:
        return (0,) * (1 + max((trait.place for trait in self.traits), default=-1))

    @cached_property
    def _steps(self) -> list[_Step]:
        """One step for each factor."""
        factors = self.space.factors
        where = {c: number for number, factor in enumerate(factors) for c in factor.columns}
        ends = [max((where.get(c, 0) for c in t.columns), default=0) for t in self.traits]
        steps: list[_Step] = []
        states: set[_State] = {(self._start, ())}
        waiting: tuple[int, ...] = ()
        for number, factor in enumerate(factors):
            later = {c for t, end in zip(self.traits, ends, strict=True) if end > number
                     for c in t.columns}  # fmt: skip
            kept = tuple(sorted(c for c in later if where.get(c, 0) <= number))
            ending = [t for t, end in zip(self.traits, ends, strict=True) if end == number]
            asked = {c for t in ending for c in t.columns}.union(kept)
            step = _Step.of(factor, sorted(asked.intersection(factor.columns)))
            for state in states:
                step.after[state] = list(self._after(state, step, waiting, kept, ending))
            states = {after for row in step.after.values() for after in row}
            if len(states) > MOST:
                raise LimitExceeded(
                    f"the matrices are of more than {MOST:,} kinds that have different numbers "
                    "of problems; use seeds without requirements, or type I, II or III"
                )
            waiting = kept
            steps.append(step)
        return steps

    def _after(
        self,
        state: _State,
        step: _Step,
        waiting: Sequence[int],
        kept: Sequence[int],
        ending: Sequence[Trait],
    ) -> Iterator[_State]:
        """Where each kind of row of a factor leads."""
        codes = np.zeros(self.space.layout.columns, dtype=np.int16)
        codes[list(waiting)] = state[1]
        for row in step.rows:
            codes[list(step.columns)] = row
            kind = state[0]
            for trait in ending:
                kind = _joined(kind, trait, codes)
            yield kind, tuple(codes[list(kept)].tolist())


@dataclass(frozen=True)
class _Step:
    """A factor whose rows are taken together where they agree in `columns`.

    `rows` lists what they show there, and `sizes` how many rows show it; `group[i]` is the
    number of that of row i. `after[state]` lists the states that these lead to.
    """

    columns: tuple[int, ...]
    rows: Codes
    group: np.ndarray[Any, np.dtype[np.intp]]
    sizes: list[int]
    after: dict[_State, list[_State]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, factor: Factor, columns: Sequence[int]) -> _Step:
        places = [factor.columns.index(column) for column in columns]
        if not places:
            group = np.zeros(len(factor.rows), dtype=np.intp)
            rows = factor.rows[:1, :0]
            return cls((), rows, group, [len(factor.rows)] * len(rows))
        rows, group, sizes = np.unique(
            factor.rows[:, places], axis=0, return_inverse=True, return_counts=True
        )
        return cls(tuple(columns), rows, group.reshape(-1), sizes.tolist())


class Addresses:
    """Problems numbered matrix by matrix, where matrices have different numbers of them."""

    def __init__(
        self, steps: Sequence[_Step], weights: Sequence[Mapping[_State, int]], start: _State
    ) -> None:
        self._steps = steps
        self._weights = weights
        self._start = start
        self._blocks = lru_cache(maxsize=64)(self._new_blocks)

    @property
    def count(self) -> int:
        """The exact number of problems."""
        return self._weights[0][self._start]

    def locate(self, number: int) -> tuple[int, int]:
        """The matrix of a problem, from 0, and its number among those of the matrix."""
        matrix, state = 0, self._start
        for place, step in enumerate(self._steps):
            row, before = self._row(place, state, number)
            number -= before
            matrix = matrix * len(step.group) + row
            state = step.after[state][int(step.group[row])]
        return matrix, number

    def _row(self, place: int, state: _State, number: int) -> tuple[int, int]:
        """The row of a factor that a number falls into, and how many lie before the row."""
        blocks = self._blocks(place, state)
        low, high = 0, len(self._steps[place].group)
        while high - low > 1:
            middle = (low + high) // 2
            if _before(blocks, middle) <= number:
                low = middle
            else:
                high = middle
        return low, _before(blocks, low)

    def _new_blocks(self, place: int, state: _State) -> list[_Block]:
        """The rows of a factor by how many problems each has."""
        step = self._steps[place]
        heavy: dict[int, list[int]] = {}
        for number, after in enumerate(step.after[state]):
            heavy.setdefault(self._weights[place + 1][after], []).append(number)
        return [
            _Block(weight, np.flatnonzero(np.isin(step.group, numbers)))
            for weight, numbers in heavy.items()
        ]


@dataclass(frozen=True)
class _Block:
    """Rows, in order, each of which has `weight` problems."""

    weight: int
    rows: np.ndarray[Any, np.dtype[np.intp]]


def _before(blocks: Sequence[_Block], row: int) -> int:
    """How many problems the rows before this one have."""
    return sum(block.weight * int(np.searchsorted(block.rows, row)) for block in blocks)


def _joined(kind: Kind, trait: Trait, codes: Codes) -> Kind:
    number = trait.join(kind[trait.place], trait.of(codes))
    return *kind[: trait.place], number, *kind[trait.place + 1 :]
