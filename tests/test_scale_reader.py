"""The compiled reader and the one in Python find the same rows, in the same order."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from strategies import phenomena
from test_brute_force import COUNTS, GRAMMARS, RAVEN

import blm
from blm.phenomenon import Phenomenon
from blm.program import Program, compile_phenomenon
from blm.solve import LimitExceeded, Limits, MatrixSpace, compiled, matrices, solve_matrices
from blm.solve.distinct import distinct

needs_compiler = pytest.mark.skipif(
    compiled.build() is None, reason="there is no C compiler, so no compiled reader"
)

EASY = """\
phenomenon easy "easy"

objects
  a : x {m1, m2, m3, m4}
  b : x {m1, m2, m3, m4}

external
  tie : if a.x is m1 then b.x is not m1

matrix LENGTH
  ra : a.x varies
  rb : b.x varies

answers
  correct
"""
"""One connected part: two cells that no pair of values 1, 1 may share."""


def easy(folder: Path, length: int) -> Program:
    path = folder / "easy.blm"
    path.write_text(EASY.replace("LENGTH", str(length)), encoding="utf-8")
    return compile_phenomenon(blm.load(path).phenomenon)


def easy_count(length: int) -> int:
    """By a transfer matrix over the 15 pairs of values that the rule allows."""
    pairs = [(a, b) for a in range(4) for b in range(4) if (a, b) != (0, 0)]
    step = np.array([[int(a != c and b != d) for c, d in pairs] for a, b in pairs], dtype=object)
    ways = np.ones(len(pairs), dtype=object)
    for _ in range(length - 1):
        ways = step @ ways
    return int(ways.sum())


def same(one: MatrixSpace, other: MatrixSpace) -> bool:
    assert [f.columns for f in one.factors] == [f.columns for f in other.factors]
    pairs = zip(one.factors, other.factors, strict=True)
    return all(np.array_equal(a.rows, b.rows) for a, b in pairs)


@needs_compiler
@pytest.mark.parametrize("name", [*COUNTS, RAVEN])
def test_both_readers_agree_about_shipped_grammars(name: str) -> None:
    program = compile_phenomenon(blm.load(GRAMMARS / f"{name}.blm").phenomenon)
    found = solve_matrices(program, compiled=True)
    assert same(found, solve_matrices(program, compiled=False))
    assert found.count == COUNTS.get(name, 13_824)


@needs_compiler
@settings(max_examples=60, deadline=None, derandomize=True, database=None,
          suppress_health_check=list(HealthCheck))  # fmt: skip
@given(phenomena())
def test_both_readers_agree_about_random_grammars(phenomenon: Phenomenon) -> None:
    program = compile_phenomenon(phenomenon)
    limits = Limits(rows=20_000)
    try:
        expected = solve_matrices(program, limits=limits, compiled=False)
    except LimitExceeded:
        with pytest.raises(LimitExceeded, match="20,000 solutions in one connected part"):
            solve_matrices(program, limits=limits, compiled=True)
        assume(False)
    assert same(solve_matrices(program, limits=limits, compiled=True), expected)


def test_a_connected_part_is_counted_right(tmp_path: Path) -> None:
    """Whatever the reader: 60,000 rows are beyond what Python reads where there is another."""
    program = easy(tmp_path, 5)
    assert solve_matrices(program).count == easy_count(5) > matrices.PATIENCE
    assert solve_matrices(program, compiled=False).count == easy_count(5)


def test_rows_are_sorted_and_unlike(tmp_path: Path) -> None:
    for factor in solve_matrices(easy(tmp_path, 4)).factors:
        rows = [tuple(row) for row in factor.rows.tolist()]
        assert rows == sorted(set(rows))


@given(arrays.arrays(np.int16, st.tuples(st.integers(0, 30), st.integers(1, 12)),
                     elements=st.sampled_from([0, 1, 2, 500, 32_767])))  # fmt: skip
def test_distinct_rows_are_those_of_numpy(rows: np.ndarray) -> None:
    assert np.array_equal(distinct(rows), np.unique(rows, axis=0))


@needs_compiler
@pytest.mark.parametrize("rows", [1, 1000, 1024, 5000])
def test_the_limit_of_rows_holds_for_compiled_code(tmp_path: Path, rows: int) -> None:
    program = easy(tmp_path, 4)
    with pytest.raises(LimitExceeded, match=f"more than {rows:,} solutions"):
        solve_matrices(program, limits=Limits(rows=rows), compiled=True)
    exact = easy_count(4)
    assert solve_matrices(program, limits=Limits(rows=exact), compiled=True).count == exact


@needs_compiler
def test_the_limit_of_time_holds_for_compiled_code(tmp_path: Path) -> None:
    program = easy(tmp_path, 12)
    start = time.monotonic()
    with pytest.raises(LimitExceeded, match="solving took longer"):
        solve_matrices(program, limits=Limits(seconds=0.5, rows=10**9), compiled=True)
    assert time.monotonic() - start < 10


@needs_compiler
def test_an_interrupt_stops_compiled_code(tmp_path: Path) -> None:
    easy(tmp_path, 12)
    script = (
        "import blm, sys\n"
        "from blm.solve import Limits, solve_matrices\n"
        "program = blm.load(sys.argv[1]).program\n"
        "print('ready', flush=True)\n"
        "solve_matrices(program, limits=Limits(rows=10**9), compiled=True)\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "easy.blm")]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.7)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=20)
        finally:
            process.kill()
    assert process.returncode != 0
    assert "KeyboardInterrupt" in errors


def in_a_new_process(folder: Path, **environment: str) -> str:
    """What a fresh process finds, and whether it has a compiled reader, with a cache of its own."""
    script = (
        "import blm, sys\n"
        "from blm.solve import compiled, solve_matrices\n"
        "print(solve_matrices(blm.load(sys.argv[1]).program).count, compiled.build() is not None)\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", script, str(folder / "easy.blm")],
        env={**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), **environment},
        capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    return result.stdout.strip()


def test_without_a_compiler_python_reads_alone(tmp_path: Path) -> None:
    easy(tmp_path, 5)
    alone = in_a_new_process(tmp_path, PATH="/nowhere", CC="")
    assert alone == f"{easy_count(5)} False"
    assert in_a_new_process(tmp_path, BLM_READER="python") == f"{easy_count(5)} False"
    assert not list((tmp_path / "cache").rglob("*.so"))


def test_a_compiler_that_fails_is_no_mistake_of_the_user(tmp_path: Path) -> None:
    easy(tmp_path, 5)
    assert in_a_new_process(tmp_path, CC="false") == f"{easy_count(5)} False"


@needs_compiler
def test_what_was_compiled_is_kept(tmp_path: Path) -> None:
    easy(tmp_path, 5)
    assert in_a_new_process(tmp_path) == f"{easy_count(5)} True"
    (library,) = (tmp_path / "cache").rglob("*.so")
    changed = library.stat().st_mtime_ns
    assert in_a_new_process(tmp_path, PATH="/nowhere", CC="") == f"{easy_count(5)} True"
    assert library.stat().st_mtime_ns == changed


@needs_compiler
@pytest.mark.parametrize("damage", [lambda data: data[:5000], lambda _data: b"no library"])
def test_damaged_code_is_compiled_again(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    """Loaded, a library that is cut off would end the process."""
    easy(tmp_path, 5)
    in_a_new_process(tmp_path)
    (library,) = (tmp_path / "cache").rglob("*.so")
    whole = library.read_bytes()
    library.write_bytes(damage(whole))
    assert in_a_new_process(tmp_path, PATH="/nowhere", CC="") == f"{easy_count(5)} False"
    assert in_a_new_process(tmp_path, CC='"') == f"{easy_count(5)} True"
    assert library.read_bytes() == whole
