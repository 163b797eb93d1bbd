"""Lexical types: counts and addresses against brute force."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from blm.sampling import Shuffle, noise
from blm.variation import ManySeeds, OneSeed, OneSlot, arrangements, digits


def rows(choice: OneSeed | OneSlot | ManySeeds) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    context, answers = choice.choose(range(choice.count))
    return [(tuple(c), tuple(a)) for c, a in zip(context.tolist(), answers.tolist(), strict=True)]


def test_type_i_uses_one_seed_everywhere() -> None:
    assert rows(OneSeed((4, 7), 3, 2)) == [((4, 4, 4), (4, 4)), ((7, 7, 7), (7, 7))]


def test_type_ii_lists_every_ordered_choice_of_different_words_once() -> None:
    families = ((0, 5, 6), (1, 7), (2, 8, 9, 3))
    expected = [
        (tuple(chosen[:2]), (chosen[2], chosen[2]))
        for family in families
        for chosen in permutations(family, 3)
    ]
    choice = OneSlot(families, 2, 2)
    assert choice.count == len(expected) == 6 + 0 + 24
    assert sorted(rows(choice)) == sorted(expected)


@pytest.mark.parametrize("own", [False, True])
def test_type_iii_lists_every_ordered_choice_of_different_seeds_once(own: bool) -> None:
    seeds, context, answers = (3, 1, 4, 0, 5), 2, 2
    choice = ManySeeds(seeds, context, answers, own)
    sentences = context + (answers if own else 1)
    expected = [
        (tuple(c[:context]), tuple(c[context:]) if own else (c[context],) * answers)
        for c in permutations(seeds, sentences)
    ]
    assert choice.count == len(expected)
    assert sorted(rows(choice)) == sorted(expected)


def test_too_few_seeds_leave_no_problem() -> None:
    assert ManySeeds((0, 1), 3, 1, own=False).count == 0
    assert OneSlot(((0, 1), (2,)), 2, 1).count == 0


@given(st.integers(1, 7), st.data())
def test_arrangements_are_the_permutations_in_order(size: int, data: st.DataObject) -> None:
    length = data.draw(st.integers(1, size))
    expected = list(permutations(range(size), length))
    found = arrangements(range(len(expected)), size, length).tolist()
    assert [tuple(row) for row in found] == expected


def test_numbers_beyond_64_bits() -> None:
    radices = [10**6] * 5
    number = 123_456 * 10**24 + 42
    assert digits([number, 0], radices).tolist() == [[123_456, 0, 0, 0, 42], [0] * 5]
    last = digits([10**30 - 1], radices)
    assert last.tolist() == [[10**6 - 1] * 5]


@given(st.integers(1, 400), st.integers(0, 5))
def test_a_shuffle_is_a_permutation(size: int, seed: int) -> None:
    shuffle = Shuffle(size, seed)
    assert sorted(shuffle[k] for k in range(size)) == list(range(size))


def test_a_sample_of_a_huge_range_is_uniform() -> None:
    """Chi-squared over 20 cells, 10,000 draws: below the 99.9 % quantile of 19 degrees (43.8)."""
    size, cells, draws = 10**12, 20, 10_000
    counts = np.zeros(cells)
    shuffle = Shuffle(size, seed=7)
    for place in range(draws):
        counts[shuffle[place] * cells // size] += 1
    expected = draws / cells
    assert ((counts - expected) ** 2 / expected).sum() < 43.8


def test_noise_does_not_depend_on_company() -> None:
    column = np.arange(100, dtype=np.uint64)
    alone = [noise(3, column[k : k + 1])[0] for k in range(100)]
    assert noise(3, column).tolist() == [int(word) for word in alone]
    assert len(set(alone)) == 100
    assert noise(4, column).tolist() != noise(3, column).tolist()


def test_every_pair_of_orders_is_reached() -> None:
    """The places of two answers are independent of each other over many problems."""
    words = noise(0, np.arange(4000, dtype=np.uint64)[:, None], np.arange(3, dtype=np.uint64))
    orders = np.argsort(words, axis=1)
    found = {tuple(order) for order in orders.tolist()}
    assert found == set(permutations(range(3)))
    shares = [(orders[:, a] == b).mean() for a, b in product(range(3), repeat=2)]
    assert all(abs(share - 1 / 3) < 0.04 for share in shares)
