"""Problems as arrays: one table of the distinct sentences, and rows of numbers into it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from blm.encode.data import Example, sentences
from blm.encode.encoder import FloatArray
from blm.encode.store import VectorStore, distinct

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class Encoded:
    """N problems with n context sentences and at most k candidates each.

    The vectors of a batch are `table[context[batch]]`: (batch, n, width).
    """

    table: FloatArray
    """(sentences, width)"""
    context: IntArray
    """(N, n), rows of the table"""
    candidates: IntArray
    """(N, k), rows of the table; 0 where there is no candidate"""
    mask: BoolArray
    """(N, k), whether there is a candidate"""
    answer: IntArray
    """(N,), the place of the correct candidate"""

    def __len__(self) -> int:
        return len(self.answer)

    @property
    def items(self) -> int:
        """The number n of context sentences."""
        return int(self.context.shape[1])

    @property
    def width(self) -> int:
        """The width of a vector."""
        return int(self.table.shape[1])

    def take(self, rows: npt.NDArray[Any] | Sequence[int]) -> Encoded:
        """The problems of these numbers; they share the table."""
        rows = np.asarray(rows, dtype=np.int64)
        return Encoded(
            table=self.table,
            context=self.context[rows],
            candidates=self.candidates[rows],
            mask=self.mask[rows],
            answer=self.answer[rows],
        )


def encode_examples(
    examples: Sequence[Example],
    store: VectorStore,
    *,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Encoded:
    """The arrays of problems. ValueError where there are none, or contexts differ in length."""
    lengths = {len(example.context) for example in examples}
    if len(lengths) != 1:
        found = ", ".join(map(str, sorted(lengths))) or "no problems"
        raise ValueError(f"the contexts of a data set have one length; found {found}")
    texts = distinct(sentences(examples))
    table = store.vectors(texts, progress=progress)
    row = {text: number for number, text in enumerate(texts)}
    most = max(len(example.choices) for example in examples)
    candidates = np.zeros((len(examples), most), dtype=np.int64)
    mask = np.zeros((len(examples), most), dtype=np.bool_)
    for number, example in enumerate(examples):
        places = len(example.choices)
        candidates[number, :places] = [row[choice.text] for choice in example.choices]
        mask[number, :places] = True
    return Encoded(
        table=table,
        context=np.array([[row[t] for t in e.context] for e in examples], dtype=np.int64),
        candidates=candidates,
        mask=mask,
        answer=np.array([example.answer for example in examples], dtype=np.int64),
    )


def standardise(train: Encoded, data: Encoded) -> Encoded:
    """`data` with the mean and spread of the training sentences taken out of each dimension.

    Vectors of most sentence encoders lie in a narrow cone, so that all cosines are near 1 and a
    margin over them teaches little in few epochs; this is the usual remedy. It is not the paper's.
    """
    used = np.unique(train.context)
    mean = train.table[used].mean(0)
    spread = np.maximum(train.table[used].std(0), 1e-6)
    return replace(data, table=((data.table - mean) / spread).astype(np.float32))
