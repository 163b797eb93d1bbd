"""All matrices as a product of independent factors: counted and addressed, never multiplied out."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from blm.layout import Codes, Layout


@dataclass(frozen=True)
class Factor:
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
        return np.asarray(np.unique(np.concatenate(found), axis=0))

    def _items_at(self, position: int) -> Codes:
        """The items at a position: the product of what each factor puts there."""
        columns = self.layout.item_columns(position)
        items = np.zeros((1, self.layout.width), dtype=np.int16)
        for factor in self.factors:
            own = [k for k, c in enumerate(factor.columns) if columns.start <= c < columns.stop]
            if own:
                places = [factor.columns[k] - columns.start for k in own]
                values = np.unique(factor.rows[:, own], axis=0)
                items = np.repeat(items, len(values), axis=0)
                items[:, places] = np.tile(values, (len(items) // len(values), 1))
        return items

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
