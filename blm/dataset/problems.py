"""Problems of lexical type I: a matrix, a clause type and one seed for all its sentences.

The number of problems is known without enumerating them, and each has a number of its own,
so that any one of them, a shard or a sample can be made alone.  The same grammar, options and
seed give the same problem, whatever was made before it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from random import Random

from blm.answers import Answers, Pool, balanced_pool, minimal_pool, named_pool
from blm.layout import Item
from blm.phenomenon import Value
from blm.pipeline import Grammar
from blm.problem import Candidate, Json, Matrix, candidate_json, item_json
from blm.realise import Sentence
from blm.words import Seed


@dataclass(frozen=True)
class Answer:
    """A candidate with its sentence. `label` is the label of the place it fills."""

    sentence: Sentence
    candidate: Candidate
    label: str


@dataclass(frozen=True)
class Problem:
    """A context of n - 1 sentences and the candidates for the next, of which one is right."""

    id: str
    matrix: Matrix
    clause: str
    seed: Seed
    context: tuple[Sentence, ...]
    answers: tuple[Answer, ...]

    @property
    def answer(self) -> int:
        """The place of the correct answer, from 0."""
        return next(k for k, a in enumerate(self.answers) if a.candidate.correct)


@dataclass
class ProblemSpace:
    """All problems of type I of a concrete grammar, addressed by number.

    `refused` counts, by reason, the candidates that could not stand in a problem: their
    sentence is that of another candidate, as where a verb does not show number.
    """

    grammar: Grammar
    answers: Answers = Answers.NAMED
    seed: int = 0
    exclude_repeats: bool = False
    refused: Counter[str] = field(default_factory=Counter)
    _pools: dict[int, Pool] = field(default_factory=dict, repr=False)
    _serving: dict[tuple[tuple[str, Value], ...], tuple[Seed, ...]] = field(
        default_factory=dict, repr=False
    )

    def __len__(self) -> int:
        return self.count

    @property
    def count(self) -> int:
        """The exact number of problems: over all matrices, clause types x seeds that serve them."""
        return self._ends[-1] if self._ends else 0

    @property
    def places(self) -> int:
        """The size of the largest answer set."""
        return max((len(self._pool(k).places) for k in range(len(self._matrices))), default=0)

    def problem(self, number: int) -> Problem:
        """Problem `number`, from 0. IndexError if there is none."""
        if not 0 <= number < self.count:
            raise IndexError(f"there are {self.count} problems; {number} is not one of them")
        block = bisect_right(self._ends, number)
        within = number - (self._ends[block - 1] if block else 0)
        clause, place = divmod(within, len(self._seeds(block)))
        return self._make(number, block, self._clauses[clause], self._seeds(block)[place])

    # --- addressing -------------------------------------------------------------------------

    @cached_property
    def _clauses(self) -> tuple[str, ...]:
        return tuple(clause.name for clause in self.grammar.concrete.clauses)

    @cached_property
    def _matrices(self) -> tuple[Matrix, ...]:
        return tuple(self.grammar.matrices())

    @cached_property
    def _ends(self) -> list[int]:
        """Where the problems of each matrix end."""
        sizes = (
            len(self._clauses) * len(self._seeds(index)) for index in range(len(self._matrices))
        )
        return list(accumulate(sizes))

    def _seeds(self, index: int) -> tuple[Seed, ...]:
        """The seeds that serve a matrix; they depend on its choices alone."""
        matrix = self._matrices[index]
        key = tuple(matrix.choices.items())
        if key not in self._serving:
            self._serving[key] = self.grammar.seeds(matrix)
        return self._serving[key]

    # --- making -------------------------------------------------------------------------------

    def _pool(self, index: int) -> Pool:
        """What may stand in the answer sets of a matrix."""
        if index not in self._pools:
            solver, phenomenon = self.grammar.solver, self.grammar.phenomenon
            matrix = self._matrices[index]
            match self.answers:
                case Answers.NAMED:
                    self._pools[index] = named_pool(solver, phenomenon, matrix)
                case Answers.MINIMAL:
                    self._pools[index] = minimal_pool(solver, matrix)
                case Answers.BALANCED:
                    random = Random(f"{self.seed} axes {matrix.id}")
                    self._pools[index] = balanced_pool(solver, phenomenon, matrix, random)
        return self._pools[index]

    def _make(self, number: int, block: int, clause: str, seed: Seed) -> Problem:
        matrix = self._matrices[block]
        random = Random(f"{self.seed} problem {number}")

        def say(item: Item) -> Sentence:
            return self.grammar.speaker.say(clause, item, seed.words)

        context = tuple(say(item) for item in matrix.context)
        answers = list(self._fill(self._pool(block), say, random))
        random.shuffle(answers)
        identifier = f"{matrix.id}-{clause}-{seed.name}"
        return Problem(identifier, matrix, clause, seed, context, tuple(answers))

    def _fill(
        self, pool: Pool, say: Callable[[Item], Sentence], random: Random
    ) -> Iterator[Answer]:
        """An answer for each place, with a sentence of its own; a place that has none is left."""
        taken: dict[str, str] = {}
        for label, candidates in pool.places:
            reason = ""
            for candidate in random.sample(candidates, len(candidates)):
                if self.exclude_repeats and candidate.repeats and not candidate.correct:
                    reason = reason or "is a sentence of the context"
                    continue
                sentence = say(candidate.item)
                if sentence.text in taken:
                    reason = f"same sentence as {taken[sentence.text]}"
                    continue
                taken[sentence.text] = label
                yield Answer(sentence, candidate, label)
                break
            else:
                self.refused[f"{label}: {reason}"] += 1


def problem_json(grammar: Grammar, problem: Problem) -> Json:
    """A problem for programs (design, section 5), with the clause type of its sentences."""
    phenomenon = grammar.phenomenon
    return {
        "id": problem.id,
        "phenomenon": phenomenon.name,
        "language": grammar.concrete.language,
        "type": "I",
        "clause": problem.clause,
        "matrix": problem.matrix.id,
        "seeds": [problem.seed.name],
        "context": [
            {"text": sentence.text, "item": item_json(phenomenon, item)}
            for sentence, item in zip(problem.context, problem.matrix.context, strict=True)
        ],
        "candidates": [
            {
                "text": answer.sentence.text,
                **candidate_json(phenomenon, answer.candidate),
                "label": answer.label,
            }
            for answer in problem.answers
        ],
        "answer": problem.answer,
    }
