"""A data set in memory: columns of numbers that stand for texts.

A text is stored once; a cell is its number, -1 where the cell is empty.  10,000 problems of
15 sentences are 150,000 numbers and, as sentences repeat, far fewer texts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int32]
"""Numbers of texts, -1 for an empty cell."""
Bools = NDArray[np.bool_]

EMPTY = -1

_APOSTROPHES = str.maketrans(dict.fromkeys("`´ʼ‘’", "'"))
_LOOSE = re.compile(r"(?<=\w') +(?=\w)| +(?=[.,])|(?<= ) +")


class Strings:
    """Texts by number, each once."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._ids: dict[str, int] = {"": EMPTY}

    def add(self, texts: Iterable[str]) -> Ids:
        """The numbers of texts, new ones where they are new; shape (texts,)."""
        ids = self._ids
        numbers = []
        for text in texts:
            number = ids.get(text)
            if number is None:
                number = ids[text] = len(self.texts)
                self.texts.append(_whole(text))
            numbers.append(number)
        return np.array(numbers, dtype=np.int32)

    def block(self, rows: Sequence[Sequence[str]], width: int) -> Ids:
        """The numbers of a block of texts, shape (rows, width); short rows end in empty cells."""
        flat = (text for row in rows for text in (*row, *[""] * (width - len(row))))
        return self.add(flat).reshape(len(rows), width)

    def text(self, number: int) -> str:
        """The text of a number; the empty text for -1."""
        return "" if number < 0 else self.texts[number]


def _whole(text: str) -> str:
    """A text with halves of characters, which JSON can hold and no file, shown as unreadable."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def fold(text: str) -> str:
    """A text without what does not make it another sentence: spacing, the kind of apostrophe.

    >>> fold("L’ eau est  claire .") == fold("L'eau est claire.")
    True
    """
    text = unicodedata.normalize("NFC", text.translate(_APOSTROPHES)).strip()
    return _LOOSE.sub("", text)


@dataclass(frozen=True)
class Fault:
    """What a reader met while reading: a kind of finding, with its place."""

    code: str
    row: int
    column: str
    text: str


@dataclass(frozen=True)
class Meta:
    """What a data set says about itself. `answers` is the kind of its answer sets."""

    language: str = ""
    answers: str = ""
    repeats: bool = False


@dataclass(frozen=True)
class Part:
    """One file, or one set of files that belong together.

    `context` and `answers` have the shapes (rows, items) and (rows, answers); so have the
    columns beside them, where the file has such. `right` is 1, 0, or -1 where nothing is said;
    `edits` counts changed cells and `repeats` gives the place in the context, -1 for unknown.
    """

    file: str
    path: Path
    layout: str
    context: Ids
    answers: Ids
    context_names: tuple[str, ...]
    answer_names: tuple[str, ...]
    right: NDArray[np.int8]
    labels: Ids | None = None
    context_items: Ids | None = None
    answer_items: Ids | None = None
    edits: NDArray[np.int16] | None = None
    broken: Ids | None = None
    repeats: NDArray[np.int16] | None = None
    extra: Mapping[str, Ids] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()
    split: str = ""
    meta: Meta = field(default_factory=Meta)

    @property
    def rows(self) -> int:
        """The number of problems."""
        return len(self.answers)

    @cached_property
    def filled(self) -> Bools:
        """Which answers have a text; shape (rows, answers)."""
        return np.asarray(self.answers >= 0)

    @cached_property
    def wrong(self) -> Bools:
        """The answers that are there and not right."""
        return np.asarray(self.filled & (self.right == 0))

    @cached_property
    def correct(self) -> NDArray[np.int64]:
        """The place of the right answer of each row, -1 where there is not exactly one."""
        right = (self.right == 1) & self.filled
        places = np.argmax(right, axis=1) if self.answers.shape[1] else np.zeros(self.rows, int)
        return np.where(right.sum(axis=1) == 1, places, -1)

    @cached_property
    def judged(self) -> NDArray[np.int64]:
        """The rows (from 0) with exactly one right answer."""
        return np.flatnonzero(self.correct >= 0)

    @cached_property
    def sentences(self) -> Ids:
        """Context and answers side by side, and doubled columns; shape (rows, columns)."""
        extra = [ids[:, None] for ids in self.extra.values()]
        return np.concatenate([self.context, self.answers, *extra], axis=1)

    @cached_property
    def sentence_names(self) -> tuple[str, ...]:
        """The names of the columns of `sentences`."""
        return (*self.context_names, *self.answer_names, *self.extra)


@dataclass(frozen=True)
class Table:
    """All that was read from a path."""

    path: Path
    parts: tuple[Part, ...]
    strings: Strings
    skipped: tuple[tuple[str, str], ...] = ()
    manifest: Mapping[str, Any] | None = None

    @cached_property
    def folded(self) -> Ids:
        """For each text the number of its folded form, with -1 at the end for empty cells."""
        known: dict[str, int] = {}
        numbers = [known.setdefault(fold(text), len(known)) for text in self.strings.texts]
        return np.array([*numbers, EMPTY], dtype=np.int32)

    def same(self, ids: Ids) -> Ids:
        """The numbers of folded texts, so that equal sentences have equal numbers."""
        return np.asarray(self.folded[ids])

    def text(self, number: int) -> str:
        """The text of a number."""
        return self.strings.text(int(number))
