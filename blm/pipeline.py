"""The readable chain: from a path to matrices, candidates, explanations and problems.

grammar = blm.load("grammars/agreement/fr.blm")
grammar.count()                         # 24
matrix = grammar.matrix("m1")
grammar.distractors(matrix)             # every minimal distractor, with what it breaks
grammar.explain("Les ordinateurs ...")  # the rules a sentence breaks, and why
grammar.problems(sample=100)            # records as `blm generate` writes them
grammar.problem("fr-III-271")           # one of them, made alone
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from blm import grammar
from blm.answers import Answers
from blm.dataset.one import one_problem
from blm.dataset.plan import Options, make_plan
from blm.dataset.records import Records
from blm.dataset.write import write_dataset
from blm.problem import Json, Problem
from blm.solve import DEFAULT_LIMITS, Limits
from blm.variation import LexicalType

_BATCH = 256
"""Problems made at a time."""


class Grammar(grammar.Grammar):
    """A grammar that makes problems, too."""

    def problems(
        self,
        *,
        type: LexicalType | str = LexicalType.I,
        answers: Answers | str = Answers.NAMED,
        seed: int = 0,
        **options: Any,
    ) -> Iterator[Problem]:
        """Problems as records (see docs/datasets.md), made one batch at a time.

        Options: `limit`, `sample`, `split`, `split_by`, `exclude_repeats`; see `Options`.
        Raises ValueError where they leave no problem or the grammar has no words.
        """
        plan = make_plan(self, _options(type, answers, seed, options))
        for split, size in plan.sizes.items():
            records = Records(plan.spaces[split])
            for start in range(0, size, _BATCH):
                numbers = plan.numbers(split, start, min(size, start + _BATCH))
                yield from records.objects(records.space.batch(numbers))

    def problem(
        self,
        identifier: str | int,
        *,
        type: LexicalType | str = LexicalType.I,
        answers: Answers | str = Answers.NAMED,
        seed: int = 0,
        part: str | None = None,
        **options: Any,
    ) -> Problem:
        """The problem of an id (`fr-III-271`) or number from 0; no other one is made.

        With the options of its data set: see `problems`; `part` is its split, where there are
        some. ValueError where there is no such problem.
        """
        return one_problem(self, _options(type, answers, seed, options), identifier, part)

    def count_problems(
        self,
        *,
        type: LexicalType | str = LexicalType.I,
        answers: Answers | str = Answers.NAMED,
        **options: Any,
    ) -> int:
        """The exact number of problems of a lexical type; none is made. Options: see `problems`."""
        plan = make_plan(self, _options(type, answers, 0, options))
        return sum(space.count for space in plan.spaces.values())

    def generate(
        self,
        folder: str | Path,
        *,
        type: LexicalType | str = LexicalType.I,
        answers: Answers | str = Answers.NAMED,
        seed: int = 0,
        workers: int = 1,
        cluster: str | None = None,
        force: bool = False,
        progress: Callable[[int, int], None] = lambda _done, _total: None,
        say: Callable[[str], None] = lambda _text: None,
        **options: Any,
    ) -> Json:
        """Write a data set to a folder, as `blm generate` does; returns its manifest.

        Options: those of `problems`, and `formats`, `shard_size`. See `write_dataset` for what
        is raised.
        """
        return write_dataset(
            self,
            _options(type, answers, seed, options),
            Path(folder),
            workers=workers,
            cluster=cluster,
            force=force,
            progress=progress,
            say=say,
        )


def load(path: str | Path, *, limits: Limits = DEFAULT_LIMITS) -> Grammar:
    """Load a grammar file, with the files it uses. GrammarError lists every mistake."""
    return Grammar.from_file(path, limits=limits)


def _options(
    type_: LexicalType | str, answers: Answers | str, seed: int, rest: dict[str, Any]
) -> Options:
    return Options(type=LexicalType(type_), answers=Answers(answers), seed=seed, **rest)
