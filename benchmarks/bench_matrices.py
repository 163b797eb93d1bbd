"""Matrices a second: all of them as arrays of codes, against `clingo -n 0 -q` on the same program.

Clingo counts its models and shows none.  Ours grounds the same program, enumerates, and puts every
matrix into an array of codes.  The time of a process to start is in neither: clingo says how long
it took, and ours is timed from the compiled program on.  A reader takes the models from clingo: one
is written in Python, one in C, which is compiled where there is a compiler.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from common import FOLDER, Clock, Line, Settings, Times, clocked, interleaved

from blm.grammar import load
from blm.program import Program
from blm.solve import solve_matrices
from blm.solve.compiled import build

SPACES = {
    "factored": "independent parts",
    "connected": "one part, no conflicts",
    "hard": "one part, many conflicts",
}
_LEAST = {"factored": {"Python": 1.0, "compiled": 1.0}}
_LEAST["connected"] = _LEAST["hard"] = {"Python": 0.06, "compiled": 0.3}
"""Times the rate of clingo, by space and reader."""

_CHUNK = 100_000
"""Matrices in memory at a time."""


def lines(settings: Settings) -> Iterator[Line]:
    command, name = clingo()
    readers = {"Python": False, "compiled": True} if build() else {"Python": False}
    for space, kind in SPACES.items():
        program = load(FOLDER / "grammars" / f"{space}.blm").program
        count = solve_matrices(program).count
        with tempfile.TemporaryDirectory() as scratch:
            file = Path(scratch) / "program.lp"
            file.write_text(program.matrix_text, encoding="utf-8")
            asked = [*command, str(file)]
            contestants: dict[str, Callable[[], Clock]] = {
                reader: partial(clocked, partial(_enumerate, program, count, compiled))
                for reader, compiled in readers.items()
            }
            contestants["clingo"] = partial(_solved, asked, count)
            times = interleaved(contestants, settings)
        for reader in readers:
            what = f"{kind}, {count:,}, {reader} reader"
            yield _line(what, reader, count, times, name, _LEAST[space][reader])


def _line(what: str, reader: str, count: int, times: Times, name: str, least: float) -> Line:
    ratio = times.ratio(reader, "clingo")
    return Line(
        "matrices",
        what,
        count / times.median(reader),
        "a second",
        cpu=count / times.cpu(reader),
        against=name,
        other=count / times.median("clingo"),
        ratio=ratio,
        cpu_ratio=times.cpu_ratio(reader, "clingo"),
        target=f">= {least:g} times",
        met=ratio >= least,
        rounds=times.number,
    )


def _enumerate(program: Program, count: int, compiled: bool) -> None:
    space = solve_matrices(program, compiled=compiled)
    found = sum(len(space.array(start, start + _CHUNK)) for start in range(0, count, _CHUNK))
    assert found == count


def clingo() -> tuple[list[str], str]:
    """The command that counts models, and what it is: the program, else the module of the wheel."""
    options = ["-n", "0", "-q", "--outf=2"]
    found = shutil.which("clingo")
    if found:
        told = subprocess.run([found, "--version"], capture_output=True, text=True, check=True)
        version = re.search(r"\d+\.\d+\.\d+", told.stdout)
        return [found, *options], f"clingo {version[0] if version else ''} -n 0 -q"
    return [sys.executable, "-m", "clingo", *options], "python -m clingo -n 0 -q (slower)"


def _solved(command: list[str], count: int) -> Clock:
    """The time that clingo says it took, grounding included."""
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    told = json.loads(found.stdout)
    assert told["Models"]["Number"] == count, told
    return Clock(told["Time"]["Total"], told["Time"]["CPU"])
