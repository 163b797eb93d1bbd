"""The file formats of problems, registered once.

A format is a suffix and a writer. A writer is made with a path and a space, takes batches, and is
closed; the path it writes to is renamed to its final name only when it is closed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from blm.dataset import authors, jsonl
from blm.dataset.batch import Batch
from blm.dataset.space import ProblemSpace


class Writer(Protocol):
    """Writes the problems of one shard."""

    def write(self, batch: Batch) -> None:
        """Add the problems of a batch."""

    def close(self) -> None:
        """Finish the file."""


@dataclass(frozen=True)
class Format:
    """A file format; `writer(path, space)` opens a new file."""

    suffix: str
    title: str
    writer: Callable[[Path, ProblemSpace], Writer]


FORMATS: Mapping[str, Format] = {
    "jsonl": Format(".jsonl", "JSON Lines", jsonl.JsonlWriter),
    "csv": Format(".csv", "the authors' columns, tab-separated", authors.AuthorsWriter),
}
