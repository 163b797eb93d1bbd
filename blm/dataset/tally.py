"""What a data set holds, counted: gathered shard by shard while problems are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields

import numpy as np

from blm.dataset.batch import Batch, Column
from blm.dataset.space import ProblemSpace

MOST_MATRICES = 1000
"""Problems are counted by matrix where the grammar has no more matrices than this."""


@dataclass
class Tally:
    """Counts of problems, of their answers, and of the wrong ones among these.

    Problems are counted by `clauses`, `matrices`, number of `answers` and `places` of the
    correct one (from 1), answers by `labels`, wrong ones by the `rules` that they break;
    `repeats` counts, under `context`, the wrong answers whose item stands in the context.
    """

    clauses: Counter[str] = field(default_factory=Counter)
    matrices: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    places: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    repeats: Counter[str] = field(default_factory=Counter)

    def add(self, batch: Batch, space: ProblemSpace) -> None:
        """Count the problems of a batch."""
        there = batch.answer >= 0
        sizes = there.sum(axis=1)
        self.clauses += _by_name(batch.clause, [c.name for c in space.grammar.concrete.clauses])
        if space.grammar.count() <= MOST_MATRICES:
            self.matrices += _by_name(batch.matrix, [m.id for m in batch.matrices])
        self.answers += _by_name(sizes, range(batch.answer.shape[1] + 1))
        self.places += _by_name(batch.correct + 1, range(batch.answer.shape[1] + 1))
        self.labels += _by_name(batch.place[there], batch.labels)
        uses = np.bincount(batch.answer[there], minlength=len(batch.candidates)).tolist()
        for candidate, number in zip(batch.candidates, uses, strict=True):
            self.rules.update(dict.fromkeys(candidate.broken, number))
            if candidate.repeats and not candidate.correct:
                self.repeats["context"] += number
        self.rules += Counter()

    def update(self, other: Tally) -> None:
        """Add the counts of another part of the data set."""
        for one in fields(self):
            getattr(self, one.name).update(getattr(other, one.name))

    @property
    def problems(self) -> int:
        """The number of problems."""
        return self.clauses.total()

    @property
    def wrong(self) -> int:
        """The number of wrong answers."""
        return self.labels.total() - self.problems

    def to_json(self) -> dict[str, dict[str, int]]:
        """The counts by kind; names sorted, so that it does not matter who counted first."""
        return {one.name: dict(sorted(getattr(self, one.name).items())) for one in fields(self)}

    @classmethod
    def from_json(cls, document: Mapping[str, Mapping[str, int]]) -> Tally:
        """The counts that `to_json` wrote."""
        return cls(**{name: Counter(table) for name, table in document.items()})


def _by_name(numbers: Column, names: Sequence[object]) -> Counter[str]:
    """How often each number occurs, by its name."""
    counts = np.bincount(numbers.reshape(-1), minlength=len(names)).tolist()
    return Counter({str(name): n for name, n in zip(names, counts, strict=True) if n})
