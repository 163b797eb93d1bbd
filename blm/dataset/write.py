"""Writes a data set: problems in one format or several, and a manifest.

Files appear whole or not at all: they are written under another name and renamed when the last
problem stands in them, the manifest last.  A folder without manifest is no data set.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TextIO

from blm import __version__
from blm.dataset import authors, jsonl
from blm.dataset.batch import Batch
from blm.dataset.space import ProblemSpace
from blm.problem import Json

MANIFEST = "manifest.json"
STEM = "problems"


class ProblemWriter(Protocol):
    """What a format offers: made with an open file, it takes batches of problems."""

    def write(self, batch: Batch) -> None:
        """Add the problems of a batch."""


@dataclass(frozen=True)
class Format:
    """A file format: its suffix, and how a writer is made."""

    suffix: str
    writer: Callable[[TextIO, ProblemSpace], ProblemWriter]


FORMATS: Mapping[str, Format] = {
    "jsonl": Format(jsonl.SUFFIX, jsonl.Writer),
    "csv": Format(authors.SUFFIX, authors.Writer),
}


class DatasetExists(Exception):
    """The folder holds a data set, or something that is none of ours."""


def write_dataset(
    space: ProblemSpace,
    folder: Path,
    *,
    formats: Sequence[str] = ("jsonl",),
    limit: int | None = None,
    force: bool = False,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Json:
    """Write the first `limit` problems (all, if None) to `folder`; returns the manifest.

    Raises DatasetExists where the folder already holds a data set and `force` is not set, or
    holds other files; OSError where it cannot be written.
    """
    _prepare(folder, force)
    total = space.count if limit is None else min(limit, space.count)
    names = {form: f"{STEM}{FORMATS[form].suffix}" for form in formats}
    parts = {form: folder / f".{name}.part" for form, name in names.items()}
    try:
        _write_problems(space, parts, total, progress)
        finished = {names[form]: path for form, path in parts.items()}
        manifest = _manifest(space, total, finished)
        _replace(folder, finished, manifest)
    finally:
        for path in parts.values():
            path.unlink(missing_ok=True)
    return manifest


def read_manifest(folder: Path) -> Json:
    """The manifest of a data set. FileNotFoundError if the folder is none."""
    document: Json = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    return document


def _prepare(folder: Path, force: bool) -> None:
    """Refuse a folder that would lose something; make it if it is not there."""
    if folder.exists() and not folder.is_dir():
        raise DatasetExists(f"{folder} is a file; name a folder")
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / MANIFEST).exists() and not force:
        raise DatasetExists(f"{folder} holds a data set; use --force to replace it")
    ours = {MANIFEST, *(f"{STEM}{form.suffix}" for form in FORMATS.values())}
    strangers = sorted(
        path.name
        for path in folder.iterdir()
        if path.name not in ours and not path.name.endswith(".part")
    )
    if strangers:
        raise DatasetExists(f"{folder} holds other files ({strangers[0]}); name a new folder")


def _replace(folder: Path, parts: Mapping[str, Path], manifest: Json) -> None:
    """Put the new files in the place of the old: without manifest there is no data set."""
    (folder / MANIFEST).unlink(missing_ok=True)
    for form in FORMATS.values():
        (folder / f"{STEM}{form.suffix}").unlink(missing_ok=True)
    for name, path in parts.items():
        os.replace(path, folder / name)
    part = folder / f".{MANIFEST}.part"
    part.write_text(json.dumps(manifest, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    os.replace(part, folder / MANIFEST)


def _write_problems(
    space: ProblemSpace,
    paths: Mapping[str, Path],
    total: int,
    progress: Callable[[int, int], None],
) -> None:
    with ExitStack() as stack:
        writers = [
            FORMATS[name].writer(
                stack.enter_context(path.open("w", encoding="utf-8", newline="")), space
            )
            for name, path in paths.items()
        ]
        for start in range(0, total, _BATCH):
            batch = space.batch(range(start, min(total, start + _BATCH)))
            for writer in writers:
                writer.write(batch)
            progress(start + len(batch), total)


_BATCH = 2048
"""Problems made at a time."""


def _manifest(space: ProblemSpace, total: int, files: Mapping[str, Path]) -> Json:
    phenomenon, concrete = space.grammar.phenomenon, space.grammar.concrete
    return {
        "phenomenon": phenomenon.name,
        "title": phenomenon.title,
        "language": concrete.language,
        "type": str(space.type),
        "answers": str(space.answers),
        "seed": space.seed,
        "exclude_repeats": space.exclude_repeats,
        "problems": total,
        "of": space.count,
        "factors": space.factors(),
        "refused": dict(sorted(space.refused.items())),
        "grammar": {p.name: _checksum(p)["sha256"] for p in space.grammar.files()},
        "blm": __version__,
        "python": platform.python_version(),
        "files": {name: _checksum(path) for name, path in files.items()},
    }


def _checksum(path: Path) -> Json:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return {"sha256": digest.hexdigest(), "bytes": path.stat().st_size}
