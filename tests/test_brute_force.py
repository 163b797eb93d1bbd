"""The engine and the brute force agree about every shipped phenomenon."""

from __future__ import annotations

from functools import cache
from itertools import product
from math import prod
from pathlib import Path

import pytest
from brute_force import BruteForce, solutions
from brute_force_operators import fits
from comparing import compare_candidates, decoded

import blm
from blm.candidates import CandidateSolver
from blm.phenomenon import Value
from blm.program import Program, compile_phenomenon
from blm.solve import MatrixSpace, solve_matrices

GRAMMARS = Path(__file__).parents[1] / "grammars"

COUNTS = {
    "agreement/agreement": 24,
    "alternation/alternation": 2,
    "sampled/sampled": 192,
    "spray_load/spray_load": 2,
    "spray_load/template1": 1,
    "spray_load/template2": 1,
    "voice/voice": 8,
}

RAVEN = "raven/raven"

every_grammar = pytest.mark.parametrize("name", COUNTS)


@cache
def program_of(name: str) -> Program:
    return compile_phenomenon(blm.load(GRAMMARS / f"{name}.blm").phenomenon)


@cache
def space_of(name: str) -> MatrixSpace:
    return solve_matrices(program_of(name))


@cache
def oracle_of(name: str) -> BruteForce:
    return BruteForce(program_of(name).phenomenon)


def test_every_shipped_phenomenon_is_here() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in GRAMMARS.glob("*/*.blm")}
    abstract = {path for path, text in texts.items() if "\nphenomenon " in text}
    assert abstract == {GRAMMARS / f"{name}.blm" for name in (*COUNTS, RAVEN)}


@every_grammar
def test_the_same_matrices_with_the_same_choices(name: str) -> None:
    space = space_of(name)
    found = [decoded(space.layout, codes) for codes in space.array()]
    wanted = list(oracle_of(name).matrices())
    assert len(found) == len(wanted) == space.count == COUNTS[name]
    assert set(found) == set(wanted)


@every_grammar
def test_a_context_has_one_solution(name: str) -> None:
    assert all(len(last) == 1 for last in solutions(oracle_of(name).matrices()).values())


@pytest.mark.parametrize("name", [*COUNTS, RAVEN])
def test_the_same_distractors(name: str) -> None:
    rows = space_of(name).array()
    some = rows[:: max(1, len(rows) // 5)]
    compare_candidates(CandidateSolver(program_of(name)), oracle_of(name), list(some))


# --- a matrix of 3 x 3: too many beginnings to try, but each cell goes its own way ----------------


def test_raven_has_as_many_matrices_as_its_cells_have_ways() -> None:
    oracle = oracle_of(RAVEN)

    def ways(rule: str) -> int:
        """In how many ways three rows, or three columns, follow the operator of a rule."""
        (clause,) = oracle.phenomenon.rule(rule).clauses
        domain: tuple[Value, ...] = oracle.domains[clause.cell]  # type: ignore[union-attr]
        return sum(fits(clause.operator, s, domain) for s in product(domain, repeat=3)) ** 3  # type: ignore[union-attr]

    assert space_of(RAVEN).count == prod(map(ways, ("adjectives", "number", "tense")))


def test_raven_matrices_are_valid_and_their_contexts_differ() -> None:
    space, oracle = space_of(RAVEN), oracle_of(RAVEN)
    found = [decoded(space.layout, codes) for codes in space.array()]
    assert len({items[:-1] for items, _ in found}) == len(found) == 13824
    assert not any(oracle.broken(items, choices) for items, choices in found[::50])
