"""The syntax tree: what the author wrote, names unresolved, every node with its place.

Spans do not count in comparisons, so two trees are equal when their texts say the same.
`blm.show` prints a tree, `blm.parse` builds one, `blm.check` gives it its meaning.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from blm.diagnostics import Span
from blm.phenomenon import Comparison, Family


@dataclass(frozen=True, slots=True)
class Node:
    """Anything that stands in the text."""

    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Name(Node):
    """An identifier, in Unicode normal form C."""

    text: str


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A natural number."""

    value: int


@dataclass(frozen=True, slots=True)
class Text(Node):
    """A text in double quotes."""

    text: str


@dataclass(frozen=True, slots=True)
class Value(Node):
    """A value: a name, a number, `present`, or `absent` (written `-` in tables)."""

    value: str | int


@dataclass(frozen=True, slots=True)
class Blank(Node):
    """`_`: anything may stand here."""


@dataclass(frozen=True, slots=True)
class CellRef(Node):
    """`subj.number`, or `pp2` for the presence of an object."""

    object: Name
    attribute: Name | None

    def __str__(self) -> str:
        return f"{self.object.text}.{self.attribute.text}" if self.attribute else self.object.text


# --- domains and objects ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ValueSet(Node):
    """`{a, b}`, or with an order `{a < b}`."""

    values: tuple[Value, ...]
    ordered: bool


@dataclass(frozen=True, slots=True)
class Range(Node):
    """`{0..3}`."""

    first: Number
    last: Number


DomainExpression = ValueSet | Range | Name


@dataclass(frozen=True, slots=True)
class Domain(Node):
    """`roles = {agent, theme, loc}`."""

    name: Name
    values: ValueSet | Range


@dataclass(frozen=True, slots=True)
class DeclaredObject(Node):
    """`pp2?` at the head of an entry of `objects`."""

    name: Name
    optional: bool


@dataclass(frozen=True, slots=True)
class Attribute(Node):
    """`prep {right, wrong} when comp.phrase is pp`; without a domain, the one of its name."""

    name: Name
    domain: DomainExpression | None
    condition: Condition | None


@dataclass(frozen=True, slots=True)
class ObjectEntry(Node):
    """`pp1, pp2? : number {sg, pl}`: objects with the same attributes."""

    objects: tuple[DeclaredObject, ...]
    attributes: tuple[Attribute, ...]


# --- conditions ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Is(Node):
    """`subj.number is sg`."""

    cell: CellRef
    value: Value


@dataclass(frozen=True, slots=True)
class IsNot(Node):
    """`subj.number is not sg`."""

    cell: CellRef
    value: Value


@dataclass(frozen=True, slots=True)
class IsOneOf(Node):
    """`subj.role is one of {agent, theme}`."""

    cell: CellRef
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Matches(Node):
    """`subj.number matches verb.number`."""

    left: CellRef
    right: CellRef


@dataclass(frozen=True, slots=True)
class Differs(Node):
    """`subj.number differs from verb.number`."""

    left: CellRef
    right: CellRef


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """`subj.weight <= 2` or `subj.weight < obj.weight`."""

    left: CellRef
    operator: Comparison
    right: CellRef | Value


@dataclass(frozen=True, slots=True)
class Count(Node):
    """`count {C, C} is 1`."""

    conditions: tuple[Condition, ...]
    operator: Comparison
    number: Number


Quantifier = Literal["any of", "none of", "all of"]


@dataclass(frozen=True, slots=True)
class Quantified(Node):
    """`any of {C, C}`, `none of {C, C}`, `all of {C, C}`."""

    quantifier: Quantifier
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Distinct(Node):
    """`distinct {subj.role, obj.role}`."""

    cells: tuple[CellRef, ...]


@dataclass(frozen=True, slots=True)
class Not(Node):
    """`not C`."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class And(Node):
    """`C and C`."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Or(Node):
    """`C or C`."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Implies(Node):
    """`if C then C`."""

    premise: Condition
    conclusion: Condition


EditKind = Literal["changes", "appears", "disappears"]


@dataclass(frozen=True, slots=True)
class Edit(Node):
    """`pp2.number changes`, `pp2 appears`, `pp2 disappears`: for labels only."""

    kind: EditKind
    cell: CellRef


Condition = (
    Is
    | IsNot
    | IsOneOf
    | Matches
    | Differs
    | Compare
    | Count
    | Quantified
    | Distinct
    | Not
    | And
    | Or
    | Implies
    | Edit
)


# --- clauses and rules ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Alternates(Node):
    """`alternates [every k] [from v]`."""

    every: Number | None
    start: Value | None


@dataclass(frozen=True, slots=True)
class Switches(Node):
    """`switches at k [from v] [to w]`."""

    at: Number
    before: Value | None
    after: Value | None


@dataclass(frozen=True, slots=True)
class Progresses(Node):
    """`progresses [step s] [every k] [from v]`."""

    step: Number | None
    every: Number | None
    start: Value | None


@dataclass(frozen=True, slots=True)
class Constant(Node):
    """`constant`."""


@dataclass(frozen=True, slots=True)
class Varies(Node):
    """`varies`."""


@dataclass(frozen=True, slots=True)
class Distributes(Node):
    """`distributes {a, b, c}`."""

    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Cycles(Node):
    """`cycles [a, b, c] [from v]`."""

    values: tuple[Value, ...]
    start: Value | None


@dataclass(frozen=True, slots=True)
class Follows(Node):
    """`follows [a, A, _, b]`."""

    schedule: tuple[Value | Blank, ...]


Operator = Alternates | Switches | Progresses | Constant | Varies | Distributes | Cycles | Follows


@dataclass(frozen=True, slots=True)
class Stretch(Node):
    """`4`, or `1..4`: items of a scope."""

    first: Number
    last: Number | None


@dataclass(frozen=True, slots=True)
class OverItems(Node):
    """`over items 1..4, 7`."""

    stretches: tuple[Stretch, ...]


@dataclass(frozen=True, slots=True)
class OverWhere(Node):
    """`over items where C`."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class ByRow(Node):
    """`by row`."""


@dataclass(frozen=True, slots=True)
class ByColumn(Node):
    """`by column`."""


Scope = OverItems | OverWhere | ByRow | ByColumn


@dataclass(frozen=True, slots=True)
class ConditionClause(Node):
    """A condition that items obey."""

    condition: Condition
    scope: Scope | None


@dataclass(frozen=True, slots=True)
class SequenceClause(Node):
    """`subj.number alternates every 1`."""

    cell: CellRef
    operator: Operator
    scope: Scope | None


@dataclass(frozen=True, slots=True)
class MovementClause(Node):
    """`comp.role at 1 becomes obj.role at 8`."""

    source: CellRef
    source_item: Number
    target: CellRef
    target_item: Number


Clause = ConditionClause | SequenceClause | MovementClause


@dataclass(frozen=True, slots=True)
class Pool(Node):
    """`assign {OPERATOR, ...} to {CELL, ...} [each once]`."""

    operators: tuple[Operator, ...]
    cells: tuple[CellRef, ...]
    once: bool


@dataclass(frozen=True, slots=True)
class Rule(Node):
    """`name "text" : CLAUSE; CLAUSE`, or a pool in place of the clauses."""

    name: Name
    text: Text | None
    body: tuple[Clause, ...] | Pool


@dataclass(frozen=True, slots=True)
class Constraint(Node):
    """`name "text" : CONDITION`, an entry of `possible`."""

    name: Name
    text: Text | None
    condition: Condition


@dataclass(frozen=True, slots=True)
class Variables(Node):
    """`variables A, B over {loc, theme} distinct`."""

    names: tuple[Name, ...]
    domain: DomainExpression
    distinct: bool


@dataclass(frozen=True, slots=True)
class Row(Node):
    """`1: agent active - _`; entries None is `8: ?`."""

    item: Number
    entries: tuple[Value | Blank, ...] | None


@dataclass(frozen=True, slots=True)
class Rows(Node):
    """`rows subj.role verb.voice` and the rows below it."""

    columns: tuple[CellRef, ...]
    rows: tuple[Row, ...]


MatrixEntry = Rule | Variables | Rows


# --- answers ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RuleRef(Node):
    """`agree`, or `pool[subj.number]`."""

    name: Name
    cell: CellRef | None

    def __str__(self) -> str:
        return f"{self.name.text}[{self.cell}]" if self.cell else self.name.text


@dataclass(frozen=True, slots=True)
class Alternative(Node):
    """`breaks r, s where C`."""

    rules: tuple[RuleRef, ...]
    condition: Condition | None


@dataclass(frozen=True, slots=True)
class Label(Node):
    """`WN1 "text" breaks first, or breaks second`."""

    name: Name
    text: Text | None
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True)
class Correct(Node):
    """`correct`, or `correct NAME`."""

    name: Name | None


@dataclass(frozen=True, slots=True)
class Balanced(Node):
    """`balanced over subj.number + verb.number, pp1.number`."""

    axes: tuple[tuple[CellRef, ...], ...]


AnswersEntry = Correct | Label | Balanced


# --- words and seeds ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FeatureSet(Node):
    """`pl.f`: features joined by points."""

    features: tuple[Name, ...]

    def __str__(self) -> str:
        return ".".join(name.text for name in self.features)


@dataclass(frozen=True, slots=True)
class Column(Node):
    """`gender {m, f}`, `onset? {aspirated}`; without values: any text."""

    name: Name
    optional: bool
    values: ValueSet | None


@dataclass(frozen=True, slots=True)
class Category(Node):
    """`noun "nouns.csv" : gender {m, f}; forms sg, pl`."""

    name: Name
    path: Text | None
    columns: tuple[Column, ...]
    forms: tuple[FeatureSet, ...]


@dataclass(frozen=True, slots=True)
class Filled(Node):
    """`gender=m` or `sg="chat"`."""

    column: FeatureSet
    value: Name | Text


@dataclass(frozen=True, slots=True)
class Word(Node):
    """`chat : noun gender=m, sg="chat", pl="chats"`."""

    name: Name
    category: Name
    columns: tuple[Filled, ...]


WordsEntry = Category | Word


@dataclass(frozen=True, slots=True)
class Slot(Node):
    """`subject : noun`; the category `text` stands for words as they are."""

    name: Name
    category: Name


@dataclass(frozen=True, slots=True)
class Slots(Node):
    """`slots subject : noun, verb : verb`."""

    slots: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Requirement(Node):
    """`A is loc`, after the `where` of a table."""

    variable: Name
    value: Value


@dataclass(frozen=True, slots=True)
class Table(Node):
    """`table "seeds.csv" where A is loc and B is theme`."""

    path: Text
    requires: tuple[Requirement, ...]


@dataclass(frozen=True, slots=True)
class Seed(Node):
    """`s1 : subject=chat, prep1="avec"`."""

    name: Name
    words: tuple[Filled, ...]


@dataclass(frozen=True, slots=True)
class Vary(Node):
    """`vary subject within kind`: seeds lend each other their word in a slot."""

    slot: Name
    within: Name | None


@dataclass(frozen=True, slots=True)
class Combine(Node):
    """`combine agent, theme within verb`: the words of these slots combine freely."""

    slots: tuple[Name, ...]
    within: Name | None


SeedsEntry = Slots | Table | Seed | Vary | Combine


# --- phrases and sentences ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FixedFeature(Node):
    """`[past]`."""

    name: Name


@dataclass(frozen=True, slots=True)
class DottedFeature(Node):
    """`[subj.number]`: of a cell, or of a slot's word."""

    owner: Name
    feature: Name


@dataclass(frozen=True, slots=True)
class SlotOfFeature(Node):
    """`[@subj.role.gender]`: of the word that the cell chooses."""

    cell: CellRef
    feature: Name


Feature = FixedFeature | DottedFeature | SlotOfFeature


@dataclass(frozen=True, slots=True)
class Verbatim(Node):
    """`"et"`."""

    text: str


@dataclass(frozen=True, slots=True)
class Use(Node):
    """`subject[subj.number]`, `def`, `comp`: a slot, a function word or a phrase."""

    name: Name
    features: tuple[Feature, ...]


@dataclass(frozen=True, slots=True)
class SlotOf(Node):
    """`@subj.role[subj.number]`: the slot named like the value of the cell."""

    cell: CellRef
    features: tuple[Feature, ...]


Element = Verbatim | Use | SlotOf


@dataclass(frozen=True, slots=True)
class Realisation(Node):
    """`def noun1[pp1.number] where pp1.link is embedded`."""

    elements: tuple[Element, ...]
    condition: Condition | None


@dataclass(frozen=True, slots=True)
class Phrase(Node):
    """`pp1 : R | R`."""

    name: Name
    realisations: tuple[Realisation, ...]


@dataclass(frozen=True, slots=True)
class Sentence(Node):
    """`main "main clause" : subj pp1 verb`; in `forms`, a word form."""

    name: Name
    text: Text | None
    elements: tuple[Element, ...]


# --- the file ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PhenomenonHeader(Node):
    """`phenomenon agreement "subject-verb agreement"`."""

    name: Name
    title: Text | None


@dataclass(frozen=True, slots=True)
class Domains(Node):
    """The section `domains`."""

    entries: tuple[Domain, ...]


@dataclass(frozen=True, slots=True)
class Objects(Node):
    """The section `objects`."""

    entries: tuple[ObjectEntry, ...]


@dataclass(frozen=True, slots=True)
class Possible(Node):
    """The section `possible`."""

    entries: tuple[Constraint, ...]


@dataclass(frozen=True, slots=True)
class Rules(Node):
    """The section `external` or `internal`."""

    family: Family
    entries: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Matrix(Node):
    """The section `matrix 8`, or `matrix 3 x 3`."""

    rows: Number
    columns: Number
    entries: tuple[MatrixEntry, ...]


@dataclass(frozen=True, slots=True)
class Answers(Node):
    """The section `answers`."""

    entries: tuple[AnswersEntry, ...]


@dataclass(frozen=True, slots=True)
class LanguageHeader(Node):
    """`language fr "français"`."""

    name: Name
    title: Text | None


@dataclass(frozen=True, slots=True)
class Of(Node):
    """`of "agreement.blm"`."""

    path: Text


@dataclass(frozen=True, slots=True)
class Words(Node):
    """The section `words`."""

    entries: tuple[WordsEntry, ...]


@dataclass(frozen=True, slots=True)
class Seeds(Node):
    """The section `seeds`."""

    entries: tuple[SeedsEntry, ...]


@dataclass(frozen=True, slots=True)
class Phrases(Node):
    """The section `phrases`."""

    entries: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class Sentences(Node):
    """The section `sentences`, or `forms` (joined: without spaces)."""

    entries: tuple[Sentence, ...]
    joined: bool


Section = (
    PhenomenonHeader
    | Domains
    | Objects
    | Possible
    | Rules
    | Matrix
    | Answers
    | LanguageHeader
    | Of
    | Words
    | Seeds
    | Phrases
    | Sentences
)


@dataclass(frozen=True, slots=True)
class File(Node):
    """A file, abstract or concrete; `broken` names the sections with an unreadable entry."""

    sections: tuple[Section, ...]
    broken: frozenset[str] = frozenset()

    @property
    def concrete(self) -> bool:
        """Whether the file is about a language rather than a phenomenon."""
        return any(isinstance(s, LanguageHeader | Of) for s in self.sections)


def subconditions(condition: Condition) -> Iterator[Condition]:
    """The conditions directly inside `condition`."""
    match condition:
        case Not(condition=inner):
            yield inner
        case And() | Or() | Count() | Quantified():
            yield from condition.conditions
        case Implies():
            yield from (condition.premise, condition.conclusion)
        case _:
            pass
