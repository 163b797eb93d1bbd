"""JSON Lines: one problem a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TextIO

from blm.dataset.problems import Problem, problem_json
from blm.pipeline import Grammar
from blm.problem import Json

SUFFIX = ".jsonl"


class Writer:
    """Writes problems to an open text file, one a line; `places` does not matter here."""

    def __init__(self, file: TextIO, grammar: Grammar, places: int) -> None:
        self._file = file
        self._grammar = grammar

    def write(self, problem: Problem) -> None:
        """Add a problem."""
        document = problem_json(self._grammar, problem)
        self._file.write(json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n")


def read(folder: Path, start: int = 0, limit: int | None = None) -> Iterator[Json]:
    """The problems of a data set, from number `start` (from 0).

    FileNotFoundError if the folder has no such file, ValueError where a line is no problem.
    """
    path = folder / f"problems{SUFFIX}"
    stop = None if limit is None else start + limit
    with path.open(encoding="utf-8") as file:
        for number, line in islice(enumerate(file, 1), start, stop):
            try:
                problem: Json = json.loads(line)
            except json.JSONDecodeError:
                raise ValueError(f"{path}:{number}: this line is no problem") from None
            yield problem
