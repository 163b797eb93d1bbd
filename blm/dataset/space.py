"""All problems of a concrete grammar and lexical type: counted, addressed, made in batches.

A problem is a matrix, a clause type, and a choice of wordings for its sentences; its number
runs through these in mixed radix, the matrix slowest.  Nothing is enumerated to find one, and
what a problem holds depends on its number, the options and the seed alone: shards, samples and
reruns agree.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from random import Random

import numpy as np

from blm.answers import Answers, Pool, balanced_pool, minimal_pool, named_pool
from blm.dataset.batch import Batch, Column
from blm.dataset.choose import PoolTable, fill
from blm.dataset.texts import TextTable
from blm.grammar import Grammar
from blm.phenomenon import Value
from blm.problem import Matrix, decode_matrix
from blm.variation import Choice, LexicalType, ManySeeds, OneSeed, OneSlot
from blm.wordings import Wordings

Signature = tuple[tuple[str, Value], ...]
"""The variables of a matrix that seeds look at, with their values."""


class NoProblems(ValueError):
    """The options leave no problem; the text says why, and what to do."""


@dataclass
class ProblemSpace:
    """The problems of a grammar, under fixed options.

    `seeds` names the seeds to use (all, if None): splits use different ones. `refused` counts
    by reason the places of answer sets that stayed empty, over all batches made so far.
    """

    grammar: Grammar
    type: LexicalType = LexicalType.I
    answers: Answers = Answers.NAMED
    seed: int = 0
    exclude_repeats: bool = False
    seeds: Sequence[str] | None = None
    refused: Counter[str] = field(default_factory=Counter)
    _pools: dict[int, Pool] = field(default_factory=dict, repr=False)
    _choices: dict[tuple[Signature, int], Choice] = field(default_factory=dict, repr=False)

    # --- counting and addressing ------------------------------------------------------

    @property
    def count(self) -> int:
        """The exact number of problems."""
        if self._uniform is not None:
            return self.grammar.count() * self._uniform
        return self._ends[-1] if self._ends else 0

    def factors(self) -> dict[str, int]:
        """What the count is made of: matrices, clause types, and choices of wordings.

        The last is a mean where seeds serve some matrices only (`choices` of a type I matrix
        with 12 seeds is 12).
        """
        matrices, clauses = self.grammar.count(), len(self._clauses)
        return {
            "matrices": matrices,
            "clause types": clauses,
            "choices of words": self.count // (matrices * clauses) if matrices else 0,
        }

    def locate(self, number: int) -> tuple[int, int, int]:
        """The matrix, the clause type and the choice of wordings of a problem, from 0.

        IndexError if there is no such problem.
        """
        if not 0 <= number < self.count:
            raise IndexError(f"there are {self.count} problems; {number} is not one of them")
        if self._uniform is not None:
            matrix, within = divmod(number, self._uniform)
        else:
            matrix = bisect_right(self._ends, number)
            within = number - (self._ends[matrix - 1] if matrix else 0)
        return matrix, *divmod(within, self._choice(matrix).count)

    @cached_property
    def _clauses(self) -> tuple[str, ...]:
        return tuple(clause.name for clause in self.grammar.concrete.clauses)

    @cached_property
    def _uniform(self) -> int | None:
        """How many problems each matrix has, where all have the same number."""
        if self._asked or self.type is LexicalType.III_OWN:
            return None
        return len(self._clauses) * self._choice(0).count if self.grammar.count() else 0

    @cached_property
    def _ends(self) -> list[int]:
        """Where the problems of each matrix end, for spaces that are not uniform."""
        clauses = len(self._clauses)
        matrices = range(self.grammar.count())
        return list(accumulate(clauses * self._choice(index).count for index in matrices))

    # --- words ------------------------------------------------------

    @cached_property
    def _seed_numbers(self) -> tuple[int, ...]:
        """The numbers of the seeds in use."""
        chosen = None if self.seeds is None else set(self.seeds)
        seeds = self.grammar.lexicon.seeds
        return tuple(k for k, s in enumerate(seeds) if chosen is None or s.name in chosen)

    @cached_property
    def _asked(self) -> tuple[str, ...]:
        """The variables that some seed in use requires a value of."""
        seeds = self.grammar.lexicon.seeds
        names = (name for k in self._seed_numbers for name, _ in seeds[k].requires)
        return tuple(dict.fromkeys(names))

    @cached_property
    def families(self) -> dict[int, tuple[int, ...]]:
        """For each seed in use, its wordings with other words in the varied slot."""
        return self.wordings.families(self._seed_numbers)

    @property
    def wordings(self) -> Wordings:
        """What fills the slots, by number of wording."""
        return self.grammar.wordings

    def _choice(self, index: int) -> Choice:
        """The choices of wordings for a matrix; they depend on its variables alone."""
        matrix = self._matrix(index) if self._asked else None
        signature: Signature = ()
        if matrix is not None:
            signature = tuple((name, matrix.choices[name]) for name in self._asked)
        answers = len(self.pool(index).places) if self.type is LexicalType.III_OWN else 1
        key = signature, answers
        if key not in self._choices:
            self._choices[key] = self._new_choice(dict(signature), answers)
        return self._choices[key]

    def _new_choice(self, made: dict[str, Value], answers: int) -> Choice:
        seeds = self.grammar.lexicon.seeds
        serving = tuple(
            k for k in self._seed_numbers if all(made[n] == v for n, v in seeds[k].requires)
        )
        context = self.grammar.phenomenon.shape.size - 1
        match self.type:
            case LexicalType.I:
                return OneSeed(serving, context, answers)
            case LexicalType.II:
                return OneSlot(tuple(self.families[k] for k in serving), context, answers)
            case LexicalType.III | LexicalType.III_OWN:
                own = self.type is LexicalType.III_OWN
                return ManySeeds(serving, context, answers, own)

    # --- answer sets ------------------------------------------------------

    def pool(self, index: int) -> Pool:
        """What may stand in the answer sets of a matrix."""
        if index not in self._pools:
            solver, phenomenon = self.grammar.solver, self.grammar.phenomenon
            matrix = self._matrix(index)
            match self.answers:
                case Answers.NAMED:
                    self._pools[index] = named_pool(solver, phenomenon, matrix)
                case Answers.MINIMAL:
                    self._pools[index] = minimal_pool(solver, matrix)
                case Answers.BALANCED:
                    random = Random(f"{self.seed} axes {matrix.id}")
                    self._pools[index] = balanced_pool(solver, phenomenon, matrix, random)
        return self._pools[index]

    @property
    def places(self) -> int:
        """Room for the largest answer set: no set has more answers.

        For minimal answers it takes the pools of all matrices.
        """
        phenomenon = self.grammar.phenomenon
        match self.answers:
            case Answers.NAMED:
                return 1 + len(phenomenon.labels)
            case Answers.BALANCED:
                return int(2 ** len(phenomenon.axes))
            case Answers.MINIMAL:
                matrices = range(self.grammar.count())
                return max((len(self.pool(index).places) for index in matrices), default=0)

    def _matrix(self, index: int) -> Matrix:
        space = self.grammar.space
        return decode_matrix(space.layout, space.codes(index), index)

    @cached_property
    def texts(self) -> TextTable:
        """The sentences of all batches."""
        return TextTable(self.grammar, self.wordings)

    # --- batches ------------------------------------------------------

    def batch(self, numbers: Sequence[int]) -> Batch:
        """The problems of these numbers. IndexError if there is no such problem."""
        located = [self.locate(number) for number in numbers]
        indices = list(dict.fromkeys(matrix for matrix, _, _ in located))
        matrices = [self._matrix(index) for index in indices]
        pools = [self.pool(index) for index in indices]
        row = {index: place for place, index in enumerate(indices)}
        matrix = np.array([row[m] for m, _, _ in located], dtype=np.int64)
        clause = np.array([c for _, c, _ in located], dtype=np.int64)
        width = max((len(pool.places) for pool in pools), default=0)
        context_wording, answer_wording = self._wordings(located, matrix, indices, width)
        items = self._context_items(matrices)[matrix]
        table = PoolTable.of(pools, self.texts, self.grammar.space.layout)
        filled = fill(
            table,
            self.texts,
            numbers,
            matrix,
            clause,
            answer_wording,
            seed=self.seed,
            exclude_repeats=self.exclude_repeats,
        )
        self.refused.update(filled.refused)
        return Batch(
            numbers=numbers,
            matrices=matrices,
            candidates=table.candidates,
            labels=table.labels,
            matrix=matrix,
            clause=clause,
            context_wording=context_wording,
            context_item=items,
            context_text=self.texts.numbers(items, clause[:, None] + 0 * items, context_wording),
            answer=filled.answer,
            place=filled.place,
            answer_wording=filled.wording,
            answer_text=filled.text,
            correct=filled.correct,
        )

    def _wordings(
        self,
        located: Sequence[tuple[int, int, int]],
        matrix: Column,
        indices: Sequence[int],
        width: int,
    ) -> tuple[Column, Column]:
        context = np.zeros((len(located), self.grammar.phenomenon.shape.size - 1), dtype=np.int64)
        answers = np.zeros((len(located), width), dtype=np.int64)
        groups: dict[int, list[int]] = {}
        for place, own in enumerate(matrix.tolist()):
            groups.setdefault(id(self._choice(indices[own])), []).append(place)
        for places in groups.values():
            choice = self._choice(located[places[0]][0])
            first, rest = choice.choose([located[k][2] for k in places])
            context[places] = first
            answers[places] = rest if rest.shape[1] == width else _widened(rest, width)
        return context, answers

    def _context_items(self, matrices: Sequence[Matrix]) -> Column:
        """The numbers of the context items of each matrix, shape (matrices, n - 1)."""
        layout = self.grammar.space.layout
        rows = [
            [
                self.texts.item(matrix.codes[layout.item_columns(k)].tobytes(), item)
                for k, item in enumerate(matrix.context, 1)
            ]
            for matrix in matrices
        ]
        return np.array(rows, dtype=np.int64).reshape(len(matrices), layout.size - 1)


def _widened(rows: Column, width: int) -> Column:
    """Rows with their last column repeated, up to `width` columns."""
    last = np.repeat(rows[:, -1:], width - rows.shape[1], axis=1)
    return np.concatenate([rows, last], axis=1)
