"""Words for right and wrong, as data sets write them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

RIGHT = frozenset({"true", "1", "1.0", "yes", "correct"})
WRONG = frozenset({"false", "0", "0.0", "no", "incorrect"})

RIGHT_LABELS = frozenset({"true", "correct"})
"""Labels that say that an answer is the right one, whatever their case."""


def marks(rows: Sequence[Sequence[str]], width: int) -> NDArray[np.int8]:
    """1 for right, 0 for wrong, -1 for anything else; shape (rows, width)."""
    found = np.full((len(rows), width), -1, dtype=np.int8)
    known = dict.fromkeys(RIGHT, 1) | dict.fromkeys(WRONG, 0)
    for number, row in enumerate(rows):
        found[number, : len(row)] = [known.get(word.strip().lower(), -1) for word in row]
    return found


def marks_from_labels(rows: Sequence[Sequence[str]], width: int) -> NDArray[np.int8]:
    """1 where the label is that of the right answer, 0 for another label, -1 for none."""
    found = np.full((len(rows), width), -1, dtype=np.int8)
    for number, row in enumerate(rows):
        found[number, : len(row)] = [
            -1 if not label else int(label.strip().lower() in RIGHT_LABELS) for label in row
        ]
    return found
