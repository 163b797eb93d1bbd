"""Splits and samples of problems, the same for the same seed.

The paper splits "so that no correct answer is in both" parts (Merlo et al. 2023, section 4); that
is `by="answer"`.  The part of an answer depends on its text alone, so that no correct answer of
one data set's test part stands in another's train part either.  `by="seed"` keeps the words of a
lexical seed out of the other parts of its data set as well.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from hashlib import sha256
from itertools import accumulate
from random import Random
from typing import Literal, TypeVar

from blm.encode.data import SPLITS, UNSPLIT, Example

T = TypeVar("T")
By = Literal["answer", "seed", "problem"]


def with_splits(
    parts: dict[str, tuple[Example, ...]],
    *,
    by: By = "answer",
    dev: float = 0.1,
    test: float = 0.1,
    seed: int = 0,
) -> dict[str, tuple[Example, ...]]:
    """Train, dev and test of a data set: its own where it states them, else made by groups.

    A data set with train and test but no dev gives `dev` of its train part.
    ValueError where the groups are too few to fill three parts.
    """
    if UNSPLIT in parts:
        examples = tuple(e for name in (*SPLITS, UNSPLIT) for e in parts.get(name, ()))
        return _divide(examples, by, (1 - dev - test, dev, test), seed, SPLITS)
    if "train" in parts and "test" in parts:
        if "dev" in parts:
            return parts
        made = _divide(parts["train"], by, (1 - dev, dev), seed, ("train", "dev"))
        return made | {"test": parts["test"]}
    raise ValueError(f"a data set needs train and test, this one has {', '.join(parts) or 'none'}")


def sample(examples: Sequence[T], size: int | None, *, seed: int) -> tuple[T, ...]:
    """`size` examples without repetition (all, if None); a larger sample holds a smaller one."""
    if size is None:
        return tuple(examples)
    if size > len(examples):
        raise ValueError(f"asked for {size} problems of {len(examples)}")
    order = Random(f"sample {seed}").sample(range(len(examples)), len(examples))
    return tuple(examples[k] for k in order[:size])


def _divide(
    examples: Sequence[Example],
    by: By,
    shares: Sequence[float],
    seed: int,
    names: Sequence[str],
) -> dict[str, tuple[Example, ...]]:
    """Whole groups into parts of about these shares; the order within a part is the file's."""
    groups = _groups(examples, by)
    if by == "seed":
        parts = _fill(groups, shares, len(examples), seed)
    else:
        parts = _drawn([(_keys(examples[g[0]], by)[0], g) for g in groups], shares, seed)
    if not all(parts):
        raise ValueError(
            f"{len(groups)} group(s) by {by} cannot fill {', '.join(names)}: split by another"
        )
    return {
        name: tuple(examples[k] for k in sorted(part))
        for name, part in zip(names, parts, strict=True)
    }


def _fill(
    groups: list[list[int]], shares: Sequence[float], number: int, seed: int
) -> list[list[int]]:
    """Few groups: each into the part that lacks most of its share."""
    parts: list[list[int]] = [[] for _ in shares]
    Random(f"split {seed}").shuffle(groups)
    for group in groups:
        lacking = [
            1 - len(part) / (share * number) for share, part in zip(shares, parts, strict=True)
        ]
        parts[lacking.index(max(lacking))].extend(group)
    return parts


def _drawn(
    groups: Sequence[tuple[str, list[int]]], shares: Sequence[float], seed: int
) -> list[list[int]]:
    """Many groups: each into the part that the digest of its key falls in."""
    parts: list[list[int]] = [[] for _ in shares]
    ends = list(accumulate(shares))
    for key, group in groups:
        digest = sha256(f"{seed}\n{key}".encode()).digest()
        place = int.from_bytes(digest[:8], "big") / 2**64 * ends[-1]
        parts[min(bisect_right(ends, place), len(parts) - 1)].extend(group)
    return parts


def _groups(examples: Sequence[Example], by: By) -> list[list[int]]:
    """Numbers of examples that must stay together, in order of first occurrence."""
    parent = list(range(len(examples)))

    def root(k: int) -> int:
        while parent[k] != k:
            parent[k] = parent[parent[k]]
            k = parent[k]
        return k

    first: dict[str, int] = {}
    for number, example in enumerate(examples):
        for key in _keys(example, by):
            other = root(first.setdefault(key, number))
            parent[root(number)] = other
    groups: dict[int, list[int]] = {}
    for number in range(len(examples)):
        groups.setdefault(root(number), []).append(number)
    return list(groups.values())


def _keys(example: Example, by: By) -> Sequence[str]:
    match by:
        case "answer":
            return (example.solution,)
        case "seed":
            return example.seeds or (example.solution,)
        case "problem":
            return (example.id,)
