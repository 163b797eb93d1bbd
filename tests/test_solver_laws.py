"""Laws of the solver: addressing, counting, order of questions, limits, and Ctrl-C."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from brute_force import BruteForce, closest
from comparing import MODES, decoded, frozen, told

import blm
from blm.candidates import CandidateSolver
from blm.layout import Codes
from blm.phenomenon import ABSENT, CellName
from blm.program import Program, compile_phenomenon
from blm.solve import LimitExceeded, Limits, MatrixSpace, solve_matrices

GRAMMARS = Path(__file__).parents[1] / "grammars"
NAMES = ("agreement", "alternation", "raven", "sampled", "voice")

every_grammar = pytest.mark.parametrize("name", NAMES)


@cache
def program_of(name: str) -> Program:
    return compile_phenomenon(blm.load(GRAMMARS / name / f"{name}.blm").phenomenon)


@cache
def space_of(name: str) -> MatrixSpace:
    return solve_matrices(program_of(name))


@cache
def solver_of(name: str) -> CandidateSolver:
    return CandidateSolver(program_of(name))


def some(rows: Codes, number: int) -> Codes:
    return rows[:: max(1, len(rows) // number)]


# --- matrices by number -------------------------------------------------------------------------


@every_grammar
def test_a_number_is_a_matrix_and_a_matrix_a_number(name: str) -> None:
    space = space_of(name)
    for number in {0, 1, space.count // 3, space.count - 1}:
        assert space.index(space.codes(number)) == number
    for number in (-1, space.count):
        with pytest.raises(IndexError):
            space.codes(number)


@every_grammar
def test_blocks_are_made_of_single_matrices(name: str) -> None:
    space = space_of(name)
    start = space.count // 2
    block = space.array(start, start + 7)
    assert len(block) == min(7, space.count - start)
    for number, codes in enumerate(block, start):
        assert np.array_equal(codes, space.codes(number))
    assert space.array(space.count).shape == (0, space.layout.columns)


@every_grammar
def test_no_matrix_comes_twice(name: str) -> None:
    rows = space_of(name).array()
    assert len(np.unique(rows, axis=0)) == len(rows) == space_of(name).count


def test_what_is_no_matrix_has_no_number() -> None:
    space = space_of("agreement")
    codes = space.codes(0)
    codes[space.layout.index[CellName("subj", "number")]] = 3 - codes[0]
    with pytest.raises(KeyError):
        space.index(codes)


@every_grammar
def test_how_many_matrices_an_item_solves(name: str) -> None:
    space = space_of(name)
    last = space.array()[:, space.layout.item_columns(space.layout.size)]
    items, counts = np.unique(last, axis=0, return_counts=True)
    assert [space.solved_by(item) for item in items] == counts.tolist()
    solving = {item.tobytes() for item in items}
    others = map(
        space.layout.encode_item, map(dict, BruteForce(program_of(name).phenomenon).universe)
    )
    assert not any(space.solved_by(item) for item in others if item.tobytes() not in solving)


@every_grammar
def test_matrices_are_the_same_when_asked_for_again(name: str) -> None:
    again = solve_matrices(compile_phenomenon(program_of(name).phenomenon))
    assert np.array_equal(again.array(), space_of(name).array())


# --- a space that nobody can enumerate ------------------------------------------------------------


def written(folder: Path, text: str) -> Program:
    path = folder / "made.blm"
    path.write_text(text, encoding="utf-8")
    return compile_phenomenon(blm.load(path).phenomenon)


def independent(objects: int) -> str:
    names = [f"o{k}" for k in range(objects)]
    lines = ["phenomenon made", "objects", f"  {', '.join(names)} : x {{a, b, c}}", "matrix 6"]
    lines += [f"  r{name} : {name}.x alternates every 1" for name in names]
    return "\n".join([*lines, "answers", "  correct", ""])


def test_a_product_of_thirty_factors_is_counted_at_once(tmp_path: Path) -> None:
    program = written(tmp_path, independent(30))
    start = time.monotonic()
    space = solve_matrices(program)
    assert time.monotonic() - start < 20
    assert space.count == 6**30
    assert sum(len(factor.rows) for factor in space.factors) <= 1 + 6 * 30
    for number in (0, 6**30 // 7, 6**30 - 1):
        assert space.index(space.codes(number)) == number
    assert np.array_equal(space.array(6**30 - 2)[-1], space.codes(6**30 - 1))
    assert space.solved_by(space.codes(5)[space.layout.item_columns(6)]) == 2**30


def test_a_phenomenon_without_matrices_has_an_empty_space(tmp_path: Path) -> None:
    text = independent(1).replace("answers", "  again : o0.x constant\nanswers")
    space = solve_matrices(written(tmp_path, text))
    assert (space.count, len(space), len(space.array()), len(space.items())) == (0, 0, 0, 0)


# --- candidates -----------------------------------------------------------------------------------


@every_grammar
def test_minimal_and_named_distractors_are_judged_as_they_are_told(name: str) -> None:
    solver, layout = solver_of(name), solver_of(name).layout
    for codes in some(space_of(name).array(), 4):
        for verdict in [*solver.minimal(codes), *solver.labelled(codes)]:
            judged, _ = solver.judge(codes, layout.decode_item(verdict.codes))
            assert told(layout, judged) == told(layout, verdict)


@every_grammar
def test_answers_do_not_depend_on_what_was_asked_before(name: str) -> None:
    rows = list(some(space_of(name).array(), 3))

    def answer(solver: CandidateSolver, codes: Codes, target: str, minimise: str) -> list[object]:
        verdicts = solver.minimal(codes, target=target, minimise=minimise)  # type: ignore[arg-type]
        return [told(solver.layout, verdict) for verdict in verdicts]

    questions = [(codes, *mode) for codes in rows for mode in MODES]
    solver = CandidateSolver(program_of(name))
    backwards = [answer(solver, *question) for question in reversed(questions)]
    for codes in rows:
        solver.judge(codes, solver.layout.decode_item(codes[solver.layout.item_columns(1)]))
        solver.labelled(codes)
    assert [answer(solver, *question) for question in questions] == backwards[::-1]
    assert answer(CandidateSolver(program_of(name)), *questions[-1]) == backwards[0]


@every_grammar
def test_the_closest_candidate_breaks_the_fewest_rules(name: str) -> None:
    oracle, solver = BruteForce(program_of(name).phenomenon), solver_of(name)
    codes = space_of(name).codes(0)
    judged = oracle.judge(decoded(solver.layout, codes))
    cells = [(c, v) for c, domain in oracle.domains.items() for v in (*domain, ABSENT)]
    for cell, value in cells:
        fitting = [j for j in judged if dict(j.item).get(cell, ABSENT) == value]
        found = solver.closest(codes, {cell: value})
        assert (found is None) == (not fitting)
        if found is not None:
            verdict = told(solver.layout, found)
            fewest = min(len(j.broken) for j in fitting)
            assert len(verdict.broken) == fewest
            assert verdict in closest(j for j in fitting if j.broken == verdict.broken)


@pytest.mark.parametrize("name", ["agreement", "alternation", "voice"])
def test_the_least_that_an_item_breaks_in_any_matrix(name: str) -> None:
    oracle, solver = BruteForce(program_of(name).phenomenon), solver_of(name)
    layout = solver.layout
    every = [oracle.judge(decoded(layout, codes)) for codes in space_of(name).array()]
    for same_item in list(zip(*every, strict=True))[::5]:
        sets = {j.broken for j in same_item}
        least = {s for s in sets if not any(other < s for other in sets)}
        item = dict(same_item[0].item)
        matrices = solver.least_broken(item)
        assert all(space_of(name).index(m) >= 0 for m in matrices)
        assert {frozenset(solver.judge(m, item)[0].broken) for m in matrices} == least
        assert len(matrices) == len(least)


def test_what_is_no_item_is_refused() -> None:
    solver, codes = solver_of("agreement"), space_of("agreement").codes(0)
    item = dict(solver.layout.decode_item(codes[solver.layout.item_columns(8)]))
    for wrong in (
        {k: v for k, v in item.items() if k != CellName("subj", "number")},
        item | {CellName("pp3", "number"): "sg"},
    ):
        assert frozen(wrong) not in BruteForce(program_of("agreement").phenomenon).universe
        with pytest.raises(ValueError, match="no such item"):
            solver.judge(codes, wrong)


# --- limits ---------------------------------------------------------------------------------------

CONNECTED = """\
phenomenon made
objects
  o : x {0..9}
matrix 12
  r : o.x varies
answers
  correct
"""
"""10 x 9^11 matrices in one connected part."""


def test_a_large_part_exceeds_the_limit_of_rows(tmp_path: Path) -> None:
    with pytest.raises(LimitExceeded, match="100"):
        solve_matrices(written(tmp_path, CONNECTED), limits=Limits(rows=100))


def test_a_large_program_exceeds_the_limit_of_atoms(tmp_path: Path) -> None:
    with pytest.raises(LimitExceeded, match="atoms"):
        solve_matrices(written(tmp_path, CONNECTED), limits=Limits(atoms=100))


def test_a_long_enumeration_exceeds_the_limit_of_time(tmp_path: Path) -> None:
    start = time.monotonic()
    with pytest.raises(LimitExceeded, match="seconds"):
        solve_matrices(written(tmp_path, CONNECTED), limits=Limits(seconds=0.5, rows=10**9))
    assert time.monotonic() - start < 10


ENDLESS = """\
import sys
import blm
from blm.program import compile_phenomenon
from blm.solve import Limits, solve_matrices
program = compile_phenomenon(blm.load(sys.argv[1]).phenomenon)
print("solving", flush=True)
solve_matrices(program, limits=Limits(rows=10**9))
"""


def test_an_interrupt_ends_a_long_enumeration(tmp_path: Path) -> None:
    written(tmp_path, CONNECTED)
    command = [sys.executable, "-c", ENDLESS, str(tmp_path / "made.blm")]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == "solving\n"
        time.sleep(1)
        run.send_signal(signal.SIGINT)
        try:
            _, errors = run.communicate(timeout=20)
        finally:
            run.kill()
    assert run.returncode not in (0, None)
    assert "KeyboardInterrupt" in errors


@pytest.mark.parametrize(
    "operator",
    ["switches at 5", "cycles [x, y]", "distributes {x, y}", "constant over items where a.m is u"],
)
def test_the_limit_of_time_is_heard_in_a_very_long_matrix(tmp_path: Path, operator: str) -> None:
    """Of many parts that are solved fast, and of much that is ground."""
    text = f"""phenomenon long
objects
  a : n {{x, y}}, m {{u, w}}
matrix 10000
  o : a.n {operator}
answers
  correct
"""
    start = time.monotonic()
    with pytest.raises(LimitExceeded, match=r"longer than (half of the )?1 second"):
        solve_matrices(written(tmp_path, text), limits=Limits(seconds=1))
    assert time.monotonic() - start < 30


def test_a_matrix_of_ten_thousand_items(tmp_path: Path) -> None:
    """Seconds, as items are joined with those that they depend on; minutes, if with all."""
    text = "phenomenon long\nobjects\n  a : n {x, y}\nmatrix 10000\n  o : a.n alternates every 1\n"
    found = solve_matrices(written(tmp_path, f"{text}answers\n  correct\n"))
    assert found.array(0, 2).tolist() == [[1, 2] * 5000, [2, 1] * 5000]
