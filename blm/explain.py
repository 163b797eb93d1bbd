"""Why a candidate is wrong: the rules it breaks, the cells that clash, and the smallest repairs."""

from __future__ import annotations

from msgspec import Struct

from blm.candidates import CandidateSolver
from blm.layout import Item
from blm.phenomenon import (
    ABSENT,
    PRESENCE,
    PRESENT,
    CellName,
    Is,
    ItemClause,
    Phenomenon,
    Rule,
    Value,
    cells_of,
)
from blm.problem import Candidate, Json, Matrix, candidate_json, decode_matrix, make_candidate
from blm.solve import MatrixSpace, Witness
from blm.tables import html_table


class Clash(Struct, frozen=True):
    """A cell that clashes with a rule: what it is (`actual`), and what it should be.

    `demand` says so in words: "pl", "another value"; it is empty where the rule speaks of
    several cells at once, as two that must match.
    """

    cell: CellName
    actual: Value
    demand: str


class Breach(Struct, frozen=True):
    """A rule that the candidate breaks, with the author's line and the cells that clash."""

    rule: Rule
    clashes: tuple[Clash, ...]

    @property
    def place(self) -> str:
        """`path:line:column` of the rule."""
        return str(self.rule.span)


class Repair(Struct, frozen=True):
    """One cell to change: from what to what. `absent` stands for no value."""

    cell: CellName
    before: Value
    after: Value


class Explanation(Struct, frozen=True):
    """What an item is worth as the last of a matrix.

    `repairs` lists the smallest sets of changes that make it right: there is one, as a matrix
    has one solution; none if it is right.
    """

    matrix: Matrix
    candidate: Candidate
    breaches: tuple[Breach, ...]
    kept: tuple[Rule, ...]
    repairs: tuple[tuple[Repair, ...], ...]

    def __repr__(self) -> str:
        broken = ", ".join(self.candidate.broken)
        told = f"{self.candidate.label}, breaks {broken}" if broken else "correct"
        return f"<Explanation for {self.matrix.id}: {told}>"

    def _repr_html_(self) -> str:
        rows = [
            [
                breach.rule.name,
                str(breach.rule.family),
                breach.rule.text,
                ", ".join(f"{clash.cell} is {clash.actual}" for clash in breach.clashes),
            ]
            for breach in self.breaches
        ]
        verdict = "correct" if self.candidate.correct else ", ".join(self.candidate.labels)
        head = ["rule broken", "family", "what it says", "cells that clash"]
        return html_table(f"{self.matrix.id}: {verdict or 'wrong'}", head, rows)


def explain(solver: CandidateSolver, matrix: Matrix, item: Item) -> Explanation:
    """Explain an item as an answer to a matrix.

    Raises ValueError if the universe of the phenomenon has no such item.
    """
    phenomenon = solver.program.phenomenon
    verdict, witnesses = solver.judge(matrix.codes, item)
    breaches = []
    for name in verdict.broken:
        rule = phenomenon.rule(name)
        told = [w for r, w in witnesses if r == name]
        breaches.append(Breach(rule, _clashes(rule, told, item)))
    candidate = make_candidate(solver.layout, matrix, verdict, minimal=False)
    return Explanation(
        matrix=matrix,
        candidate=candidate,
        breaches=tuple(breaches),
        kept=tuple(r for r in phenomenon.rules if r.name not in verdict.broken),
        repairs=_repairs(phenomenon, item, matrix.solution),
    )


class Appraisal(Struct, frozen=True):
    """What an item is worth whatever the matrix.

    `right_in` of `matrices` matrices have it as their solution. `explanations` has one for each
    smallest set of rules that it breaks in some matrix, each beside a matrix where it does.
    """

    item: Item
    right_in: int
    matrices: int
    explanations: tuple[Explanation, ...]

    def __repr__(self) -> str:
        told = "".join(f", {one!r}" for one in self.explanations)
        return f"<Appraisal: right in {self.right_in} of {self.matrices} matrices{told}>"

    def _repr_html_(self) -> str:
        right = f"<p>right in {self.right_in} of {self.matrices} matrices</p>"
        return right + "".join(one._repr_html_() for one in self.explanations)


def appraise(solver: CandidateSolver, space: MatrixSpace, item: Item) -> Appraisal:
    """Explain an item against all matrices of a phenomenon.

    Raises ValueError if the universe of the phenomenon has no such item.
    """
    examples = solver.least_broken(item)
    matrices = [decode_matrix(space.layout, codes, space.index(codes)) for codes in examples]
    return Appraisal(
        item=item,
        right_in=space.solved_by(space.layout.encode_item(item)),
        matrices=space.count,
        explanations=tuple(explain(solver, matrix, item) for matrix in matrices),
    )


def _repairs(phenomenon: Phenomenon, item: Item, solution: Item) -> tuple[tuple[Repair, ...], ...]:
    changes = tuple(
        Repair(cell.name, item.get(cell.name, ABSENT), solution.get(cell.name, ABSENT))
        for cell in phenomenon.cells
        if item.get(cell.name) != solution.get(cell.name)
        and not _told_otherwise(phenomenon, cell.name, item, solution)
    )
    return (changes,) if changes else ()


def _told_otherwise(phenomenon: Phenomenon, name: CellName, item: Item, solution: Item) -> bool:
    """Whether another repair says it.

    An object that goes takes its cells along; one that comes is told by its cells.
    """
    presence = CellName(name.object, PRESENCE)
    comes = solution.get(presence) == PRESENT and item.get(presence) == ABSENT
    goes = solution.get(presence) == ABSENT and item.get(presence) == PRESENT
    has_cells = any(o.name == name.object and o.attributes for o in phenomenon.objects)
    return (comes and name == presence and has_cells) or (goes and name != presence)


def _clashes(rule: Rule, witnesses: list[Witness], item: Item) -> tuple[Clash, ...]:
    clashes: dict[CellName, Clash] = {}
    for witness in witnesses:
        if witness.kind == "fails":
            clause = rule.clauses[witness.clause or 0]
            assert isinstance(clause, ItemClause)
            condition = clause.condition
            demand = str(condition.value) if isinstance(condition, Is) else ""
            for cell in cells_of(condition):
                clashes.setdefault(cell, Clash(cell, item.get(cell, ABSENT), demand))
        else:
            assert witness.cell is not None
            actual = item.get(witness.cell, ABSENT)
            clashes.setdefault(witness.cell, Clash(witness.cell, actual, _demand(witness)))
    return tuple(clashes.values())


def _demand(witness: Witness) -> str:
    match witness.kind:
        case "expects":
            return str(witness.value)
        case "avoids":
            return "another value"
        case _:
            return f"what comes after {witness.value}, and nothing does"


def explanation_json(phenomenon: Phenomenon, explanation: Explanation) -> Json:
    """The explanation for programs."""
    document = candidate_json(phenomenon, explanation.candidate)
    document.pop("minimal")
    document["matrix"] = explanation.matrix.id
    document["broken"] = [
        {
            "rule": breach.rule.name,
            "family": str(breach.rule.family),
            "text": breach.rule.text,
            "place": breach.place,
            "clashes": [
                {"cell": str(c.cell), "actual": c.actual, "demand": c.demand or None}
                for c in breach.clashes
            ],
        }
        for breach in explanation.breaches
    ]
    document["kept"] = [rule.name for rule in explanation.kept]
    document["repairs"] = [
        [{"cell": str(r.cell), "from": r.before, "to": r.after} for r in repair]
        for repair in explanation.repairs
    ]
    return document
