"""Counts without enumeration: clauses against models, the counter against the enumeration."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import clingo
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from strategies import phenomena
from test_brute_force import COUNTS, GRAMMARS, RAVEN
from test_scale_reader import easy, easy_count

import blm
from blm.phenomenon import Phenomenon
from blm.program import compile_phenomenon
from blm.solve import (
    CounterMissing,
    Deadline,
    LimitExceeded,
    Limits,
    count_matrices,
    solve_matrices,
)
from blm.solve import counting as counting_module
from blm.solve.cnf import Clause, Cnf, GroundRule, NotTight, completion, parts
from blm.solve.ground import RuleList

try:
    import pyganak  # noqa: F401
except ImportError:
    MISSING = True
else:
    MISSING = False

needs_counter = pytest.mark.skipif(MISSING, reason="pyganak is not installed: pip install '.[dev]'")


# --- clauses ----------------------------------------------------------------------------------


def models(cnf: Cnf, variables: list[int]) -> set[frozenset[int]]:
    """The true ones of some variables in each model, by trying one variable after the other."""
    found: list[frozenset[int]] = []

    def go_on(clauses: list[Clause], true: list[int], variable: int) -> None:
        if () in clauses:
            return
        if variable > cnf.size:
            found.append(frozenset(true).intersection(variables))
            return
        for literal in (variable, -variable):
            left = [tuple(x for x in c if x != -literal) for c in clauses if literal not in c]
            go_on(left, [*true, variable] if literal > 0 else true, variable + 1)

    go_on(cnf.clauses, [], 1)
    assert len(found) == len(set(found)), "a variable beside the atoms is free"
    return set(found)


def ground_rules(text: str) -> tuple[list[GroundRule], dict[int, str], set[frozenset[str]]]:
    """The rules of a program, the names of its atoms, and its models as clingo finds them."""
    control = clingo.Control(["0"])
    seen = RuleList()
    control.register_observer(seen)
    control.add("base", [], text)
    control.ground([("base", [])])
    names = {atom.literal: str(atom.symbol) for atom in control.symbolic_atoms}
    found: set[frozenset[str]] = set()
    control.solve(on_model=lambda m: found.add(frozenset(map(str, m.symbols(atoms=True)))))
    return seen.rules, names, found


PROGRAMS = [
    "{a; b}. c :- a, not b. :- c, b.",
    "{a; b; c} = 2. d :- not a.",
    "{a; b}. c :- #sum { 2 : a; 1 : b } >= 2.",
    "{a; b; c}. d :- #count { 1 : a; 2 : b; 3 : c } = 1. :- not d.",
    "{a}. b :- a. b :- not a. {c} :- b.",
    "a. {b} :- a. :- not b.",
    "{a; b}. :- #sum { 3 : a; -2 : b } < 0.",
]


@pytest.mark.parametrize("text", PROGRAMS)
def test_the_completion_has_the_models_of_the_program(text: str) -> None:
    rules, names, expected = ground_rules(text)
    cnf = completion(rules)
    named = {cnf.literal(atom): name for atom, name in names.items()}
    assert {frozenset(named[v] for v in m) for m in models(cnf, list(named))} == expected


def test_a_program_that_supports_itself_is_refused() -> None:
    rules, _, _ = ground_rules("{c}. a :- b. b :- a. a :- c. b :- c.")
    with pytest.raises(NotTight):
        completion(rules)


def test_parts_share_no_atom() -> None:
    rules, _, _ = ground_rules("{a; b} = 1. {c; d} = 1. e :- c.")
    found = list(parts(rules).values())
    atoms: Iterator[set[int]] = ({a for rule in part for a in rule.atoms} for part in found)
    assert len(found) == 2
    assert not set.intersection(*atoms)


@st.composite
def sums(draw: st.DrawFn) -> GroundRule:
    weights = draw(st.lists(st.integers(1, 5), min_size=1, max_size=5))
    body = tuple(k * draw(st.sampled_from([-1, 1])) for k in range(2, len(weights) + 2))
    return GroundRule(False, (1,), body, tuple(weights), draw(st.integers(-1, 12)))


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(sums())
def test_weighted_bodies(rule: GroundRule) -> None:
    cnf = completion([rule, GroundRule(True, tuple(map(abs, rule.body)), ())])
    assume(cnf.size <= 14)
    variables = {atom: cnf.literal(atom) for atom in sorted(rule.atoms)}
    assert rule.bound is not None
    expected = set()
    for signs in product([False, True], repeat=len(rule.body)):
        true = {abs(x) for x, sign in zip(rule.body, signs, strict=True) if sign}
        total = sum(
            weight for x, weight in zip(rule.body, rule.weights, strict=True)
            if (abs(x) in true) == (x > 0)
        )  # fmt: skip
        expected.add(
            frozenset(variables[a] for a in true | ({1} if total >= rule.bound else set()))
        )
    assert models(cnf, list(variables.values())) == expected


# --- counts -----------------------------------------------------------------------------------


@needs_counter
@pytest.mark.parametrize("name", [*COUNTS, RAVEN])
def test_the_counter_agrees_with_the_enumeration_of_shipped_grammars(name: str) -> None:
    program = compile_phenomenon(blm.load(GRAMMARS / f"{name}.blm").phenomenon)
    assert count_matrices(program) == solve_matrices(program).count


@needs_counter
@settings(max_examples=40, deadline=None, derandomize=True, database=None,
          suppress_health_check=list(HealthCheck))  # fmt: skip
@given(phenomena())
def test_the_counter_agrees_with_the_enumeration_of_random_grammars(
    phenomenon: Phenomenon,
) -> None:
    program = compile_phenomenon(phenomenon)
    try:
        expected = solve_matrices(program, limits=Limits(rows=20_000)).count
    except LimitExceeded:
        assume(False)
    assert count_matrices(program) == expected


@needs_counter
def test_what_cannot_be_enumerated_is_counted(tmp_path: Path) -> None:
    """A chain of 40 items, 10^36 matrices in one part: by a transfer matrix, and by Ganak."""
    easy(tmp_path, 40)
    grammar = blm.load(tmp_path / "easy.blm", limits=Limits(rows=1000))
    assert grammar.count() == easy_count(40) > 10**36
    with pytest.raises(LimitExceeded, match="in one connected part"):
        _ = grammar.space


@needs_counter
def test_counting_has_a_limit_of_time(tmp_path: Path) -> None:
    program = easy(tmp_path, 40)
    with pytest.raises(LimitExceeded, match="counting took longer"):
        counting_module._counts(
            [{"size": 1, "clauses": [], "counted": [1]}], Deadline(0.0, "counting")
        )
    assert count_matrices(program, limits=Limits(seconds=60)) == easy_count(40)


def test_without_the_counter_the_limit_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting_module, "find_spec", lambda _name: None)
    with pytest.raises(CounterMissing):
        count_matrices(easy(tmp_path, 6))
    grammar = blm.load(tmp_path / "easy.blm", limits=Limits(rows=1000))
    with pytest.raises(LimitExceeded, match=r"pip install 'blm\[counter\]'"):
        grammar.count()
