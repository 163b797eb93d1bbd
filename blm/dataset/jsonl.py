"""JSON Lines: one problem a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from blm.dataset.batch import Batch
from blm.dataset.records import Records
from blm.dataset.space import ProblemSpace
from blm.problem import Json


class JsonlWriter:
    """Writes problems to a new file."""

    def __init__(self, path: Path, space: ProblemSpace) -> None:
        self._file = path.open("w", encoding="utf-8", newline="")
        self._records = Records(space)

    def write(self, batch: Batch) -> None:
        """Add the problems of a batch."""
        self._file.writelines(f"{line}\n" for line in self._records.lines(batch))

    def close(self) -> None:
        """Finish the file."""
        self._file.close()


def read(path: Path) -> Iterator[Json]:
    """The problems of a file. OSError if it cannot be read, ValueError where a line is none."""
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                problem: Json = json.loads(line)
            except json.JSONDecodeError:
                raise ValueError(f"{path}:{number}: this line is no problem") from None
            yield problem
