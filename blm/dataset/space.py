"""All problems of a concrete grammar and lexical type: counted, addressed, made in batches.

A problem is a matrix, a clause type, and a choice of wordings for its sentences; its number
runs through these in mixed radix, the matrix slowest.  Nothing is enumerated to find one, and
what a problem holds depends on its number, the options and the seed alone: shards, samples and
reruns agree.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import accumulate
from random import Random

import numpy as np

from blm.answers import Answers, Pool, balanced_pool, minimal_pool, named_pool
from blm.candidates import Asked
from blm.dataset.batch import Batch, Column
from blm.dataset.census import Addresses, Census, Kind, Trait
from blm.dataset.choose import PoolTable, fill
from blm.dataset.texts import TextTable
from blm.grammar import Grammar
from blm.layout import Codes
from blm.phenomenon import Value
from blm.problem import Matrix, decode_matrix
from blm.solve import LimitExceeded
from blm.variation import (
    Choice,
    Exact,
    LexicalType,
    ManySeeds,
    OneSeed,
    OneSlot,
    exact,
    parted,
)
from blm.wordings import Wordings

MOST_SENTENCES = 200_000
"""Sentences kept from file to file; they take about a kilobyte each."""

MOST_BALANCED = 100_000
"""Matrices that are looked at one by one, where nothing else tells the size of their sets."""


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
    _choices: dict[tuple[Kind, int], Choice] = field(default_factory=dict, repr=False)

    # --- counting and addressing ------------------------------------------------------

    @property
    def count(self) -> int:
        """The exact number of problems."""
        if self._uniform is not None:
            return self.grammar.count() * self._uniform
        if self._addresses is not None:
            return self._addresses.count
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
        matrix, within = self._matrix_of(number)
        return matrix, *divmod(within, self._choice(matrix).count)

    def _matrix_of(self, number: int) -> tuple[int, int]:
        """The matrix of a problem, and its number among those of the matrix."""
        if self._uniform is not None:
            return divmod(number, self._uniform)
        if self._addresses is not None:
            return self._addresses.locate(number)
        matrix = bisect_right(self._ends, number)
        return matrix, number - (self._ends[matrix - 1] if matrix else 0)

    def _matrices_of(self, numbers: Exact) -> tuple[Exact, Exact]:
        """The same of many problems (b,)."""
        if self._uniform is not None:
            return parted(numbers, self._uniform)
        found = [self._matrix_of(number) for number in numbers.tolist()]
        return exact([matrix for matrix, _ in found]), exact([within for _, within in found])

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
    def _addresses(self) -> Addresses | None:
        """Where the problems are, for a space that is not uniform; None if only pools tell."""
        if self._asks_pools:
            return None
        clauses = len(self._clauses)
        with self._in_time():
            return self._census.addresses(lambda kind: clauses * self._of_kind(kind).count)

    @cached_property
    def _ends(self) -> list[int]:
        """Where the problems of each matrix end: every axis value of every matrix counts."""
        matrices = self.grammar.count()
        if matrices > MOST_BALANCED:
            raise LimitExceeded(
                f"type {self.type} with balanced answers looks at every matrix, and there are "
                f"{matrices:,}, more than {MOST_BALANCED:,}; use type III, or named answers"
            )
        clauses = len(self._clauses)
        return list(accumulate(clauses * self._choice(index).count for index in range(matrices)))

    @property
    def _asks_pools(self) -> bool:
        """Whether the number of answers of a matrix shows in its pool alone."""
        return self.type is LexicalType.III_OWN and self.answers is Answers.BALANCED

    @cached_property
    def _census(self) -> Census:
        """The matrices by the variables that seeds look at and, where it matters, by answers."""
        own = self.type is LexicalType.III_OWN and not self._asks_pools
        traits = [*self._asked_traits(), *(self._answer_traits(len(self._asked)) if own else ())]
        return Census(self.grammar.space, traits)

    def _asked_traits(self) -> Iterator[Trait]:
        """The code of each variable that seeds look at."""
        layout = self.grammar.space.layout
        names = [variable.name for variable in layout.variables]
        for place, name in enumerate(self._asked):
            column = layout.size * layout.width + names.index(name)
            yield Trait((column,), place, partial(_code, column))

    def _answer_traits(self, place: int) -> Iterator[Trait]:
        """What each part of the candidate adds to the places of an answer set.

        Labels are bits, as two parts may serve one label; minimal distractors are counted.
        """
        join = int.__or__ if self.answers is Answers.NAMED else int.__add__
        for number, part in enumerate(self.grammar.solver.parts):
            if part.rules or part.alternatives:
                yield Trait(part.columns, place, _PartAnswers(self, number), join)

    def _in_time(self) -> AbstractContextManager[None]:
        """All that is asked of the solver within has the time of one enumeration."""
        if self.type is LexicalType.III_OWN or self.answers is Answers.MINIMAL:
            return self.grammar.solver.at_most(self.grammar.limits.seconds)
        return nullcontext()

    def amount_of(self, part: int, codes: Codes) -> int:
        """What a part adds: the labels that it serves, as bits, or its minimal distractors."""
        asked: Asked = "labelled" if self.answers is Answers.NAMED else "minimal"
        space, solver = self.grammar.space, self.grammar.solver
        verdicts = solver.answer(asked, part, space.completed(codes, solver.parts[part].columns))
        if self.answers is not Answers.NAMED:
            return len(verdicts)
        names = [label.name for label in self.grammar.phenomenon.labels]
        return sum(1 << k for k in {names.index(v.fits[0][0]) for v in verdicts})

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
        """The choices of wordings for a matrix."""
        varied = self._asked or self.type is LexicalType.III_OWN
        kind = self._census.kind(self.grammar.space.codes(index)) if varied else ()
        return self._of_kind(kind, len(self.pool(index).places) if self._asks_pools else None)

    def _of_kind(self, kind: Kind, answers: int | None = None) -> Choice:
        """The choices of wordings for matrices of a kind."""
        if answers is None:
            answers = self._answers_of(kind) if self.type is LexicalType.III_OWN else 1
        key = kind[: len(self._asked)], answers
        if key not in self._choices:
            variables = {v.name: v.values for v in self.grammar.space.layout.variables}
            made = {
                name: variables[name][k - 1] for name, k in zip(self._asked, kind, strict=False)
            }
            self._choices[key] = self._new_choice(made, answers)
        return self._choices[key]

    def _answers_of(self, kind: Kind) -> int:
        """The places of the answer sets of a kind, that of the correct answer included."""
        found = kind[len(self._asked)] if len(kind) > len(self._asked) else 0
        return 1 + (found.bit_count() if self.answers is Answers.NAMED else found)

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
        """What may stand in the answer sets of a matrix. The solver remembers what it takes."""
        solver, phenomenon = self.grammar.solver, self.grammar.phenomenon
        matrix = self._matrix(index)
        match self.answers:
            case Answers.NAMED:
                return named_pool(solver, phenomenon, matrix)
            case Answers.MINIMAL:
                return minimal_pool(solver, matrix)
            case Answers.BALANCED:
                random = Random(f"{self.seed} axes {matrix.id}")
                return balanced_pool(solver, phenomenon, self.grammar.space, matrix, random)

    @property
    def places(self) -> int:
        """Room for the largest answer set: no set has more answers.

        For minimal answers it takes those of matrices of every kind.
        """
        phenomenon = self.grammar.phenomenon
        match self.answers:
            case Answers.NAMED:
                return 1 + len(phenomenon.labels)
            case Answers.BALANCED:
                return int(2 ** len(phenomenon.axes))
            case Answers.MINIMAL:
                census = Census(self.grammar.space, list(self._answer_traits(0)))
                with self._in_time():
                    return max((1 + sum(kind) for kind in census.kinds), default=0)

    def _matrix(self, index: int) -> Matrix:
        space = self.grammar.space
        return decode_matrix(space.layout, space.codes(index), index)

    @cached_property
    def texts(self) -> TextTable:
        """The sentences of all batches."""
        return TextTable(self.grammar, self.wordings)

    def forget(self, above: int = MOST_SENTENCES) -> None:
        """Drop the sentences of earlier batches, if there are more; their numbers end with them.

        To be called between files, so that memory does not grow with their number.
        """
        if len(self.texts.sentences) > above:
            del self.texts

    # --- batches ------------------------------------------------------

    def batch(self, numbers: Sequence[int]) -> Batch:
        """The problems of these numbers. IndexError if there is no such problem."""
        exactly = self._checked(numbers)
        matrix_number, within = self._matrices_of(exactly)
        indices, matrix = _distinct(matrix_number)
        matrices = [self._matrix(index) for index in indices]
        pools = [self.pool(index) for index in indices]
        width = max((len(pool.places) for pool in pools), default=0)
        clause, context_wording, wording = self._wordings(indices, matrix, within, width)
        items = self._context_items(matrices)[matrix]
        table = PoolTable.of(pools, self.texts, self.grammar.space.layout)
        filled = fill(
            table,
            self.texts,
            exactly,
            matrix,
            clause,
            wording,
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
            context_text=self.texts.numbers(items, clause[:, None], context_wording),
            answer=filled.answer,
            place=filled.place,
            answer_wording=filled.wording,
            answer_text=filled.text,
            correct=filled.correct,
        )

    def _checked(self, numbers: Sequence[int]) -> Exact:
        """Numbers of problems as an array. IndexError if there is no such problem."""
        for number in (min(numbers), max(numbers)) if len(numbers) else ():
            if not 0 <= number < self.count:
                raise IndexError(f"there are {self.count} problems; {number} is not one of them")
        return exact(numbers)

    def _wordings(
        self, indices: Sequence[int], matrix: Column, within: Exact, width: int
    ) -> tuple[Column, Column, Column]:
        """The clause types (b,), and the wordings of the context and of answers, (b, width).

        `within` (b,) numbers the problems among those of their matrix, `indices[matrix]`.
        Matrices that have the same choices are served together.
        """
        choices = [self._choice(index) for index in indices]
        kinds: dict[int, int] = {}
        found = [kinds.setdefault(id(choice), len(kinds)) for choice in choices]
        kind = np.array(found, dtype=np.int64)
        clause = np.zeros(len(matrix), dtype=np.int64)
        context = np.zeros((self.grammar.phenomenon.shape.size - 1, len(matrix)), np.int64).T
        answers = np.zeros((width, len(matrix)), dtype=np.int64).T
        for own in kinds.values():
            choice = choices[found.index(own)]
            rows = np.flatnonzero(kind[matrix] == own)
            clause[rows], number = parted(within[rows], choice.count)
            context[rows], rest = choice.choose(number)
            answers[rows] = rest if rest.shape[1] == width else _widened(rest, width)
        return clause, context, answers

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


class _PartAnswers:
    """What a part of the candidate adds, by the codes in its columns."""

    def __init__(self, space: ProblemSpace, part: int) -> None:
        self._space, self._part = space, part
        self._columns = list(space.grammar.solver.parts[part].columns)
        self._known: dict[bytes, int] = {}

    def __call__(self, codes: Codes) -> int:
        """The number for a matrix, whose codes need be right in the columns of the part."""
        key = codes[self._columns].tobytes()
        if key not in self._known:
            self._known[key] = self._space.amount_of(self._part, codes)
        return self._known[key]


def _code(column: int, codes: Codes) -> int:
    return int(codes[column])


def _distinct(numbers: Exact) -> tuple[list[int], Column]:
    """The different numbers as they first appear, and for each number its place among them."""
    found, first, inverse = np.unique(numbers, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return found[order].tolist(), place[inverse]


def _widened(rows: Column, width: int) -> Column:
    """Rows with their last column repeated, up to `width` columns."""
    last = np.repeat(rows[:, -1:], width - rows.shape[1], axis=1)
    return np.concatenate([rows, last], axis=1)
