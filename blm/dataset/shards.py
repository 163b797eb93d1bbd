"""Writes one shard: its files under other names, renamed when they are whole, then its note.

The note is written last and says that the files of all formats are there, and what they hold.
Whoever writes a shard, and however often, the bytes are the same; so two may write one at the
same time, as happens where a worker was given up for lost and was not.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import pairwise
from pathlib import Path

from blm.dataset.batch import Batch
from blm.dataset.formats import problem_formats
from blm.dataset.plan import Plan, Shard
from blm.dataset.tally import Tally
from blm.problem import Json

_BATCH = 8192
"""Problems made at a time, at most; in Parquet they are a row group of a quarter of a megabyte."""


def write_shard(plan: Plan, folder: Path, shard: Shard) -> Iterator[int]:
    """Write a shard in all formats, and its note; yields the size of each batch written."""
    space = plan.spaces[shard.split]
    space.refused.clear()
    space.forget()
    tally = Tally()
    formats = problem_formats(plan.options.formats)
    names = {form: formats[form].files(shard.stem) for form in formats}
    parts = {name: _part(folder, name) for listed in names.values() for name in listed}
    try:
        with ExitStack() as stack:
            writers = [
                stack.enter_context(
                    closing(formats[form].writer([parts[name] for name in listed], space))
                )
                for form, listed in names.items()
            ]
            for batch in _batches(plan, shard):
                for writer in writers:
                    writer.write(batch)
                tally.add(batch, space)
                yield len(batch)
        note = {
            "refused": dict(space.refused),
            "counts": tally.to_json(),
            "files": {
                name: {"format": form, "split": shard.split, **checksum(parts[name])}
                for form, listed in names.items()
                for name in listed
            },
        }
        for name, part in parts.items():
            move_whole(part, folder / name)
        write_whole(folder, note_path(folder, shard).name, json.dumps(note))
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)


def _batches(plan: Plan, shard: Shard) -> Iterator[Batch]:
    """The problems of a shard in batches of about the same size."""
    space = plan.spaces[shard.split]
    size = shard.stop - shard.start
    number = -(-size // _BATCH)
    ends = [shard.start + size * k // number for k in range(number + 1)] if size else []
    for start, stop in pairwise(ends):
        yield space.batch(plan.numbers(shard.split, start, stop))


def note_path(folder: Path, shard: Shard) -> Path:
    """The note of a shard; it exists when the shard is written."""
    return folder / f".{shard.stem}.done"


def read_note(folder: Path, shard: Shard) -> Json:
    """What the note of a shard says."""
    note: Json = json.loads(note_path(folder, shard).read_text(encoding="utf-8"))
    return note


# --- files ----------------------------------------------------------


def checksum(path: Path) -> Json:
    """The SHA-256 and the size of a file."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
    return {"sha256": digest.hexdigest(), "bytes": path.stat().st_size}


def write_whole(folder: Path, name: str, text: str) -> None:
    """Write a small file so that it appears whole or not at all."""
    part = _part(folder, name)
    try:
        part.write_text(text, encoding="utf-8", newline="")
        move_whole(part, folder / name)
    finally:
        part.unlink(missing_ok=True)


def _part(folder: Path, name: str) -> Path:
    """Where a file is written before it has its name.

    The name is drawn, as numbers of processes are the same on several machines.
    """
    return folder / f".{name.replace('/', '.')}.{secrets.token_hex(8)}.part"


def move_whole(part: Path, path: Path) -> None:
    """Give a file that is whole its name."""
    path.parent.mkdir(exist_ok=True)
    os.replace(part, path)
