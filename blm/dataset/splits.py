"""Deals the seeds out to splits, so that no sentence of one split stands in another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from random import Random

import numpy as np

from blm.dataset.space import NoProblems
from blm.disjoint import DisjointSets
from blm.grammar import Grammar
from blm.solve import Deadline

MOST_SENTENCES = 10_000_000
"""Sentences that are compared, of all seeds; so many take a minute or two."""


def split_seeds(
    grammar: Grammar, shares: Mapping[str, int], by: str | None = None, seed: int = 0
) -> dict[str, tuple[str, ...]]:
    """The names of the seeds of each split.

    Seeds that share a sentence, differ in the varied slot only, or share the word of the slot
    `by`, stay together; these groups are shuffled, as `seed` says, and dealt out by shares.
    NoProblems where there are fewer groups than splits, ValueError where there are too many
    seeds to compare their sentences, LimitExceeded where that takes too long.
    """
    sentences = len(grammar.lexicon.seeds) * _sentences(grammar)
    if sentences > MOST_SENTENCES:
        raise ValueError(
            f"splits share no sentence, and {len(grammar.lexicon.seeds):,} seeds have "
            f"{sentences:,}, more than the {MOST_SENTENCES:,} that are compared: list fewer slots "
            "in `combine`, or fewer seeds"
        )
    groups = _groups(grammar, by)
    Random(f"{seed} split").shuffle(groups)
    total, whole = sum(map(len, groups)), sum(shares.values())
    if len(groups) < len(shares):
        raise NoProblems(
            f"the seeds make {len(groups)} {'group' if len(groups) == 1 else 'groups'} that share "
            f"no sentence, too few for {len(shares)} splits"
        )
    found: dict[str, list[str]] = {}
    place = 0
    for name, share in shares.items():
        chosen = found[name] = []
        last = len(groups) - (len(shares) - len(found))
        while place < last and (
            not chosen or len(chosen) + len(groups[place]) <= round(total * share / whole)
        ):
            chosen += groups[place]
            place += 1
    found[next(iter(found))] += [name for group in groups[place:] for name in group]
    return {name: tuple(chosen) for name, chosen in found.items()}


def _groups(grammar: Grammar, by: str | None) -> list[list[str]]:
    """Seeds that must stay together, each group in the order of the lexicon."""
    seeds = grammar.lexicon.seeds
    sets = DisjointSets[int]()
    first: dict[object, int] = {}
    for number, seed in enumerate(seeds):
        keys: list[object] = [grammar.wordings.stem(number)]
        if by is not None:
            keys.append((by, seed.words[by]))
        sets.unite([number, *(first.setdefault(key, number) for key in keys)])
    for pair in _alike(grammar):
        sets.unite(pair)
    groups: dict[int, list[str]] = {}
    for number, seed in enumerate(seeds):
        groups.setdefault(sets.find(number), []).append(seed.name)
    return list(groups.values())


def _alike(grammar: Grammar) -> Iterator[tuple[int, int]]:
    """Pairs of seeds with a sentence in common that a context or a correct answer may have.

    Enough of them to tell which seeds hang together. Of a sentence 64 bits of a hash are kept:
    ten million of them would take gigabytes, and two that meet by chance keep seeds together.
    """
    seeds, each = grammar.lexicon.seeds, _sentences(grammar)
    marks = np.fromiter(map(_mark, _said(grammar)), dtype=np.uint64, count=len(seeds) * each)
    order = np.argsort(marks, kind="stable")
    same = marks[order[1:]] == marks[order[:-1]]
    pairs = np.stack([order[:-1][same] // each, order[1:][same] // each], axis=1)
    yield from map(tuple, np.unique(pairs, axis=0).tolist())


def _said(grammar: Grammar) -> Iterator[str]:
    """The sentences of each seed. LimitExceeded where the time of the grammar's limits is over."""
    deadline = Deadline(grammar.limits.seconds, "comparing the sentences of seeds", "use fewer")
    for seed in grammar.lexicon.seeds:
        deadline.check()
        for clause in grammar.concrete.clauses:
            for item in grammar.matrix_items:
                yield grammar.speaker.say(clause.name, item, seed.words).text


def _sentences(grammar: Grammar) -> int:
    """How many sentences are compared of each seed."""
    return len(grammar.matrix_items) * len(grammar.concrete.clauses)


def _mark(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest())
