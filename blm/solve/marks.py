"""From atoms to columns: which literal puts which code where, and a reader that does it fast."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import clingo
from msgspec import Struct

from blm.layout import Layout
from blm.symbols import Symbols


class Mark(Struct, frozen=True):
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


class Reader(clingo.Propagator):
    """A propagator that keeps the codes of some columns in `row`, as bytes of int16.

    Reading a model atom by atom from Python costs a hundred times more: here a cell costs
    something only when its value changes.
    """

    def __init__(self, marks: Sequence[Mark]) -> None:
        self._marks = marks
        self._writes: dict[int, list[tuple[int, int]]] = {}
        self.aim(())

    def aim(self, columns: Sequence[int]) -> None:
        """Read these columns, in this order, in the solves that follow."""
        self._place = {column: place for place, column in enumerate(columns)}
        self.row = bytearray(2 * len(columns))
        self._codes = memoryview(self.row).cast("h")

    def init(self, init: clingo.PropagateInit) -> None:
        """Watch the literals; those already true are written at once."""
        self._writes.clear()
        for mark in self._marks:
            literal = init.solver_literal(mark.literal)
            writes = self._writes.setdefault(literal, [])
            self._writes.setdefault(-literal, [])
            init.add_watch(literal)
            if mark.column in self._place:
                place = self._place[mark.column]
                writes.append((place, mark.code))
                if init.assignment.is_fixed(literal) and init.assignment.is_true(literal):
                    self._codes[place] = mark.code

    def propagate(self, _control: clingo.PropagateControl, changes: Sequence[int]) -> None:
        """Write the values of the cells that just got one."""
        codes, writes = self._codes, self._writes
        for literal in changes:
            for place, code in writes[literal]:
                codes[place] = code
