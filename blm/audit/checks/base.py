"""What a check is given, and how checks are listed."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from blm.audit.finding import MOST_EXAMPLES, Example, Finding, Kind
from blm.audit.judge import Judgements
from blm.audit.table import Ids, Part, Table

_WORD = re.compile(r"\w+")


class Prose:
    """Texts joined by line breaks, so that a pattern looks through all of them in one pass."""

    def __init__(self, numbers: Sequence[int], texts: Sequence[str]) -> None:
        lines = [texts[number].replace("\n", " ") for number in numbers]
        self._numbers = numbers
        self._starts = [0, *accumulate(len(line) + 1 for line in lines)]
        self.joined = "\n".join(lines)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the texts, each once."""
        return frozenset(_WORD.findall(self.joined))

    def texts(self) -> Iterator[tuple[int, str]]:
        """The texts, with their numbers."""
        return zip(self._numbers, self.joined.split("\n"), strict=False)

    def at(self, place: int) -> int:
        """The number of the text that a place of the joined text lies in."""
        return self._numbers[bisect_right(self._starts, place) - 1]


@dataclass(frozen=True)
class Job:
    """One part of a table to look at. `judged` is what a grammar says about it, if one is given."""

    part: Part
    table: Table
    language: str = ""
    judged: Judgements | None = None
    limit: int = MOST_EXAMPLES

    def example(self, row: int, column: str, text: str) -> Example:
        """An example in a row that is counted from 0 here and from 1 in what is shown."""
        return Example(self.part.file, int(row) + 1, column, text)

    def answer_example(self, row: int, place: int, text: str = "") -> Example:
        """An answer, with its label, as an example."""
        sentence = self.table.text(self.part.answers[row, place])
        said = text or f"{sentence} [{self.label(row, place)}]"
        return self.example(row, self.part.answer_names[place], said)

    def label(self, row: int, place: int) -> str:
        """The label of an answer."""
        labels = self.part.labels
        return self.table.text(labels[row, place]) if labels is not None else ""

    @cached_property
    def answers(self) -> Ids:
        """The answers by folded text: equal sentences have equal numbers."""
        return self.table.same(self.part.answers)

    @cached_property
    def context(self) -> Ids:
        """The context by folded text."""
        return self.table.same(self.part.context)

    @cached_property
    def solutions(self) -> Ids:
        """The right answer of each row by folded text, -1 where there is not exactly one."""
        places = self.part.correct
        taken = self.answers[np.arange(self.part.rows), np.maximum(places, 0)]
        return np.where(places >= 0, taken, -1).astype(np.int32)

    @cached_property
    def prose(self) -> Prose:
        """All sentences of the part as one text."""
        numbers = np.unique(self.part.sentences)
        return Prose(numbers[numbers >= 0].tolist(), self.table.strings.texts)

    @property
    def declared(self) -> bool:
        """Whether the data set says that its answer sets are not balanced."""
        return self.part.meta.answers in ("named", "minimal")


PartCheck = Callable[[Job], Iterable[Finding]]
TableCheck = Callable[[Table, int], Iterable[Finding]]


@dataclass(frozen=True)
class Check:
    """One kind of finding and the function that looks for it in a part."""

    kind: Kind
    look: PartCheck


@dataclass(frozen=True)
class WholeCheck:
    """One kind of finding and the function that looks for it in all parts together."""

    kind: Kind
    look: TableCheck


@dataclass
class Tally:
    """How often each of some words comes, for a detail: `tempss 4, souriss 3`."""

    counts: dict[str, int] = field(default_factory=dict)

    def add(self, word: str, count: int = 1) -> None:
        """Count a word."""
        self.counts[word] = self.counts.get(word, 0) + count

    def most(self) -> dict[str, int]:
        """The words by how often they come, most often first."""
        return dict(sorted(self.counts.items(), key=lambda entry: (-entry[1], entry[0])))

    def text(self, limit: int = 6) -> str:
        """The most frequent words with their counts."""
        listed = list(self.most().items())
        shown = ", ".join(f"{word}: {count}" for word, count in listed[:limit])
        more = len(listed) - limit
        return f"{shown}, and {more} more" if more > 0 else shown


def rows_of(mask: NDArray[np.bool_]) -> Iterator[int]:
    """The rows (from 0) of a mask over rows."""
    return (int(row) for row in np.flatnonzero(mask))
