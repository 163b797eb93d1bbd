"""Candidates for the place of the correct answer: minimal, named, and judged one by one.

One ground program holds a matrix and one more item at the last position (`asp/candidate.lp`).
Fixing the matrix by assumptions turns each question into a small solve:

* the minimal broken sets: subset-minimal models, which the solver finds by preferring every
  `broken(R)` false (design: Di Rosa, Giunchiglia & Maratea 2010, "Solving satisfiability
  problems with preferences"), with one recorded model for each set;
* the candidates of one broken set, or of one label: all models with the fewest edits;
* the verdict on a given candidate: the one model, with the witnesses of what it breaks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from time import monotonic
from typing import Literal, TypeVar

import clingo
import numpy as np

from blm.diagnostics import InternalError
from blm.layout import Codes, Item
from blm.phenomenon import CellName, Value
from blm.program import Program
from blm.solve import (
    DEFAULT_LIMITS,
    LimitExceeded,
    Limits,
    ground,
    item_marks,
    matrix_marks,
    solve,
    unsatisfiable_core,
)

Minimise = Literal["subset", "cardinality", "edits"]
Target = Literal["each", "any"]

Kind = Literal["expects", "avoids", "ends", "fails"]

_KINDS: Mapping[str, Kind] = {"expects": "expects", "avoids": "avoids", "ends": "ends"}

NO_SUCH_ITEM = "the grammar has no such item: a cell is missing, or one has a value it cannot have"

Name = TypeVar("Name")

BrokenSet = tuple[str, ...]
"""Names of rules, in the author's order."""


@dataclass(frozen=True, slots=True)
class Witness:
    """Why an item breaks a rule.

    kind `expects`: the cell should have the value; `avoids`: it should not; `ends`: nothing
    comes after the value that the cell had before; `fails`: the condition of the clause
    (numbered from 0) is false, and cell and value are None.  A value may be `absent`.
    """

    kind: Kind
    cell: CellName | None
    value: Value | None
    clause: int | None


@dataclass(frozen=True)
class Verdict:
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

    `broken`, `spoilt`, `edits` and `fits` give the literals to assume: the candidate breaks a
    rule, the matrix does, the candidate differs in a cell, it is what an alternative selects;
    `short`, that the matrix has too few items for a clause (rule, number from 0) that selects.
    Rules that nothing can break have no literal; `wrong` and `different` are None where no
    candidate breaks a rule, or none differs from the correct answer.

    Raises LimitExceeded if the program is too large.  Not to be shared among threads.
    """

    def __init__(self, program: Program, *, limits: Limits = DEFAULT_LIMITS) -> None:
        self.program = program
        self.layout = program.layout
        self.limits = limits
        self._deadline = inf
        control, _ = ground(program, program.candidate_text, "--heuristic=Domain", limits=limits)
        self._control = control
        symbols = program.symbols
        self._matrix = {
            (m.column, m.code): m.literal for m in matrix_marks(control, symbols, self.layout)
        }
        self._own = {
            (m.column, m.code): m.literal
            for m in item_marks(control, symbols, self.layout, ["candidate"])
        }
        rules = {symbols.rule[r.name]: r.name for r in program.phenomenon.rules}
        cells = {term: name for name, term in symbols.cell.items()}
        labels = {term: name for name, term in symbols.label.items()}
        self.broken = self._literals("broken", rules)
        self.spoilt = self._literals("spoilt", rules)
        self.edits = self._literals("edit", cells)
        self.fits = {
            (labels[str(a.symbol.arguments[0])], a.symbol.arguments[1].number - 1): a.literal
            for a in control.symbolic_atoms.by_signature("fits", 2)
        }
        self.short = {
            (rules[str(rule)], number.number - 1): atom.literal
            for atom in control.symbolic_atoms.by_signature("short", 1)
            for rule, number in [atom.symbol.arguments[0].arguments]
        }
        self.wrong = self._single("wrong")
        self.different = self._single("different")
        self._within = self._numbered("within")
        self._few = self._numbered("few")
        self._witnesses = list(self._read_witnesses(rules, cells))

    @contextmanager
    def at_most(self, seconds: float) -> Iterator[None]:
        """Within this block, all questions together take no longer; then LimitExceeded."""
        before, self._deadline = self._deadline, monotonic() + seconds
        try:
            yield
        except LimitExceeded:
            raise LimitExceeded(f"the questions took longer than {seconds:g} seconds") from None
        finally:
            self._deadline = before

    def _seconds(self) -> float:
        return min(self.limits.seconds, max(0.0, self._deadline - monotonic()))

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
        fixed = self.fix(matrix)
        wanted = self.broken.values() if target == "each" else [self.wrong]
        goals = [[literal] for literal in wanted if literal is not None]
        found: dict[bytes, Verdict] = {}
        if minimise == "edits":
            for goal in goals:
                self._collect(found, self._fewest_edits([*fixed, *goal]))
            return self._ordered(found.values())
        sets: dict[BrokenSet, None] = {}
        for goal in goals:
            sets.update(dict.fromkeys(self._minimal_sets([*fixed, *goal], minimise)))
        for broken in sets:
            self._collect(found, self._fewest_edits([*fixed, *self._exactly(broken)]))
        return self._ordered(found.values())

    def labelled(self, matrix: Codes) -> list[Verdict]:
        """The candidates that labels select, those with the fewest edits for each alternative."""
        fixed = self.fix(matrix)
        found: dict[bytes, Verdict] = {}
        for literal in self.fits.values():
            self._collect(found, self._fewest_edits([*fixed, literal]))
        return self._ordered(found.values())

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
                for literal, rule, witness in self._witnesses
                if model.is_true(literal)
            )

        self._solve([*self.fix(matrix), *own], read)
        if not verdicts or not np.array_equal(verdicts[0].codes, codes):
            raise ValueError(NO_SUCH_ITEM)
        return verdicts[0], witnesses

    def closest(self, matrix: Codes, wanted: Mapping[CellName, Value]) -> Verdict | None:
        """A candidate whose cells have these values (`absent`: none) that breaks the fewest rules.

        Among the smallest broken sets and the fewest edits, the first in order; None if no
        item of the universe has these values.
        """
        assumptions = self.fix(matrix)
        for name, value in wanted.items():
            column = self.layout.index[name]
            literal = self._own.get((column, self.layout.codes[column].get(value, 0)))
            if literal is None:
                return None
            assumptions.append(literal)
        sets = self._minimal_sets(assumptions, "cardinality")
        if not sets:
            return None
        return self._ordered(self._fewest_edits([*assumptions, *self._exactly(sets[0])]))[0]

    def least_broken(self, item: Item) -> list[Codes]:
        """A valid matrix for each smallest set of rules that an item breaks in any of them.

        Raises ValueError if the universe has no such item.
        """
        _, own = self._own_literals(item)
        valid = [-literal for literal in self.spoilt.values()]
        examples = []
        for broken in self._minimal_sets([*valid, *own], "subset"):
            if found := self.example([*valid, *own, *self._exactly(broken)]):
                examples.append(found[0])
        if not examples:
            raise ValueError(NO_SUCH_ITEM)
        return examples

    def _own_literals(self, item: Item) -> tuple[Codes, list[int]]:
        codes = self.layout.encode_item(item)
        keys = [(column, int(code)) for column, code in enumerate(codes) if code]
        if any(key not in self._own for key in keys):
            raise ValueError(NO_SUCH_ITEM)
        return codes, [self._own[key] for key in keys]

    def fix(self, matrix: Codes) -> list[int]:
        """The assumptions that fix the items and the choices of a matrix."""
        return [self._matrix[c, int(k)] for c, k in enumerate(matrix) if k]

    # --- solving ------------------------------------------------------

    def _minimal_sets(self, assumptions: list[int], minimise: Minimise) -> list[BrokenSet]:
        found: list[BrokenSet] = []
        if minimise == "cardinality":
            bounded = self._first_model(assumptions, self._few)
            if bounded is None:
                return []
            assumptions = bounded
        self._control.configuration.solve.enum_mode = "domRec"  # type: ignore[union-attr]
        self._solve(assumptions, lambda model: found.append(self._broken_in(model)))
        self._control.configuration.solve.enum_mode = "auto"  # type: ignore[union-attr]
        return sorted(found, key=self._rank)

    def _fewest_edits(self, assumptions: list[int]) -> list[Verdict]:
        found: list[Verdict] = []
        bounded = self._first_model(assumptions, self._within)
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
        return solve(self._control, lambda _model: False, assumptions, seconds=self._seconds())

    def core(self, assumptions: Sequence[int]) -> list[int]:
        """A minimal part of these assumptions without a model; all of them have none together."""
        core = unsatisfiable_core(self._control, assumptions, seconds=self._seconds())
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
            for (column, code), literal in self._matrix.items():
                if code and model.is_true(literal):
                    codes[column] = code
            found.append((codes, self._verdict(model)))
            return False

        solve(self._control, read, assumptions, seconds=self._seconds())
        return found[0] if found else None

    def _solve(self, assumptions: Sequence[int], read: Callable[[clingo.Model], None]) -> None:
        self._control.configuration.solve.models = 0  # type: ignore[union-attr]
        solve(self._control, read, assumptions, seconds=self._seconds())

    def _exactly(self, broken: BrokenSet) -> list[int]:
        chosen = set(broken)
        return [lit if rule in chosen else -lit for rule, lit in self.broken.items()]

    # --- reading models ------------------------------------------------------

    def _broken_in(self, model: clingo.Model) -> BrokenSet:
        return tuple(rule for rule, lit in self.broken.items() if model.is_true(lit))

    def _verdict(self, model: clingo.Model) -> Verdict:
        codes = np.zeros(self.layout.width, dtype=np.int16)
        for (column, code), literal in self._own.items():
            if code and model.is_true(literal):
                codes[column] = code
        return Verdict(
            codes,
            self._broken_in(model),
            tuple(cell for cell, lit in self.edits.items() if model.is_true(lit)),
            tuple(key for key, lit in self.fits.items() if model.is_true(lit)),
        )

    def _collect(self, found: dict[bytes, Verdict], verdicts: Iterable[Verdict]) -> None:
        for verdict in verdicts:
            found.setdefault(verdict.codes.tobytes(), verdict)

    def _ordered(self, verdicts: Iterable[Verdict]) -> list[Verdict]:
        return sorted(verdicts, key=lambda v: (self._rank(v.broken), v.codes.tolist()))

    def _rank(self, broken: BrokenSet) -> tuple[int, list[int]]:
        places = {rule: place for place, rule in enumerate(self.broken)}
        return len(broken), [places[rule] for rule in broken]

    # --- the ground program ------------------------------------------------------

    def _literals(self, predicate: str, names: dict[str, Name]) -> dict[Name, int]:
        """The literal of each atom of a unary predicate, in the author's order."""
        atoms = {
            names[str(atom.symbol.arguments[0])]: atom.literal
            for atom in self._control.symbolic_atoms.by_signature(predicate, 1)
        }
        return {name: atoms[name] for name in names.values() if name in atoms}

    def _single(self, name: str) -> int | None:
        """The literal of an atom without arguments; None where nothing can make it true."""
        atoms = self._control.symbolic_atoms.by_signature(name, 0)
        return next((atom.literal for atom in atoms), None)

    def _numbered(self, predicate: str) -> list[int]:
        atoms = self._control.symbolic_atoms.by_signature(predicate, 1)
        return [a.literal for a in sorted(atoms, key=lambda a: a.symbol.arguments[0].number)]

    def _read_witnesses(
        self, rules: dict[str, str], cells: dict[str, CellName]
    ) -> Iterator[tuple[int, str, Witness]]:
        values: dict[str, Value] = {t: v for v, t in self.program.symbols.value.items()}
        for atom in self._control.symbolic_atoms.by_signature("violated", 3):
            rule, item, witness = atom.symbol.arguments
            if str(item) != "candidate":
                continue
            first, *rest = witness.arguments
            if witness.name == "fails":
                told = Witness("fails", None, None, first.arguments[1].number - 1)
            else:
                told = Witness(_KINDS[witness.name], cells[str(first)], values[str(rest[0])], None)
            yield atom.literal, rules[str(rule)], told
