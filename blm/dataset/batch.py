"""A batch of problems as columns of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from blm.problem import Candidate, Matrix

Column = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class Batch:
    """Problems, a row each; b problems with n - 1 context sentences and up to k answers.

    `numbers` are the numbers of the problems in their space. `matrices[matrix[i]]` is the
    matrix of problem i. `clause` numbers clause types; `context_wording` (b, n - 1) and
    `answer_wording` (b, k) number wordings; `context_item`, `context_text` (b, n - 1) and
    `answer_text` (b, k) number items and sentences of the text table. `answer` (b, k) numbers
    `candidates`, `place` (b, k) the place of the answer set that a candidate fills: its label is
    `labels[place]`. Answers come shuffled, and -1 stands where there are fewer than k.
    `correct` (b,) is where the right answer stands.
    """

    numbers: Sequence[int]
    matrices: Sequence[Matrix]
    candidates: Sequence[Candidate]
    labels: Sequence[str]
    matrix: Column
    clause: Column
    context_wording: Column
    context_item: Column
    context_text: Column
    answer: Column
    place: Column
    answer_wording: Column
    answer_text: Column
    correct: Column

    def __len__(self) -> int:
        return len(self.numbers)
