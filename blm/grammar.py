"""A checked grammar and the questions it answers: matrices, distractors, explanations."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Self

from msgspec import Struct

from blm.candidates import CandidateSolver, Minimise, Target
from blm.concrete import Concrete
from blm.diagnostics import Diagnostic, GrammarError, Severity
from blm.explain import Appraisal, Explanation, appraise, explain
from blm.files import load as read_grammar
from blm.layout import Item
from blm.lexicon import load_lexicon
from blm.listing import Candidates, Matrices
from blm.phenomenon import CellName, Phenomenon, Value
from blm.problem import Matrix, decode_matrix, make_candidate, matrix_index, parse_item
from blm.program import Program, compile_phenomenon
from blm.realise import Speaker, languages, speaker
from blm.recognise import Reading, Recogniser
from blm.resources import grammar_path
from blm.solve import (
    DEFAULT_LIMITS,
    CounterMissing,
    LimitExceeded,
    Limits,
    MatrixSpace,
    count_matrices,
    solve_matrices,
)
from blm.validate import ambiguous_choices, validate
from blm.wordings import Wordings
from blm.words import Lexicon, Seed


class UnknownSentence(ValueError):
    """No item of the grammar is said so; `nearest` lists (sentence, reading) pairs, best first."""

    def __init__(self, sentence: str, nearest: tuple[tuple[str, Reading], ...]) -> None:
        super().__init__(f"the grammar does not say: {sentence}")
        self.sentence = sentence
        self.nearest = nearest


class Reply(Struct, frozen=True):
    """The answer to `Grammar.explain` for one item: how it was read, and what it is worth."""

    readings: tuple[Reading, ...]
    verdict: Explanation | Appraisal

    def __repr__(self) -> str:
        return f"<Reply: {self.verdict!r}>"

    def _repr_html_(self) -> str:
        return self.verdict._repr_html_()

    @property
    def item(self) -> Item:
        """The item that was explained."""
        match self.verdict:
            case Explanation(candidate=candidate):
                return candidate.item
            case Appraisal(item=item):
                return item


class Grammar:
    """A checked grammar: a phenomenon, and for a concrete one its language and words.

    Solving happens when it is first asked for, and once.
    """

    def __init__(
        self,
        phenomenon: Phenomenon,
        concrete: Concrete | None = None,
        lexicon: Lexicon | None = None,
        *,
        warnings: tuple[Diagnostic, ...] = (),
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self.phenomenon = phenomenon
        self._concrete = concrete
        self._lexicon = lexicon
        self.warnings = warnings
        self.limits = limits

    @classmethod
    def from_file(cls, path: str | Path, *, limits: Limits = DEFAULT_LIMITS) -> Self:
        """Load a grammar file, or one that ships with blm, by its path from `grammars/`.

        GrammarError lists every mistake of the file and of those it uses.
        """
        loaded = read_grammar(grammar_path(path), languages=languages())
        if isinstance(loaded.grammar, Phenomenon):
            return cls(loaded.grammar, warnings=loaded.warnings, limits=limits)
        concrete = loaded.grammar
        lexicon, found = load_lexicon(concrete)
        if lexicon is None:
            raise GrammarError([*loaded.warnings, *found])
        warnings = (*loaded.warnings, *found)
        return cls(concrete.phenomenon, concrete, lexicon, warnings=warnings, limits=limits)

    # --- what it is made of ------------------------------------------------------

    @property
    def concrete(self) -> Concrete:
        """The concrete side. ValueError for an abstract grammar, which has no words."""
        if self._concrete is None:
            raise ValueError(
                f"'{self.phenomenon.name}' is abstract: take a grammar of a language for sentences"
            )
        return self._concrete

    @property
    def has_words(self) -> bool:
        """Whether the grammar is concrete."""
        return self._concrete is not None

    @property
    def lexicon(self) -> Lexicon:
        """The words and seeds. ValueError for an abstract grammar."""
        if self._lexicon is None:
            raise ValueError(f"'{self.phenomenon.name}' is abstract: it has no words")
        return self._lexicon

    @cached_property
    def program(self) -> Program:
        """The compiled program."""
        return compile_phenomenon(self.phenomenon)

    @cached_property
    def space(self) -> MatrixSpace:
        """All matrices, as a product of factors. Raises LimitExceeded."""
        return solve_matrices(self.program, limits=self.limits)

    @cached_property
    def solver(self) -> CandidateSolver:
        """The solver for candidates. Raises LimitExceeded."""
        return CandidateSolver(self.program, limits=self.limits)

    @cached_property
    def speaker(self) -> Speaker:
        """Says items in the language of the grammar."""
        return speaker(self.concrete)

    @cached_property
    def wordings(self) -> Wordings:
        """The ways to fill the slots: seeds, and seeds with another word in the varied slot."""
        vary = self.concrete.vary
        return Wordings(self.lexicon, *((vary.slot, vary.within) if vary else ()))

    @cached_property
    def recogniser(self) -> Recogniser:
        """Reads sentences of the grammar."""
        return Recogniser(self.concrete, self.lexicon)

    def files(self) -> tuple[Path, ...]:
        """The files the grammar was read from: the phenomenon, the language, its tables."""
        paths = [self.phenomenon.span.source.path]
        if self._concrete is not None:
            paths.append(self._concrete.span.source.path)
            paths += [c.path for c in self._concrete.categories if c.path]
            paths += [table.path for table in self._concrete.seed_tables]
        return tuple(dict.fromkeys(map(Path, paths)))

    def folder(self) -> Path:
        """The folder that holds all of these files, some perhaps in folders of their own."""
        return Path(os.path.commonpath([os.path.dirname(os.path.abspath(p)) for p in self.files()]))

    def sources(self) -> dict[str, bytes]:
        """What the files hold, by their paths from `folder`."""
        base = self.folder()
        return {
            Path(os.path.relpath(path, base)).as_posix(): path.read_bytes() for path in self.files()
        }

    # --- questions ------------------------------------------------------

    def check(self) -> list[Diagnostic]:
        """What only the solver can find wrong with the grammar; warnings included.

        Raises LimitExceeded where the grammar is too large to tell.
        """
        found = validate(self.solver)
        if not any(d.severity is Severity.ERROR for d in found) and self.program.layout.choices:
            found = [*ambiguous_choices(self.phenomenon, self.space), *found]
        return found

    def count(self) -> int:
        """The exact number of matrices.

        Where there are too many to be enumerated, a model counter counts them, if it is
        installed; they have no numbers then. Raises LimitExceeded.
        """
        return self._count

    @cached_property
    def _count(self) -> int:
        try:
            return self.space.count
        except LimitExceeded as error:
            try:
                return count_matrices(self.program, limits=self.limits)
            except CounterMissing as missing:
                raise LimitExceeded(f"{error}; to count them, {missing}") from None

    def matrix(self, identifier: str | int) -> Matrix:
        """The matrix of an id (`m3`, `3`) or number from 1.

        ValueError if there is none of that name.
        """
        index = matrix_index(str(identifier))
        if index >= self.space.count:
            raise ValueError(f"there is no m{index + 1}: the matrices are m1 to m{self.count()}")
        return decode_matrix(self.space.layout, self.space.codes(index), index)

    @cached_property
    def matrix_items(self) -> tuple[Item, ...]:
        """Every item that stands in some matrix, each once."""
        layout = self.space.layout
        rows = self.space.items()
        return tuple(layout.decode_item(row) for row in rows)

    def matrices(self, *, start: int = 0, limit: int | None = None) -> Matrices:
        """The matrices in their fixed order, from number `start` (from 0), at most `limit`."""
        total = self.space.count
        first = min(max(start, 0), total)
        stop = total if limit is None else min(total, first + limit)
        return Matrices(self.phenomenon, self.space, first, stop, self._say_matrix())

    def _say_matrix(self) -> Callable[[Matrix], list[str]] | None:
        if not self.has_words:
            return None
        return lambda matrix: [self.say(item, matrix=matrix) for item in matrix.items]

    def distractors(
        self,
        matrix: Matrix | str | int,
        *,
        target: Target = "each",
        minimise: Minimise = "subset",
        named: bool = True,
    ) -> Candidates:
        """All minimal distractors of a matrix and, with `named`, those that labels select.

        They come by the rules they break, in a fixed order. `target` and `minimise`: see
        `CandidateSolver.minimal`.
        """
        if not isinstance(matrix, Matrix):
            matrix = self.matrix(matrix)
        minimal = self.solver.minimal(matrix.codes, target=target, minimise=minimise)
        known = {verdict.codes.tobytes() for verdict in minimal}
        extra = self.solver.labelled(matrix.codes) if named else []
        layout = self.space.layout
        found = [make_candidate(layout, matrix, verdict, minimal=True) for verdict in minimal]
        found += [
            make_candidate(layout, matrix, verdict, minimal=False)
            for verdict in extra
            if verdict.codes.tobytes() not in known
        ]
        return Candidates(found)

    def explain(
        self,
        sentence: str | None = None,
        *,
        item: Item | str | None = None,
        matrix: Matrix | str | int | None = None,
    ) -> tuple[Reply, ...]:
        """Why a sentence or an item is right or wrong: a reply for each item the sentence may be.

        With a matrix, as the last of that matrix; without, whatever the matrix. An item may be
        given as text, "subj.number=pl verb.number=sg".
        Raises UnknownSentence, or ValueError where the phenomenon has no such item or matrix.
        """
        if matrix is not None and not isinstance(matrix, Matrix):
            matrix = self.matrix(matrix)
        if isinstance(item, str):
            item = parse_item(self.phenomenon, item)
        if (sentence is None) == (item is None):
            raise ValueError("give either a sentence or an item")
        if item is not None:
            return (Reply((), self._verdict(item, matrix)),)
        found: dict[tuple[tuple[CellName, Value], ...], list[Reading]] = {}
        for reading in self.read(sentence or ""):
            found.setdefault(tuple(reading.item.items()), []).append(reading)
        return tuple(
            Reply(tuple(readings), self._verdict(readings[0].item, matrix))
            for readings in found.values()
        )

    def _verdict(self, item: Item, matrix: Matrix | None) -> Explanation | Appraisal:
        if matrix is None:
            return appraise(self.solver, self.space, item)
        return explain(self.solver, matrix, item)

    # --- words ------------------------------------------------------

    def say(
        self,
        item: Item,
        *,
        clause: str | None = None,
        seed: str | None = None,
        matrix: Matrix | None = None,
    ) -> str:
        """The sentence of an item: by default in the first clause type, with the first seed.

        A matrix is needed where seeds serve some matrices only. KeyError for an unknown seed or
        clause type, ValueError where no seed serves the matrix.
        """
        chosen = self.lexicon.seed(seed) if seed else next(iter(self.seeds(matrix)), None)
        if chosen is None:
            raise ValueError("no seed of the grammar serves this matrix")
        name = clause or self.concrete.clauses[0].name
        return self.speaker.say(name, item, chosen.words).text

    def seeds(self, matrix: Matrix | None = None) -> tuple[Seed, ...]:
        """The seeds that serve a matrix; all seeds, if none is given."""
        made = None if matrix is None else matrix.choices
        return tuple(
            seed
            for seed in self.lexicon.seeds
            if made is None or all(made.get(name) == value for name, value in seed.requires)
        )

    def read(self, sentence: str) -> tuple[Reading, ...]:
        """The readings of a sentence. UnknownSentence, with the nearest ones, if there is none."""
        readings = self.recogniser.recognise(sentence)
        if not readings:
            raise UnknownSentence(sentence, self.recogniser.nearest(sentence))
        return readings


def load(path: str | Path, *, limits: Limits = DEFAULT_LIMITS) -> Grammar:
    """Load a grammar file, with the files it uses. GrammarError lists every mistake."""
    return Grammar.from_file(path, limits=limits)
