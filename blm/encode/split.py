"""Splits and samples of problems, the same for the same seed.

The paper splits "so that no correct answer is in both" parts (Merlo et al. 2023, section 4); that
is `by="answer"`.  `by="seed"` keeps the words of a lexical seed out of the other parts as well.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
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
    Random(f"split {seed}").shuffle(groups)
    parts: list[list[int]] = [[] for _ in shares]
    for group in groups:
        # The part that lacks most of its share, so that few groups still fill every part.
        lacking = [
            share * len(examples) - len(part) for share, part in zip(shares, parts, strict=True)
        ]
        parts[max(range(len(shares)), key=lambda k: lacking[k] / shares[k])].extend(group)
    if not all(parts):
        raise ValueError(
            f"{len(groups)} group(s) by {by} cannot fill {', '.join(names)}: split by another"
        )
    return {
        name: tuple(examples[k] for k in sorted(part))
        for name, part in zip(names, parts, strict=True)
    }


def _groups(examples: Sequence[Example], by: By) -> list[list[int]]:
    """Numbers of examples that must stay together, in order of first occurrence."""
    parent = list(range(len(examples)))

    def root(k: int) -> int:
        while parent[k] != k:
            parent[k] = parent[parent[k]]
            k = parent[k]
        return k

    first: dict[Hashable, int] = {}
    for number, example in enumerate(examples):
        for key in _keys(example, by):
            other = root(first.setdefault(key, number))
            parent[root(number)] = other
    groups: dict[int, list[int]] = {}
    for number in range(len(examples)):
        groups.setdefault(root(number), []).append(number)
    return list(groups.values())


def _keys(example: Example, by: By) -> Sequence[Hashable]:
    match by:
        case "answer":
            return (example.solution,)
        case "seed":
            return example.seeds or (example.solution,)
        case "problem":
            return (example.id,)
