"""Reads the problems of a finished data set, whatever format it is in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from blm.dataset import jsonl
from blm.dataset.folder import MANIFEST, read_manifest
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
    found = (problem for path, _, form in files for problem in _whole(path, READERS[form](path)))
    return islice(found, start, None if limit is None else start + limit)


def problem_files(folder: Path) -> list[tuple[Path, str, str]]:
    """The files with the problems: path, split, format. Each problem is in one of them.

    ValueError where the manifest is damaged, or lists no file that can be read.
    """
    try:
        listed = [(name, told.get("format"), told.get("split")) for name, told in
                  read_manifest(folder)["files"].items()]  # fmt: skip
    except (AttributeError, KeyError, TypeError, ValueError):
        raise ValueError(f"{folder / MANIFEST}: this is no manifest of a data set") from None
    for form in READERS:
        found = [(folder / name, split, form) for name, kind, split in listed if kind == form]
        if found := [(path, str(split), kind) for path, split, kind in found if split]:
            return found
    raise ValueError(f"{folder} has no problems in {' or '.join(READERS)}, which can be shown")


def _whole(path: Path, problems: Iterator[Json]) -> Iterator[Json]:
    """The problems, as long as they are some. ValueError names the first that is none."""
    for number, problem in enumerate(problems, 1):
        try:
            told = [problem["id"], *(s["text"] for s in problem["context"])]
            for candidate in problem["candidates"]:
                told += [candidate["text"], candidate["label"], candidate["correct"]]
                told += [(rule["rule"], rule["family"][0]) for rule in candidate["broken"]]
        except (IndexError, KeyError, TypeError):
            raise ValueError(f"{path}: row {number} is no problem of a data set") from None
        yield problem
