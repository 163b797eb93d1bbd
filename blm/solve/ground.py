"""Grounding and solving, bounded: an author's grammar may be huge, and Ctrl-C must be heard."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any, TypeVar

import clingo

from blm.diagnostics import InternalError
from blm.disjoint import DisjointSets
from blm.layout import Layout
from blm.program import Program
from blm.solve.cnf import GroundRule
from blm.solve.limits import DEFAULT_LIMITS, Deadline, LimitExceeded, Limits
from blm.solve.parts import GroundRules

_SMALL = 200_000
"""Programs estimated below this ground in well under a second: no process of their own."""


class _Watch(clingo.Observer):
    """An observer that ends grounding when its time is over."""

    deadline = Deadline(inf)

    def watch(self, deadline: Deadline) -> None:
        """From here on the time is over then."""
        self.deadline = deadline


class _Bodies(_Watch):
    """An observer to which a weighted body is a body like others."""

    def weight_rule(
        self,
        choice: bool,
        head: Sequence[int],
        lower_bound: int,
        body: Sequence[tuple[int, int]],
    ) -> None:
        """Observe a rule with a weighted body."""
        self.rule(choice, head, [literal for literal, _ in body])


class Partition(_Bodies):
    """Which atoms occur together in rules, fed by clingo as an observer of the ground program."""

    def __init__(self) -> None:
        self._atoms = DisjointSets[int]()

    def find(self, literal: int) -> int:
        """The representative of the part that a literal belongs to."""
        return self._atoms.find(abs(literal))

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        """Observe a rule of the ground program."""
        self.deadline.check()
        self._atoms.unite(map(abs, [*head, *body]))


class Recorder(_Bodies):
    """Keeps the rules of a ground program, fed by clingo as an observer of it."""

    def __init__(self) -> None:
        self.rules = GroundRules()

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        """Observe a rule of the ground program."""
        self.deadline.check()
        self.rules.add(head, body)


class RuleList(_Watch):
    """Keeps all that there is to know of the rules of a ground program."""

    def __init__(self) -> None:
        self.rules: list[GroundRule] = []

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        """Observe a rule of the ground program."""
        self.deadline.check()
        self.rules.append(GroundRule(choice, tuple(head), tuple(body)))

    def weight_rule(
        self,
        choice: bool,
        head: Sequence[int],
        lower_bound: int,
        body: Sequence[tuple[int, int]],
    ) -> None:
        """Observe a rule with a weighted body."""
        literals, weights = tuple(lit for lit, _ in body), tuple(weight for _, weight in body)
        self.rules.append(GroundRule(choice, tuple(head), literals, weights, lower_bound))


Observer = TypeVar("Observer", bound=_Watch)


def estimate_atoms(layout: Layout, clauses: int) -> int:
    """A rough size of the ground program: items x values x what looks at each of them."""
    values = sum(len(cell.domain) + 1 for cell in layout.cells)
    return (layout.size + 1) * values * (4 + clauses)


def ground(
    program: Program,
    text: str,
    observer: Observer,
    *arguments: str,
    limits: Limits = DEFAULT_LIMITS,
) -> tuple[clingo.Control, Observer]:
    """Ground a program text; the observer, given back, has seen every ground rule.

    Only an observer can interrupt grounding, and may have nothing to see for long: a program that
    is not small is first ground in a process of its own.  Raises LimitExceeded, or InternalError
    if clingo has anything to say: the author's mistakes are found before this stage.
    """
    clauses = sum(len(rule.clauses) for rule in program.phenomenon.rules)
    estimate = estimate_atoms(program.layout, clauses)
    if estimate > limits.atoms:
        raise LimitExceeded(
            f"the program of '{program.phenomenon.name}' would have some {estimate:,} atoms, "
            f"over the limit of {limits.atoms:,}; use smaller domains or fewer items"
        )
    if estimate > _SMALL:
        _rehearse(text, limits)
    messages: list[str] = []
    control = clingo.Control(
        ["--warn=all", *arguments], logger=lambda _code, message: messages.append(message)
    )
    observer.watch(Deadline(limits.seconds, "grounding"))
    control.register_observer(observer)
    try:
        control.add("base", [], text)
        control.ground([("base", [])])
    except RuntimeError as error:
        messages.append(str(error))
    if messages:
        raise InternalError("clingo refuses the compiled program:\n" + "\n".join(messages))
    return control, observer


def _rehearse(text: str, limits: Limits) -> None:
    """Ground in a child process, only to learn that it ends within the limit of time."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.lp"
        path.write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "clingo", "--mode=gringo", str(path)]
        try:
            subprocess.run(
                command,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=False,
                timeout=limits.seconds / 2,  # the other half is for grounding it here
            )
        except subprocess.TimeoutExpired:
            raise LimitExceeded(
                f"grounding takes longer than half of the {limits.seconds:g} seconds allowed; "
                "use smaller domains or fewer items, or allow more time (--time-limit)"
            ) from None


def solve(
    control: clingo.Control,
    on_model: Callable[[clingo.Model], bool | None],
    assumptions: Sequence[int] = (),
    *,
    deadline: Deadline,
) -> bool:
    """Solve so that Ctrl-C and the limit of time are heard; True if there was a model."""
    with control.solve(list(assumptions), on_model=on_model, async_=True) as handle:
        return bool(_result(handle, deadline).satisfiable)


def decide(
    control: clingo.Control, on_model: Callable[[clingo.Model], None], assumptions: Sequence[int]
) -> None:
    """Solve where the assumptions leave nothing to search for: without a thread to wait for."""
    control.solve(list(assumptions), on_model=on_model)


class Native:
    """The C functions of clingo's Python package, for C callbacks that Python never sees.

    They are no public interface: AttributeError, ImportError or TypeError where this clingo
    differs from the known ones.
    """

    def __init__(self, control: clingo.Control) -> None:
        internal: Any = import_module("clingo._internal")
        self._ffi = internal._ffi
        self._lib = internal._lib
        self._check = internal._handle_error
        self._control = control
        function = self._ffi.addressof(self._lib, "clingo_model_is_true")
        self.is_true = int(self._ffi.cast("uintptr_t", function))
        self._control_pointer: Any = control._rep

    def solve(
        self, callback: int | None, data: int, assumptions: Sequence[int], *, deadline: Deadline
    ) -> None:
        """Solve so that Ctrl-C and the limit of time are heard; the callback gets the models.

        `callback` is the address of a C function that `clingo_control_solve` takes, `data` that
        of its argument. RuntimeError where the callback fails.
        """
        ffi, lib = self._ffi, self._lib
        handle, done = ffi.new("clingo_solve_handle_t**"), ffi.new("bool*")
        given = ffi.new("clingo_literal_t[]", list(assumptions))
        call = ffi.cast("clingo_solve_event_callback_t", callback)
        self._check(
            lib.clingo_control_solve(
                self._control_pointer,
                lib.clingo_solve_mode_async,
                given,
                len(assumptions),
                call,
                ffi.cast("void*", data),
                handle,
            )
        )
        try:
            while not done[0]:
                deadline.check()
                lib.clingo_solve_handle_wait(handle[0], 0.2, done)
            self._check(
                lib.clingo_solve_handle_get(handle[0], ffi.new("clingo_solve_result_bitset_t*"))
            )
        finally:
            lib.clingo_solve_handle_cancel(handle[0])
            self._check(lib.clingo_solve_handle_close(handle[0]))


def unsatisfiable_core(
    control: clingo.Control, assumptions: Sequence[int], *, deadline: Deadline
) -> list[int]:
    """Assumptions that have no model together; [] if all of them have one."""
    with control.solve(list(assumptions), async_=True) as handle:
        return list(handle.core()) if _result(handle, deadline).unsatisfiable else []


def _result(handle: clingo.SolveHandle, deadline: Deadline) -> clingo.SolveResult:
    """Wait for a solve, or cancel it when its time is over or the user stops it."""
    try:
        deadline.check()
        while not handle.wait(0.2):
            deadline.check()
    except BaseException:
        handle.cancel()
        raise
    return handle.get()
