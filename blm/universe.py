"""The items of a phenomenon: every combination of values that its cells allow.

The universe holds deviant items too (design, section 2): a cell exists where its object is
present and its condition is true, and `possible` constraints leave items out.  Items are
listed lazily, by depth-first search in the author's order of cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from blm.conditions import Item, domains_of, evaluate
from blm.diagnostics import InternalError
from blm.phenomenon import (
    PRESENCE,
    PRESENT,
    Cell,
    CellName,
    Condition,
    Phenomenon,
    Value,
    cells_of,
)

Partial = Mapping[CellName, Value | None]
"""Cells that are already decided; None says that the item does not have the cell."""


class Universe:
    """The items of `phenomenon`, and the values that some of its cells take together."""

    def __init__(self, phenomenon: Phenomenon) -> None:
        """Raises InternalError if the conditions of cells go round in a circle."""
        self._domains = domains_of(phenomenon)
        self._constraints = tuple(constraint.condition for constraint in phenomenon.possible)
        self._presence = {c.name for c in phenomenon.cells if c.name.attribute == PRESENCE}
        self._cells = {cell.name: cell for cell in phenomenon.cells}
        self._order = self._sorted(phenomenon.cells)

    def items(self, fixed: Partial | None = None) -> Iterator[dict[CellName, Value]]:
        """Every item that agrees with `fixed`, without repetition."""
        yield from self._search(self._order, fixed or {})

    def projections(self, cells: Sequence[CellName]) -> tuple[dict[CellName, Value], ...]:
        """The combinations of values of `cells` that occur in some item, each once."""
        first = self._closure(cells)
        constrained = {name for c in self._constraints for name in cells_of(c)}
        rest = self._closure((*constrained, *(cell.name for cell in first)))
        found: dict[tuple[Value | None, ...], dict[CellName, Value]] = {}
        for start in self._search(first, {}, self._constraints):
            key = tuple(start.get(cell) for cell in cells)
            fixed = {cell.name: start.get(cell.name) for cell in first}
            if key not in found and any(True for _ in self._search(rest, fixed)):
                found[key] = {c: v for c, v in zip(cells, key, strict=True) if v is not None}
        return tuple(found.values())

    def _needs(self, cell: Cell) -> set[CellName]:
        """The cells that say whether `cell` exists."""
        presence = CellName(cell.name.object, PRESENCE)
        needs = set(cells_of(cell.condition)) if cell.condition else set()
        return needs | ({presence} & self._presence - {cell.name})

    def _sorted(self, cells: Sequence[Cell]) -> tuple[Cell, ...]:
        """The cells in the author's order, but each after those that it depends on."""
        waiting, done, names = list(cells), list[Cell](), set[CellName]()
        while waiting:
            ready = next((c for c in waiting if self._needs(c) <= names), None)
            if ready is None:
                raise InternalError(f"the conditions of {waiting[0].name} go round in a circle")
            waiting.remove(ready)
            done.append(ready)
            names.add(ready.name)
        return tuple(done)

    def _closure(self, names: Sequence[CellName]) -> tuple[Cell, ...]:
        """The cells of these names with all that they depend on, in search order."""
        found, stack = set[CellName](), list(names)
        while stack:
            if (name := stack.pop()) not in found:
                found.add(name)
                stack.extend(self._needs(self._cells[name]))
        return tuple(cell for cell in self._order if cell.name in found)

    def _search(
        self, cells: Sequence[Cell], fixed: Partial, constraints: Sequence[Condition] | None = None
    ) -> Iterator[dict[CellName, Value]]:
        """Assignments of `cells`; a constraint is tested where its last cell is decided."""
        constraints = self._constraints if constraints is None else constraints
        place = {cell.name: index for index, cell in enumerate(cells)}
        due: list[list[Condition]] = [[] for _ in cells]
        for constraint in constraints:
            names = set(cells_of(constraint))
            if names and names <= place.keys():
                due[max(place[name] for name in names)].append(constraint)
        yield from self._extend(cells, fixed, due, {}, 0)

    def _extend(
        self,
        cells: Sequence[Cell],
        fixed: Partial,
        due: Sequence[Sequence[Condition]],
        item: dict[CellName, Value],
        depth: int,
    ) -> Iterator[dict[CellName, Value]]:
        if depth == len(cells):
            yield dict(item)
            return
        cell = cells[depth]
        for value in self._choices(cell, fixed, item):
            if value is not None:
                item[cell.name] = value
            if all(self._holds(constraint, item) for constraint in due[depth]):
                yield from self._extend(cells, fixed, due, item, depth + 1)
            item.pop(cell.name, None)

    def _choices(self, cell: Cell, fixed: Partial, item: Item) -> tuple[Value | None, ...]:
        possible: tuple[Value | None, ...] = cell.domain if self._exists(cell, item) else (None,)
        if cell.name not in fixed:
            return possible
        return (fixed[cell.name],) if fixed[cell.name] in possible else ()

    def _exists(self, cell: Cell, item: Item) -> bool:
        presence = CellName(cell.name.object, PRESENCE)
        if cell.name != presence and item.get(presence, PRESENT) != PRESENT:
            return False
        return cell.condition is None or (
            evaluate(cell.condition, item, domains=self._domains) is True
        )

    def _holds(self, constraint: Condition, item: Item) -> bool:
        return evaluate(constraint, item, domains=self._domains) is not False
