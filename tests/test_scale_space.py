"""Spaces too large to list: counted exactly, addressed by number, sampled uniformly."""

import tracemalloc
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from math import perm
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scaling import NAMES, WAYS, chi_squared, critical, wide

import blm
from blm.answers import Answers
from blm.dataset.census import Census, Trait
from blm.dataset.plan import Options, make_plan
from blm.dataset.records import Records
from blm.dataset.space import ProblemSpace
from blm.grammar import Grammar
from blm.layout import Codes, Layout
from blm.phenomenon import CellName
from blm.pipeline import Grammar as Maker
from blm.solve import Factor, LimitExceeded, MatrixSpace
from blm.variation import LexicalType

SAMPLE = 10_000
TRILLION = 10**12

CONCRETE = [
    "agreement/fr", "spray_load/en", "spray_load/en-template1", "alternation/en",
    "alternation/it", "voice/tr", "sampled/en",
]  # fmt: skip


# --- spaces in which matrices have different numbers of problems ------------------------------


@st.composite
def spaces(draw: st.DrawFn) -> MatrixSpace:
    """Factors of random rows over up to six columns."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    columns = draw(st.permutations(range(sum(sizes))))
    factors, first = [], 0
    for size in sizes:
        row = st.tuples(*[st.integers(0, 2)] * size)
        rows = sorted(draw(st.lists(row, min_size=1, max_size=6, unique=True)))
        own = tuple(columns[first : first + size])
        factors.append(Factor(own, np.array(rows, dtype=np.int16).reshape(-1, size)))
        first += size
    return MatrixSpace(Layout(sum(sizes), (None,), (), ()), tuple(factors))  # type: ignore[arg-type]


def trait(columns: Sequence[int], place: int, *, bits: bool) -> Trait:
    """The sum of some columns, or the bits that they name."""
    chosen = list(columns)
    if bits:
        return Trait(tuple(chosen), place, lambda c: 1 << int(c[chosen].sum()), int.__or__)
    return Trait(tuple(chosen), place, lambda c: int(c[chosen].sum()))


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(spaces(), st.data())
def test_a_census_is_what_listing_the_matrices_gives(space: MatrixSpace, data: st.DataObject):
    columns = st.lists(
        st.integers(0, space.layout.columns - 1), min_size=1, max_size=3, unique=True
    )
    wanted = data.draw(st.lists(st.tuples(columns, st.integers(0, 1)), max_size=4))
    traits = [trait(own, place, bits=place == 1) for own, place in wanted]
    census = Census(space, traits)
    kinds = [census.kind(codes) for codes in space.array()]
    assert Counter(kinds) == Counter(census.kinds)
    weights = {kind: data.draw(st.integers(0, 3)) * 10**20 for kind in set(kinds)}
    addresses = census.addresses(weights.__getitem__)
    ends = list(accumulate(weights[kind] for kind in kinds))
    assert addresses.count == ends[-1]
    for matrix, (kind, end) in enumerate(zip(kinds, ends, strict=True)):
        if weight := weights[kind]:
            assert addresses.locate(end - weight) == (matrix, 0)
            assert addresses.locate(end - 1) == (matrix, weight - 1)


@pytest.fixture(scope="module", params=CONCRETE)
def grammar(request: pytest.FixtureRequest) -> Grammar:
    return blm.load(f"grammars/{request.param}.blm")


@pytest.mark.parametrize("answers", [Answers.NAMED, Answers.MINIMAL])
def test_problems_stand_where_listing_all_answer_sets_puts_them(
    grammar: Grammar, answers: Answers
) -> None:
    """Type III-own: a seed for each sentence of the context and for each answer."""
    space = ProblemSpace(grammar, LexicalType.III_OWN, answers)
    context = grammar.phenomenon.shape.size - 1
    places = [len(space.pool(index).places) for index in range(grammar.count())]
    assert space.places >= max(places)
    if answers is Answers.MINIMAL:
        assert space.places == max(places)
    clauses = len(grammar.concrete.clauses)
    sizes = [
        clauses * perm(len(grammar.seeds(grammar.matrix(index + 1))), context + answers_here)
        for index, answers_here in enumerate(places)
    ]
    assert space.count == sum(sizes)
    ends = list(accumulate(sizes))
    for index, (size, end) in enumerate(zip(sizes, ends, strict=True)):
        for number in {end - size, end - 1} if size else ():
            matrix, clause, choice = space.locate(number)
            assert matrix == index
            assert clause * (size // clauses) + choice == number - (end - size)


def test_seeds_that_ask_for_values_of_variables() -> None:
    """Verbs of either kind of alternation have seeds of their own."""
    grammar = blm.load("grammars/alternation/en.blm")
    assert any(seed.requires for seed in grammar.lexicon.seeds)
    space = ProblemSpace(grammar)
    sizes = [len(grammar.seeds(matrix)) for matrix in grammar.matrices()]
    assert len(set(sizes)) > 1
    assert space.count == sum(sizes) * len(grammar.concrete.clauses)
    for number in range(0, space.count, 7):
        matrix, _, _ = space.locate(number)
        record = next(iter(Records(space).objects(space.batch([number]))))
        names = {seed.name for seed in grammar.seeds(grammar.matrix(matrix + 1))}
        assert {sentence["wording"] for sentence in record["context"]} <= names


def test_balanced_sets_of_a_huge_space_need_their_matrices_one_by_one(vast: Grammar) -> None:
    space = ProblemSpace(vast, LexicalType.III_OWN, Answers.BALANCED)
    with pytest.raises(LimitExceeded, match="looks at every matrix"):
        _ = space.count


def test_what_needs_every_item_says_that_there_are_too_many(vast: Grammar) -> None:
    with pytest.raises(LimitExceeded, match="different items"):
        vast.space.items()


# --- more than 10^12 problems -----------------------------------------------------------------


@pytest.fixture(scope="module")
def vast(tmp_path_factory: pytest.TempPathFactory) -> Maker:
    """A grammar with more than 10^12 matrices."""
    return blm.load(wide(tmp_path_factory.mktemp("wide")))


@pytest.fixture(scope="module")
def french() -> Maker:
    return blm.load("grammars/agreement/fr.blm")


def test_the_matrices_alone_are_more_than_a_trillion(vast: Maker) -> None:
    assert vast.count() == WAYS ** len(NAMES) > TRILLION
    last = vast.matrix(vast.count())
    assert vast.space.index(last.codes) == vast.count() - 1
    for name in NAMES:
        marks = [item[CellName(name, "mark")] for item in last.items]
        assert len(set(marks)) == 2


@pytest.mark.parametrize("answers", list(Answers))
def test_a_problem_beyond_a_trillion_is_written(vast: Maker, answers: Answers) -> None:
    space = ProblemSpace(vast, LexicalType.III, answers)
    assert space.count == WAYS ** len(NAMES) * perm(20, 8)
    numbers = [TRILLION - 1, space.count - 1]
    for problem in Records(space).objects(space.batch(numbers)):
        assert [c["correct"] for c in problem["candidates"]].count(True) == 1
        assert len({c["text"] for c in problem["candidates"]}) == len(problem["candidates"])
        solution = problem["candidates"][problem["answer"]]
        for wrong in problem["candidates"]:
            changed = {n for n in NAMES if wrong["item"][n] != solution["item"][n]}
            assert {b["rule"] for b in wrong["broken"]} == {f"r{n}" for n in changed}


def test_an_answer_for_each_seed_is_counted_beyond_a_trillion(vast: Maker) -> None:
    space = ProblemSpace(vast, LexicalType.III_OWN)
    assert space.count == WAYS ** len(NAMES) * perm(20, 7 + 13)
    matrix, clause, choice = space.locate(space.count - 1)
    assert (matrix, clause, choice) == (vast.count() - 1, 0, perm(20, 20) - 1)


def test_agreement_of_type_iii_is_counted_and_addressed(french: Maker) -> None:
    space = ProblemSpace(french, LexicalType.III)
    seeds, clauses = len(french.lexicon.seeds), len(french.concrete.clauses)
    assert space.count == 24 * clauses * perm(seeds, 8) > TRILLION
    problem = next(iter(Records(space).objects(space.batch([TRILLION - 1]))))
    matrix, clause, choice = space.locate(TRILLION - 1)
    assert (matrix * clauses + clause) * perm(seeds, 8) + choice == TRILLION - 1
    assert problem["matrix"] == f"m{matrix + 1}"
    assert len({sentence["text"] for sentence in problem["context"]}) == 7


def rows_of(space: MatrixSpace, codes: Codes) -> list[int]:
    """Which row of each factor a matrix takes."""
    return [
        int(np.flatnonzero((factor.rows == codes[list(factor.columns)]).all(axis=1))[0])
        for factor in space.factors
    ]


def sample(grammar: Maker, **options: object) -> tuple[ProblemSpace, list[int]]:
    plan = make_plan(grammar, Options(sample=SAMPLE, seed=5, **options))  # type: ignore[arg-type]
    (split,) = plan.spaces
    return plan.spaces[split], plan.numbers(split, 0, SAMPLE)


def test_a_sample_is_uniform_on_every_factor_of_the_matrices(vast: Maker) -> None:
    space, numbers = sample(vast, type=LexicalType.III)
    assert len(set(numbers)) == SAMPLE
    taken = [rows_of(vast.space, vast.space.codes(space.locate(n)[0])) for n in numbers]
    for place, factor in enumerate(vast.space.factors):
        counts = np.bincount([row[place] for row in taken], minlength=len(factor.rows)).tolist()
        if len(counts) > 1:
            assert chi_squared(counts) < critical(len(counts) - 1)


@pytest.mark.parametrize("kind", [LexicalType.III, LexicalType.III_OWN])
def test_a_sample_is_uniform_on_matrices_clauses_and_seeds(french: Maker, kind: LexicalType):
    space, numbers = sample(french, type=kind)
    located = [space.locate(number) for number in numbers]
    matrices, clauses, _ = zip(*located, strict=True)
    seeds = [space._choice(m).choose([c])[0][0].tolist() for m, _, c in located]
    total = len(french.lexicon.seeds)
    for count in [
        np.bincount(clauses, minlength=len(french.concrete.clauses)),
        *(np.bincount(column, minlength=total) for column in zip(*seeds, strict=True)),
    ]:
        assert chi_squared(count.tolist()) < critical(len(count) - 1)
    weights = [space._choice(m).count for m in range(24)]
    expected = [SAMPLE * weight / sum(weights) for weight in weights]
    found = np.bincount(matrices, minlength=24).tolist()
    pairs = [(f, e) for f, e in zip(found, expected, strict=True) if e >= 5]
    assert sum((f - e) ** 2 / e for f, e in pairs) < critical(len(pairs) - 1)


def test_memory_follows_the_sample_and_not_the_space(vast: Maker) -> None:
    """Seven sentences of context, one right answer, three wrong ones for each of 12 labels."""
    space, numbers = sample(vast, type=LexicalType.III)
    tracemalloc.start()
    for start in range(0, 100, 25):
        space.batch(numbers[start : start + 25])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 50e6
    assert len(space.texts.sentences) <= 100 * (7 + 13 + 3 * len(NAMES))
    space.forget(above=0)
    assert not space.texts.sentences


def test_a_data_set_of_a_vast_grammar_is_written(vast: Maker, tmp_path: Path) -> None:
    manifest = vast.generate(tmp_path / "out", type="III", answers="minimal", sample=50)
    lines = (tmp_path / "out" / "problems.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 50
    assert manifest
