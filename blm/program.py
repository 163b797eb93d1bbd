"""Phenomenon -> Answer Set Program.

The compiler writes facts; the meaning of a condition, an operator or a rule stands in the
encodings of `asp/`.  `subj.number alternates every 1` of the rule `subject` becomes

    clause((subject,1),subject).  active((subject,1)).  along((subject,1),whole).
    follows_cell((subject,1),(subj,number)).  alternates((subject,1),1).

Every line of facts knows the author's line it came from (`Program.origins`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath
from typing import assert_never

from msgspec import Struct, field

from blm.diagnostics import InternalError, Span
from blm.layout import Layout
from blm.phenomenon import (
    Alternates,
    And,
    Appears,
    ByColumn,
    ByRow,
    CellName,
    Changes,
    Clause,
    Compare,
    Condition,
    Constant,
    Count,
    Cycles,
    Disappears,
    Distinct,
    Distributes,
    Follows,
    Implies,
    Is,
    ItemClause,
    Label,
    Matches,
    MovementClause,
    Not,
    Operator,
    Or,
    Phenomenon,
    PooledClause,
    Positions,
    Progresses,
    Rule,
    Scope,
    SequenceClause,
    Switches,
    Term,
    Value,
    Variable,
    Varies,
    Where,
    subconditions,
)
from blm.resources import encoding
from blm.symbols import Symbols

BASE = ("universe", "conditions", "choices", "context", "sequences", "operators", "rules")
"""The encodings that both stages share: the universe and what breaks a rule."""

MATRIX = (*BASE, "matrix")
CANDIDATE = (*BASE, "candidate")


@dataclass(frozen=True)
class Program:
    """The facts of a phenomenon, with the way back to the author's lines.

    `facts` belong to both stages, `label_facts` to the candidates alone. `origins` maps the
    number of a line of `facts` (from 1) to the span it was compiled from.
    """

    phenomenon: Phenomenon
    facts: str
    label_facts: str
    origins: Mapping[int, Span]
    symbols: Symbols
    layout: Layout

    @cached_property
    def matrix_text(self) -> str:
        """One program whose models are the matrices, for clingo alone."""
        return "\n".join([self.facts, *map(encoding, MATRIX)])

    @cached_property
    def candidate_text(self) -> str:
        """One program whose models are a matrix, valid or not, with a candidate."""
        return "\n".join([self.facts, self.label_facts, *map(encoding, CANDIDATE)])


def compile_phenomenon(phenomenon: Phenomenon) -> Program:
    """Write a checked phenomenon as facts for the encodings of `asp/`."""
    symbols = Symbols.of(phenomenon)
    writer = _Writer(symbols)
    _write_header(writer, phenomenon)
    _write_cells(writer, phenomenon)
    _write_matrix(writer, phenomenon)
    for rule in phenomenon.rules:
        _write_rule(writer, rule)
    facts, origins = writer.finish()
    writer.restart()
    for label in phenomenon.labels:
        _write_label(writer, label)
    label_facts, _ = writer.finish()
    return Program(phenomenon, facts, label_facts, origins, symbols, Layout.of(phenomenon))


class _Writer(Struct):
    """Collects lines of facts; conditions and terms are written once each, where first used."""

    symbols: Symbols
    lines: list[str] = field(default_factory=list)
    origins: dict[int, Span] = field(default_factory=dict)
    conditions: dict[Condition, str] = field(default_factory=dict)
    terms: set[str] = field(default_factory=set)
    span: int = 1
    counter: int = 0

    def comment(self, text: str) -> None:
        """A comment line; control characters of a description cannot end it."""
        self.lines += ["", f"% {' '.join(text.split())}"]

    def fact(self, text: str, span: Span | None = None) -> None:
        """One line with one fact or more."""
        self.lines.append(text)
        if span is not None:
            self.origins[len(self.lines)] = span

    def finish(self) -> tuple[str, dict[int, Span]]:
        """The text so far, with the widest difference that a comparison needs."""
        self.fact(f"span({self.span}).")
        return "\n".join(self.lines) + "\n", dict(self.origins)

    def restart(self) -> None:
        """Begin another text that is read after the first: it may use its conditions."""
        self.lines.clear()
        self.origins.clear()

    def number(self) -> int:
        """A fresh number for a compound condition."""
        self.counter += 1
        return self.counter

    def term(self, term: Term) -> str:
        """The term of a value or variable."""
        match term:
            case Variable(name):
                text = f"variable({self.symbols.variable[name]})"
            case _:
                text = f"value({self.symbols.value[term]})"
        if text not in self.terms:
            self.terms.add(text)
            self.fact(f"term({text}).")
        return text

    def condition(self, condition: Condition) -> str:
        """The term of a condition, after the facts that it rests on."""
        if isinstance(condition, Implies):
            condition = Or((Not(condition.premise), condition.conclusion))
        if known := self.conditions.get(condition):
            return known
        text = self._new_condition(condition)
        self.conditions[condition] = text
        self.fact(f"condition({text}).")
        return text

    def _new_condition(self, condition: Condition) -> str:
        cell = self.symbols.cell
        match condition:
            case Is(name, value):
                return f"is({cell[name]},{self.symbols.value[value]})"
            case Matches(left, right):
                return f"same({cell[left]},{cell[right]})"
            case Compare(left, operator, right):
                return f'compare("{operator}",{cell[left]},{self._compared(left, right)})'
            case Not(inner):
                return f"neg({self.condition(inner)})"
            case Implies():
                raise InternalError("an implication is written as a disjunction")
            case And():
                return self._compound("all", condition)
            case Or():
                return self._compound("any", condition)
            case Count(conditions, operator, number):
                return self._count(conditions, operator, number)
            case Distinct(cells):
                key = self.number()
                self.fact(f"among({key},({';'.join(cell[c] for c in cells)})).")
                return f"distinct({key})"
            case Changes(name):
                return f"changes({cell[name]})"
            case Appears(name):
                return f"appears({self.symbols.object[name]})"
            case Disappears(name):
                return f"disappears({self.symbols.object[name]})"
            case _:
                assert_never(condition)

    def _compound(self, kind: str, condition: Condition) -> str:
        parts = [self.condition(part) for part in subconditions(condition)]
        text = f"{kind}({self.number()})"
        for part in parts:
            self.fact(f"part({text},{part}).")
        return text

    def _count(self, conditions: tuple[Condition, ...], operator: str, number: int) -> str:
        """A count; its members are numbered, as an author may name one twice."""
        parts = [self.condition(part) for part in conditions]
        key = self.number()
        for place, part in enumerate(parts, 1):
            self.fact(f"counted({key},{place},{part}).")
        self.span = max(self.span, number, len(parts))
        self.fact(f'bound({key},"{operator}",{number}).')
        return f"count({key})"

    def _compared(self, left: CellName, right: CellName | Value) -> str:
        """The right side of a comparison, after the ranks that it rests on."""
        if isinstance(right, CellName):
            self._ranks(left, right)
            return self.symbols.cell[right]
        self._ranks(left)
        return f"value({self.symbols.value[right]})"

    def _ranks(self, *cells: CellName) -> None:
        """The ranks of the values of cells that are compared: numbers count as themselves."""
        ranks = {
            (name, value): value if isinstance(value, int) else place
            for name in cells
            for place, value in enumerate(self.symbols.domains[name], 1)
        }
        self.span = max(self.span, max(ranks.values()) - min(ranks.values()))
        for (name, value), rank in ranks.items():
            self.fact(f"rank({self.symbols.cell[name]},{self.symbols.value[value]},{rank}).")


# --- the parts of a phenomenon ----------------------------------------------------------


def _write_header(writer: _Writer, phenomenon: Phenomenon) -> None:
    writer.lines.append(f"% {' '.join(f'{phenomenon.name}: {phenomenon.title}'.split())}")
    for name, term in writer.symbols.renamed():
        writer.lines.append(f"% {term} stands for {name}")


def _write_cells(writer: _Writer, phenomenon: Phenomenon) -> None:
    symbols = writer.symbols
    places = {thing.name: _place(thing.span) for thing in phenomenon.objects}
    optional = {o.name for o in phenomenon.objects if o.optional}
    for cell in phenomenon.cells:
        if place := places.pop(cell.name.object, None):
            writer.comment(f"object {cell.name.object} [{place}]")
        term = symbols.cell[cell.name]
        values = ";".join(symbols.value[v] for v in cell.domain)
        writer.fact(f"cell({term}). domain({term},({values})).", cell.span)
        presence = CellName(cell.name.object, "presence")
        if cell.name != presence and cell.name.object in optional:
            writer.fact(f"needs({term},{writer.condition(Is(presence, 'present'))}).", cell.span)
        if cell.condition is not None:
            writer.fact(f"needs({term},{writer.condition(cell.condition)}).", cell.span)
    for constraint in phenomenon.possible:
        writer.comment(f"possible: {constraint.name} [{_place(constraint.span)}]")
        writer.fact(f"possible({writer.condition(constraint.condition)}).", constraint.span)


def _write_matrix(writer: _Writer, phenomenon: Phenomenon) -> None:
    symbols, shape = writer.symbols, phenomenon.shape
    writer.comment("the matrix")
    writer.fact(f"size({shape.size}). shape({shape.rows},{shape.columns}).")
    for variable in phenomenon.variables:
        values = ";".join(symbols.value[v] for v in variable.values)
        writer.comment(f"variable {variable.name} [{_place(variable.span)}]")
        writer.fact(f"ranges({symbols.variable[variable.name]},({values})).", variable.span)
    for group in phenomenon.distinct:
        for number, first in enumerate(group):
            for second in group[number + 1 :]:
                writer.fact(f"differ({symbols.variable[first]},{symbols.variable[second]}).")
    for row in phenomenon.rows:
        writer.comment(f"row {row.item} [{_place(row.span)}]")
        for cell, term in row.entries:
            meaning = writer.term(term)
            writer.fact(f"row({row.item},{symbols.cell[cell]},{meaning}).", row.span)


def _write_rule(writer: _Writer, rule: Rule) -> None:
    term = writer.symbols.rule[rule.name]
    writer.comment(f"{rule.name} ({rule.family}): {rule.text} [{_place(rule.span)}]")
    writer.fact(f"rule({term}). family({term},{rule.family}).", rule.span)
    for number, clause in enumerate(rule.clauses, 1):
        _write_clause(writer, clause, term, number)


def _place(span: Span) -> str:
    """`agreement.blm:17`: the author's line, whatever folder the file is in."""
    return f"{PurePath(span.source.path).name}:{span.line}"


def _write_clause(writer: _Writer, clause: Clause, rule: str, number: int) -> None:
    key = f"({rule},{number})"
    cell = writer.symbols.cell
    match clause:
        case PooledClause():
            _write_pooled(writer, clause, rule)
            return
        case ItemClause(condition, Where(scope)):
            met = writer.condition(Implies(scope, condition))
            writer.fact(f"requires({key},{met}). along({key},whole).", clause.span)
        case ItemClause(condition, scope):
            met = writer.condition(condition)
            writer.fact(f"requires({key},{met}).", clause.span)
            _write_scope(writer, key, scope)
        case SequenceClause(name, operator, scope):
            writer.fact(f"follows_cell({key},{cell[name]}).", clause.span)
            _write_operator(writer, key, name, operator)
            _write_scope(writer, key, scope)
            if isinstance(scope, Where):
                writer.fact(f"least({key},{items_needed(operator)}).")
        case MovementClause(source, i, target, j):
            first, second = sorted([(i, source), (j, target)], key=lambda pair: pair[0])
            writer.fact(
                f"moves({key},{cell[first[1]]},{first[0]},{cell[second[1]]},{second[0]}).",
                clause.span,
            )
        case _:
            assert_never(clause)
    writer.fact(f"clause({key},{rule}). active({key}).")


def _write_pooled(writer: _Writer, clause: PooledClause, rule: str) -> None:
    pool = writer.symbols.pool[clause.pool]
    writer.fact(f"pool({rule},{pool}).", clause.span)
    if clause.once:
        writer.fact(f"once({rule}).")
    for number, operator in enumerate(clause.operators, 1):
        key = f"({rule},{number})"
        identity = writer.symbols.operator(clause.pool, operator)
        writer.fact(f"offers({rule},{number},{identity}). clause({key},{rule}).", clause.span)
        writer.fact(f"follows_cell({key},{writer.symbols.cell[clause.cell]}).")
        _write_operator(writer, key, clause.cell, operator)
        _write_scope(writer, key, None)


def _write_scope(writer: _Writer, key: str, scope: Scope) -> None:
    match scope:
        case None:
            writer.fact(f"along({key},whole).")
        case ByRow():
            writer.fact(f"along({key},rows).")
        case ByColumn():
            writer.fact(f"along({key},columns).")
        case Positions(positions):
            line = f"chosen({writer.number()})"
            for index, position in enumerate(positions, 1):
                writer.fact(f"line({line},all,{position},{index}).")
            writer.fact(f"along({key},{line}).")
        case Where(condition):
            writer.fact(f"selects({key},{writer.condition(condition)}).")
        case _:
            assert_never(scope)


def _write_operator(writer: _Writer, key: str, cell: CellName, operator: Operator) -> None:
    fixed: dict[int, Term | None] = {}
    match operator:
        case Alternates(every, start):
            writer.fact(f"alternates({key},{every}).")
            fixed = {1: start}
        case Switches(at, before, after):
            writer.fact(f"switches({key},{at}).")
            fixed = {1: before, at: after}
            if after is not None:  # says something where the sequence ends before it switches
                meaning = writer.term(after)
                writer.fact(f"unlike({key},1,{meaning}).")
        case Progresses(step, every, start):
            writer.fact(f"progresses({key},{every}).")
            domain = writer.symbols.domains[cell]
            _write_successors(writer, key, domain, _steps(domain, step))
            fixed = {1: start}
        case Constant():
            writer.fact(f"constant({key}).")
        case Varies():
            writer.fact(f"varies({key}).")
        case Distributes(values):
            writer.fact(f"distributes({key},{len(values)}).")
            _write_confined(writer, key, values)
        case Cycles(values, start):
            writer.fact(f"cycles({key}).")
            _write_confined(writer, key, values)
            _write_cycle(writer, key, values)
            fixed = {1: start}
        case Follows(schedule):
            fixed = dict(enumerate(schedule, 1))
        case _:
            assert_never(operator)
    for index, term in fixed.items():
        if term is not None:
            meaning = writer.term(term)
            writer.fact(f"fixed({key},{index},{meaning}).")


def items_needed(operator: Operator) -> int:
    """How long a sequence is at least of which an operator says all that it can say.

    >>> items_needed(Alternates(2, None)), items_needed(Follows(("sg", "pl", None)))
    (3, 2)
    """
    match operator:
        case Alternates(every=every) | Progresses(every=every):
            return every + 1
        case Switches(at=at):
            return at
        case Constant() | Varies():
            return 2
        case Distributes(values) | Cycles(values=values):
            return len(values)
        case Follows(schedule):
            return max(index for index, term in enumerate(schedule, 1) if term is not None)
        case _:
            assert_never(operator)


def _steps(domain: tuple[Value, ...], step: int) -> list[tuple[int, int]]:
    """Pairs of places in a domain that are `step` apart, by number where values are numbers."""
    ranks = [v if isinstance(v, int) else k for k, v in enumerate(domain)]
    places = {rank: place for place, rank in enumerate(ranks)}
    return [(places[r], places[r + step]) for r in ranks if r + step in places]


def _write_successors(
    writer: _Writer, key: str, domain: tuple[Value, ...], pairs: list[tuple[int, int]]
) -> None:
    for first, second in pairs:
        meanings = writer.term(domain[first]), writer.term(domain[second])
        writer.fact(f"follow({key},{meanings[0]},{meanings[1]}).")


def _write_cycle(writer: _Writer, key: str, values: tuple[Term, ...]) -> None:
    for place, term in enumerate(values):
        first, second = writer.term(term), writer.term(values[(place + 1) % len(values)])
        writer.fact(f"follow({key},{first},{second}).")


def _write_confined(writer: _Writer, key: str, values: tuple[Term, ...]) -> None:
    writer.fact(f"confined({key}).")
    for term in values:
        meaning = writer.term(term)
        writer.fact(f"allowed({key},{meaning}).")


def _write_label(writer: _Writer, label: Label) -> None:
    symbols = writer.symbols
    name = symbols.label[label.name]
    writer.comment(f"{label.name}: {label.text} [{_place(label.span)}]")
    writer.fact(f"label({name}).", label.span)
    for number, alternative in enumerate(label.alternatives, 1):
        broken = ";".join(symbols.rule[r] for r in alternative.rules)
        writer.fact(f"alternative({name},{number}). breaks({name},{number},({broken})).")
        if alternative.condition is not None:
            writer.fact(f"where({name},{number},{writer.condition(alternative.condition)}).")
