"""The engine and the brute force agree about random small phenomena."""

from __future__ import annotations

import os
from itertools import islice
from typing import Any

from brute_force import BruteForce, TooMuch, solutions
from comparing import compare_candidates, decoded, frozen
from hypothesis import HealthCheck, assume, given, note, settings
from msgspec import Struct
from msgspec.structs import asdict
from strategies import phenomena

from blm import phenomenon as p
from blm.candidates import CandidateSolver
from blm.diagnostics import Severity
from blm.phenomenon import CellName, Phenomenon
from blm.program import Program, compile_phenomenon
from blm.solve import LimitExceeded, Limits, MatrixSpace, solve_matrices
from blm.universe import Universe
from blm.validate import ambiguous_choices, validate

EXAMPLES = int(os.environ.get("BLM_EXAMPLES", "200"))
"""Set BLM_EXAMPLES to search longer, with another seed each time."""

SMALL = Limits(rows=20_000)
"""Rules that leave more in one connected part say too little to be worth a comparison."""

MOST_ITEMS, MOST_MATRICES, FEW, LOOK_AT = 40, 600, 30, 2
PATIENCE = 40_000


def show(thing: Any) -> str:
    """A phenomenon, or a part of one, without its spans and empty fields."""
    if isinstance(thing, CellName | p.Shape):
        return str(thing) if isinstance(thing, CellName) else f"{thing.rows}x{thing.columns}"
    if isinstance(thing, tuple):
        return f"[{', '.join(map(show, thing))}]"
    if not isinstance(thing, Struct):
        return repr(thing)
    inside = [(name, value) for name, value in asdict(thing).items() if name != "span"]
    shown = ", ".join(f"{name}={show(value)}" for name, value in inside if value != ())
    break_ = "\n  " if isinstance(thing, p.Rule | p.Phenomenon | p.Cell) else ""
    return f"{break_}{type(thing).__name__}({shown})"


def compare_matrices(space: MatrixSpace, oracle: BruteForce) -> None:
    """The same matrices; where there are too many, at least the engine's are valid."""
    found = [decoded(space.layout, codes) for codes in space.array(0, MOST_MATRICES + 1)]
    assert len(set(found)) == len(found)
    if space.count > MOST_MATRICES:
        assert not any(oracle.broken(items, choices) for items, choices in found[::20])
    else:
        assert set(found) == set(islice(oracle.matrices(), MOST_MATRICES + 1))


def compare_check(program: Program, space: MatrixSpace, oracle: BruteForce) -> None:
    """`blm check` finds contradictions, contexts with two solutions and unbreakable rules."""
    solver = CandidateSolver(program)
    found = validate(solver)
    if not any(d.severity is Severity.ERROR for d in found):
        found = [*ambiguous_choices(program.phenomenon, space), *found]
    errors = {d.code for d in found if d.severity is Severity.ERROR}
    matrices = [decoded(space.layout, codes) for codes in space.array()]
    if not errors & {"impossible-items", "never-broken", "never-kept"}:
        assert ("contradiction" in errors) == (not matrices)
    if not matrices or errors & {"never-broken"}:
        return
    several = any(len(last) > 1 for last in solutions(matrices).values())
    assert several or "ambiguous-solution" not in errors
    assert errors or not several
    broken = {rule for matrix in matrices for j in oracle.judge(matrix) for rule in j.broken}
    unbroken = {rule.name for rule in program.phenomenon.rules} - broken
    assert {d.message.split("'")[1] for d in found if d.code == "unbreakable"} == unbroken


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize="BLM_EXAMPLES" not in os.environ,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(phenomena())
def test_the_engine_agrees_with_the_brute_force(phenomenon: Phenomenon) -> None:
    note(show(phenomenon))
    oracle = BruteForce(phenomenon, patience=PATIENCE)
    assume(0 < len(oracle.universe) <= MOST_ITEMS)
    listed = [frozen(item) for item in Universe(phenomenon).items()]
    assert len(listed) == len(set(listed))
    assert set(listed) == set(oracle.universe)
    program = compile_phenomenon(phenomenon)
    try:
        space = solve_matrices(program, limits=SMALL)
    except LimitExceeded:
        assume(False)
    try:
        compare_matrices(space, oracle)
    except TooMuch:
        assume(False)
    compare_candidates(CandidateSolver(program), oracle, space.array(0, LOOK_AT))
    if space.count <= FEW:
        compare_check(program, space, oracle)
