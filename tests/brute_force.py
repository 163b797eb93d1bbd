"""A naive interpreter of a checked phenomenon, to judge the engine by.

Written from section 2 of the design and the types of `blm.phenomenon` alone: no clingo, no
encodings, no codes.  Everything is tried: every combination of values is an item if its
cells allow it, every value of a free parameter may explain a sequence, every choice of
variables and operators may explain a matrix.  The one thing clever is that matrices grow item
by item, and a beginning that breaks a rule is not continued.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from brute_force_operators import fits, stated, value_of

from blm import phenomenon as p
from blm.phenomenon import ABSENT, PRESENCE, PRESENT, CellName, Phenomenon, Value

Item = frozenset[tuple[CellName, Value]]
"""The cells that an item has, with their values."""

Choices = frozenset[tuple[str, Value]]
"""The value of each variable and, for each pooled rule, the number of its operator from 1."""

Matrix = tuple[tuple[Item, ...], Choices]

COMPARE = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


# --- phenomena ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Judged:
    """A candidate for the last place of a matrix."""

    item: Item
    broken: frozenset[str]
    edits: frozenset[CellName]
    fits: frozenset[tuple[str, int]]


class TooMuch(Exception):
    """More beginnings of matrices to try than the caller has patience for."""


class BruteForce:
    """Answers about one phenomenon by trying everything."""

    def __init__(self, phenomenon: Phenomenon, *, patience: int = 10**9) -> None:
        self.patience = patience
        self.phenomenon = phenomenon
        self.shape = phenomenon.shape
        self.optional = {o.name for o in phenomenon.objects if o.optional}
        self.domains = {cell.name: cell.domain for cell in phenomenon.cells}

    # --- items ---

    @cached_property
    def universe(self) -> list[Item]:
        """Every combination of values, or of no value, that the cells and `possible` allow."""
        names = list(self.domains)
        options = [(*self.domains[name], None) for name in names]
        found = []
        for values in product(*options):
            cells = {n: v for n, v in zip(names, values, strict=True) if v is not None}
            if self._is_item(cells):
                found.append(frozenset(cells.items()))
        return found

    def _is_item(self, cells: Mapping[CellName, Value]) -> bool:
        return all(
            (cell.name in cells) == self._exists(cell, cells) for cell in self.phenomenon.cells
        ) and all(
            self.truth(constraint.condition, cells) is not False
            for constraint in self.phenomenon.possible
        )

    def _exists(self, cell: p.Cell, cells: Mapping[CellName, Value]) -> bool:
        presence = CellName(cell.name.object, PRESENCE)
        if cell.name == presence:
            return True
        there = presence.object not in self.optional or cells.get(presence) == PRESENT
        return there and (cell.condition is None or self.truth(cell.condition, cells) is True)

    # --- conditions ---

    def truth(
        self,
        condition: p.Condition,
        cells: Mapping[CellName, Value],
        correct: Mapping[CellName, Value] | None = None,
    ) -> bool | None:
        """True, false, or None for no value: strong Kleene logic."""
        inner = [self.truth(c, cells, correct) for c in p.subconditions(condition)]
        key = {} if correct is None else correct
        match condition:
            case p.Is(cell, value):
                return cells[cell] == value if cell in cells else None
            case p.Matches(left, right):
                return cells[left] == cells[right] if {left, right} <= cells.keys() else None
            case p.Compare(left, operator, right):
                other = cells.get(right) if isinstance(right, CellName) else right
                if left not in cells or other is None:
                    return None
                domain = self.domains[left]
                if not all(isinstance(v, int) for v in domain):
                    return COMPARE[operator](domain.index(cells[left]), domain.index(other))
                return COMPARE[operator](cells[left], other)
            case p.Count(_, operator, number):
                return COMPARE[operator](inner.count(True), number)
            case p.Distinct(names):
                values = [cells[name] for name in names if name in cells]
                return len(set(values)) == len(values)
            case p.Not():
                return None if inner[0] is None else not inner[0]
            case p.And():
                return False if False in inner else None if None in inner else True
            case p.Or():
                return True if True in inner else None if None in inner else False
            case p.Implies():
                first = None if inner[0] is None else not inner[0]
                both = [first, inner[1]]
                return True if True in both else None if None in both else False
            case p.Changes(cell):
                return cell in cells and cell in key and cells[cell] != key[cell]
            case p.Appears(name):
                presence = CellName(name, PRESENCE)
                return (cells[presence], key[presence]) == (PRESENT, ABSENT)
            case p.Disappears(name):
                presence = CellName(name, PRESENCE)
                return (cells[presence], key[presence]) == (ABSENT, PRESENT)

    # --- rules ---

    def broken(self, items: Sequence[Item], choices: Choices) -> frozenset[str]:
        """The rules that the first items of a matrix, or all of them, break."""
        chosen = dict(choices)
        return frozenset(
            rule.name
            for rule in self.phenomenon.rules
            if not all(self._obeyed(rule, clause, items, chosen) for clause in rule.clauses)
        )

    def _obeyed(
        self, rule: p.Rule, clause: p.Clause, items: Sequence[Item], chosen: Mapping[str, Value]
    ) -> bool:
        match clause:
            case p.ItemClause(condition, scope):
                spoken_of = [item for sequence in self._scope(scope, items) for item in sequence]
                return all(self.truth(condition, dict(i)) is not False for i in spoken_of)
            case p.SequenceClause(cell, operator, scope):
                return self._fit(cell, operator, self._scope(scope, items), chosen)
            case p.MovementClause(source, i, target, j):
                later = max(i, j) > len(items)
                return later or seen(items[i - 1], source) == seen(items[j - 1], target)
            case p.PooledClause(cell=cell, operators=operators):
                operator = operators[int(chosen[rule.name]) - 1]
                return self._fit(cell, operator, [items], chosen)

    def _fit(
        self,
        cell: CellName,
        operator: p.Operator,
        sequences: Iterable[Sequence[Item]],
        chosen: Mapping[str, Value],
    ) -> bool:
        operator = stated(operator, tuple(sorted(chosen.items())))
        return all(
            fits(operator, tuple(seen(item, cell) for item in sequence), self.domains[cell])
            for sequence in sequences
        )

    def _scope(self, scope: p.Scope, items: Sequence[Item]) -> list[Sequence[Item]]:
        columns = self.shape.columns
        match scope:
            case None:
                return [items]
            case p.Positions(positions):
                return [[items[i - 1] for i in positions if i <= len(items)]]
            case p.Where(condition):
                return [[item for item in items if self.truth(condition, dict(item)) is True]]
            case p.ByRow():
                return [items[k : k + columns] for k in range(0, len(items), columns)]
            case p.ByColumn():
                return [items[k::columns] for k in range(min(columns, len(items)))]

    # --- matrices ---

    @cached_property
    def choices(self) -> list[Choices]:
        """Every value of every variable with every operator of every pooled cell."""
        options: dict[str, Sequence[Value]] = {v.name: v.values for v in self.phenomenon.variables}
        pooled = [(r.name, c) for r in self.phenomenon.rules for c in r.clauses if _is_pooled(c)]
        options |= {name: range(1, len(c.operators) + 1) for name, c in pooled}
        found = [dict(zip(options, values, strict=True)) for values in product(*options.values())]
        return [frozenset(c.items()) for c in found if self._admissible(c, pooled)]

    def _admissible(self, chosen: Mapping[str, Value], pooled: list[tuple[str, Any]]) -> bool:
        for group in self.phenomenon.distinct:
            if len({chosen[name] for name in group}) < len(group):
                return False
        taken = [(c.pool, c.operators[int(chosen[name]) - 1]) for name, c in pooled if c.once]
        return all(first != second for first, second in combinations(taken, 2))

    def matrices(self) -> Iterator[Matrix]:
        """Every matrix with its choices."""
        for choices in self.choices:
            yield from ((items, choices) for items in self._grow((), choices))

    def _grow(self, items: tuple[Item, ...], choices: Choices) -> Iterator[tuple[Item, ...]]:
        if len(items) == self.shape.size:
            yield items
            return
        for item in self._in_place(len(items) + 1, choices):
            self.patience -= 1
            if self.patience < 0:
                raise TooMuch
            if not self.broken((*items, item), choices):
                yield from self._grow((*items, item), choices)

    def _in_place(self, position: int, choices: Choices) -> list[Item]:
        """The items that agree with the row of a position and alone break nothing there."""
        chosen, shown = dict(choices), [r for r in self.phenomenon.rows if r.item == position]
        entries = [(cell, value_of(term, chosen)) for row in shown for cell, term in row.entries]
        clauses = [c for r in self.phenomenon.rules for c in r.clauses]
        demands = [c for c in clauses if isinstance(c, p.ItemClause) and c.scope is None]
        return [
            item
            for item in self.universe
            if all(seen(item, cell) == value for cell, value in entries)
            and not any(self.truth(c.condition, dict(item)) is False for c in demands)
        ]

    # --- candidates ---

    def judge(self, matrix: Matrix) -> list[Judged]:
        """Every item of the universe in the last place of a matrix."""
        (*context, correct), choices = matrix
        return [self._judge(tuple(context), item, correct, choices) for item in self.universe]

    def _judge(
        self, context: tuple[Item, ...], item: Item, correct: Item, choices: Choices
    ) -> Judged:
        broken = self.broken((*context, item), choices)
        cells, key = dict(item), dict(correct)
        edits = {c for c in cells.keys() & key.keys() if cells[c] != key[c]}
        fitting = {
            (label.name, number)
            for label in self.phenomenon.labels
            for number, wanted in enumerate(label.alternatives)
            if broken == set(wanted.rules)
            and (wanted.condition is None or self.truth(wanted.condition, cells, key) is True)
        }
        return Judged(item, broken, frozenset(edits), frozenset(fitting))

    def minimal(
        self, judged: Sequence[Judged], *, target: str = "each", minimise: str = "subset"
    ) -> set[Judged]:
        """The minimal distractors among all candidates of a matrix (design 2.7)."""
        rules = [rule.name for rule in self.phenomenon.rules]
        goals = [[j for j in judged if rule in j.broken] for rule in rules]
        if target == "any":
            goals = [[j for j in judged if j.broken]]
        if minimise == "edits":
            return set().union(*map(closest, goals))
        found: set[Judged] = set()
        for goal in goals:
            for least in _least({j.broken for j in goal}, minimise):
                found |= closest(j for j in goal if j.broken == least)
        return found

    def labelled(self, judged: Sequence[Judged]) -> set[Judged]:
        """What each alternative of each label selects."""
        keys = {key for j in judged for key in j.fits}
        return set().union(*(closest(j for j in judged if key in j.fits) for key in keys))


def _least(sets: set[frozenset[str]], minimise: str) -> list[frozenset[str]]:
    if minimise == "cardinality":
        return [s for s in sets if len(s) == min(map(len, sets))]
    return [s for s in sets if not any(other < s for other in sets)]


def closest(judged: Iterable[Judged]) -> set[Judged]:
    """Those with the fewest edits."""
    all_of_them = list(judged)
    fewest = min((len(j.edits) for j in all_of_them), default=0)
    return {j for j in all_of_them if len(j.edits) == fewest}


def solutions(matrices: Iterable[Matrix]) -> dict[tuple[Item, ...], set[Item]]:
    """The last items of each context, whatever the choices."""
    found: dict[tuple[Item, ...], set[Item]] = defaultdict(set)
    for (*context, last), _ in matrices:
        found[tuple(context)].add(last)
    return found


def seen(item: Item, cell: CellName) -> Value:
    """What a sequence operator sees of an item."""
    return dict(item).get(cell, ABSENT)


def _is_pooled(clause: p.Clause) -> bool:
    return isinstance(clause, p.PooledClause)
