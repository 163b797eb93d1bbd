"""More seeds from few: `combine agent, theme within verb` crosses the words of these slots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from msgspec import Struct

from blm.concrete import Combine
from blm.diagnostics import Diagnostic, Severity
from blm.words import Seed, Text, Word, key_of

MOST_SEEDS = 1_000_000
"""More seeds than this are refused: a slot too many was listed."""

Filling = Word | Text | None
"""What a slot holds; None where a slot that no sentence says is empty."""


class _Group(Struct, frozen=True):
    """Seeds that are alike outside the combined slots.

    `words` has, for each of these slots, its different words with the first seed that has
    each, in order of first appearance.
    """

    words: tuple[dict[Filling, Seed], ...]

    @property
    def size(self) -> int:
        return prod(map(len, self.words))


def combine_seeds(
    seeds: Sequence[Seed], combine: Combine | None, problems: list[Diagnostic]
) -> tuple[Seed, ...]:
    """The seeds with the words of the slots of `combine` crossed; as they are, without it.

    Group by group in order of first appearance; in a group the last slot runs fastest. A seed
    is named after the first one that has its word in the first slot, and by the places of its
    words, from 1: `en.seeds:2/1-3-2`. More than MOST_SEEDS, or none more than there were, are
    reported to `problems`.
    """
    if combine is None or not seeds:
        return tuple(seeds)
    groups = _groups(seeds, combine.slots)
    total = sum(group.size for group in groups)
    if total > MOST_SEEDS:
        problems.append(_too_many(combine, total))
        return tuple(seeds)
    if len(seeds) > 1 and total == len(seeds):
        problems.append(_nothing_new(combine, seeds))
    return tuple(seed for group in groups for seed in _combined(group, combine.slots))


def _groups(seeds: Sequence[Seed], slots: Sequence[str]) -> list[_Group]:
    groups: dict[object, _Group] = {}
    for seed in seeds:
        rest = tuple((slot, word) for slot, word in seed.words.items() if slot not in slots)
        group = groups.setdefault((rest, seed.requires), _Group(tuple({} for _ in slots)))
        for slot, words in zip(slots, group.words, strict=True):
            words.setdefault(seed.words.get(slot), seed)
    return list(groups.values())


def _combined(group: _Group, slots: Sequence[str]) -> Iterator[Seed]:
    head, *others = group.words
    rest = list(product(*others))
    places = ["".join(f"-{n + 1}" for n in at) for at in product(*(range(len(w)) for w in others))]
    for place, (word, first) in enumerate(head.items(), 1):
        base = dict[str, Filling](first.words)
        for more, choice in zip(places, rest, strict=True):
            words = base | dict(zip(slots, (word, *choice), strict=True))
            held = {slot: word for slot, word in words.items() if word is not None}
            yield Seed(f"{first.name}/{place}{more}", held, first.requires)


def _too_many(combine: Combine, total: int) -> Diagnostic:
    return Diagnostic(
        "too-many-seeds",
        f"these slots combine to {total:,} seeds; {MOST_SEEDS:,} are allowed",
        combine.span,
        "list fewer slots, or let seeds differ in a slot that is not listed",
    )


def _nothing_new(combine: Combine, seeds: Sequence[Seed]) -> Diagnostic:
    """A warning that no seeds were added, with two seeds that may have been meant to combine."""
    first: dict[str | None, Seed] = {}
    help = ""
    for seed in seeds:
        shared = key_of(seed.words[combine.within]) if combine.within else None
        other = first.setdefault(shared, seed)
        others = [slot for slot in seed.words if slot not in combine.slots]
        apart = [slot for slot in others if seed.words[slot] != other.words.get(slot)]
        if apart:
            named = ", ".join(f"'{slot}'" for slot in apart)
            help = f"'{other.name}' and '{seed.name}' differ in {named}: list these slots too, or"
            help += " give the seeds the same words there"
            break
    message = "this adds no seed: no seeds that are alike in all other slots differ in two of these"
    return Diagnostic("nothing-to-combine", message, combine.span, help, Severity.WARNING)
