"""The engine and the brute force agree about random small phenomena."""

from __future__ import annotations

import os
from dataclasses import fields, is_dataclass
from itertools import islice
from typing import Any

from brute_force import BruteForce
from comparing import compare_candidates, decoded, frozen
from hypothesis import HealthCheck, assume, given, note, settings
from strategies import phenomena

from blm import phenomenon as p
from blm.candidates import CandidateSolver
from blm.phenomenon import CellName, Phenomenon
from blm.program import compile_phenomenon
from blm.solve import MatrixSpace, solve_matrices
from blm.universe import Universe

EXAMPLES = int(os.environ.get("BLM_EXAMPLES", "200"))
"""Set BLM_EXAMPLES to search longer, with another seed each time."""

MOST_ITEMS, MOST_MATRICES, LOOK_AT = 40, 600, 2


def show(thing: Any) -> str:
    """A phenomenon, or a part of one, without its spans and empty fields."""
    if isinstance(thing, CellName | p.Shape):
        return str(thing) if isinstance(thing, CellName) else f"{thing.rows}x{thing.columns}"
    if isinstance(thing, tuple):
        return f"[{', '.join(map(show, thing))}]"
    if not is_dataclass(thing) or isinstance(thing, type):
        return repr(thing)
    inside = [(f.name, getattr(thing, f.name)) for f in fields(thing) if f.name != "span"]
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
    oracle = BruteForce(phenomenon)
    assume(0 < len(oracle.universe) <= MOST_ITEMS)
    listed = [frozen(item) for item in Universe(phenomenon).items()]
    assert len(listed) == len(set(listed))
    assert set(listed) == set(oracle.universe)
    program = compile_phenomenon(phenomenon)
    space = solve_matrices(program)
    compare_matrices(space, oracle)
    compare_candidates(CandidateSolver(program), oracle, space.array(0, LOOK_AT))
