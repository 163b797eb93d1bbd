"""The data of an experiment: generated where it must be, read, and cut into three parts."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path

from blm.encode.data import SPLITS, Example, read_splits
from blm.encode.split import sample, with_splits
from blm.experiment.config import ExperimentConfig, Source

Say = Callable[[str], None]


def read_sources(
    config: ExperimentConfig, folder: Path, *, say: Say = lambda _text: None
) -> tuple[dict[str, Mapping[str, tuple[Example, ...]]], dict[str, str]]:
    """Data set -> split -> problems, and the digest of each data set.

    What is generated goes to `folder / "data"`. ValueError or OSError where that cannot be.
    """
    parts: dict[str, Mapping[str, tuple[Example, ...]]] = {}
    digests: dict[str, str] = {}
    for source in config.data:
        place = source.path or generate(source, folder / "data" / source.name, say)
        found = with_splits(
            read_splits(place),
            by=config.split_by,
            dev=config.dev,
            test=config.test,
            seed=config.split_seed,
        )
        limit = config.test_limit
        if limit is not None and limit < len(found["test"]):
            found = found | {"test": sample(found["test"], limit, seed=config.split_seed)}
        parts[source.name] = found
        digests[source.name] = _digest(found)
        sizes = ", ".join(f"{len(part)} {name}" for name, part in found.items())
        say(f"{source.name}: {sizes}")
    return parts, digests


def generate(source: Source, folder: Path, say: Say = lambda _text: None) -> Path:
    """Write the data set of a grammar, or leave it if it is there."""
    from blm.answers import Answers
    from blm.dataset.plan import Options
    from blm.dataset.write import write_dataset
    from blm.grammar import load
    from blm.variation import LexicalType

    assert source.grammar is not None
    say(f"{source.name}: generating from {source.grammar.name}, type {source.type}")
    options = Options(
        type=LexicalType(source.type),
        answers=Answers(source.answers),
        seed=source.seed,
        sample=source.sample,
        split=_shares(source),
        split_by=source.split_by,
        formats=("parquet",),
    )
    write_dataset(load(source.grammar), options, folder, force=True)
    return folder


def _shares(source: Source) -> dict[str, int]:
    """The shares of the parts; two of them leave dev out, as in `blm generate`."""
    names = ("train", "test") if len(source.split) == 2 else SPLITS
    return dict(zip(names, source.split, strict=False))


def _digest(parts: Mapping[str, tuple[Example, ...]]) -> str:
    digest = hashlib.sha256()
    for name, examples in parts.items():
        digest.update(name.encode())
        for example in examples:
            texts = (*example.context, *(choice.text for choice in example.choices))
            labels = (choice.label for choice in example.choices)
            digest.update("\n".join((example.id, str(example.answer), *texts, *labels)).encode())
    return digest.hexdigest()[:16]
