"""Problems: one right answer each, answers that break what their labels say, the same bytes."""

import json
from collections import Counter
from pathlib import Path

import pytest
import small
from typer.testing import CliRunner

import blm
from blm.answers import Answers
from blm.cli import app
from blm.dataset import splits
from blm.dataset.plan import Options, make_plan
from blm.dataset.records import Records
from blm.dataset.space import NoProblems, ProblemSpace
from blm.dataset.splits import split_seeds
from blm.grammar import Grammar, load
from blm.variation import LexicalType

CONCRETE = [
    "agreement/fr", "agreement/it", "agreement/en", "spray_load/en", "spray_load/en-template1",
    "spray_load/en-template2", "alternation/en", "alternation/it", "voice/tr", "sampled/en",
]  # fmt: skip


@pytest.fixture(scope="module", params=CONCRETE)
def grammar(request: pytest.FixtureRequest) -> Grammar:
    return blm.load(f"grammars/{request.param}.blm")


@pytest.fixture(scope="module")
def french() -> Grammar:
    return blm.load("grammars/agreement/fr.blm")


def records(space: ProblemSpace, numbers: list[int]) -> list[dict]:
    return list(Records(space).objects(space.batch(numbers)))


@pytest.mark.parametrize("answers", list(Answers))
def test_each_problem_has_one_right_answer_and_different_sentences(
    grammar: Grammar, answers: Answers
) -> None:
    if answers is Answers.BALANCED and not grammar.phenomenon.axes:
        pytest.skip("the grammar declares no axes")
    space = ProblemSpace(grammar, answers=answers)
    step = max(1, space.count // 60)
    for problem in records(space, list(range(0, space.count, step))):
        texts = [c["text"] for c in problem["candidates"]]
        assert len(set(texts)) == len(texts) > 1
        right = [k for k, c in enumerate(problem["candidates"]) if c["correct"]]
        assert right == [problem["answer"]]
        assert all(c["broken"] for c in problem["candidates"] if not c["correct"])


def test_candidates_break_what_an_explanation_says(grammar: Grammar) -> None:
    space = ProblemSpace(grammar)
    batch = space.batch(range(0, space.count, max(1, space.count // 7)))
    for row, own in enumerate(batch.matrix.tolist()):
        for answer in batch.answer[row].tolist():
            if answer >= 0:
                candidate = batch.candidates[answer]
                verdict = grammar.explain(item=candidate.item, matrix=batch.matrices[own])[
                    0
                ].verdict
                assert tuple(b.rule.name for b in verdict.breaches) == candidate.broken


def test_the_count_is_the_number_of_different_problems(french: Grammar) -> None:
    space = ProblemSpace(french)
    assert space.count == 24 * 3 * len(french.lexicon.seeds)
    found = {
        (tuple(s["text"] for s in p["context"]), p["candidates"][p["answer"]]["text"])
        for p in records(space, list(range(space.count)))
    }
    assert len(found) == space.count


def test_a_problem_is_the_same_in_whatever_company(french: Grammar) -> None:
    numbers = [0, 5, 71, 1000, 2879]
    together = records(ProblemSpace(french, seed=3), numbers)
    alone = [records(ProblemSpace(french, seed=3), [number])[0] for number in reversed(numbers)]
    assert together == alone[::-1]
    assert together != records(ProblemSpace(french, seed=4), numbers)


def test_the_right_answer_stands_everywhere_alike(french: Grammar) -> None:
    problems = records(ProblemSpace(french), list(range(2880)))
    six = [p for p in problems if len(p["candidates"]) == 6]
    places = Counter(p["answer"] for p in six)
    assert set(places) == set(range(6))
    expected = len(six) / 6
    # chi-squared with 5 degrees of freedom: 20.5 is its 99.9 % quantile
    assert sum((n - expected) ** 2 / expected for n in places.values()) < 20.5


def test_balanced_sets_hold_every_value_of_every_axis_equally_often(french: Grammar) -> None:
    space = ProblemSpace(french, answers=Answers.BALANCED)
    for problem in records(space, list(range(0, 2880, 40))):
        items = [c["item"] for c in problem["candidates"]]
        assert len(items) == 8
        axes = [
            Counter(i["subj"]["number"] for i in items),
            Counter(i["verb"]["number"] for i in items),
            Counter(i["pp1"]["number"] for i in items),
            Counter(i["pp2"]["number"] if i["pp2"] else None for i in items),
        ]
        assert all(sorted(axis.values()) == [4, 4] for axis in axes)


def test_repeated_sentences_can_be_left_out(french: Grammar) -> None:
    space = ProblemSpace(french, exclude_repeats=True)
    for problem in records(space, list(range(0, 2880, 30))):
        context = {s["text"] for s in problem["context"]}
        assert not context & {c["text"] for c in problem["candidates"]}
    assert any("a sentence of the context" in reason for reason in space.refused)


@pytest.mark.parametrize("kind", [LexicalType.III, LexicalType.III_OWN])
def test_type_iii_uses_a_seed_for_every_sentence(french: Grammar, kind: LexicalType) -> None:
    space = ProblemSpace(french, type=kind)
    last = space.count - 1
    for problem in records(space, [0, 10**9, last // 2, last]):
        context = [s["wording"] for s in problem["context"]]
        answers = [c["wording"] for c in problem["candidates"]]
        assert len(set(context)) == 7
        assert not set(context) & set(answers)
        assert len(set(answers)) == (len(answers) if kind is LexicalType.III_OWN else 1)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"type": "II", "answers": "balanced", "sample": 40, "seed": 3},
        {"type": "III", "answers": "minimal", "sample": 40, "exclude_repeats": True},
        {"type": "III-own", "sample": 40, "split": {"train": 60, "test": 40}, "seed": 1},
        {"type": "I", "split": {"train": 50, "test": 50}, "split_by": "kind"},
    ],
    ids=str,
)
def test_a_problem_is_made_again_by_its_id(options: dict) -> None:
    """With the options of its data set; how many of them were written does not matter."""
    grammar = blm.load("grammars/agreement/fr.blm")
    plan = make_plan(grammar, Options(**options))
    for part in plan.spaces:
        numbers = plan.numbers(part, 0, plan.sizes[part])[:40:7]
        fixed = {key: value for key, value in options.items() if key != "sample"}
        for record in records(plan.spaces[part], numbers):
            assert grammar.problem(record["id"], part=part, **fixed) == record
            number = int(record["id"].rsplit("-", 1)[1])
            assert grammar.problem(number, part=part, **fixed) == record


@pytest.mark.parametrize(
    ("identifier", "options", "message"),
    [
        ("fr-I-2880", {}, "there are 2880 problems; 2880 is not one of them"),
        ("it-I-0", {}, "is not of the language 'fr'"),
        ("fr-IV-0", {}, "is no id of a problem, such as fr-III-271"),
        (-1, {}, "is no id of a problem"),
        (0, {"part": "test"}, "there is no split 'test': there are no splits"),
        (0, {"part": "dev", "split": {"a": 1, "b": 1}}, "splits are a, b"),
    ],
)
def test_a_problem_that_is_not_there(identifier: str | int, options: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        blm.load("grammars/agreement/fr.blm").problem(identifier, **options)


def test_the_command_shows_the_problem_of_a_data_set(tmp_path: Path) -> None:
    told = ["agreement/fr.blm", "--type", "III", "--answers", "minimal", "--seed", "4"]
    runner = CliRunner()
    made = runner.invoke(app, ["generate", *told, "--sample", "3", "-o", str(tmp_path / "set")])
    assert made.exit_code == 0, made.stderr
    for line in (tmp_path / "set" / "problems.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        told[2] = "I"  # the id says it better
        shown = runner.invoke(app, ["problem", told[0], record["id"], *told[1:], "--json"])
        assert json.loads(shown.stdout) == record
        seen = runner.invoke(app, ["problem", told[0], record["id"], *told[1:]]).stdout
        assert f"problem {record['id']}" in seen
        assert all(sentence["text"] in seen for sentence in record["context"])


def test_splits_share_no_sentence(french: Grammar) -> None:
    plan = make_plan(french, Options(split={"train": 80, "dev": 10, "test": 10}))
    sentences = {}
    for name, space in plan.spaces.items():
        problems = records(space, list(range(0, space.count, 3)))
        sentences[name] = {s["text"] for p in problems for s in p["context"]}
        sentences[name] |= {p["candidates"][p["answer"]]["text"] for p in problems}
    assert not sentences["train"] & sentences["test"]
    assert not sentences["train"] & sentences["dev"]
    assert not sentences["dev"] & sentences["test"]
    assert sum(space.count for space in plan.spaces.values()) == 2880


def test_seeds_that_share_a_sentence_stay_together(tmp_path: Path) -> None:
    """Found by comparing all sentences of all pairs of seeds."""
    seeds = """\
seed,subject,prep1,noun1,verb,prefix
a,ordinateur,avec,table,tomber,Jean dit que
b,table,de,haricot,tomber,Jean dit que
c,table,de,haricot,tomber,Il faut que
d,haricot,à,ordinateur,tomber,Il faut que
e,ordinateur,avec,haricot,tomber,Jean dit que
f,haricot,à,table,tomber,Il faut que
"""
    grammar = load(small.write(tmp_path, seeds=seeds))
    said = {
        seed.name: {
            grammar.speaker.say(clause.name, item, seed.words).text
            for clause in grammar.concrete.clauses
            for item in grammar.matrix_items
        }
        for seed in grammar.lexicon.seeds
    }
    alike = {(a, b) for a in said for b in said if a != b and said[a] & said[b]}
    assert alike
    for number in range(20):
        parts = split_seeds(grammar, {"train": 2, "test": 1}, seed=number)
        assert sorted([*parts["train"], *parts["test"]]) == sorted(said)
        assert not alike & {(a, b) for a in parts["train"] for b in parts["test"]}


def test_more_sentences_than_can_be_compared_are_refused(
    french: Grammar, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(splits, "MOST_SENTENCES", 100)
    with pytest.raises(ValueError, match=r"40 seeds have 1,440, more than the 100 that are"):
        make_plan(french, Options(split={"train": 80, "test": 20}))


def test_options_that_leave_no_problem_say_why(french: Grammar, tmp_path: Path) -> None:
    with pytest.raises(NoProblems, match="there are 4 in the split 'test'"):
        make_plan(french, Options(type=LexicalType.III, split={"train": 90, "test": 10}))
    with pytest.raises(
        NoProblems, match="the seeds make 40 groups that share no sentence, too few for 41"
    ):
        make_plan(french, Options(split={f"s{k}": 1 for k in range(41)}))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"limit": 0}, "limit is a number from 1; 0 is none"),
        ({"sample": -3}, "sample is a number from 1; -3 is none"),
        ({"shard_size": 0}, "shard_size is a number from 1"),
        ({"workers": 0}, "workers are a number from 1"),
        ({"type": "IV"}, "'IV' is not a valid LexicalType"),
        ({"answers": "some"}, "'some' is not a valid Answers"),
    ],
)
def test_options_that_mean_nothing_are_refused(tmp_path: Path, options: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        blm.load("grammars/agreement/fr.blm").generate(tmp_path / "set", **options)
    assert not (tmp_path / "set").exists()


def test_a_number_outside_the_space_is_refused(french: Grammar) -> None:
    space = ProblemSpace(french)
    with pytest.raises(IndexError, match="there are 2880 problems"):
        space.batch([2880])
