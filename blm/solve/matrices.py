"""Enumerates the matrices of a program, one independent part at a time.

The other parts are held as they are in a first matrix, so that the solver has one part to think
of.  A part of many rows is read by compiled code, where that can be had (`blm.solve.compiled`);
the rows are the same.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence, Set

import clingo
import numpy as np

from blm.layout import Codes
from blm.program import Program
from blm.solve.compiled import CompiledReader, build, ready
from blm.solve.distinct import distinct
from blm.solve.ground import Native, Partition, ground, solve
from blm.solve.limits import DEFAULT_LIMITS, Deadline, LimitExceeded, Limits
from blm.solve.marks import Mark, Reader, matrix_marks
from blm.solve.space import Factor, MatrixSpace

PATIENCE = 20_000
"""Rows of one part beyond which it pays to have a reader compiled: it takes some 0.2 seconds."""


class _Many(Exception):
    """A part has more rows than it pays to read from Python."""


def solve_matrices(
    program: Program, *, limits: Limits = DEFAULT_LIMITS, compiled: bool | None = None
) -> MatrixSpace:
    """Enumerate all matrices of a program, factor by factor.

    `compiled` asks for the compiled reader (True; RuntimeError if there is none), or for Python
    alone (False); by default the former is used where it is there, and built where it pays.
    Raises LimitExceeded where one factor alone is too large.
    """
    if compiled is False:
        return _Enumeration(program, limits).run()
    library = build() if compiled else ready()
    if compiled and library is None:
        raise RuntimeError("there is no compiled reader: no C compiler, or switched off")
    if library is not None:
        return _Enumeration(program, limits, library).run()
    try:
        return _Enumeration(program, limits, patience=PATIENCE).run()
    except _Many:
        return _Enumeration(program, limits, build()).run()


class _Enumeration:
    """The ground matrix program, read by compiled code or else by Python."""

    def __init__(
        self,
        program: Program,
        limits: Limits,
        library: ctypes.CDLL | None = None,
        patience: int | None = None,
    ) -> None:
        self._layout = program.layout
        self._most = limits.rows
        self._patience = limits.rows if patience is None else patience
        self._deadline = Deadline(limits.seconds)
        control, partition = ground(program, program.matrix_text, Partition(), limits=limits)
        self._control = control
        self._marks = list(matrix_marks(control, program.symbols, program.layout))
        self._partition = partition
        self._library = library
        self._native = _native(control) if library is not None else None
        self._reader = Reader(self._marks)
        if self._native is None:
            control.register_propagator(self._reader)

    def run(self) -> MatrixSpace:
        """All matrices."""
        first = self._first()
        if first is None:
            return MatrixSpace(self._layout, (Factor((), np.zeros((0, 0), dtype=np.int16)),))
        self._control.configuration.solve.models = 0  # type: ignore[union-attr]
        facts = {atom.literal for atom in self._control.symbolic_atoms if atom.is_fact}
        parts = _parts(self._partition, self._marks, facts)
        factors = [_fixed_factor(self._marks, facts)]
        for part in parts:
            rest = [first[mark] for other in parts if other is not part for mark in other]
            factors.append(self._enumerate(part, rest))
        return MatrixSpace(self._layout, _gathered(factors))

    def _first(self) -> dict[Mark, int] | None:
        """What each mark is in some matrix: its literal, negated where it is false."""
        found: dict[Mark, int] = {}

        def read(model: clingo.Model) -> bool:
            for mark in self._marks:
                found[mark] = mark.literal if model.is_true(mark.literal) else -mark.literal
            return False

        return found if solve(self._control, read, deadline=self._deadline) else None

    def _enumerate(self, part: Sequence[Mark], rest: Sequence[int]) -> Factor:
        """Every way to fill the columns of one part, while the rest stays as it is."""
        columns = tuple(sorted({mark.column for mark in part}))
        read = self._read if self._native is None else self._read_compiled
        return Factor(columns, distinct(read(part, columns, rest)))

    def _read(self, _part: Sequence[Mark], columns: Sequence[int], rest: Sequence[int]) -> Codes:
        self._reader.aim(columns)
        row, found = self._reader.row, bytearray()
        most = len(row) * min(self._most, self._patience)

        def keep(_model: clingo.Model) -> bool:
            found.extend(row)
            return len(found) <= most

        solve(self._control, keep, rest, deadline=self._deadline)
        rows = np.frombuffer(found, dtype=np.int16).reshape(-1, len(columns))
        if self._most >= len(rows) > self._patience:
            raise _Many
        self._check(len(rows))
        return rows

    def _read_compiled(
        self, part: Sequence[Mark], _columns: Sequence[int], rest: Sequence[int]
    ) -> Codes:
        assert self._native is not None
        assert self._library is not None
        reader = CompiledReader(self._library, part, self._most, self._native.is_true)
        try:
            self._native.solve(reader.callback, reader.data, rest, deadline=self._deadline)
            self._check(reader.count)
        finally:
            rows = reader.take()
        return rows

    def _check(self, count: int) -> None:
        if count > self._most:
            raise LimitExceeded(
                f"more than {self._most:,} solutions in one connected part, too many to keep; "
                "more operators or smaller domains leave fewer (in Python: Limits(rows=...))"
            )


def _native(control: clingo.Control) -> Native | None:
    try:
        return Native(control)
    except (AttributeError, ImportError, TypeError, KeyError):
        return None


def _gathered(factors: Sequence[Factor]) -> tuple[Factor, ...]:
    """One factor for all columns that never vary, then the rest."""
    fixed = [f for f in factors if len(f.rows) == 1 and f.columns]
    free = [f for f in factors if len(f.rows) != 1]
    columns = tuple(c for f in fixed for c in f.columns)
    row = np.concatenate([f.rows[0] for f in fixed] or [np.zeros(0, dtype=np.int16)])
    return (Factor(columns, row.reshape(1, -1)), *free)


def _fixed_factor(marks: Sequence[Mark], facts: Set[int]) -> Factor:
    """The columns that are the same in every matrix because grounding alone decides them."""
    fixed = {mark.column: mark.code for mark in marks if mark.literal in facts}
    columns = tuple(sorted(fixed))
    return Factor(columns, np.array([[fixed[c] for c in columns]], dtype=np.int16))


def _parts(partition: Partition, marks: Sequence[Mark], facts: Set[int]) -> list[list[Mark]]:
    """The marks of each independent part, in the order of their first column."""
    parts: dict[int, list[Mark]] = {}
    for mark in sorted(marks, key=lambda m: (m.column, m.code)):
        if mark.literal not in facts:
            parts.setdefault(partition.find(mark.literal), []).append(mark)
    return list(parts.values())
