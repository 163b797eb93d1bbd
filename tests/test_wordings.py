"""Wordings by number, against a list of all of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blm.wordings import Wordings
from blm.words import Lexicon, Seed, Word

LETTERS = st.sampled_from("abcd")


def lexicon(*seeds: tuple[str, str]) -> Lexicon:
    """Seeds s0, s1, ... of the given (subject, kind); the subject is a word, the kind a text."""
    words = {key: Word(key, "noun", {}, ((frozenset(), key),)) for key, _ in seeds}
    made = [
        Seed(f"s{n}", {"subject": words[key], "kind": kind, "rest": str(n)})
        for n, (key, kind) in enumerate(seeds)
    ]
    return Lexicon(tuple(words.values()), tuple(made))


ANIMALS = lexicon(("cat", "animal"), ("dog", "animal"), ("car", "thing"), ("cat", "animal"))


def written(wordings: Wordings) -> list[str]:
    return [wordings.name(k) for k in range(len(wordings))]


def test_without_a_varied_slot_there_are_the_seeds() -> None:
    wordings = Wordings(ANIMALS)
    assert written(wordings) == ["s0", "s1", "s2", "s3"]
    assert list(wordings) == [seed.words for seed in ANIMALS.seeds]
    assert wordings.families([0, 2]) == {0: (0,), 2: (2,)}


def test_seeds_of_a_kind_lend_each_other_their_word() -> None:
    wordings = Wordings(ANIMALS, "subject", "kind")
    assert written(wordings)[4:] == ["s0 subject=dog", "s1 subject=cat", "s3 subject=dog"]
    assert wordings[4] == {**ANIMALS.seeds[0].words, "subject": ANIMALS.word("noun", "dog")}
    assert [wordings.seed(k).name for k in (4, 5, 6)] == ["s0", "s1", "s3"]


def test_without_kinds_all_seeds_lend_each_other_their_word() -> None:
    wordings = Wordings(ANIMALS, "subject")
    assert written(wordings)[4:8] == [
        "s0 subject=dog",
        "s0 subject=car",
        "s1 subject=cat",
        "s1 subject=car",
    ]


def test_families_hold_words_of_the_chosen_seeds_only() -> None:
    wordings = Wordings(ANIMALS, "subject", "kind")
    assert wordings.families(range(4)) == {0: (0, 4), 1: (1, 5), 2: (2,), 3: (3, 6)}
    assert wordings.families([0, 3]) == {0: (0,), 3: (3,)}


@pytest.mark.parametrize("index", [7, 100, -8])
def test_there_is_no_such_wording(index: int) -> None:
    wordings = Wordings(ANIMALS, "subject", "kind")
    for ask in (wordings.__getitem__, wordings.name, wordings.seed):
        with pytest.raises(IndexError, match="there are 7 wordings"):
            ask(index)


@given(st.lists(st.tuples(LETTERS, st.sampled_from("xyz")), max_size=9), st.data())
def test_every_wording_has_one_number(seeds: list[tuple[str, str]], data: st.DataObject) -> None:
    lexicon_ = lexicon(*seeds)
    within = data.draw(st.sampled_from(["kind", None]))
    wordings = Wordings(lexicon_, "subject", within)
    lent: dict[str, list[str]] = {}
    for key, kind in seeds:
        lent.setdefault(kind if within else "", []).append(key)
    variants = [
        f"s{n} subject={other}"
        for n, (key, kind) in enumerate(seeds)
        for other in dict.fromkeys(lent[kind if within else ""])
        if other != key
    ]
    assert written(wordings) == [*(f"s{n}" for n in range(len(seeds))), *variants]
    owners = [wordings.seed(k).words["rest"] for k in range(len(wordings))]
    assert [words["rest"] for words in wordings] == owners
    assert wordings[::-1] == list(wordings)[::-1]
    check_families(wordings, data.draw(st.sets(st.sampled_from(range(len(seeds) or 1)))))


def check_families(wordings: Wordings, chosen: set[int]) -> None:
    chosen = {k for k in chosen if k < len(wordings)}
    families = wordings.families(sorted(chosen))
    assert list(families) == sorted(chosen)
    for seed, family in families.items():
        kind = wordings[seed]["kind"] if wordings.within else None
        lenders = [k for k in chosen if kind in (None, wordings[k]["kind"])]
        assert family[0] == seed
        assert {wordings.seed(k).name for k in family} == {f"s{seed}"}
        assert len({wordings[k]["subject"] for k in family}) == len(family)
        assert {wordings[k]["subject"] for k in family} == {wordings[k]["subject"] for k in lenders}


def test_seeds_that_differ_in_the_varied_slot_only_have_one_family() -> None:
    """Else type II would have the same problems once for each of them."""
    first, other = ANIMALS.seeds[:2]
    twin = Seed("twin", {**first.words, "subject": other.words["subject"]})
    wordings = Wordings(Lexicon(ANIMALS.words, (first, twin, other)), "subject", "kind")
    families = wordings.families([0, 1, 2])
    assert families[1] == ()
    assert [wordings.name(k) for k in families[0]] == ["s0", "s0 subject=dog"]
    assert wordings.stem(0) == wordings.stem(1) != wordings.stem(2)
