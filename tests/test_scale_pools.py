"""Distractors that matrices share are those that each would have alone."""

from collections.abc import Sequence
from random import Random

import pytest
from comparing import told
from hypothesis import HealthCheck, assume, given, settings
from strategies import phenomena
from test_brute_force import COUNTS, GRAMMARS, RAVEN

import blm
from blm.candidates import CandidateSolver, Verdict
from blm.layout import Codes
from blm.phenomenon import ABSENT, Phenomenon
from blm.program import Program, compile_phenomenon
from blm.solve import LimitExceeded, Limits, MatrixSpace, solve_matrices

every_grammar = pytest.mark.parametrize("name", [*COUNTS, RAVEN])


def some(space: MatrixSpace, most: int) -> list[Codes]:
    random = Random(0)
    if space.count <= most:
        return list(space.array())
    return [space.codes(random.randrange(space.count)) for _ in range(most)]


def shown(verdicts: Sequence[Verdict]) -> list[tuple[object, ...]]:
    return [(v.codes.tolist(), v.broken, v.edits, v.fits) for v in verdicts]


def compare(program: Program, matrices: Sequence[Codes]) -> tuple[CandidateSolver, int]:
    """All that is shared, against a solver that shares nothing; how many verdicts there were."""
    shared, alone = CandidateSolver(program), CandidateSolver(program, remember=0)
    random, verdicts = Random(1), 0
    for codes in matrices:
        minimal = shared.minimal(codes)
        assert shown(minimal) == shown(alone.minimal(codes))
        assert shown(shared.labelled(codes)) == shown(alone.labelled(codes))
        verdicts += len(minimal)
        cells = [c for c in program.phenomenon.cells if random.random() < 0.5]
        wanted = {c.name: random.choice([*c.domain, ABSENT]) for c in cells}
        one, other = shared.closest(codes, wanted), alone.closest(codes, wanted)
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert shown([one]) == shown([other])
            judged, _ = alone.judge(codes, program.layout.decode_item(one.codes))
            assert told(program.layout, one) == told(program.layout, judged)
    return shared, verdicts


@every_grammar
def test_shared_distractors_of_shipped_grammars(name: str) -> None:
    grammar = blm.load(GRAMMARS / f"{name}.blm")
    _, verdicts = compare(grammar.program, some(grammar.space, 12))
    assert verdicts


@settings(max_examples=60, deadline=None, derandomize=True, database=None,
          suppress_health_check=list(HealthCheck))  # fmt: skip
@given(phenomena())
def test_shared_distractors_of_random_grammars(phenomenon: Phenomenon) -> None:
    program = compile_phenomenon(phenomenon)
    try:
        space = solve_matrices(program, limits=Limits(rows=20_000))
    except LimitExceeded:
        assume(False)
    assume(space.count)
    shared, _ = compare(program, some(space, 10))
    cells = [cell for part in shared.parts for cell in part.cells]
    rules = [rule for part in shared.parts for rule in part.rules]
    assert len(cells) == len(set(cells))
    assert sorted(rules) == sorted(shared.asked.broken)


def test_the_parts_of_a_grammar_are_what_its_rules_tie_together() -> None:
    """In raven, number and agreement, adjectives, and tense are three questions."""
    grammar = blm.load(GRAMMARS / f"{RAVEN}.blm")
    names = [cell.name for cell in grammar.phenomenon.cells]
    parts = {
        frozenset(str(names[cell]) for cell in part.cells): part.rules
        for part in grammar.solver.parts
    }
    assert parts == {
        frozenset({"subj.number", "verb.number"}): ("agree", "number"),
        frozenset({"subj.adjectives"}): ("adjectives",),
        frozenset({"verb.tense"}): ("tense",),
    }


def test_few_questions_answer_all_matrices() -> None:
    """13,824 matrices of raven: two numbers; the adjective before; two tenses and a third."""
    grammar = blm.load(GRAMMARS / f"{RAVEN}.blm")
    solver = CandidateSolver(grammar.program)
    for codes in grammar.space.array()[::7]:
        solver.minimal(codes)
    assert len(solver._answers) <= 2 + 4 + 6


def test_what_is_remembered_is_bounded_and_changes_nothing() -> None:
    grammar = blm.load(GRAMMARS / "sampled/sampled.blm")
    free, bound = CandidateSolver(grammar.program), CandidateSolver(grammar.program, remember=2)
    for codes in some(grammar.space, 40):
        assert shown(bound.minimal(codes)) == shown(free.minimal(codes))
        assert len(bound._answers) <= 2
    assert len(free._answers) > 2
