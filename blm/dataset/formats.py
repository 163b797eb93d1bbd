"""What a data set consists of beside its manifest, registered once.

A *format* holds problems: each shard has its files. Its writer is made with the paths of those
and a space, takes batches, and is closed; the files get their final names when they are whole.
A *companion* is about all problems and comes once, after them: a function from the plan and the
summary of what was written to texts by name. The same plan and summary give the same texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from blm.dataset import authors, card, croissant, jsonl, lm_eval, preview, split_json
from blm.dataset.batch import Batch
from blm.dataset.plan import Plan
from blm.dataset.space import ProblemSpace
from blm.dataset.summary import Summary


class Writer(Protocol):
    """Writes the problems of one shard."""

    def write(self, batch: Batch) -> None:
        """Add the problems of a batch."""

    def close(self) -> None:
        """Finish the files."""


@dataclass(frozen=True)
class Format:
    """A file format of problems.

    `names` are its files, `{}` standing for the name of the shard; `writer(paths, space)` opens
    new ones, in this order.
    """

    title: str
    names: tuple[str, ...]
    writer: Callable[[Sequence[Path], ProblemSpace], Writer]

    def files(self, stem: str) -> list[str]:
        """The files of a shard, relative to the folder."""
        return [name.format(stem) for name in self.names]


@dataclass(frozen=True)
class Companion:
    """Files about a data set. `needs` are formats of which it must have one, to be of use."""

    title: str
    texts: Callable[[Plan, Summary], Mapping[str, str]]
    needs: tuple[str, ...] = ()


def _one(writer: Callable[[Path, ProblemSpace], Writer]) -> Callable[..., Writer]:
    """A writer that has a single file."""
    return lambda paths, space: writer(paths[0], space)


def _parquet(path: Path, space: ProblemSpace) -> Writer:
    from blm.dataset.parquet import ParquetWriter  # pyarrow takes half a second to import

    return ParquetWriter(path, space)


FORMATS: Mapping[str, Format] = {
    "jsonl": Format("JSON Lines", ("{}.jsonl",), _one(jsonl.JsonlWriter)),
    "csv": Format("the authors' columns, tab-separated", ("{}.csv",), _one(authors.AuthorsWriter)),
    "parquet": Format("Parquet, for Hugging Face datasets", ("{}.parquet",), _one(_parquet)),
    "json": Format("the authors' split files", split_json.NAMES, split_json.SplitJsonWriter),
}

ALWAYS: Mapping[str, Companion] = {
    "card": Companion("the data card", card.texts),
    "preview": Companion("problems to look at", preview.texts),
    "croissant": Companion("Croissant metadata", croissant.texts),
}
"""Companions of every data set."""

ON_REQUEST: Mapping[str, Companion] = {
    "lm-eval": Companion("tasks of lm-evaluation-harness", lm_eval.texts, needs=lm_eval.READABLE),
}
"""Companions that are asked for like a format."""


def check_formats(names: Sequence[str]) -> None:
    """ValueError, saying what to do, where a format is unknown or cannot stand alone."""
    for name in names:
        if name not in FORMATS and name not in ON_REQUEST:
            raise ValueError(f"'{name}' is no format; use {', '.join([*FORMATS, *ON_REQUEST])}")
    for name, companion in _requested(names):
        if not set(companion.needs) & set(names):
            formats = " or ".join(companion.needs)
            raise ValueError(f"'{name}' reads {formats}: add one of these formats")
    if not set(names) & set(FORMATS):
        raise ValueError(f"name a format for the problems: {', '.join(FORMATS)}")


def problem_formats(names: Iterable[str]) -> dict[str, Format]:
    """Those of the names that are formats of problems."""
    return {name: FORMATS[name] for name in names if name in FORMATS}


def companion_texts(plan: Plan, summary: Summary) -> Iterator[tuple[str, str, str]]:
    """The companion, the name and the text of each file beside the problems."""
    for kind, companion in [*ALWAYS.items(), *_requested(plan.options.formats)]:
        for name, text in companion.texts(plan, summary).items():
            yield kind, name, text


def _requested(names: Iterable[str]) -> list[tuple[str, Companion]]:
    return [(name, ON_REQUEST[name]) for name in names if name in ON_REQUEST]
