"""Seeds that a grammar makes from few: `combine` and `vary`."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small import CONCRETE, write

import blm
from blm.concrete import Combine, Concrete
from blm.diagnostics import Diagnostic, Severity, Source, Span
from blm.files import load_file
from blm.lexicon import combine as combine_module
from blm.lexicon import load_lexicon
from blm.lexicon.combine import combine_seeds
from blm.phenomenon import Value
from blm.words import Lexicon, Seed

NOWHERE = Span(Source("", ""), 0, 0)
SEEDS = """\
seed,subject,prep1,noun1,verb,prefix
a,ordinateur,avec,table,tomber,Jean dit que
b,table,avec,haricot,tomber,Jean dit que
c,haricot,à,ordinateur,tomber,Jean dit que
"""


def load(folder: Path, entries: str, seeds: str = SEEDS) -> tuple[Lexicon | None, list[Diagnostic]]:
    """The lexicon of the small grammar with more entries in the section `seeds`."""
    path = write(folder, seeds=seeds)
    more = f'  table "seeds.csv"\n{entries}'
    path.write_text(CONCRETE.replace('  table "seeds.csv"\n', more), encoding="utf-8")
    concrete = load_file(path)
    assert isinstance(concrete, Concrete)
    return load_lexicon(concrete)


def words(seed: Seed, *slots: str) -> list[str]:
    return [getattr(word, "key", word) for word in (seed.words[slot] for slot in slots)]


# --- combine ----------------------------------------------------------


def test_words_combine_among_seeds_that_are_alike_elsewhere(tmp_path: Path) -> None:
    lexicon, problems = load(tmp_path, "  combine subject, noun1 within prep1\n")
    assert lexicon
    assert problems == []
    assert {s.name: words(s, "subject", "noun1", "prep1") for s in lexicon.seeds} == {
        "a/1-1": ["ordinateur", "table", "avec"],
        "a/1-2": ["ordinateur", "haricot", "avec"],
        "b/2-1": ["table", "table", "avec"],
        "b/2-2": ["table", "haricot", "avec"],
        "c/1-1": ["haricot", "ordinateur", "à"],
    }
    assert [seed.name for seed in lexicon.seeds] == ["a/1-1", "a/1-2", "b/2-1", "b/2-2", "c/1-1"]
    assert lexicon.seed("b/2-1").words["subject"] is lexicon.word("noun", "table")


def test_seeds_without_names_keep_their_line(tmp_path: Path) -> None:
    seeds = "\n".join(line.partition(",")[2] for line in SEEDS.splitlines())
    lexicon, _ = load(tmp_path, "  combine subject, noun1\n", seeds)
    assert lexicon
    assert [s.name for s in lexicon.seeds][:3] == ["seeds:2/1-1", "seeds:2/1-2", "seeds:3/2-1"]


def test_seeds_of_the_file_combine_with_those_of_tables(tmp_path: Path) -> None:
    given_ = 'prep1="avec", noun1="table", verb=tomber, prefix="Jean dit que"'
    entries = f"  d : subject=haricot, {given_}\n  combine noun1, subject\n"
    lexicon, _ = load(tmp_path, entries)
    assert lexicon
    assert len(lexicon.seeds) == 2 * 3 + 1
    assert words(lexicon.seed("b/2-3"), "noun1", "subject") == ["haricot", "haricot"]


def test_combining_nothing_is_a_warning_that_says_why(tmp_path: Path) -> None:
    lexicon, (problem,) = load(tmp_path, "  combine subject, verb within prep1\n")
    assert lexicon
    assert (problem.code, problem.severity) == ("nothing-to-combine", Severity.WARNING)
    assert problem.span.text == "combine subject, verb within prep1"
    assert "'a' and 'b' differ in 'noun1'" in problem.help


def test_combining_nothing_where_no_seed_shares_the_word(tmp_path: Path) -> None:
    _, problems = load(tmp_path, "  combine prep1, verb within subject\n")
    assert [(p.code, p.help) for p in problems] == [("nothing-to-combine", "")]


def test_too_many_seeds_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(combine_module, "MOST_SEEDS", 4)
    lexicon, (problem,) = load(tmp_path, "  combine subject, noun1\n")
    assert lexicon is None
    assert problem.code == "too-many-seeds"
    assert "5 seeds; 4 are allowed" in problem.message


def test_a_million_seeds_are_refused_before_they_are_made() -> None:
    slots = ("a", "b", "c")
    seeds = [Seed(str(n), dict.fromkeys(slots, str(n))) for n in range(101)]
    problems: list[Diagnostic] = []
    assert combine_seeds(seeds, Combine(slots, None, NOWHERE), problems) == tuple(seeds)
    assert [p.code for p in problems] == ["too-many-seeds"]


SLOT = st.sampled_from("uvw")
ROWS = st.lists(
    st.tuples(SLOT, SLOT, SLOT, st.sampled_from("xy"), st.sampled_from([(), (("A", 1),)])),
    max_size=8,
)


@given(ROWS)
def test_the_combinations_of_each_group_come_once_and_in_order(
    rows: list[tuple[str, str, str, str, tuple[tuple[str, Value], ...]]],
) -> None:
    slots = ("a", "b", "c")
    seeds = [
        Seed(f"s{n}", {"a": a, "b": b, "c": c, "verb": verb}, requires)
        for n, (a, b, c, verb, requires) in enumerate(rows)
    ]
    found = combine_seeds(seeds, Combine(slots, "verb", NOWHERE), [])
    groups: dict[object, list[Seed]] = {}
    for seed in seeds:
        groups.setdefault((seed.words["verb"], seed.requires), []).append(seed)
    expected: list[tuple[object, ...]] = []
    for (verb, requires), group in groups.items():
        orders = [list(dict.fromkeys(s.words[slot] for s in group)) for slot in slots]
        expected += [(*chosen, verb, requires) for chosen in product(*orders)]
    assert [(*words(s, *slots, "verb"), s.requires) for s in found] == expected
    assert len({seed.name for seed in found}) == len(found)
    by_name = {seed.name: seed for seed in seeds}
    for seed in found:
        assert by_name[seed.name.partition("/")[0]].words["a"] == seed.words["a"]


# --- vary ----------------------------------------------------------

KINDS = SEEDS.replace("prefix", "prefix,kind").replace("que\n", "que,thing\n")


def test_the_varied_slot_makes_wordings(tmp_path: Path) -> None:
    load(tmp_path, "  slots kind : text\n  vary subject within kind\n", KINDS)
    grammar = blm.load(tmp_path / "fr.blm")
    assert grammar.warnings == ()
    assert (grammar.wordings.slot, grammar.wordings.within) == ("subject", "kind")
    assert len(grammar.wordings) == 3 + 3 * 2


def test_without_vary_there_are_the_seeds_alone(tmp_path: Path) -> None:
    load(tmp_path, "")
    assert len(blm.load(tmp_path / "fr.blm").wordings) == 3


def test_a_kind_with_one_word_is_a_warning(tmp_path: Path) -> None:
    seeds = KINDS.replace("Jean dit que,thing\nb", "Jean dit que,place\nb")
    lexicon, (problem,) = load(tmp_path, "  slots kind : text\n  vary subject within kind\n", seeds)
    assert lexicon
    assert (problem.code, problem.severity) == ("one-word", Severity.WARNING)
    assert "in 'subject' where 'kind' is 'place'" in problem.message


def test_many_kinds_with_one_word_make_one_message(tmp_path: Path) -> None:
    header, row = KINDS.splitlines()[:2]
    rows = [row.replace("a,", f"s{n},", 1).replace("thing", f"k{n}") for n in range(9)]
    seeds = "\n".join([header, *rows]) + "\n"
    _, (problem,) = load(tmp_path, "  slots kind : text\n  vary subject within kind\n", seeds)
    assert "'k0', 'k1', 'k2', 'k3', 'k4' and 4 more" in problem.message


def test_one_word_in_all_seeds(tmp_path: Path) -> None:
    _, (problem,) = load(tmp_path, "  vary verb\n")
    assert problem.message == "the seeds have one word only in 'verb'"


@pytest.mark.parametrize(
    "entry", ["vary subject within kind", "combine subject, noun1 within kind"]
)
def test_the_slots_asked_for_are_filled(tmp_path: Path, entry: str) -> None:
    seeds = KINDS.replace("thing\nb", "\nb")
    lexicon, problems = load(tmp_path, f"  slots kind : text\n  {entry}\n", seeds)
    assert lexicon is None
    assert problems[0].code == "empty-slot"


def test_a_slot_that_no_sentence_says_changes_nothing(tmp_path: Path) -> None:
    seeds = KINDS.replace("thing\nb", "animal\nb")
    _, problems = load(tmp_path, "  slots kind : text\n  vary kind\n", seeds)
    assert [(p.code, p.severity) for p in problems] == [("unsaid-slot", Severity.WARNING)]
