"""Runs clingo: every matrix, every candidate. Nothing else imports clingo.

Two ground programs serve everything.  The *matrix* program has a model for each matrix; its
independent parts are enumerated each on its own and never multiplied out (`MatrixSpace`).
The *candidate* program holds a matrix and one more last item, both unconstrained: what is
asked of it is said by assumptions (`blm.candidates`).
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import Any

import clingo
import numpy as np

from blm.diagnostics import InternalError
from blm.factors import Partition
from blm.layout import Codes, Layout
from blm.program import Program
from blm.symbols import Symbols


class LimitExceeded(Exception):
    """The work asked for is larger than a limit that the user may raise; the text says which."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How far the solver goes before it gives up with `LimitExceeded`.

    `atoms` bounds an estimate of the ground program, `seconds` grounding and each enumeration,
    `rows` the number of solutions of one connected part of a matrix.
    """

    atoms: int = 20_000_000
    seconds: float = 600.0
    rows: int = 5_000_000


DEFAULT_LIMITS = Limits()

_SMALL = 200_000
"""Programs estimated below this ground in well under a second: no process of their own."""


# --- grounding --------------------------------------------------------------------------------


def estimate_atoms(layout: Layout, clauses: int) -> int:
    """A rough size of the ground program: items x values x what looks at each of them."""
    values = sum(len(cell.domain) + 1 for cell in layout.cells)
    return (layout.size + 1) * values * (4 + clauses)


def ground(
    program: Program, text: str, *arguments: str, limits: Limits = DEFAULT_LIMITS
) -> tuple[clingo.Control, Partition]:
    """Ground a program text; its partition tells which atoms depend on each other.

    Grounding cannot be interrupted, so a program that is not small is first ground in a
    process of its own, which can.  Raises LimitExceeded, or InternalError if clingo has
    anything to say: the author's mistakes are found before this stage.
    """
    clauses = sum(len(rule.clauses) for rule in program.phenomenon.rules)
    estimate = estimate_atoms(program.layout, clauses)
    if estimate > limits.atoms:
        raise LimitExceeded(
            f"the program of '{program.phenomenon.name}' would have some {estimate:,} atoms, "
            f"over the limit of {limits.atoms:,}; use smaller domains or fewer items"
        )
    if estimate > _SMALL:
        _rehearse(text, limits)
    messages: list[str] = []
    control = clingo.Control(
        ["--warn=all", *arguments], logger=lambda _code, message: messages.append(message)
    )
    partition = Partition()
    control.register_observer(partition)
    try:
        control.add("base", [], text)
        control.ground([("base", [])])
    except RuntimeError as error:
        messages.append(str(error))
    if messages:
        raise InternalError("clingo refuses the compiled program:\n" + "\n".join(messages))
    return control, partition


def _rehearse(text: str, limits: Limits) -> None:
    """Ground in a child process, only to learn that it ends within the limit of time."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.lp"
        path.write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "clingo", "--mode=gringo", str(path)]
        try:
            subprocess.run(
                command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
                timeout=limits.seconds,
            )
        except subprocess.TimeoutExpired:
            raise LimitExceeded(
                f"grounding took longer than {limits.seconds:g} seconds; "
                "use smaller domains or fewer items, or raise the limit"
            ) from None


def solve(
    control: clingo.Control,
    on_model: Callable[[clingo.Model], bool | None],
    assumptions: Sequence[int] = (),
    *,
    limits: Limits = DEFAULT_LIMITS,
) -> bool:
    """Solve so that Ctrl-C and the limit of time are heard; True if there was a model."""
    deadline = monotonic() + limits.seconds
    with control.solve(list(assumptions), on_model=on_model, async_=True) as handle:
        try:
            while not handle.wait(0.2):
                if monotonic() > deadline:
                    raise LimitExceeded(f"solving took longer than {limits.seconds:g} seconds")
        except BaseException:
            handle.cancel()
            raise
        return bool(handle.get().satisfiable)


# --- from atoms to columns ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mark:
    """A program literal which, when true, puts `code` into `column` (0: the cell has no value)."""

    literal: int
    column: int
    code: int


def matrix_marks(control: clingo.Control, symbols: Symbols, layout: Layout) -> Iterator[Mark]:
    """The marks of every cell of every item of the matrix, and of its choices."""
    yield from item_marks(control, symbols, layout, range(1, layout.size + 1))
    first = layout.size * layout.width
    columns = {symbols.variable[v.name]: first + k for k, v in enumerate(layout.variables)}
    values = {
        (symbols.variable[v.name], symbols.value[value]): code
        for v in layout.variables
        for code, value in enumerate(v.values, 1)
    }
    for atom in control.symbolic_atoms.by_signature("binding", 2):
        name, value = map(str, atom.symbol.arguments)
        yield Mark(atom.literal, columns[name], values[name, value])
    first += len(layout.variables)
    pooled = {symbols.rule[r.name]: first + k for k, r in enumerate(layout.pooled)}
    for atom in control.symbolic_atoms.by_signature("assigned", 2):
        rule, number = atom.symbol.arguments
        yield Mark(atom.literal, pooled[str(rule)], number.number)


def item_marks(
    control: clingo.Control, symbols: Symbols, layout: Layout, items: Iterable[int | str]
) -> Iterator[Mark]:
    """The marks of the cells of these items, item by item from column 0."""
    offset = {str(item): number * layout.width for number, item in enumerate(items)}
    column = {symbols.cell[c.name]: k for k, c in enumerate(layout.cells)}
    code = {
        (symbols.cell[c.name], symbols.value[v]): k
        for c in layout.cells
        for k, v in enumerate(c.domain, 1)
    }
    for atom in control.symbolic_atoms.by_signature("has", 3):
        item, cell, value = map(str, atom.symbol.arguments)
        if item in offset:
            yield Mark(atom.literal, offset[item] + column[cell], code[cell, value])
    for atom in control.symbolic_atoms.by_signature("exists", 2):
        item, cell = map(str, atom.symbol.arguments)
        if item in offset and not atom.is_fact:
            yield Mark(-atom.literal, offset[item] + column[cell], 0)


class _Reader:
    """A propagator that writes the codes of each total assignment into a row.

    Reading a model atom by atom from Python costs a hundred times more: here a cell costs
    something only when its value changes.
    """

    def __init__(self, marks: Sequence[Mark], row: Codes) -> None:
        self._marks = marks
        self._row = row
        self._writes: dict[int, list[tuple[int, int]]] = {}

    def init(self, init: clingo.PropagateInit) -> None:
        """Watch the literals; those already true are written at once."""
        self._writes.clear()
        for mark in self._marks:
            literal = init.solver_literal(mark.literal)
            self._writes.setdefault(literal, []).append((mark.column, mark.code))
            self._writes.setdefault(-literal, [])
            init.add_watch(literal)
            if init.assignment.is_fixed(literal) and init.assignment.is_true(literal):
                self._row[mark.column] = mark.code

    def propagate(self, _control: clingo.PropagateControl, changes: Sequence[int]) -> None:
        """Write the values of the cells that just got one."""
        row = self._row
        for literal in changes:
            for column, code in self._writes[literal]:
                row[column] = code


# --- matrices -------------------------------------------------------------------------------------


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
        """The number of the matrix with these codes, shape (columns,). KeyError if there is none."""
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


def solve_matrices(program: Program, *, limits: Limits = DEFAULT_LIMITS) -> MatrixSpace:
    """Enumerate all matrices of a program, factor by factor.

    Raises LimitExceeded where one factor alone is too large.
    """
    layout = program.layout
    control, partition = ground(program, program.matrix_text, limits=limits)
    marks = list(matrix_marks(control, program.symbols, layout))
    row = np.zeros(layout.columns, dtype=np.int16)
    control.register_propagator(_Reader(marks, row))
    if not solve(control, lambda _model: False, limits=limits):
        return MatrixSpace(layout, (Factor((), np.zeros((0, 0), dtype=np.int16)),))
    factors = [_fixed_factor(control, marks)]
    control.configuration.solve.models = 0  # type: ignore[union-attr]
    control.configuration.solve.project = "project,3"  # type: ignore[union-attr]
    for part in _parts(control, partition, marks):
        factors.append(_enumerate(control, part, row, limits))
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
    control: clingo.Control, part: Sequence[Mark], row: Codes, limits: Limits
) -> Factor:
    """Every way to fill the columns of one part, projecting the rest away."""
    columns = tuple(sorted({mark.column for mark in part}))
    place = list(columns)
    found: list[Codes] = []

    def keep(_model: clingo.Model) -> None:
        if len(found) >= limits.rows:
            raise LimitExceeded(
                f"more than {limits.rows:,} solutions in one connected part; raise the limit"
            )
        found.append(row[place])

    control.replace_project(sorted({abs(mark.literal) for mark in part}))
    solve(control, keep, limits=limits)
    rows = np.unique(np.array(found, dtype=np.int16).reshape(-1, len(columns)), axis=0)
    return Factor(columns, rows)

