"""The checked phenomenon: what a grammar file means, every name resolved.

`check` builds these objects from the syntax tree; `program` writes them as facts
for clingo.  They follow LP = (O, A, E, I, L) and M = (S, R, T) of Merlo et al.
(CLiC-it 2023, section 2): cells are (object, attribute) pairs, rules are external,
internal or relational, and a matrix has a shape and items.

Values are compared by name across cells, so that `matches` and `becomes` can relate
cells of different objects: `sg` of one domain is `sg` of every other.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Literal

from msgspec import Struct

from blm.diagnostics import Placed, Span

Value = str | int

PRESENCE = "presence"
"""The attribute of the cell that says whether an optional object is there."""

ABSENT = "absent"
PRESENT = "present"


class Family(StrEnum):
    """Where a rule stands in the definition of a phenomenon."""

    EXTERNAL = "external"
    INTERNAL = "internal"
    RELATIONAL = "relational"


class CellName(Struct, frozen=True):
    """The name of an (object, attribute) pair; `str()` gives `subj.number`.

    The presence of an optional object is the cell (object, PRESENCE), shown by the
    object's name alone.
    """

    object: str
    attribute: str

    def __str__(self) -> str:
        return self.object if self.attribute == PRESENCE else f"{self.object}.{self.attribute}"


# --- conditions on one item -----------------------------------------------------------
#
# A condition is true, false, or has no value (strong Kleene logic): a comparison with a
# cell that an item does not have has none.  A rule is broken only where its condition is
# false; a `where` selects only where its condition is true.


class Is(Struct, frozen=True):
    """`subj.number is sg`; presence is `Is(CellName(o, PRESENCE), PRESENT)`."""

    cell: CellName
    value: Value


class Matches(Struct, frozen=True):
    """`subj.number matches verb.number`: both have the same value."""

    left: CellName
    right: CellName


Comparison = Literal["=", "!=", "<", "<=", ">", ">="]


class Compare(Struct, frozen=True):
    """`subj.modifiers < 2` or `a.count <= b.count`: by number, or by the order of the domain."""

    left: CellName
    operator: Comparison
    right: CellName | Value


class Count(Struct, frozen=True):
    """`count {C1, C2} is 1`: how many of the conditions are true; always has a value."""

    conditions: tuple[Condition, ...]
    operator: Comparison
    number: int


class Distinct(Struct, frozen=True):
    """`distinct {subj.role, obj.role}`: no two of the cells that have a value share it."""

    cells: tuple[CellName, ...]


class Not(Struct, frozen=True):
    """`not C`."""

    condition: Condition


class And(Struct, frozen=True):
    """`C and C`."""

    conditions: tuple[Condition, ...]


class Or(Struct, frozen=True):
    """`C or C`."""

    conditions: tuple[Condition, ...]


class Implies(Struct, frozen=True):
    """`if P then Q`: broken where P is true and Q is false."""

    premise: Condition
    conclusion: Condition


class Changes(Struct, frozen=True):
    """`pp2.number changes`: the candidate and the correct answer both have the cell and differ.

    Only labels may use it, as they speak of a candidate beside the correct answer.
    """

    cell: CellName


class Appears(Struct, frozen=True):
    """`pp2 appears`: the candidate has the object, the correct answer has not."""

    object: str


class Disappears(Struct, frozen=True):
    """`pp2 disappears`: the correct answer has the object, the candidate has not."""

    object: str


Condition = (
    Is
    | Matches
    | Compare
    | Count
    | Distinct
    | Not
    | And
    | Or
    | Implies
    | Changes
    | Appears
    | Disappears
)


def subconditions(condition: Condition) -> tuple[Condition, ...]:
    """The conditions directly inside `condition`."""
    match condition:
        case Not(inner):
            return (inner,)
        case And(inner_all) | Or(inner_all) | Count(conditions=inner_all):
            return inner_all
        case Implies(premise, conclusion):
            return (premise, conclusion)
        case _:
            return ()


def cells_of(condition: Condition) -> Iterator[CellName]:
    """Every cell that `condition` reads, in reading order, repetitions included."""
    match condition:
        case Is(cell=cell) | Changes(cell=cell):
            yield cell
        case Matches(left, right):
            yield from (left, right)
        case Compare(left, _, right):
            yield left
            if isinstance(right, CellName):
                yield right
        case Distinct(cells):
            yield from cells
        case Appears(name) | Disappears(name):
            yield CellName(name, PRESENCE)
        case _:
            for inner in subconditions(condition):
                yield from cells_of(inner)


# --- operators on a sequence ----------------------------------------------------------
#
# A parameter that is None is free: it is fixed by the first items of the sequence, and
# every choice is enumerated.  For a cell that may have no value, ABSENT is one more value.


class Variable(Struct, frozen=True):
    """A name that stands for one value throughout a matrix: `variables A, B over {loc, theme}`."""

    name: str


Term = Value | Variable


class Alternates(Struct, frozen=True):
    """`alternates every k [from v]`: two values take turns, each for k items."""

    every: int = 1
    start: Term | None = None


class Switches(Struct, frozen=True):
    """`switches at k [from v] [to w]`: one value before position k, another from k on."""

    at: int
    before: Term | None = None
    after: Term | None = None


class Progresses(Struct, frozen=True):
    """`progresses [step s] [every k] [from v]`: grows by s after every k items.

    By number in an integer domain, by rank in an ordered one.  The step is at least 1.
    """

    step: int = 1
    every: int = 1
    start: Value | None = None


class Constant(Struct, frozen=True):
    """`constant`: the same value everywhere."""


class Varies(Struct, frozen=True):
    """`varies`: each item differs from the item before it (lexical substitution)."""


class Distributes(Struct, frozen=True):
    """`distributes {a, b, c}`: each group of 3 consecutive items has each value once."""

    values: tuple[Term, ...]


class Cycles(Struct, frozen=True):
    """`cycles [a, b, c] [from v]`: the values follow each other in this order, over and over."""

    values: tuple[Term, ...]
    start: Term | None = None


class Follows(Struct, frozen=True):
    """`follows [a, A, _, b]`: a schedule; None (`_`) leaves a position free."""

    schedule: tuple[Term | None, ...]


Operator = Alternates | Switches | Progresses | Constant | Varies | Distributes | Cycles | Follows


# --- scopes: which items a clause speaks of --------------------------------------------


class Positions(Struct, frozen=True):
    """`over items 1..4, 7`: positions count from 1; the chosen items form the sequence."""

    positions: tuple[int, ...]


class Where(Struct, frozen=True):
    """`over items where C`: the items for which C is true form the sequence."""

    condition: Condition


class ByRow(Struct, frozen=True):
    """`by row`: each row of the shape is a sequence of its own, with its own parameters."""


class ByColumn(Struct, frozen=True):
    """`by column`: each column of the shape is a sequence of its own."""


Scope = Positions | Where | ByRow | ByColumn | None
"""None is the whole sequence, in reading order."""


# --- rules ----------------------------------------------------------


class ItemClause(Placed, frozen=True):
    """A condition that every item of the scope obeys (Positions, Where or None)."""

    condition: Condition
    scope: Scope
    span: Span


class SequenceClause(Placed, frozen=True):
    """An operator on the values that one cell takes along a sequence."""

    cell: CellName
    operator: Operator
    scope: Scope
    span: Span


class MovementClause(Placed, frozen=True):
    """`comp.role at 1 becomes obj.role at 8`: the value of one cell is the value of another.

    ABSENT counts as a value. Positions are between 1 and n and differ.
    """

    source: CellName
    source_item: int
    target: CellName
    target_item: int
    span: Span


class PooledClause(Placed, frozen=True):
    """One cell of a pool: it obeys one of these operators, which one is enumerated.

    The operators are those of the pool that fit the cell.  With `once`, no operator of the
    pool serves two cells.
    """

    pool: str
    cell: CellName
    operators: tuple[Operator, ...]
    once: bool
    span: Span


Clause = ItemClause | SequenceClause | MovementClause | PooledClause


class Rule(Placed, frozen=True):
    """A named rule: it holds where all its clauses do, and is broken where one is.

    A pool named `sampled` over `subj.number` gives the rule `sampled[subj.number]`.
    `text` is the author's wording, for people: the description, or the source text.
    """

    name: str
    family: Family
    clauses: tuple[Clause, ...]
    text: str
    span: Span


# --- the matrix and the answers ---------------------------------------------------------


class Cell(Placed, frozen=True):
    """A cell with its finite domain, in the author's order.

    `ordered` is true for `{0..3}` and `{a < b < c}`.  `condition` says when the cell exists,
    given that its object is present.
    """

    name: CellName
    domain: tuple[Value, ...]
    ordered: bool
    condition: Condition | None
    span: Span


class Object(Placed, frozen=True):
    """An object of the phenomenon; `optional` ones may be absent from an item."""

    name: str
    optional: bool
    attributes: tuple[str, ...]
    span: Span


class Constraint(Placed, frozen=True):
    """An entry of `possible`: items for which it is false do not exist."""

    name: str
    condition: Condition
    span: Span


class Shape(Struct, frozen=True):
    """`matrix 8` is 1 x 8; `matrix 3 x 3` has rows and columns. Items are read row by row."""

    rows: int
    columns: int

    @property
    def size(self) -> int:
        """The number of items n."""
        return self.rows * self.columns


class VariableDeclaration(Placed, frozen=True):
    """A matrix variable and the values it ranges over."""

    name: str
    values: tuple[Value, ...]
    span: Span


class Row(Placed, frozen=True):
    """A row of the `rows` table: what an item of the context is. Never the last item."""

    item: int
    entries: tuple[tuple[CellName, Term], ...]
    span: Span


class Alternative(Placed, frozen=True):
    """`breaks r, s where C`: broken sets equal to `rules`, in candidates that meet C."""

    rules: tuple[str, ...]
    condition: Condition | None
    span: Span


class Label(Placed, frozen=True):
    """A named kind of wrong answer."""

    name: str
    text: str
    alternatives: tuple[Alternative, ...]
    span: Span


class Phenomenon(Placed, frozen=True):
    """A checked phenomenon.

    `cells` come in the author's order; the presence cell of an optional object comes first
    among the object's cells. `correct` is the author's name of the correct answer.
    `distinct` lists groups of variables that take different values.
    `axes` are the axes of balanced answer sets, declared at `axes_span`; each is a group of cells.
    """

    name: str
    title: str
    objects: tuple[Object, ...]
    cells: tuple[Cell, ...]
    possible: tuple[Constraint, ...]
    rules: tuple[Rule, ...]
    shape: Shape
    variables: tuple[VariableDeclaration, ...]
    distinct: tuple[tuple[str, ...], ...]
    rows: tuple[Row, ...]
    labels: tuple[Label, ...]
    axes: tuple[tuple[CellName, ...], ...]
    span: Span
    correct: str = "correct"
    axes_span: Span | None = None

    def cell(self, name: CellName) -> Cell:
        """The cell of this name; KeyError if there is none."""
        for cell in self.cells:
            if cell.name == name:
                return cell
        raise KeyError(str(name))

    def rule(self, name: str) -> Rule:
        """The rule of this name; KeyError if there is none."""
        for rule in self.rules:
            if rule.name == name:
                return rule
        raise KeyError(name)
