"""A ground program as clauses: its completion (Clark 1978), which has the same models.

That holds for tight programs, in which no atom supports itself in a circle (Fages 1994); others
are refused.  Every variable beside the atoms is defined by an equivalence, so it adds no model.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from msgspec import Struct, field

Literal = int
Clause = tuple[int, ...]


class NotTight(ValueError):
    """An atom supports itself in a circle: the completion may have more models."""


class GroundRule(Struct, frozen=True):
    """A rule of a ground program.

    The body is the literals of `body`, or, where `bound` is given, enough of them that their
    weights come to the bound. A choice may leave its head out; a constraint has no head.
    """

    choice: bool
    head: tuple[int, ...]
    body: tuple[Literal, ...]
    weights: tuple[int, ...] = ()
    bound: int | None = None

    @property
    def atoms(self) -> set[int]:
        """All atoms of the rule."""
        return {*self.head, *map(abs, self.body)}


class Cnf(Struct):
    """Clauses over variables 1 to `size`; `variable` gives that of each atom."""

    size: int = 0
    clauses: list[Clause] = field(default_factory=list)
    variable: dict[int, int] = field(default_factory=dict)

    def fresh(self) -> int:
        """A new variable."""
        self.size += 1
        return self.size

    def literal(self, literal: Literal) -> int:
        """The literal of the clauses for one of the program."""
        atom = abs(literal)
        if atom not in self.variable:
            self.variable[atom] = self.fresh()
        return self.variable[atom] if literal > 0 else -self.variable[atom]

    def add(self, *clause: int) -> None:
        """Add a clause."""
        self.clauses.append(clause)

    def both(self, literals: Sequence[int]) -> int:
        """A literal that says that all of these are true."""
        if len(literals) == 1:
            return literals[0]
        name = self.fresh()
        self.add(name, *(-literal for literal in literals))
        for literal in literals:
            self.add(-name, literal)
        return name

    def either(self, literals: Sequence[int]) -> int:
        """A literal that says that one of these is true."""
        return -self.both([-literal for literal in literals])

    def chosen(self, test: int, yes: int, no: int) -> int:
        """A literal that says `yes` where the test is true, and `no` elsewhere."""
        name = self.fresh()
        self.clauses += [
            (-test, -yes, name), (-test, yes, -name), (test, -no, name), (test, no, -name),
        ]  # fmt: skip
        return name


def completion(rules: Sequence[GroundRule]) -> Cnf:
    """The clauses of a program. Raises NotTight, or ValueError for a disjunction."""
    _check(rules)
    cnf = Cnf()
    supports: dict[int, list[int]] = {atom: [] for rule in rules for atom in sorted(rule.atoms)}
    for rule in rules:
        body = _body(cnf, rule)
        if not rule.head:
            cnf.add(-body)
        for atom in rule.head:
            supports[atom].append(body)
            if not rule.choice:
                cnf.add(-body, cnf.literal(atom))
    for atom, bodies in supports.items():
        cnf.add(-cnf.literal(atom), *bodies)
    return cnf


def _check(rules: Iterable[GroundRule]) -> None:
    above: dict[int, set[int]] = {}
    for rule in rules:
        if len(rule.head) > 1 and not rule.choice:
            raise ValueError("a disjunction has no completion")
        for atom in rule.head:
            above.setdefault(atom, set()).update(literal for literal in rule.body if literal > 0)
    try:
        TopologicalSorter(above).prepare()
    except CycleError:
        raise NotTight("an atom of the program supports itself") from None


def _body(cnf: Cnf, rule: GroundRule) -> int:
    """A literal that says that the body of a rule is true."""
    literals = [cnf.literal(literal) for literal in rule.body]
    if rule.bound is None:
        return cnf.both(literals)
    return _Sum(cnf, literals, rule.weights).reaches(0, rule.bound)


class _Sum:
    """Weighted literals as a decision diagram: one node for each literal and rest of the bound."""

    def __init__(self, cnf: Cnf, literals: Sequence[int], weights: Sequence[int]) -> None:
        pairs = sorted(zip(weights, literals, strict=True), reverse=True)
        self._cnf = cnf
        self._pairs = pairs
        self._left = [sum(weight for weight, _ in pairs[k:]) for k in range(len(pairs) + 1)]
        self._nodes: dict[tuple[int, int], int] = {}

    def reaches(self, place: int, bound: int) -> int:
        """A literal that says that the literals from `place` on come to the bound."""
        key = (place, min(max(bound, 0), self._left[place] + 1))
        if key not in self._nodes:
            self._nodes[key] = self._node(*key)
        return self._nodes[key]

    def _node(self, place: int, bound: int) -> int:
        if bound == 0:
            return self._cnf.both(())
        if bound > self._left[place]:
            return -self._cnf.both(())
        weight, literal = self._pairs[place]
        yes, no = self.reaches(place + 1, bound - weight), self.reaches(place + 1, bound)
        return self._cnf.chosen(literal, yes, no)


def parts(rules: Sequence[GroundRule]) -> Mapping[int, list[GroundRule]]:
    """The rules by the least atom of the independent part that they belong to."""
    parent: dict[int, int] = {}

    def find(atom: int) -> int:
        while (above := parent.setdefault(atom, atom)) != atom:
            parent[atom] = parent[above]
            atom = parent[atom]
        return atom

    for rule in rules:
        roots = {find(atom) for atom in rule.atoms}
        for root in roots:
            parent[root] = min(roots)
    found: dict[int, list[GroundRule]] = {}
    for rule in rules:
        if rule.atoms:
            found.setdefault(find(min(rule.atoms)), []).append(rule)
    return found
