"""The literals of the ground candidate program, by what they say: questions are made of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeVar

import clingo
from msgspec import Struct

from blm.phenomenon import CellName, Value
from blm.program import Program
from blm.solve.marks import item_marks, matrix_marks

Kind = Literal["expects", "avoids", "ends", "fails"]

_KINDS: Mapping[str, Kind] = {"expects": "expects", "avoids": "avoids", "ends": "ends"}

Key = tuple[int, int]
"""A column and a code."""

Alternative = tuple[str, int]
"""A label and the number of an alternative, from 0."""

Name = TypeVar("Name")


class Witness(Struct, frozen=True):
    """Why an item breaks a rule.

    kind `expects`: the cell should have the value; `avoids`: it should not; `ends`: nothing
    comes after the value that the cell had before; `fails`: the condition of the clause
    (numbered from 0) is false, and cell and value are None.  A value may be `absent`.
    """

    kind: Kind
    cell: CellName | None
    value: Value | None
    clause: int | None


class Questions(Struct, frozen=True):
    """The literals to assume, or to look for in a model.

    `matrix` and `own` put a code into a column of the matrix, or of the candidate. The candidate
    breaks a rule (`broken`), the matrix does (`spoilt`), the candidate differs in a cell
    (`edits`), it is what an alternative selects (`fits`; but for its condition: `mismatch`).
    `short`: the matrix has too few items for a clause (rule, number from 0) that selects.
    `within` and `few` bound the edits and the broken rules, by 0, 1, 2, ...  `witnesses` say why
    the candidate breaks a rule.

    Rules that nothing can break have no literal; `wrong` and `different` are None where no
    candidate breaks a rule, or none differs from the correct answer.
    """

    matrix: Mapping[Key, int]
    own: Mapping[Key, int]
    broken: Mapping[str, int]
    spoilt: Mapping[str, int]
    edits: Mapping[CellName, int]
    fits: Mapping[Alternative, int]
    mismatch: Mapping[Alternative, int]
    short: Mapping[tuple[str, int], int]
    wrong: int | None
    different: int | None
    within: Sequence[int]
    few: Sequence[int]
    witnesses: Sequence[tuple[int, str, Witness]]


def read_questions(control: clingo.Control, program: Program) -> Questions:
    """Read the literals off a ground program."""
    symbols, layout = program.symbols, program.layout
    rules = {symbols.rule[r.name]: r.name for r in program.phenomenon.rules}
    cells = {term: name for name, term in symbols.cell.items()}
    labels = {term: name for name, term in symbols.label.items()}
    matrix = matrix_marks(control, symbols, layout)
    own = item_marks(control, symbols, layout, ["candidate"])
    return Questions(
        matrix={(m.column, m.code): m.literal for m in matrix},
        own={(m.column, m.code): m.literal for m in own},
        broken=_named(control, "broken", rules),
        spoilt=_named(control, "spoilt", rules),
        edits=_named(control, "edit", cells),
        fits=_alternatives(control, "fits", labels),
        mismatch=_alternatives(control, "mismatch", labels),
        short={
            (rules[str(rule)], number.number - 1): atom.literal
            for atom in control.symbolic_atoms.by_signature("short", 1)
            for rule, number in [atom.symbol.arguments[0].arguments]
        },
        wrong=_single(control, "wrong"),
        different=_single(control, "different"),
        within=_numbered(control, "within"),
        few=_numbered(control, "few"),
        witnesses=list(_witnesses(control, program, rules, cells)),
    )


def _named(control: clingo.Control, predicate: str, names: dict[str, Name]) -> dict[Name, int]:
    """The literal of each atom of a unary predicate, in the author's order."""
    atoms = {
        names[str(atom.symbol.arguments[0])]: atom.literal
        for atom in control.symbolic_atoms.by_signature(predicate, 1)
    }
    return {name: atoms[name] for name in names.values() if name in atoms}


def _alternatives(
    control: clingo.Control, predicate: str, labels: Mapping[str, str]
) -> dict[Alternative, int]:
    return {
        (labels[str(atom.symbol.arguments[0])], atom.symbol.arguments[1].number - 1): atom.literal
        for atom in control.symbolic_atoms.by_signature(predicate, 2)
    }


def _single(control: clingo.Control, name: str) -> int | None:
    """The literal of an atom without arguments; None where nothing can make it true."""
    atoms = control.symbolic_atoms.by_signature(name, 0)
    return next((atom.literal for atom in atoms), None)


def _numbered(control: clingo.Control, predicate: str) -> list[int]:
    atoms = control.symbolic_atoms.by_signature(predicate, 1)
    return [a.literal for a in sorted(atoms, key=lambda a: a.symbol.arguments[0].number)]


def _witnesses(
    control: clingo.Control,
    program: Program,
    rules: Mapping[str, str],
    cells: Mapping[str, CellName],
) -> Iterator[tuple[int, str, Witness]]:
    values: dict[str, Value] = {t: v for v, t in program.symbols.value.items()}
    for atom in control.symbolic_atoms.by_signature("violated", 3):
        rule, item, witness = atom.symbol.arguments
        if str(item) != "candidate":
            continue
        first, *rest = witness.arguments
        if witness.name == "fails":
            told = Witness("fails", None, None, first.arguments[1].number - 1)
        else:
            told = Witness(_KINDS[witness.name], cells[str(first)], values[str(rest[0])], None)
        yield atom.literal, rules[str(rule)], told
