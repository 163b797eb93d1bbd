"""What only the solver can tell about a grammar: whether its rules mean something together.

`check` has found every name and every operator in order.  Here: rules that nothing breaks or
nothing obeys, rules that contradict each other, operators on too few items, labels that select
nothing, and contexts with two solutions.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from blm.candidates import CandidateSolver
from blm.diagnostics import Diagnostic, Severity
from blm.layout import Codes, Layout
from blm.phenomenon import (
    ABSENT,
    Alternative,
    CellName,
    Clause,
    ItemClause,
    Label,
    MovementClause,
    Phenomenon,
    PooledClause,
    SequenceClause,
    Where,
    cells_of,
)
from blm.problem import item_text
from blm.program import items_needed
from blm.solve import Factor, MatrixSpace, distinct
from blm.wording import operator_text


def validate(solver: CandidateSolver) -> list[Diagnostic]:
    """Every mistake that the rules make together, sorted by position.

    What rests on a mistake already found is not looked at: labels and solutions mean nothing
    while no matrix obeys the rules.
    """
    with solver.at_most(solver.limits.seconds):
        return _validate(solver)


def _validate(solver: CandidateSolver) -> list[Diagnostic]:
    found = list(_meaningless_rules(solver))
    if not found:
        found = list(_contradictions(solver))
    if not found:
        found = [*_ambiguity(solver), *_empty_labels(solver)]
        found += [*_unbreakable_rules(solver), *_short_sequences(solver), *_lopsided_axes(solver)]
    return sorted(found, key=lambda d: (d.span.start, d.code))


def ambiguous_choices(phenomenon: Phenomenon, space: MatrixSpace) -> list[Diagnostic]:
    """A context with two solutions, where these rest on different variables or assignments.

    `validate` compares answers under the same choices; this compares all matrices.
    """
    for factor in space.factors:
        if pair := _two_solutions(space.layout, factor):
            items = [_with_rows(space, factor, row) for row in pair]
            return [_ambiguous(phenomenon, *items)]
    return []


# --- rules ----------------------------------------------------------


def _meaningless_rules(solver: CandidateSolver) -> Iterator[Diagnostic]:
    phenomenon, asked = solver.program.phenomenon, solver.asked
    if not solver.satisfiable([]):
        yield Diagnostic(
            "impossible-items",
            "no item is possible under `possible`, or the rows of the context contradict it",
            (phenomenon.possible[0].span if phenomenon.possible else phenomenon.span),
            "loosen the constraints of `possible`, or correct the rows",
        )
        return
    for rule in phenomenon.rules:
        literals = [d[rule.name] for d in (asked.spoilt, asked.broken) if rule.name in d]
        if not any(solver.satisfiable([literal]) for literal in literals):
            yield Diagnostic(
                "never-broken",
                f"the rule '{rule.name}' can never be broken: every item that is possible obeys it",
                rule.span,
                "remove it, or widen the domains or `possible` so that it says something",
            )
        elif rule.name in asked.spoilt and not solver.satisfiable([-asked.spoilt[rule.name]]):
            yield Diagnostic(
                "never-kept",
                f"the rule '{rule.name}' can never be kept: no sequence of items obeys it",
                rule.span,
                "compare it with the domains of its cells, with `possible` and with the rows",
            )


def _contradictions(solver: CandidateSolver) -> Iterator[Diagnostic]:
    kept = {-literal: rule for rule, literal in solver.asked.spoilt.items()}
    if solver.satisfiable(list(kept)):
        return
    names = {kept[literal] for literal in solver.core(list(kept))}
    rules = [rule for rule in solver.program.phenomenon.rules if rule.name in names]
    listed = ", ".join(f"'{rule.name}'" for rule in rules)
    yield Diagnostic(
        "contradiction",
        f"no matrix obeys these rules together: {listed}",
        rules[0].span,
        "change one of them; without any one of them the others can be obeyed",
    )


def _unbreakable_rules(solver: CandidateSolver) -> Iterator[Diagnostic]:
    valid = _valid(solver)
    for rule in solver.program.phenomenon.rules:
        literal = solver.asked.broken.get(rule.name)
        if literal is None or not solver.satisfiable([*valid, literal]):
            yield Diagnostic(
                "unbreakable",
                f"no answer can break '{rule.name}': it binds the context only",
                rule.span,
                "no distractor will show it; if it should bind the last item, widen its scope",
                Severity.WARNING,
            )


def _short_sequences(solver: CandidateSolver) -> Iterator[Diagnostic]:
    """Operators `over items where C`, of which C selects too few: no text shows how many."""
    valid = _valid(solver)
    for rule in solver.program.phenomenon.rules:
        for number, clause in enumerate(rule.clauses):
            literal = solver.asked.short.get((rule.name, number))
            if literal is None or not isinstance(clause, SequenceClause):
                continue
            if solver.satisfiable([*valid, literal]):
                needed = items_needed(clause.operator)
                yield Diagnostic(
                    "too-few-selected",
                    f"in some matrix the condition of '{rule.name}' selects fewer than {needed} "
                    f"items: too few for '{operator_text(clause.operator)}'",
                    clause.span,
                    "the rule says less there, or nothing; select items by their numbers, "
                    "or add a rule that makes the condition true more often",
                    Severity.WARNING,
                )


# --- labels ----------------------------------------------------------


def _empty_labels(solver: CandidateSolver) -> Iterator[Diagnostic]:
    valid = _valid(solver)
    for label in solver.program.phenomenon.labels:
        reasons = [
            _why_empty(solver, valid, label, number) for number in range(len(label.alternatives))
        ]
        every = all(reasons)
        for alternative, reason in zip(label.alternatives, reasons, strict=True):
            if reason:
                yield Diagnostic(
                    "empty-label" if every else "empty-alternative",
                    f"'{label.name}' selects nothing in any matrix: {reason}"
                    if every
                    else f"this alternative of '{label.name}' selects nothing in any matrix: "
                    f"{reason}",
                    alternative.span,
                    "name all rules that are broken together, or change the condition",
                    Severity.ERROR if every else Severity.WARNING,
                )


def _why_empty(solver: CandidateSolver, valid: list[int], label: Label, number: int) -> str | None:
    alternative = label.alternatives[number]
    literal = solver.asked.fits.get((label.name, number))
    if literal is not None and solver.satisfiable([*valid, literal]):
        return None
    unbroken = [rule for rule in alternative.rules if rule not in solver.asked.broken]
    if unbroken:
        return f"no answer can break '{unbroken[0]}'"
    wanted = [solver.asked.broken[rule] for rule in alternative.rules]
    others = {-lit: r for r, lit in solver.asked.broken.items() if r not in alternative.rules}
    if not solver.satisfiable([*valid, *wanted, *others]):
        return _why_not_exactly(solver, valid, alternative, others)
    return "no candidate that breaks just that meets the condition"


def _why_not_exactly(
    solver: CandidateSolver, valid: list[int], alternative: Alternative, others: dict[int, str]
) -> str:
    broken = _and(alternative.rules)
    wanted = [solver.asked.broken[rule] for rule in alternative.rules]
    if not solver.satisfiable([*valid, *wanted]):
        return f"no candidate breaks {broken}" + (" together" if len(wanted) > 1 else "")
    core = solver.core([*valid, *wanted, *others])
    names = [others[literal] for literal in core if literal in others]
    return f"a candidate that breaks {broken} breaks {_and(tuple(names), 'or')} too"


def _and(names: tuple[str, ...], word: str = "and") -> str:
    quoted = [f"'{name}'" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} {word} {quoted[-1]}"


def _lopsided_axes(solver: CandidateSolver) -> Iterator[Diagnostic]:
    """Axes of balanced sets on which the correct answer never moves: who sees many sets knows."""
    phenomenon = solver.program.phenomenon
    some = solver.example(_valid(solver)) if phenomenon.axes else None
    if some is None:
        return
    for cells in phenomenon.axes:
        if not solver.solution_varies(some[0], cells):
            axis = " + ".join(map(str, cells))
            yield Diagnostic(
                "lopsided-axis",
                f"the correct answer has the same {axis} in every matrix",
                phenomenon.axes_span or phenomenon.span,
                "over many problems a solver learns it without the context; take cells whose "
                "value in the correct answer depends on the context",
                Severity.WARNING,
            )


# --- solutions ----------------------------------------------------------


def _ambiguity(solver: CandidateSolver) -> Iterator[Diagnostic]:
    if solver.asked.different is None:
        return
    right = [] if solver.asked.wrong is None else [-solver.asked.wrong]
    found = solver.example([*_valid(solver), *right, solver.asked.different])
    if found is None:
        return
    matrix, other = found
    layout = solver.layout
    last = matrix[layout.item_columns(layout.size)]
    yield _ambiguous(solver.program.phenomenon, *(_decoded(layout, c) for c in (last, other.codes)))


def _decoded(layout: Layout, codes: Codes) -> dict[CellName, object]:
    return dict(layout.decode_item(codes))


def _ambiguous(phenomenon: Phenomenon, first, second) -> Diagnostic:  # type: ignore[no-untyped-def]
    cells = [c for c in phenomenon.cells if first.get(c.name) != second.get(c.name)]
    governed = _governed(phenomenon)
    free = [cell for cell in cells if cell.name not in governed]
    differing = ", ".join(
        f"{c.name} may be {first.get(c.name, ABSENT)} or {second.get(c.name, ABSENT)}"
        for c in cells
    )
    return Diagnostic(
        "ambiguous-solution",
        f"a context has two solutions: {differing}",
        free[0].span if free else phenomenon.span,
        (
            f"no rule governs {', '.join(str(c.name) for c in free)}: add one, or remove the cell"
            if free
            else "add a rule that decides between "
            f"[{item_text(phenomenon, first)}] and [{item_text(phenomenon, second)}]"
        ),
    )


def _two_solutions(layout: Layout, factor: Factor) -> tuple[Codes, Codes] | None:
    """Two rows of a factor with the same context and another last item."""
    columns = np.array(factor.columns, dtype=np.int64)
    items = layout.size * layout.width
    context = columns < items - layout.width
    last = (columns >= items - layout.width) & (columns < items)
    rows = distinct(factor.rows[:, context | last])
    known: dict[bytes, Codes] = {}
    inside = context[context | last]
    for row in rows:
        key = row[inside].tobytes()
        if key in known:
            return known[key], row
        known[key] = row
    return None


def _with_rows(space: MatrixSpace, factor: Factor, row: Codes):  # type: ignore[no-untyped-def]
    layout = space.layout
    items = layout.size * layout.width
    codes = space.codes(0)
    codes[[c for c in factor.columns if c < items]] = row
    return layout.decode_item(codes[layout.item_columns(layout.size)])


def _governed(phenomenon: Phenomenon) -> set[CellName]:
    return {
        cell for rule in phenomenon.rules for clause in rule.clauses for cell in _speaks_of(clause)
    }


def _speaks_of(clause: Clause) -> set[CellName]:
    match clause:
        case ItemClause(condition, scope):
            where = cells_of(scope.condition) if isinstance(scope, Where) else ()
            return {*cells_of(condition), *where}
        case SequenceClause(cell=cell) | PooledClause(cell=cell):
            return {cell}
        case MovementClause(source, _, target, _):
            return {source, target}


def _valid(solver: CandidateSolver) -> list[int]:
    """Assume that the matrix obeys every rule."""
    return [-literal for literal in solver.asked.spoilt.values()]
