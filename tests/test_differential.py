"""The engine and the brute force agree about random small phenomena."""

from __future__ import annotations

import os
from itertools import islice

from brute_force import BruteForce, Item, Judged, Matrix
from hypothesis import HealthCheck, assume, given, note, settings
from strategies import phenomena, show

from blm.candidates import CandidateSolver, Verdict
from blm.layout import Codes, Layout
from blm.layout import Item as Cells
from blm.phenomenon import Phenomenon, Value
from blm.program import compile_phenomenon
from blm.solve import solve_matrices
from blm.universe import Universe

EXAMPLES = int(os.environ.get("BLM_EXAMPLES", "200"))
"""Set BLM_EXAMPLES to search longer, with another seed each time."""

MOST_ITEMS, MOST_MATRICES, LOOK_AT = 40, 600, 2

MODES = [(t, m) for t in ("each", "any") for m in ("subset", "cardinality", "edits")]


def frozen(item: Cells) -> Item:
    return frozenset(item.items())


def told(layout: Layout, verdict: Verdict) -> Judged:
    item = frozen(layout.decode_item(verdict.codes))
    broken, edits, fits = map(frozenset, (verdict.broken, verdict.edits, verdict.fits))
    return Judged(item, broken, edits, fits)


def decoded(layout: Layout, codes: Codes) -> Matrix:
    places = map(layout.item_columns, range(1, layout.size + 1))
    items = tuple(frozen(layout.decode_item(codes[place])) for place in places)
    chosen = codes[layout.size * layout.width :].tolist()
    values: list[tuple[str, Value]] = [
        (v.name, v.values[code - 1]) for v, code in zip(layout.variables, chosen, strict=False)
    ]
    numbers = zip(layout.pooled, chosen[len(layout.variables) :], strict=True)
    return items, frozenset([*values, *((rule.name, number) for rule, number in numbers)])


def engine_matrices(phenomenon: Phenomenon) -> list[Matrix]:
    space = solve_matrices(compile_phenomenon(phenomenon))
    return [decoded(space.layout, codes) for codes in space.array(0, MOST_MATRICES + 1)]


def check_matrices(phenomenon: Phenomenon, oracle: BruteForce) -> list[Matrix]:
    """The same matrices; where there are too many, at least the engine's are valid."""
    found = engine_matrices(phenomenon)
    assert len(set(found)) == len(found)
    if len(found) > MOST_MATRICES:
        assert not any(oracle.broken(items, choices) for items, choices in found[::20])
    else:
        wanted = set(islice(oracle.matrices(), MOST_MATRICES + 1))
        assert set(found) == wanted
    return found


def check_candidates(phenomenon: Phenomenon, oracle: BruteForce, matrices: list[Matrix]) -> None:
    """The same verdict on every item, the same minimal and the same named distractors."""
    program = compile_phenomenon(phenomenon)
    solver, layout = CandidateSolver(program), program.layout
    space = solve_matrices(program)
    for matrix, codes in zip(matrices, space.array(0, len(matrices)), strict=True):
        judged = oracle.judge(matrix)
        for expected in judged:
            verdict, witnesses = solver.judge(codes, dict(expected.item))
            assert told(layout, verdict) == expected
            assert {rule for rule, _ in witnesses} == expected.broken
        for target, minimise in MODES:
            verdicts = solver.minimal(codes, target=target, minimise=minimise)
            found = [told(layout, verdict) for verdict in verdicts]
            assert len(set(found)) == len(found)
            assert set(found) == oracle.minimal(judged, target=target, minimise=minimise)
        named = [told(layout, verdict) for verdict in solver.labelled(codes)]
        assert set(named) == oracle.labelled(judged)


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
    found = check_matrices(phenomenon, oracle)
    check_candidates(phenomenon, oracle, found[:LOOK_AT])
