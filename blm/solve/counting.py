"""The exact number of matrices that are too many to be enumerated.

Each independent part is written as clauses (`blm.solve.cnf`) and counted by Ganak (Sharma, Roy,
Soos & Meel, "GANAK: a scalable probabilistic exact model counter", IJCAI 2019) over the atoms
that make up its columns.  Ganak is an optional extra; it runs in a process of its own, as
nothing else could stop it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from math import prod
from typing import Any

from blm.program import Program
from blm.solve.cnf import GroundRule, completion, parts
from blm.solve.ground import RuleList, ground, solve
from blm.solve.limits import DEFAULT_LIMITS, Deadline, Limits
from blm.solve.marks import matrix_marks

_COUNT = """\
import json, sys
from pyganak import Counter
for part in json.load(sys.stdin):
    counter = Counter()
    counter.new_vars(part["size"])
    counter.add_clauses(part["clauses"])
    counter.set_sampling_set(part["counted"])
    print(counter.count())
"""


class CounterMissing(Exception):
    """The model counter is not installed; the text says how to get it."""

    def __init__(self) -> None:
        super().__init__("install the counter: pip install 'blm[counter]'")


def count_matrices(program: Program, *, limits: Limits = DEFAULT_LIMITS) -> int:
    """The exact number of matrices, counted part by part and never enumerated.

    Raises CounterMissing, LimitExceeded where it takes too long, RuntimeError where the
    counter fails.
    """
    if find_spec("pyganak") is None:
        raise CounterMissing
    deadline = Deadline(limits.seconds, "counting")
    control, seen = ground(program, program.matrix_text, RuleList(), limits=limits)
    marked = {abs(m.literal) for m in matrix_marks(control, program.symbols, program.layout)}
    if not solve(control, lambda _model: False, deadline=deadline):
        return 0
    asked = []
    for rules in parts(seen.rules).values():
        if any(rule.choice or rule.body for rule in rules) and marked & _atoms(rules):
            clauses = completion(rules)
            counted = [variable for atom, variable in clauses.variable.items() if atom in marked]
            asked.append(
                {"size": clauses.size, "clauses": clauses.clauses, "counted": sorted(counted)}
            )
    return prod(_counts(asked, deadline))


def _atoms(rules: Sequence[GroundRule]) -> set[int]:
    return {atom for rule in rules for atom in rule.atoms}


def _counts(asked: Sequence[dict[str, Any]], deadline: Deadline) -> list[int]:
    """In how many ways the counted variables of each part occur in models of its clauses."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", _COUNT],
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            check=False,
            timeout=deadline.left(),
        )
    except subprocess.TimeoutExpired:
        deadline.check()
        raise
    if done.returncode:
        raise RuntimeError(f"the counter failed: {done.stderr.strip()[-500:]}")
    return [int(line) for line in done.stdout.split()]
