"""How a matrix and a candidate are written as small integers.

A matrix is a row of an array with a column for every cell of every item, item by item, and
then one for each variable and for each pooled rule.  A candidate has a column for each cell.
Code 0 is a cell without value; code k is the k-th value of the domain (the k-th value of a
variable, the k-th operator of a pooled rule).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from blm.phenomenon import (
    Cell,
    CellName,
    Phenomenon,
    PooledClause,
    Rule,
    Value,
    VariableDeclaration,
)
from blm.wording import operator_text

Codes = np.ndarray[Any, np.dtype[np.int16]]
"""Codes of matrices, shape (matrices, columns), or of one, shape (columns,)."""

Item = Mapping[CellName, Value]
"""The cells that an item has, with their values."""


@dataclass(frozen=True)
class Layout:
    """The columns of the arrays of one phenomenon."""

    size: int
    cells: tuple[Cell, ...]
    variables: tuple[VariableDeclaration, ...]
    pooled: tuple[Rule, ...]

    @classmethod
    def of(cls, phenomenon: Phenomenon) -> Layout:
        """The layout of a phenomenon's matrices."""
        pooled = tuple(r for r in phenomenon.rules if isinstance(r.clauses[0], PooledClause))
        return cls(phenomenon.shape.size, phenomenon.cells, phenomenon.variables, pooled)

    @property
    def width(self) -> int:
        """The number of columns of an item."""
        return len(self.cells)

    @property
    def choices(self) -> int:
        """The number of columns for what a matrix chooses beside its items."""
        return len(self.variables) + len(self.pooled)

    @property
    def columns(self) -> int:
        """The number of columns of a matrix."""
        return self.size * self.width + self.choices

    @cached_property
    def index(self) -> dict[CellName, int]:
        """The column of each cell within an item."""
        return {cell.name: number for number, cell in enumerate(self.cells)}

    @cached_property
    def codes(self) -> tuple[dict[Value, int], ...]:
        """For each cell, the code of each value."""
        return tuple({v: k for k, v in enumerate(cell.domain, 1)} for cell in self.cells)

    def item_columns(self, position: int) -> slice:
        """The columns of the item at a position, from 1."""
        return slice((position - 1) * self.width, position * self.width)

    def decode_item(self, codes: Sequence[int] | Codes) -> dict[CellName, Value]:
        """The item that stands in `width` codes; cells without value are left out."""
        return {
            cell.name: cell.domain[code - 1]
            for cell, code in zip(self.cells, codes, strict=True)
            if code > 0
        }

    def encode_item(self, item: Item) -> Codes:
        """The codes of an item, shape (width,). KeyError for a value outside its domain."""
        codes = np.zeros(self.width, dtype=np.int16)
        for name, value in item.items():
            column = self.index[name]
            codes[column] = self.codes[column][value]
        return codes

    def decode_choices(self, codes: Sequence[int] | Codes) -> dict[str, Value]:
        """What a matrix chose beside its items: variable -> value, pooled rule -> operator."""
        rest = codes[self.size * self.width :]
        choices: dict[str, Value] = {}
        for variable, code in zip(self.variables, rest, strict=False):
            choices[variable.name] = variable.values[int(code) - 1]
        for rule, code in zip(self.pooled, rest[len(self.variables) :], strict=True):
            clause = rule.clauses[0]
            assert isinstance(clause, PooledClause)
            choices[rule.name] = operator_text(clause.operators[int(code) - 1])
        return choices
