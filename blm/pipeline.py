"""The readable chain: from a path to matrices, candidates and explanations.

    grammar = blm.load("grammars/agreement/fr.blm")
    grammar.count()                         # 24
    matrix = grammar.matrix("m1")
    grammar.distractors(matrix)             # every minimal distractor, with what it breaks
    grammar.explain("Les ordinateurs ...")  # the rules a sentence breaks, and why
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from blm.candidates import CandidateSolver, Minimise, Target
from blm.concrete import Concrete
from blm.diagnostics import Diagnostic, GrammarError, Severity
from blm.explain import Appraisal, Explanation, appraise, explain
from blm.layout import Item
from blm.lexicon import load_lexicon
from blm.load import load_file
from blm.phenomenon import Phenomenon
from blm.problem import Candidate, Matrix, decode_matrix, make_candidate, matrix_index
from blm.program import Program, compile_phenomenon
from blm.realise import Speaker, speaker
from blm.recognise import Reading, Recogniser
from blm.solve import DEFAULT_LIMITS, Limits, MatrixSpace, solve_matrices
from blm.validate import ambiguous_choices, validate
from blm.words import Lexicon


class UnknownSentence(ValueError):
    """No item of the grammar is said so; `nearest` lists (sentence, reading) pairs, best first."""

    def __init__(self, sentence: str, nearest: tuple[tuple[str, Reading], ...]) -> None:
        super().__init__(f"the grammar does not say: {sentence}")
        self.sentence = sentence
        self.nearest = nearest


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

    # --- what it is made of -----------------------------------------------------------------

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
    def recogniser(self) -> Recogniser:
        """Reads sentences of the grammar."""
        return Recogniser(self.concrete, self.lexicon)

    # --- questions ----------------------------------------------------------------------------

    def check(self) -> list[Diagnostic]:
        """What only the solver can find wrong with the grammar; warnings included.

        Raises LimitExceeded where the grammar is too large to tell.
        """
        found = validate(self.solver)
        if not any(d.severity is Severity.ERROR for d in found) and self.program.layout.choices:
            found = [*ambiguous_choices(self.phenomenon, self.space), *found]
        return found

    def count(self) -> int:
        """The exact number of matrices."""
        return self.space.count

    def matrix(self, identifier: str | int) -> Matrix:
        """The matrix of an id (`m3`, `3`) or number from 1.

        ValueError if there is none of that name.
        """
        index = matrix_index(str(identifier))
        if index >= self.space.count:
            raise ValueError(f"there is no m{index + 1}: the matrices are m1 to m{self.count()}")
        return decode_matrix(self.space.layout, self.space.codes(index), index)

    def matrices(self, *, start: int = 0, limit: int | None = None) -> Iterator[Matrix]:
        """The matrices in their fixed order, from number `start` (from 0), at most `limit`."""
        stop = self.space.count if limit is None else min(self.space.count, start + limit)
        for first in range(start, stop, _BLOCK):
            block = self.space.array(first, min(stop, first + _BLOCK))
            for number, codes in enumerate(block, first):
                yield decode_matrix(self.space.layout, codes, number)

    def distractors(
        self,
        matrix: Matrix | str | int,
        *,
        target: Target = "each",
        minimise: Minimise = "subset",
        named: bool = True,
    ) -> list[Candidate]:
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
        return [make_candidate(layout, matrix, verdict, minimal=True) for verdict in minimal] + [
            make_candidate(layout, matrix, verdict, minimal=False)
            for verdict in extra
            if verdict.codes.tobytes() not in known
        ]

    def explain(self, item: Item, matrix: Matrix | str | int) -> Explanation:
        """Why an item is right or wrong as the last of a matrix.

        ValueError if the phenomenon has no such item or matrix.
        """
        if not isinstance(matrix, Matrix):
            matrix = self.matrix(matrix)
        return explain(self.solver, matrix, item)

    def appraise(self, item: Item) -> Appraisal:
        """What an item is worth whatever the matrix: the fewest rules it can break."""
        return appraise(self.solver, self.space, item)

    def read(self, sentence: str) -> tuple[Reading, ...]:
        """The readings of a sentence. UnknownSentence, with the nearest ones, if there is none."""
        readings = self.recogniser.recognise(sentence)
        if not readings:
            raise UnknownSentence(sentence, self.recogniser.nearest(sentence))
        return readings


_BLOCK = 4096
"""Matrices decoded at a time."""


def load(path: str | Path, *, limits: Limits = DEFAULT_LIMITS) -> Grammar:
    """Load a grammar file, with the files it uses. GrammarError lists every mistake."""
    loaded = load_file(Path(path))
    match loaded.grammar:
        case Phenomenon() as phenomenon:
            return Grammar(phenomenon, warnings=loaded.warnings, limits=limits)
        case concrete:
            lexicon, found = load_lexicon(concrete)
            if lexicon is None:
                raise GrammarError([*loaded.warnings, *found])
            return Grammar(
                concrete.phenomenon,
                concrete,
                lexicon,
                warnings=(*loaded.warnings, *found),
                limits=limits,
            )
