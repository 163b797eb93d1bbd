"""Which columns of a matrix a question about its candidates depends on.

With the matrix fixed, the ground candidate program falls into parts that share no atom of the
candidate: what one part does, no other can tell.  A distractor differs from the correct answer
in one part only, as every other part has a way to break nothing: the answer's own.  So the
distractors of a part are found once for all matrices that agree in the columns that reach it.

The relation is read off the ground program, backwards from what is asked, so it holds for
every rule of the language; an atom too many makes it weaker, never wrong.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from blm.disjoint import DisjointSets
from blm.solve.questions import Alternative, Questions


class GroundRules:
    """The rules of a ground program: the atoms of each head, the literals of each body."""

    def __init__(self) -> None:
        self._flat = array("i")  # head size, body size, head, body: lists would take tenfold

    def add(self, head: Sequence[int], body: Sequence[int]) -> None:
        """Keep a rule; a constraint has no head."""
        self._flat.extend((len(head), len(body), *head, *body))

    def clear(self) -> None:
        """Forget all rules."""
        del self._flat[:]

    def __iter__(self) -> Iterator[tuple[array[int], array[int]]]:
        flat, place = self._flat, 0
        while place < len(flat):
            start = place + 2
            middle = start + flat[place]
            place = middle + flat[place + 1]
            yield flat[start:middle], flat[middle:place]


class Part(Struct, frozen=True):
    """An independent part of the candidate.

    `columns` are those of the matrix that it depends on, `cells` those of an item that it
    sets; `rules` can be broken in it, and `alternatives` of labels select within it (a cell
    that no rule speaks of is a part without either).
    """

    columns: tuple[int, ...]
    cells: tuple[int, ...]
    rules: tuple[str, ...]
    alternatives: tuple[Alternative, ...]


def find_parts(rules: GroundRules, asked: Questions, columns: int, width: int) -> tuple[Part, ...]:
    """The parts of the candidate; a single one of everything where they cannot be told apart."""
    graph = _Graph(rules)
    free = graph.reached({abs(literal) for literal in asked.own.values()})
    wheres = {key: graph.denied(literal) for key, literal in asked.mismatch.items()}
    local = all(abs(literal) in free for literal in asked.broken.values()) and all(
        free & wheres.get(key, set()) for key in asked.fits
    )
    if not local:
        every = tuple(range(columns)), tuple(range(width))
        return (Part(*every, tuple(asked.broken), tuple(asked.fits)),)
    roots = {abs(literal) for literal in [*asked.own.values(), *asked.broken.values()]}
    roots.update(map(abs, asked.edits.values()), *wheres.values())
    needed, ruling = graph.needed(roots, free)
    union = DisjointSets[int]()
    for number in ruling:
        union.unite(atom for atom in graph.atoms(number) if atom in free)
    for atoms in wheres.values():
        union.unite(atom for atom in atoms if atom in free)
    return tuple(_parts(graph, asked, union, free & needed, ruling, wheres))


def _parts(
    graph: _Graph,
    asked: Questions,
    union: DisjointSets[int],
    free: set[int],
    ruling: Sequence[int],
    wheres: Mapping[Alternative, set[int]],
) -> Iterator[Part]:
    """One part for each group of rules, labels and cells that depend on each other."""
    groups: dict[int, tuple[list[str], list[Alternative]]] = {}
    for rule, literal in asked.broken.items():
        groups.setdefault(union.find(abs(literal)), ([], []))[0].append(rule)
    for key in asked.fits:
        atom = next(atom for atom in wheres[key] if atom in free)
        groups.setdefault(union.find(atom), ([], []))[1].append(key)
    for literal in asked.own.values():
        if abs(literal) in free:
            groups.setdefault(union.find(abs(literal)), ([], []))
    fixing: dict[int, set[int]] = {}
    for (column, _), literal in asked.matrix.items():
        fixing.setdefault(abs(literal), set()).add(column)
    inside: dict[int, set[int]] = {root: set() for root in groups}
    for number in ruling:
        atoms = graph.atoms(number)
        for root in {union.find(atom) for atom in atoms if atom in free} & groups.keys():
            inside[root].update(atoms)
    for root, (rules, alternatives) in groups.items():
        met = graph.traced(inside[root], fixing.keys())
        columns = sorted({column for atom in met for column in fixing.get(atom, ())})
        cells = sorted(
            {
                column
                for (column, _), literal in asked.own.items()
                if abs(literal) in free and union.find(abs(literal)) == root
            }
        )
        yield Part(tuple(columns), tuple(cells), tuple(rules), tuple(alternatives))


class _Graph:
    """The rules by what they derive and by what they use."""

    def __init__(self, rules: GroundRules) -> None:
        listed = [(tuple(head), tuple(body)) for head, body in rules]
        self._bodies = [body for _, body in listed]
        self._rules = [(head, tuple(map(abs, body))) for head, body in listed]
        self._deriving: dict[int, list[int]] = {}
        self._using: dict[int, list[int]] = {}
        for number, (head, body) in enumerate(self._rules):
            for atom in head:
                self._deriving.setdefault(atom, []).append(number)
            for atom in body:
                self._using.setdefault(atom, []).append(number)

    def atoms(self, number: int) -> set[int]:
        """All atoms of a rule."""
        head, body = self._rules[number]
        return {*head, *body}

    def denied(self, literal: int) -> set[int]:
        """The atoms that must be true lest a rule derive this one.

        An alternative is mismatched where a rule that it breaks is not broken or its condition
        is not true; also where any other rule is broken, which no other part needs to do.
        """
        bodies = (self._bodies[number] for number in self._deriving.get(abs(literal), ()))
        return {-other for body in bodies for other in body if other < 0}

    def reached(self, atoms: set[int]) -> set[int]:
        """These atoms and all that may depend on them."""
        found, waiting = set(atoms), list(atoms)
        while waiting:
            for number in self._using.get(waiting.pop(), ()):
                new = set(self._rules[number][0]) - found
                found |= new
                waiting += new
        return found

    def needed(self, roots: set[int], free: set[int]) -> tuple[set[int], list[int]]:
        """What the roots depend on, and the rules that say so.

        Constraints on atoms that are `free` say so too; the others hold in every matrix.
        """
        constraints = [
            number
            for number, (head, body) in enumerate(self._rules)
            if not head and not free.isdisjoint(body)
        ]
        start = roots.union(*(self._rules[number][1] for number in constraints))
        found = self.traced(start, ())
        deriving = {number for atom in found for number in self._deriving.get(atom, ())}
        return found, sorted(deriving.union(constraints))

    def traced(self, atoms: set[int], known: Iterable[int]) -> set[int]:
        """These atoms and all that they depend on, not going behind those that are known."""
        stop = set(known)
        found, waiting = set(atoms), [atom for atom in atoms if atom not in stop]
        while waiting:
            for number in self._deriving.get(waiting.pop(), ()):
                head, body = self._rules[number]
                new = {*head, *body} - found  # a choice may be bounded: its atoms belong together
                found |= new
                waiting += [atom for atom in new if atom not in stop]
        return found
