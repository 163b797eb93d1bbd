"""JSON Lines: one problem a line."""

from __future__ import annotations

import json
from typing import TextIO

from blm.dataset.problems import Problem, problem_json
from blm.pipeline import Grammar

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
