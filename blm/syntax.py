"""The syntax tree: what the author wrote, names unresolved, every node with its place.

Spans do not count in comparisons, so two trees are equal when their texts say the same.
`blm.show` prints a tree, `blm.parse` builds one, `blm.check` gives it its meaning.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from blm.diagnostics import Placed, Span
from blm.phenomenon import Comparison, Family


class Node(Placed, frozen=True):
    """Anything that stands in the text."""

    span: Span


class Name(Node, frozen=True):
    """An identifier, in Unicode normal form C."""

    text: str


class Number(Node, frozen=True):
    """A natural number."""

    value: int


class Text(Node, frozen=True):
    """A text in double quotes."""

    text: str


class Value(Node, frozen=True):
    """A value: a name, a number, `present`, or `absent` (written `-` in tables)."""

    value: str | int


class Blank(Node, frozen=True):
    """`_`: anything may stand here."""


class CellRef(Node, frozen=True):
    """`subj.number`, or `pp2` for the presence of an object."""

    object: Name
    attribute: Name | None

    def __str__(self) -> str:
        return f"{self.object.text}.{self.attribute.text}" if self.attribute else self.object.text


# --- domains and objects ----------------------------------------------------------


class ValueSet(Node, frozen=True):
    """`{a, b}`, or with an order `{a < b}`."""

    values: tuple[Value, ...]
    ordered: bool


class Range(Node, frozen=True):
    """`{0..3}`."""

    first: Number
    last: Number


DomainExpression = ValueSet | Range | Name


class Domain(Node, frozen=True):
    """`roles = {agent, theme, loc}`."""

    name: Name
    values: ValueSet | Range


class DeclaredObject(Node, frozen=True):
    """`pp2?` at the head of an entry of `objects`."""

    name: Name
    optional: bool


class Attribute(Node, frozen=True):
    """`prep {right, wrong} when comp.phrase is pp`; without a domain, the one of its name."""

    name: Name
    domain: DomainExpression | None
    condition: Condition | None


class ObjectEntry(Node, frozen=True):
    """`pp1, pp2? : number {sg, pl}`: objects with the same attributes."""

    objects: tuple[DeclaredObject, ...]
    attributes: tuple[Attribute, ...]


# --- conditions ----------------------------------------------------------


class Is(Node, frozen=True):
    """`subj.number is sg`."""

    cell: CellRef
    value: Value


class IsNot(Node, frozen=True):
    """`subj.number is not sg`."""

    cell: CellRef
    value: Value


class IsOneOf(Node, frozen=True):
    """`subj.role is one of {agent, theme}`."""

    cell: CellRef
    values: tuple[Value, ...]


class Matches(Node, frozen=True):
    """`subj.number matches verb.number`."""

    left: CellRef
    right: CellRef


class Differs(Node, frozen=True):
    """`subj.number differs from verb.number`."""

    left: CellRef
    right: CellRef


class Compare(Node, frozen=True):
    """`subj.weight <= 2` or `subj.weight < obj.weight`."""

    left: CellRef
    operator: Comparison
    right: CellRef | Value


class Count(Node, frozen=True):
    """`count {C, C} is 1`."""

    conditions: tuple[Condition, ...]
    operator: Comparison
    number: Number


Quantifier = Literal["any of", "none of", "all of"]


class Quantified(Node, frozen=True):
    """`any of {C, C}`, `none of {C, C}`, `all of {C, C}`."""

    quantifier: Quantifier
    conditions: tuple[Condition, ...]


class Distinct(Node, frozen=True):
    """`distinct {subj.role, obj.role}`."""

    cells: tuple[CellRef, ...]


class Not(Node, frozen=True):
    """`not C`."""

    condition: Condition


class And(Node, frozen=True):
    """`C and C`."""

    conditions: tuple[Condition, ...]


class Or(Node, frozen=True):
    """`C or C`."""

    conditions: tuple[Condition, ...]


class Implies(Node, frozen=True):
    """`if C then C`."""

    premise: Condition
    conclusion: Condition


EditKind = Literal["changes", "appears", "disappears"]


class Edit(Node, frozen=True):
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


class Alternates(Node, frozen=True):
    """`alternates [every k] [from v]`."""

    every: Number | None
    start: Value | None


class Switches(Node, frozen=True):
    """`switches at k [from v] [to w]`."""

    at: Number
    before: Value | None
    after: Value | None


class Progresses(Node, frozen=True):
    """`progresses [step s] [every k] [from v]`."""

    step: Number | None
    every: Number | None
    start: Value | None


class Constant(Node, frozen=True):
    """`constant`."""


class Varies(Node, frozen=True):
    """`varies`."""


class Distributes(Node, frozen=True):
    """`distributes {a, b, c}`."""

    values: tuple[Value, ...]


class Cycles(Node, frozen=True):
    """`cycles [a, b, c] [from v]`."""

    values: tuple[Value, ...]
    start: Value | None


class Follows(Node, frozen=True):
    """`follows [a, A, _, b]`."""

    schedule: tuple[Value | Blank, ...]


Operator = Alternates | Switches | Progresses | Constant | Varies | Distributes | Cycles | Follows


class Stretch(Node, frozen=True):
    """`4`, or `1..4`: items of a scope."""

    first: Number
    last: Number | None


class OverItems(Node, frozen=True):
    """`over items 1..4, 7`."""

    stretches: tuple[Stretch, ...]


class OverWhere(Node, frozen=True):
    """`over items where C`."""

    condition: Condition


class ByRow(Node, frozen=True):
    """`by row`."""


class ByColumn(Node, frozen=True):
    """`by column`."""


Scope = OverItems | OverWhere | ByRow | ByColumn


class ConditionClause(Node, frozen=True):
    """A condition that items obey."""

    condition: Condition
    scope: Scope | None


class SequenceClause(Node, frozen=True):
    """`subj.number alternates every 1`."""

    cell: CellRef
    operator: Operator
    scope: Scope | None


class MovementClause(Node, frozen=True):
    """`comp.role at 1 becomes obj.role at 8`."""

    source: CellRef
    source_item: Number
    target: CellRef
    target_item: Number


Clause = ConditionClause | SequenceClause | MovementClause


class Pool(Node, frozen=True):
    """`assign {OPERATOR, ...} to {CELL, ...} [each once]`."""

    operators: tuple[Operator, ...]
    cells: tuple[CellRef, ...]
    once: bool


class Rule(Node, frozen=True):
    """`name "text" : CLAUSE; CLAUSE`, or a pool in place of the clauses."""

    name: Name
    text: Text | None
    body: tuple[Clause, ...] | Pool


class Constraint(Node, frozen=True):
    """`name "text" : CONDITION`, an entry of `possible`."""

    name: Name
    text: Text | None
    condition: Condition


class Variables(Node, frozen=True):
    """`variables A, B over {loc, theme} distinct`."""

    names: tuple[Name, ...]
    domain: DomainExpression
    distinct: bool


class Row(Node, frozen=True):
    """`1: agent active - _`; entries None is `8: ?`."""

    item: Number
    entries: tuple[Value | Blank, ...] | None


class Rows(Node, frozen=True):
    """`rows subj.role verb.voice` and the rows below it."""

    columns: tuple[CellRef, ...]
    rows: tuple[Row, ...]


MatrixEntry = Rule | Variables | Rows


# --- answers ----------------------------------------------------------


class RuleRef(Node, frozen=True):
    """`agree`, or `pool[subj.number]`."""

    name: Name
    cell: CellRef | None

    def __str__(self) -> str:
        return f"{self.name.text}[{self.cell}]" if self.cell else self.name.text


class Alternative(Node, frozen=True):
    """`breaks r, s where C`."""

    rules: tuple[RuleRef, ...]
    condition: Condition | None


class Label(Node, frozen=True):
    """`WN1 "text" breaks first, or breaks second`."""

    name: Name
    text: Text | None
    alternatives: tuple[Alternative, ...]


class Correct(Node, frozen=True):
    """`correct`, or `correct NAME`."""

    name: Name | None


class Balanced(Node, frozen=True):
    """`balanced over subj.number + verb.number, pp1.number`."""

    axes: tuple[tuple[CellRef, ...], ...]


AnswersEntry = Correct | Label | Balanced


# --- words and seeds ----------------------------------------------------------


class FeatureSet(Node, frozen=True):
    """`pl.f`: features joined by points."""

    features: tuple[Name, ...]

    def __str__(self) -> str:
        return ".".join(name.text for name in self.features)


class Column(Node, frozen=True):
    """`gender {m, f}`, `onset? {aspirated}`; without values: any text."""

    name: Name
    optional: bool
    values: ValueSet | None


class Category(Node, frozen=True):
    """`noun "nouns.csv" : gender {m, f}; forms sg, pl`."""

    name: Name
    path: Text | None
    columns: tuple[Column, ...]
    forms: tuple[FeatureSet, ...]


class Filled(Node, frozen=True):
    """`gender=m` or `sg="chat"`."""

    column: FeatureSet
    value: Name | Text


class Word(Node, frozen=True):
    """`chat : noun gender=m, sg="chat", pl="chats"`."""

    name: Name
    category: Name
    columns: tuple[Filled, ...]


WordsEntry = Category | Word


class Slot(Node, frozen=True):
    """`subject : noun`; the category `text` stands for words as they are."""

    name: Name
    category: Name


class Slots(Node, frozen=True):
    """`slots subject : noun, verb : verb`."""

    slots: tuple[Slot, ...]


class Requirement(Node, frozen=True):
    """`A is loc`, after the `where` of a table."""

    variable: Name
    value: Value


class Table(Node, frozen=True):
    """`table "seeds.csv" where A is loc and B is theme`."""

    path: Text
    requires: tuple[Requirement, ...]


class Seed(Node, frozen=True):
    """`s1 : subject=chat, prep1="avec"`."""

    name: Name
    words: tuple[Filled, ...]


class Vary(Node, frozen=True):
    """`vary subject within kind`: seeds lend each other their word in a slot."""

    slot: Name
    within: Name | None


class Combine(Node, frozen=True):
    """`combine agent, theme within verb`: the words of these slots combine freely."""

    slots: tuple[Name, ...]
    within: Name | None


SeedsEntry = Slots | Table | Seed | Vary | Combine


# --- phrases and sentences ----------------------------------------------------------


class FixedFeature(Node, frozen=True):
    """`[past]`."""

    name: Name


class DottedFeature(Node, frozen=True):
    """`[subj.number]`: of a cell, or of a slot's word."""

    owner: Name
    feature: Name


class SlotOfFeature(Node, frozen=True):
    """`[@subj.role.gender]`: of the word that the cell chooses."""

    cell: CellRef
    feature: Name


Feature = FixedFeature | DottedFeature | SlotOfFeature


class Verbatim(Node, frozen=True):
    """`"et"`."""

    text: str


class Use(Node, frozen=True):
    """`subject[subj.number]`, `def`, `comp`: a slot, a function word or a phrase."""

    name: Name
    features: tuple[Feature, ...]


class SlotOf(Node, frozen=True):
    """`@subj.role[subj.number]`: the slot named like the value of the cell."""

    cell: CellRef
    features: tuple[Feature, ...]


Element = Verbatim | Use | SlotOf


class Realisation(Node, frozen=True):
    """`def noun1[pp1.number] where pp1.link is embedded`."""

    elements: tuple[Element, ...]
    condition: Condition | None


class Phrase(Node, frozen=True):
    """`pp1 : R | R`."""

    name: Name
    realisations: tuple[Realisation, ...]


class Sentence(Node, frozen=True):
    """`main "main clause" : subj pp1 verb`; in `forms`, a word form."""

    name: Name
    text: Text | None
    elements: tuple[Element, ...]


# --- the file ----------------------------------------------------------


class PhenomenonHeader(Node, frozen=True):
    """`phenomenon agreement "subject-verb agreement"`."""

    name: Name
    title: Text | None


class Domains(Node, frozen=True):
    """The section `domains`."""

    entries: tuple[Domain, ...]


class Objects(Node, frozen=True):
    """The section `objects`."""

    entries: tuple[ObjectEntry, ...]


class Possible(Node, frozen=True):
    """The section `possible`."""

    entries: tuple[Constraint, ...]


class Rules(Node, frozen=True):
    """The section `external` or `internal`."""

    family: Family
    entries: tuple[Rule, ...]


class Matrix(Node, frozen=True):
    """The section `matrix 8`, or `matrix 3 x 3`."""

    rows: Number
    columns: Number
    entries: tuple[MatrixEntry, ...]


class Answers(Node, frozen=True):
    """The section `answers`."""

    entries: tuple[AnswersEntry, ...]


class LanguageHeader(Node, frozen=True):
    """`language fr "français"`."""

    name: Name
    title: Text | None


class Of(Node, frozen=True):
    """`of "agreement.blm"`."""

    path: Text


class Words(Node, frozen=True):
    """The section `words`."""

    entries: tuple[WordsEntry, ...]


class Seeds(Node, frozen=True):
    """The section `seeds`."""

    entries: tuple[SeedsEntry, ...]


class Phrases(Node, frozen=True):
    """The section `phrases`."""

    entries: tuple[Phrase, ...]


class Sentences(Node, frozen=True):
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


class File(Node, frozen=True):
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
