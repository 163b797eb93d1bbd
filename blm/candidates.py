"""Candidates for the place of the correct answer: minimal, named, and judged one by one.

One ground program holds a matrix and one more item at the last position (`asp/candidate.lp`).
Fixing the matrix by assumptions turns each question into a small solve:

* the minimal broken sets: subset-minimal models, which the solver finds by preferring every
  `broken(R)` false (design: Di Rosa, Giunchiglia & Maratea 2010, "Solving satisfiability
  problems with preferences"), with one recorded model for each set;
* the candidates of one broken set, or of one label: all models with the fewest edits;
* the verdict on a given candidate: the one model, with the witnesses of what it breaks.

The distractors are asked for part by part (`blm.solve.parts`), and remembered by the columns of
the matrix that a part depends on: matrices that agree there share them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, Literal

import clingo
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from blm.diagnostics import InternalError
from blm.layout import Codes, Item
from blm.phenomenon import CellName, Value
from blm.program import Program
from blm.solve import (
    DEFAULT_LIMITS,
    Deadline,
    Limits,
    Part,
    Recorder,
    Witness,
    decide,
    find_parts,
    ground,
    read_questions,
    solve,
    unsatisfiable_core,
)

Minimise = Literal["subset", "cardinality", "edits"]
Target = Literal["each", "any"]

Asked = Literal["minimal", "labelled"]
"""Minimal distractors (target `each`, fewest by inclusion), or named ones."""

_Question = tuple[Any, ...]
"""What is remembered: what was asked of which part, for which codes in its columns."""

REMEMBERED = 16_384
"""Answers kept, of one part to one question each; they take some kilobytes."""

NO_SUCH_ITEM = "the grammar has no such item: a cell is missing, or one has a value it cannot have"

BrokenSet = tuple[str, ...]
"""Names of rules, in the author's order."""


class Verdict(Struct, frozen=True):
    """One candidate for one matrix.

    `codes` has the shape (width,). `broken` lists what it breaks, `edits` the cells in which
    it differs from the correct answer, `fits` the (label, alternative) pairs that select it
    whatever its number of edits, alternatives counted from 0.
    """

    codes: Codes
    broken: BrokenSet
    edits: tuple[CellName, ...]
    fits: tuple[tuple[str, int], ...]


class CandidateSolver:
    """The ground candidate program of a phenomenon, ready for questions.

    `asked` gives the literals that questions are made of.

    `remember` bounds the answers that are kept for other matrices; with 0, each is asked anew.

    Raises LimitExceeded if the program is too large.  Not to be shared among threads.
    """

    def __init__(
        self,
        program: Program,
        *,
        limits: Limits = DEFAULT_LIMITS,
        remember: int = REMEMBERED,
    ) -> None:
        self.program = program
        self.layout = program.layout
        self.limits = limits
        self._together: Deadline | None = None
        self._remember = remember
        self._answers: OrderedDict[_Question, list[Verdict]] = OrderedDict()
        control, self._recorder = ground(
            program, program.candidate_text, Recorder(), "--heuristic=Domain", limits=limits
        )
        self._control = control
        self.asked = read_questions(control, program)

    @contextmanager
    def at_most(self, seconds: float) -> Iterator[None]:
        """Within this block, all questions together take no longer; then LimitExceeded."""
        before, self._together = self._together, Deadline(seconds, "questions about candidates")
        try:
            yield
        finally:
            self._together = before

    @property
    def _deadline(self) -> Deadline:
        return self._together or Deadline(self.limits.seconds)

    # --- questions ------------------------------------------------------

    def minimal(
        self, matrix: Codes, *, target: Target = "each", minimise: Minimise = "subset"
    ) -> list[Verdict]:
        """All minimal distractors of a matrix, in a fixed order.

        With target `each`, those that are minimal among the candidates that break rule r, for
        every rule r; with `any`, those minimal among all. `minimise` says in what sense:
        fewest rules by inclusion (`subset`) or by number (`cardinality`), and among these the
        fewest edits; or fewest edits alone (`edits`).
        """
        if self._remember and target == "each" and minimise == "subset":
            return self._assembled("minimal", matrix)
        wanted = self.asked.broken.values() if target == "each" else [self.asked.wrong]
        return self._ordered(self._minimal(matrix, wanted, minimise))

    def _minimal(
        self, matrix: Codes, wanted: Iterable[int | None], minimise: Minimise
    ) -> Iterable[Verdict]:
        """The minimal candidates for each of these literals."""
        fixed = self.fix(matrix)
        goals = [[literal] for literal in wanted if literal is not None]
        found: dict[bytes, Verdict] = {}
        if minimise == "edits":
            for goal in goals:
                self._collect(found, self._fewest_edits([*fixed, *goal]))
            return found.values()
        sets: dict[BrokenSet, None] = {}
        for goal in goals:
            sets.update(dict.fromkeys(self._minimal_sets([*fixed, *goal], minimise)))
        for broken in sets:
            self._collect(found, self._fewest_edits([*fixed, *self._exactly(broken)]))
        return found.values()

    def labelled(self, matrix: Codes) -> list[Verdict]:
        """The candidates that labels select, those with the fewest edits for each alternative."""
        if self._remember:
            return self._assembled("labelled", matrix)
        return self._ordered(self._labelled(matrix, self.asked.fits.values()))

    def _labelled(self, matrix: Codes, wanted: Iterable[int]) -> Iterable[Verdict]:
        """The candidates with the fewest edits for each of these literals."""
        fixed = self.fix(matrix)
        found: dict[bytes, Verdict] = {}
        for literal in wanted:
            self._collect(found, self._fewest_edits([*fixed, literal]))
        return found.values()

    def judge(self, matrix: Codes, item: Item) -> tuple[Verdict, list[tuple[str, Witness]]]:
        """The verdict on an item as the last of a matrix, with the witnesses of what it breaks.

        Raises ValueError if the universe has no such item.
        """
        codes, own = self._own_literals(item)
        witnesses: list[tuple[str, Witness]] = []
        verdicts: list[Verdict] = []

        def read(model: clingo.Model) -> None:
            verdicts.append(self._verdict(model))
            witnesses.extend(
                (rule, witness)
                for literal, rule, witness in self.asked.witnesses
                if model.is_true(literal)
            )

        self._control.configuration.solve.models = 0  # type: ignore[union-attr]
        decide(self._control, read, [*self.fix(matrix), *own])
        if not verdicts or not np.array_equal(verdicts[0].codes, codes):
            raise ValueError(NO_SUCH_ITEM)
        return verdicts[0], witnesses

    def closest(self, matrix: Codes, wanted: Mapping[CellName, Value]) -> Verdict | None:
        """A candidate whose cells have these values (`absent`: none) that breaks the fewest rules.

        Among the smallest broken sets and the fewest edits, the first in order; None if no
        item of the universe has these values.
        """
        literals: dict[int, int] = {}
        for name, value in wanted.items():
            column = self.layout.index[name]
            literal = self.asked.own.get((column, self.layout.codes[column].get(value, 0)))
            if literal is None:
                return None
            literals[column] = literal
        if self._remember:
            return self._closest_by_parts(matrix, literals)
        return self._closest(matrix, literals.values())

    def _closest(self, matrix: Codes, wanted: Iterable[int]) -> Verdict | None:
        assumptions = [*self.fix(matrix), *wanted]
        sets = self._minimal_sets(assumptions, "cardinality")
        if not sets:
            return None
        return self._ordered(self._fewest_edits([*assumptions, *self._exactly(sets[0])]))[0]

    def _closest_by_parts(self, matrix: Codes, wanted: Mapping[int, int]) -> Verdict | None:
        """What is fewest and first in each part is so in all; `wanted` goes by column."""
        codes = matrix[self.layout.item_columns(self.layout.size)].copy()
        found = []
        for number, part in enumerate(self.parts):
            own = [wanted[column] for column in part.cells if column in wanted]
            if not own:
                continue

            def find(own: list[int] = own) -> list[Verdict]:
                verdict = self._closest(matrix, own)
                return [] if verdict is None else [verdict]

            key = "closest", number, self._told(part, matrix), tuple(own)
            verdicts = self._remembered(key, find)
            if not verdicts:
                return None
            codes[list(part.cells)] = verdicts[0].codes[list(part.cells)]
            found.append(verdicts[0])
        return self._joined(codes, found)

    def _joined(self, codes: Codes, found: Sequence[Verdict]) -> Verdict:
        """The verdict on a candidate that is made of parts."""
        broken = {rule for verdict in found for rule in verdict.broken}
        edits = {cell for verdict in found for cell in verdict.edits}
        wrong = [verdict for verdict in found if verdict.broken]
        return Verdict(
            codes,
            tuple(rule for rule in self.asked.broken if rule in broken),
            tuple(cell for cell in self.asked.edits if cell in edits),
            # a label breaks something, and tells all that is broken
            wrong[0].fits if len(wrong) == 1 else (),
        )

    def solution_varies(self, matrix: Codes, cells: Sequence[CellName]) -> bool:
        """Whether the solution of some valid matrix differs from this one's in all these cells."""
        start = self.layout.item_columns(self.layout.size).start
        columns = [start + self.layout.index[cell] for cell in cells]
        own = [self.asked.matrix.get((column, int(matrix[column]))) for column in columns]
        valid = [-literal for literal in self.asked.spoilt.values()]
        return None not in own and self.satisfiable([*valid, *(-lit for lit in own if lit)])

    def least_broken(self, item: Item) -> list[Codes]:
        """A valid matrix for each smallest set of rules that an item breaks in any of them.

        Raises ValueError if the universe has no such item.
        """
        _, own = self._own_literals(item)
        valid = [-literal for literal in self.asked.spoilt.values()]
        examples = []
        for broken in self._minimal_sets([*valid, *own], "subset"):
            if found := self.example([*valid, *own, *self._exactly(broken)]):
                examples.append(found[0])
        if not examples:
            raise ValueError(NO_SUCH_ITEM)
        return examples

    # --- part by part ------------------------------------------------------

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The independent parts of the candidate, once a matrix is fixed."""
        layout = self.layout
        found = find_parts(self._recorder.rules, self.asked, layout.columns, layout.width)
        self._recorder.rules.clear()
        return found

    def answer(self, asked: Asked, number: int, matrix: Codes) -> list[Verdict]:
        """The distractors that a part (by number) has in a valid matrix, in no fixed order.

        They may have been found for another matrix that agrees in the columns of the part: only
        the cells of the part, and what is said of them, hold for this one.
        """
        part = self.parts[number]

        def find() -> list[Verdict]:
            if asked == "minimal":
                wanted = [self.asked.broken[rule] for rule in part.rules]
                return list(self._minimal(matrix, wanted, "subset"))
            return list(self._labelled(matrix, [self.asked.fits[key] for key in part.alternatives]))

        return self._remembered((asked, number, self._told(part, matrix)), find)

    def _told(self, part: Part, matrix: Codes) -> bytes:
        """What a matrix shows in the columns that a part depends on."""
        return matrix[list(part.columns)].tobytes()

    def _remembered(self, key: _Question, find: Callable[[], list[Verdict]]) -> list[Verdict]:
        """The answer to a question, found if it is not known; the oldest make room."""
        if key in self._answers:
            self._answers.move_to_end(key)
            return self._answers[key]
        found = self._answers[key] = find()
        if len(self._answers) > self._remember:
            self._answers.popitem(last=False)
        return found

    def _assembled(self, asked: Asked, matrix: Codes) -> list[Verdict]:
        """The distractors of all parts; what lies outside a part is as in the correct answer."""
        solution = matrix[self.layout.item_columns(self.layout.size)]
        found = []
        for number, part in enumerate(self.parts):
            cells = list(part.cells)
            for verdict in self.answer(asked, number, matrix):
                codes = solution.copy()
                codes[cells] = verdict.codes[cells]
                found.append(replace(verdict, codes=codes))
        return self._ordered(found)

    def _own_literals(self, item: Item) -> tuple[Codes, list[int]]:
        codes = self.layout.encode_item(item)
        keys = [(column, int(code)) for column, code in enumerate(codes) if code]
        if any(key not in self.asked.own for key in keys):
            raise ValueError(NO_SUCH_ITEM)
        return codes, [self.asked.own[key] for key in keys]

    def fix(self, matrix: Codes) -> list[int]:
        """The assumptions that fix the items and the choices of a matrix."""
        return [self.asked.matrix[c, int(k)] for c, k in enumerate(matrix) if k]

    # --- solving ------------------------------------------------------

    def _minimal_sets(self, assumptions: list[int], minimise: Minimise) -> list[BrokenSet]:
        found: list[BrokenSet] = []
        if minimise == "cardinality":
            bounded = self._first_model(assumptions, self.asked.few)
            if bounded is None:
                return []
            assumptions = bounded
        self._control.configuration.solve.enum_mode = "domRec"  # type: ignore[union-attr]
        self._solve(assumptions, lambda model: found.append(self._broken_in(model)))
        self._control.configuration.solve.enum_mode = "auto"  # type: ignore[union-attr]
        return sorted(found, key=self._rank)

    def _fewest_edits(self, assumptions: list[int]) -> list[Verdict]:
        found: list[Verdict] = []
        bounded = self._first_model(assumptions, self.asked.within)
        if bounded is not None:
            self._solve(bounded, lambda model: found.append(self._verdict(model)))
        return found

    def _first_model(self, assumptions: list[int], bounds: Sequence[int]) -> list[int] | None:
        """The assumptions with the smallest bound under which there is a model; None if none."""
        if not self.satisfiable(assumptions):
            return None
        for bound in bounds:
            if self.satisfiable([*assumptions, bound]):
                return [*assumptions, bound]
        raise InternalError("a model exceeds every bound")

    def satisfiable(self, assumptions: Sequence[int]) -> bool:
        """Whether there is a model under these assumptions."""
        return solve(self._control, lambda _model: False, assumptions, deadline=self._deadline)

    def core(self, assumptions: Sequence[int]) -> list[int]:
        """A minimal part of these assumptions without a model; all of them have none together."""
        core = unsatisfiable_core(self._control, assumptions, deadline=self._deadline)
        for literal in list(core):
            rest = [other for other in core if other != literal]
            if not self.satisfiable(rest):
                core = rest
        return core

    def example(self, assumptions: Sequence[int]) -> tuple[Codes, Verdict] | None:
        """Some matrix with some candidate under these assumptions, or None."""
        found: list[tuple[Codes, Verdict]] = []

        def read(model: clingo.Model) -> bool:
            codes = np.zeros(self.layout.columns, dtype=np.int16)
            for (column, code), literal in self.asked.matrix.items():
                if code and model.is_true(literal):
                    codes[column] = code
            found.append((codes, self._verdict(model)))
            return False

        solve(self._control, read, assumptions, deadline=self._deadline)
        return found[0] if found else None

    def _solve(self, assumptions: Sequence[int], read: Callable[[clingo.Model], None]) -> None:
        self._control.configuration.solve.models = 0  # type: ignore[union-attr]
        solve(self._control, read, assumptions, deadline=self._deadline)

    def _exactly(self, broken: BrokenSet) -> list[int]:
        chosen = set(broken)
        return [lit if rule in chosen else -lit for rule, lit in self.asked.broken.items()]

    # --- reading models ------------------------------------------------------

    def _broken_in(self, model: clingo.Model) -> BrokenSet:
        return tuple(rule for rule, lit in self.asked.broken.items() if model.is_true(lit))

    def _verdict(self, model: clingo.Model) -> Verdict:
        codes = np.zeros(self.layout.width, dtype=np.int16)
        for (column, code), literal in self.asked.own.items():
            if code and model.is_true(literal):
                codes[column] = code
        return Verdict(
            codes,
            self._broken_in(model),
            tuple(cell for cell, lit in self.asked.edits.items() if model.is_true(lit)),
            tuple(key for key, lit in self.asked.fits.items() if model.is_true(lit)),
        )

    def _collect(self, found: dict[bytes, Verdict], verdicts: Iterable[Verdict]) -> None:
        for verdict in verdicts:
            found.setdefault(verdict.codes.tobytes(), verdict)

    def _ordered(self, verdicts: Iterable[Verdict]) -> list[Verdict]:
        return sorted(verdicts, key=lambda v: (self._rank(v.broken), v.codes.tolist()))

    def _rank(self, broken: BrokenSet) -> tuple[int, list[int]]:
        places = {rule: place for place, rule in enumerate(self.asked.broken)}
        return len(broken), [places[rule] for rule in broken]
