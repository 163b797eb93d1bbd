"""Batches as columns: what is done for many problems at once is what is done for one."""

from math import perm
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from making import FRENCH, GRAMMARS
from msgspec.structs import replace

from blm.answers import Answers
from blm.dataset import parquet, texts
from blm.dataset.choose import _ranks
from blm.dataset.parquet import ParquetWriter, _used
from blm.dataset.plan import Options, make_plan
from blm.dataset.records import Records
from blm.dataset.shards import write_shard
from blm.dataset.space import ProblemSpace
from blm.grammar import load
from blm.variation import LexicalType, OneSlot, digits, exact, parted

ALTERNATION = GRAMMARS / "alternation" / "en.blm"
BIG = st.integers(0, 2**140)


# --- numbers ----------------------------------------------------------


@given(st.lists(BIG | st.integers(0, 2**64), min_size=1), st.integers(1, 2**70))
def test_quotients_and_remainders_are_exact(numbers: list[int], by: int) -> None:
    quotients, remainders = parted(exact(numbers), by)
    assert quotients.tolist() == [number // by for number in numbers]
    assert remainders.tolist() == [number % by for number in numbers]


@given(st.lists(st.integers(1, 2**40), min_size=1, max_size=9), st.data())
def test_digits_make_the_number(radices: list[int], data: st.DataObject) -> None:
    total = int(np.prod(np.array(radices, dtype=object)))
    number = data.draw(st.integers(0, total - 1))
    made = 0
    for radix, digit in zip(radices, digits([number], radices)[0].tolist(), strict=True):
        assert 0 <= digit < radix
        made = made * radix + digit
    assert made == number


def test_type_ii_beyond_64_bits() -> None:
    families = (tuple(range(200)), (), tuple(range(200, 400)))
    choice = OneSlot(families, 9, 2)
    first = perm(200, 10)
    assert first > 2**64
    context, answers = choice.choose([0, first - 1, first, 2 * first - 1])
    assert context[0].tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 8]
    assert context[1].tolist() == [199, 198, 197, 196, 195, 194, 193, 192, 191]
    assert context[2].tolist() == [200, 201, 202, 203, 204, 205, 206, 207, 208]
    assert answers.tolist() == [[9, 9], [190, 190], [209, 209], [390, 390]]


@given(st.integers(1, 6), st.lists(st.integers(0, 4), min_size=6, max_size=60))
def test_ranks_are_those_of_a_stable_sort(rows: int, keys: list[int]) -> None:
    key = np.array(keys[: len(keys) // rows * rows], dtype=np.uint64).reshape(rows, -1)
    order = np.argsort(key, axis=0, kind="stable")
    assert np.array_equal(np.argsort(order, axis=0), _ranks(key))


@given(st.lists(st.integers(0, 9)))
def test_what_is_used_is_listed_as_it_appears(numbers: list[int]) -> None:
    used, places = _used(np.array(numbers, dtype=np.int64))
    assert used == list(dict.fromkeys(numbers))
    assert [used[place] for place in places] == numbers


# --- batches ----------------------------------------------------------


@pytest.mark.parametrize("kind", list(LexicalType))
@pytest.mark.parametrize("path", [FRENCH, ALTERNATION], ids=lambda path: path.parent.name)
def test_a_batch_is_its_problems_one_by_one(path: Path, kind: LexicalType) -> None:
    space = ProblemSpace(load(path), kind)
    if not space.count:
        pytest.skip("no problem of this type")
    numbers = [space.count * k // 40 for k in range(40)]
    records = Records(space)
    alone = [next(records.lines(space.batch([number]))) for number in numbers]
    assert list(records.lines(space.batch(numbers))) == alone
    for number in numbers:
        matrix, clause, _ = space.locate(number)
        batch = space.batch([number])
        assert batch.matrices[0].id == f"m{matrix + 1}"
        assert batch.clause.tolist() == [clause]


@pytest.mark.parametrize("answers", list(Answers))
def test_sentences_are_found_without_a_table_too(
    monkeypatch: pytest.MonkeyPatch, answers: Answers
) -> None:
    def lines() -> list[str]:
        space = ProblemSpace(load(FRENCH), LexicalType.III, answers)
        batch = space.batch([space.count * k // 40 for k in range(40)])
        return list(Records(space).lines(batch))

    dense = lines()
    monkeypatch.setattr(texts, "_MOST_DENSE", 0)
    assert lines() == dense


# --- files ----------------------------------------------------------


def test_a_shard_does_not_depend_on_those_before(tmp_path: Path) -> None:
    """Sentences are numbered as they come; no number gets into a file."""
    options = Options(LexicalType.III_OWN, sample=900, shard_size=300, formats=("parquet",))
    found = []
    for name, step in [("there", 1), ("back", -1)]:
        (tmp_path / name).mkdir()
        plan = make_plan(load(FRENCH), options)
        for shard in list(plan.shards())[::step]:
            assert sum(write_shard(plan, tmp_path / name, shard)) == 300
        found.append({p.name: p.read_bytes() for p in (tmp_path / name).glob("*.parquet")})
    assert len(found[0]) == 3
    assert found[0] == found[1]


def test_many_different_sentences_in_a_row_group(tmp_path: Path) -> None:
    """More text than a dictionary page holds."""
    space = ProblemSpace(load(FRENCH), LexicalType.III)
    batch = space.batch([space.count * k // 3000 for k in range(3000)])
    said = space.texts.sentences
    said[:] = [replace(one, text=f"{one.text} {'long ' * 400}") for one in said]
    assert sum(len(one.text) for one in said) > 2**22
    writer = ParquetWriter(tmp_path / "set.parquet", space)
    writer.write(batch)
    writer.close()
    read = parquet.read(tmp_path / "set.parquet")
    assert all(a == b for a, b in zip(read, Records(space).objects(batch), strict=True))
