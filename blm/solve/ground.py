"""Grounding and solving, bounded: an author's grammar may be huge, and Ctrl-C must be heard."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import clingo

from blm.diagnostics import InternalError
from blm.layout import Layout
from blm.program import Program


class LimitExceeded(Exception):
    """The work asked for is larger than a limit that the user may raise; the text says which."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How far the solver goes before it gives up with `LimitExceeded`.

    `atoms` bounds an estimate of the ground program, `seconds` grounding and each enumeration,
    `rows` the number of solutions of one connected part of a matrix.
    """

    atoms: int = 3_000_000
    seconds: float = 600.0
    rows: int = 5_000_000


DEFAULT_LIMITS = Limits()

_SMALL = 200_000
"""Programs estimated below this ground in well under a second: no process of their own."""


class Partition(clingo.Observer):
    """A union-find over program atoms, fed by clingo as an observer of the ground program."""

    def __init__(self) -> None:
        self._parent: dict[int, int] = {}

    def find(self, literal: int) -> int:
        """The representative of the part that a literal belongs to."""
        parent = self._parent
        root = abs(literal)
        while (above := parent.setdefault(root, root)) != root:
            parent[root] = parent[above]
            root = parent[root]
        return root

    def unite(self, literals: Iterable[int]) -> None:
        """Put these literals into one part."""
        roots = [self.find(literal) for literal in literals]
        for root in roots[1:]:
            self._parent[self.find(root)] = self.find(roots[0])

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        """Observe a rule of the ground program."""
        self.unite([*head, *body])

    def weight_rule(
        self,
        choice: bool,
        head: Sequence[int],
        lower_bound: int,
        body: Sequence[tuple[int, int]],
    ) -> None:
        """Observe a rule with a weighted body."""
        self.unite([*head, *(literal for literal, _ in body)])


def estimate_atoms(layout: Layout, clauses: int) -> int:
    """A rough size of the ground program: items x values x what looks at each of them."""
    values = sum(len(cell.domain) + 1 for cell in layout.cells)
    return (layout.size + 1) * values * (4 + clauses)


def ground(
    program: Program, text: str, *arguments: str, limits: Limits = DEFAULT_LIMITS
) -> tuple[clingo.Control, Partition]:
    """Ground a program text; its partition tells which atoms depend on each other.

    Grounding cannot be interrupted, so a program that is not small is first ground in a
    process of its own, which can.  Raises LimitExceeded, or InternalError if clingo has
    anything to say: the author's mistakes are found before this stage.
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
    partition = Partition()
    control.register_observer(partition)
    try:
        control.add("base", [], text)
        control.ground([("base", [])])
    except RuntimeError as error:
        messages.append(str(error))
    if messages:
        raise InternalError("clingo refuses the compiled program:\n" + "\n".join(messages))
    return control, partition


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
                "use smaller domains or fewer items, or raise the limit"
            ) from None


def solve(
    control: clingo.Control,
    on_model: Callable[[clingo.Model], bool | None],
    assumptions: Sequence[int] = (),
    *,
    seconds: float = DEFAULT_LIMITS.seconds,
) -> bool:
    """Solve so that Ctrl-C and the limit of time are heard; True if there was a model."""
    with control.solve(list(assumptions), on_model=on_model, async_=True) as handle:
        return bool(_result(handle, seconds).satisfiable)


def unsatisfiable_core(
    control: clingo.Control, assumptions: Sequence[int], *, seconds: float = DEFAULT_LIMITS.seconds
) -> list[int]:
    """Assumptions that have no model together; [] if all of them have one."""
    with control.solve(list(assumptions), async_=True) as handle:
        return list(handle.core()) if _result(handle, seconds).unsatisfiable else []


def _result(handle: clingo.SolveHandle, seconds: float) -> clingo.SolveResult:
    """Wait for a solve, or cancel it when its time is over or the user stops it."""
    deadline = monotonic() + seconds
    try:
        while not handle.wait(0.2):
            if monotonic() > deadline:
                raise LimitExceeded(f"solving took longer than {seconds:.3g} seconds")
    except BaseException:
        handle.cancel()
        raise
    return handle.get()
