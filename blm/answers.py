"""Answer sets: which candidates stand beside the correct answer.

* `named`: one candidate for each label of the author, where the matrix has one;
* `minimal`: every minimal distractor;
* `balanced`: a cube over the author's axes, in which every value of every axis occurs equally
  often, so that no candidate stands out (as in I-RAVEN; Hu et al., AAAI 2021).  The second
  value of an axis is one that the solutions of other matrices have, where there is one: over
  many problems each candidate then is right as often as the others.

What is found here holds for a matrix whatever the words; `Pool` keeps it, and a problem picks
from it by seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from random import Random

from blm.candidates import CandidateSolver
from blm.layout import Layout
from blm.phenomenon import ABSENT, CellName, Phenomenon, Value
from blm.problem import Candidate, Matrix, make_candidate, solution_candidate
from blm.solve import MatrixSpace


class Answers(StrEnum):
    """The kinds of answer sets."""

    NAMED = "named"
    MINIMAL = "minimal"
    BALANCED = "balanced"


@dataclass(frozen=True)
class Pool:
    """Places of an answer set for one matrix, each with the candidates that may fill it.

    The first place is the correct answer's. `name` is the label of the place.
    """

    places: tuple[tuple[str, tuple[Candidate, ...]], ...]


def named_pool(solver: CandidateSolver, phenomenon: Phenomenon, matrix: Matrix) -> Pool:
    """A place for each label that selects something in this matrix.

    A candidate that several labels select stands in the place of the first.
    """
    layout = solver.layout
    candidates = [
        make_candidate(layout, matrix, verdict, minimal=False)
        for verdict in solver.labelled(matrix.codes)
    ]
    places = [
        (label.name, tuple(c for c in candidates if label.name == c.label))
        for label in phenomenon.labels
    ]
    return _pool(matrix, [place for place in places if place[1]])


def minimal_pool(solver: CandidateSolver, matrix: Matrix) -> Pool:
    """A place for each minimal distractor."""
    candidates = (
        make_candidate(solver.layout, matrix, verdict, minimal=True)
        for verdict in solver.minimal(matrix.codes)
    )
    return _pool(matrix, [(c.label, (c,)) for c in candidates])


def balanced_pool(
    solver: CandidateSolver,
    phenomenon: Phenomenon,
    space: MatrixSpace,
    matrix: Matrix,
    random: Random,
) -> Pool:
    """The cube over the axes of the phenomenon; `random` picks the second value of each axis.

    ValueError if the grammar declares no axes.
    """
    if not phenomenon.axes:
        raise ValueError(
            f"'{phenomenon.name}' declares no axes: add `balanced over CELL, CELL` to its answers"
        )
    axes = [_axis(space, matrix, cells, random) for cells in phenomenon.axes]
    found: list[Candidate] = []
    for corner in product(*axes):
        wanted = {cell: value for values in corner for cell, value in values.items()}
        verdict = solver.closest(matrix.codes, wanted)
        if verdict is not None and verdict.broken:
            found.append(make_candidate(solver.layout, matrix, verdict, minimal=False))
    return _pool(matrix, [(c.label, (c,)) for c in found])


def _axis(
    space: MatrixSpace, matrix: Matrix, cells: Sequence[CellName], random: Random
) -> tuple[dict[CellName, Value], dict[CellName, Value]]:
    """The values of an axis in the solution, and other ones for all its cells."""
    own = tuple(matrix.solution.get(cell, ABSENT) for cell in cells)
    other = random.choice(_elsewhere(space, own, cells) or _other_values(space.layout, own, cells))
    return dict(zip(cells, own, strict=True)), dict(zip(cells, other, strict=True))


def _elsewhere(
    space: MatrixSpace, own: tuple[Value, ...], cells: Sequence[CellName]
) -> list[tuple[Value, ...]]:
    """What the cells have in the solutions of other matrices, where all of them differ."""
    layout = space.layout
    start = layout.item_columns(layout.size).start
    columns = [layout.index[cell] for cell in cells]
    domains = [layout.cells[column].domain for column in columns]
    rows = space.values([start + column for column in columns]).tolist()
    found = [
        tuple(d[code - 1] if code else ABSENT for d, code in zip(domains, row, strict=True))
        for row in rows
    ]
    return [values for values in found if all(a != b for a, b in zip(values, own, strict=True))]


def _other_values(
    layout: Layout, own: tuple[Value, ...], cells: Sequence[CellName]
) -> list[tuple[Value, ...]]:
    """Other values of the cells, the same for all where that can be; `absent` if nothing else."""
    choices = [
        [v for v in layout.cells[layout.index[cell]].domain if v != value] or [ABSENT]
        for cell, value in zip(cells, own, strict=True)
    ]
    shared = [v for v in choices[0] if all(v in other for other in choices)]
    if len(set(own)) == 1 and shared:
        return [(value,) * len(own) for value in shared]
    longest = max(map(len, choices))
    return [tuple(c[k % len(c)] for c in choices) for k in range(longest)]


def _pool(matrix: Matrix, places: list[tuple[str, tuple[Candidate, ...]]]) -> Pool:
    return Pool((("correct", (solution_candidate(matrix),)), *places))
