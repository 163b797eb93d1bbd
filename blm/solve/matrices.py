"""Enumerates the matrices of a program, one independent part at a time."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

import clingo
import numpy as np

from blm.layout import Codes
from blm.program import Program
from blm.solve.ground import DEFAULT_LIMITS, LimitExceeded, Limits, Partition, ground, solve
from blm.solve.marks import Mark, Reader, matrix_marks
from blm.solve.space import Factor, MatrixSpace


def solve_matrices(program: Program, *, limits: Limits = DEFAULT_LIMITS) -> MatrixSpace:
    """Enumerate all matrices of a program, factor by factor.

    Raises LimitExceeded where one factor alone is too large.
    """
    layout = program.layout
    deadline = monotonic() + limits.seconds
    control, partition = ground(program, program.matrix_text, limits=limits)
    marks = list(matrix_marks(control, program.symbols, layout))
    row = np.zeros(layout.columns, dtype=np.int16)
    control.register_propagator(Reader(marks, row))
    if not solve(control, lambda _model: False, seconds=deadline - monotonic()):
        return MatrixSpace(layout, (Factor((), np.zeros((0, 0), dtype=np.int16)),))
    factors = [_fixed_factor(control, marks)]
    control.configuration.solve.models = 0  # type: ignore[union-attr]
    control.configuration.solve.project = "project,3"  # type: ignore[union-attr]
    for part in _parts(control, partition, marks):
        factors.append(_enumerate(control, part, row, limits.rows, deadline))
    return MatrixSpace(layout, _gathered(factors))


def _gathered(factors: Sequence[Factor]) -> tuple[Factor, ...]:
    """One factor for all columns that never vary, then the rest."""
    fixed = [f for f in factors if len(f.rows) == 1 and f.columns]
    free = [f for f in factors if len(f.rows) != 1]
    columns = tuple(c for f in fixed for c in f.columns)
    row = np.concatenate([f.rows[0] for f in fixed] or [np.zeros(0, dtype=np.int16)])
    return (Factor(columns, row.reshape(1, -1)), *free)


def _fixed_factor(control: clingo.Control, marks: Sequence[Mark]) -> Factor:
    """The columns that are the same in every matrix because grounding alone decides them."""
    facts = {atom.literal for atom in control.symbolic_atoms if atom.is_fact}
    fixed = {mark.column: mark.code for mark in marks if mark.literal in facts}
    columns = tuple(sorted(fixed))
    return Factor(columns, np.array([[fixed[c] for c in columns]], dtype=np.int16))


def _parts(
    control: clingo.Control, partition: Partition, marks: Sequence[Mark]
) -> list[list[Mark]]:
    """The marks of each independent part, in the order of their first column."""
    facts = {atom.literal for atom in control.symbolic_atoms if atom.is_fact}
    parts: dict[int, list[Mark]] = {}
    for mark in sorted(marks, key=lambda m: (m.column, m.code)):
        if mark.literal not in facts:
            parts.setdefault(partition.find(mark.literal), []).append(mark)
    return list(parts.values())


def _enumerate(
    control: clingo.Control, part: Sequence[Mark], row: Codes, most: int, deadline: float
) -> Factor:
    """Every way to fill the columns of one part, projecting the rest away."""
    columns = tuple(sorted({mark.column for mark in part}))
    place = list(columns)
    found = _Rows(len(columns))

    def keep(_model: clingo.Model) -> bool:
        found.append(row[place])
        return found.count <= most

    control.replace_project(sorted({abs(mark.literal) for mark in part}))
    solve(control, keep, seconds=deadline - monotonic())
    if found.count > most:
        raise LimitExceeded(f"more than {most:,} solutions in one connected part; raise the limit")
    rows = np.unique(found.array(), axis=0)
    return Factor(columns, rows)


class _Rows:
    """Rows of codes in one array that grows: a list of small arrays takes ten times the memory."""

    def __init__(self, width: int) -> None:
        self.count = 0
        self._array: Codes = np.empty((1024, width), dtype=np.int16)

    def append(self, row: Codes) -> None:
        """Add a copy of a row."""
        if self.count == len(self._array):
            self._array = np.concatenate([self._array, np.empty_like(self._array)])
        self._array[self.count] = row
        self.count += 1

    def array(self) -> Codes:
        """The rows, shape (count, width)."""
        return self._array[: self.count]
