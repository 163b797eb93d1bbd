"""All matrices as a product of independent factors: counted and addressed, never multiplied out."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from msgspec import Struct

from blm.layout import Codes, Layout
from blm.solve.distinct import distinct
from blm.solve.limits import LimitExceeded

MOST_VALUES = 1_000_000
"""Different items, or parts of items, that are listed."""


class Factor(Struct, frozen=True):
    """An independent part of the matrices: which columns, and every way to fill them.

    `rows` has the shape (ways, columns) and is sorted; no two rows are the same.
    """

    columns: tuple[int, ...]
    rows: Codes


@dataclass(frozen=True)
class MatrixSpace:
    """All matrices of a phenomenon, as the product of independent factors.

    Matrix number i (from 0) is read off the factors in mixed radix, the first factor slowest.
    """

    layout: Layout
    factors: tuple[Factor, ...]

    def __len__(self) -> int:
        return self.count if self.count < sys.maxsize else sys.maxsize

    @property
    def count(self) -> int:
        """The exact number of matrices."""
        product = 1
        for factor in self.factors:
            product *= len(factor.rows)
        return product

    def codes(self, index: int) -> Codes:
        """The codes of matrix `index`, shape (columns,). IndexError if there is none."""
        if not 0 <= index < self.count:
            raise IndexError(f"there are {self.count} matrices; {index + 1} is not one of them")
        row = np.zeros(self.layout.columns, dtype=np.int16)
        for factor in reversed(self.factors):
            index, place = divmod(index, len(factor.rows))
            row[list(factor.columns)] = factor.rows[place]
        return row

    def completed(self, codes: Codes, columns: Sequence[int]) -> Codes:
        """The codes of some matrix that agrees with `codes`, shape (columns,), in these columns.

        KeyError if there is none.
        """
        row = np.zeros(self.layout.columns, dtype=np.int16)
        for factor in self.factors:
            own = [k for k, c in enumerate(factor.columns) if c in columns]
            wanted = codes[[factor.columns[k] for k in own]]
            fitting = (factor.rows[:, own] == wanted).all(axis=1)
            place = int(np.argmax(fitting)) if len(fitting) else 0
            if not fitting[place : place + 1].any():
                raise KeyError("no matrix has these codes")
            row[list(factor.columns)] = factor.rows[place]
        return row

    def index(self, codes: Codes) -> int:
        """The number of the matrix with these codes, shape (columns,). KeyError if none has."""
        index = 0
        for factor, places in zip(self.factors, self._places, strict=True):
            index = index * len(factor.rows) + places[codes[list(factor.columns)].tobytes()]
        return index

    @cached_property
    def _places(self) -> tuple[dict[bytes, int], ...]:
        return tuple(
            {row.tobytes(): place for place, row in enumerate(factor.rows)}
            for factor in self.factors
        )

    def solved_by(self, item: Codes) -> int:
        """In how many matrices this item, shape (width,), is the solution."""
        start = self.layout.item_columns(self.layout.size).start
        product = 1
        for factor in self.factors:
            last = [k for k, c in enumerate(factor.columns) if 0 <= c - start < len(item)]
            wanted = item[[factor.columns[k] - start for k in last]]
            product *= int((factor.rows[:, last] == wanted).all(axis=1).sum())
        return product

    def items(self) -> Codes:
        """The codes of every item that stands in some matrix, each once, shape (items, width)."""
        if self.count == 0:
            return np.zeros((0, self.layout.width), dtype=np.int16)
        found = [self._items_at(position) for position in range(1, self.layout.size + 1)]
        return distinct(np.concatenate(found))

    def _items_at(self, position: int) -> Codes:
        columns = self.layout.item_columns(position)
        return self._new_values(tuple(range(columns.start, columns.stop)))

    def values(self, columns: Sequence[int]) -> Codes:
        """What the matrices put into these columns, each once, shape (ways, len(columns)).

        It is the product of what each factor puts there. LimitExceeded where that is too much.
        """
        key = tuple(columns)
        if key not in self._values:
            self._values[key] = self._new_values(key)
        return self._values[key]

    @cached_property
    def _values(self) -> dict[tuple[int, ...], Codes]:
        return {}

    def _new_values(self, columns: tuple[int, ...]) -> Codes:
        place = {column: k for k, column in enumerate(columns)}
        found = np.zeros((min(1, self.count), len(place)), dtype=np.int16)
        for factor in self.factors:
            own = [k for k, column in enumerate(factor.columns) if column in place]
            if own:
                values = distinct(factor.rows[:, own])
                if len(found) * len(values) > MOST_VALUES:
                    raise LimitExceeded(
                        f"the matrices hold more than {MOST_VALUES:,} different items; "
                        "what has to look at each of them cannot be done"
                    )
                found = np.repeat(found, len(values), axis=0)
                places = [place[factor.columns[k]] for k in own]
                found[:, places] = np.tile(values, (len(found) // max(1, len(values)), 1))
        return found

    def array(self, start: int = 0, stop: int | None = None) -> Codes:
        """The codes of matrices start..stop-1, shape (stop - start, columns)."""
        stop = self.count if stop is None else min(stop, self.count)
        rows = np.zeros((max(0, stop - start), self.layout.columns), dtype=np.int16)
        if self.count < 2**62:
            self._fill(rows, np.arange(start, stop, dtype=np.int64))
        else:
            for number in range(start, stop):
                rows[number - start] = self.codes(number)
        return rows

    def _fill(self, rows: Codes, index: np.ndarray[Any, np.dtype[np.int64]]) -> None:
        for factor in reversed(self.factors):
            index, place = np.divmod(index, len(factor.rows))
            rows[:, list(factor.columns)] = factor.rows[place]
