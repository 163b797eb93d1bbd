"""Reads the problems of a finished data set, whatever format it is in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from blm.dataset import jsonl
from blm.dataset.write import read_manifest
from blm.problem import Json


def _parquet(path: Path) -> Iterator[Json]:
    from blm.dataset.parquet import read  # pyarrow takes half a second to import

    return read(path)


READERS: Mapping[str, Callable[[Path], Iterator[Json]]] = {
    "jsonl": jsonl.read,
    "parquet": _parquet,
}
"""The formats that hold whole records, the quickest to read first."""


def read_problems(
    folder: Path, start: int = 0, limit: int | None = None, split: str | None = None
) -> Iterator[Json]:
    """The problems of a data set, shard by shard, from number `start` (from 0), at most `limit`.

    FileNotFoundError if the folder holds no finished data set; ValueError where it has no format
    that holds whole records, or no such split.
    """
    files = [f for f in problem_files(folder) if split is None or f[1] == split]
    if not files:
        raise ValueError(f"{folder} has no split '{split}'")
    found = (problem for path, _, form in files for problem in READERS[form](path))
    return islice(found, start, None if limit is None else start + limit)


def problem_files(folder: Path) -> list[tuple[Path, str, str]]:
    """The files with the problems: path, split, format. Each problem is in one of them."""
    listed = read_manifest(folder)["files"]
    for form in READERS:
        found = [
            (folder / name, told["split"], form)
            for name, told in listed.items()
            if told["format"] == form and "split" in told
        ]
        if found:
            return found
    raise ValueError(f"{folder} has no problems in {' or '.join(READERS)}, which can be shown")
