"""Hypothesis strategies for syntax trees: whatever an author can write."""

from __future__ import annotations

from typing import TypeVar

from hypothesis import strategies as st

from blm import syntax as s
from blm.diagnostics import Source, Span
from blm.phenomenon import Family

NOWHERE = Span(Source("", ""), 0, 0)
NAMES = ("subj", "pp2", "number", "none", "one", "all", "3sg", "élève", "_x", "язык", "of")

_T = TypeVar("_T")


def node(kind: type[_T], *fields: st.SearchStrategy[object]) -> st.SearchStrategy[_T]:
    return st.builds(kind, st.just(NOWHERE), *fields)


def some(of: st.SearchStrategy[_T], least: int = 1) -> st.SearchStrategy[tuple[_T, ...]]:
    return st.lists(of, min_size=least, max_size=3).map(tuple)


def maybe(of: st.SearchStrategy[_T]) -> st.SearchStrategy[_T | None]:
    return st.none() | of


# `of` after `none` would make the keyword `none of` where names follow each other directly.
rows_names = node(s.Name, st.sampled_from([n for n in NAMES if n != "of"]))
names = node(s.Name, st.sampled_from(NAMES))
numbers = node(s.Number, st.integers(0, 10_000))
texts = node(s.Text, st.text(st.characters(exclude_characters="\r\n", codec="utf-8"), max_size=8))
words = st.sampled_from([*NAMES, "present", "absent"])
values = node(s.Value, words | st.integers(0, 99))
row_values = node(s.Value, st.sampled_from([n for n in NAMES if n != "of"]) | st.integers(0, 99))
blanks = node(s.Blank)
cells = node(s.CellRef, names, maybe(names))
dotted = node(s.CellRef, names, names)

sets = node(s.ValueSet, some(values), st.just(False)) | node(
    s.ValueSet, some(values, 2), st.just(True)
)
ranges = node(s.Range, numbers, numbers)
domain_uses = sets | ranges | rows_names

comparisons = st.sampled_from(["<", "<=", ">", ">="])
atoms = (
    node(s.Is, cells, values)
    | node(s.IsNot, cells, values)
    | node(s.IsOneOf, cells, some(values))
    | node(s.Matches, cells, cells)
    | node(s.Differs, cells, cells)
    | node(s.Compare, cells, comparisons, dotted | values)
    | node(s.Distinct, some(cells))
    | node(s.Edit, st.sampled_from(["changes", "appears", "disappears"]), cells)
)


def _compound(inner: st.SearchStrategy[s.Condition]) -> st.SearchStrategy[s.Condition]:
    counted = comparisons | st.sampled_from(["=", "!="])
    return (
        node(s.Not, inner)
        | node(s.And, some(inner, 2))
        | node(s.Or, some(inner, 2))
        | node(s.Implies, inner, inner)
        | node(s.Count, some(inner), counted, numbers)
        | node(s.Quantified, st.sampled_from(["any of", "none of", "all of"]), some(inner))
    )


conditions = st.recursive(atoms, _compound, max_leaves=6)

operators = (
    node(s.Alternates, maybe(numbers), maybe(values))
    | node(s.Switches, numbers, maybe(values), maybe(values))
    | node(s.Progresses, maybe(numbers), maybe(numbers), maybe(values))
    | node(s.Constant)
    | node(s.Varies)
    | node(s.Distributes, some(values))
    | node(s.Cycles, some(values), maybe(values))
    | node(s.Follows, some(values | blanks))
)
scopes = (
    node(s.OverItems, some(node(s.Stretch, numbers, maybe(numbers))))
    | node(s.OverWhere, conditions)
    | node(s.ByRow)
    | node(s.ByColumn)
)
clauses = (
    node(s.ConditionClause, conditions, maybe(scopes))
    | node(s.SequenceClause, cells, operators, maybe(scopes))
    | node(s.MovementClause, cells, numbers, cells, numbers)
)
pools = node(s.Pool, some(operators), some(cells), st.booleans())
rules = node(s.Rule, names, maybe(texts), some(clauses) | pools)
variables = node(s.Variables, some(names), domain_uses, st.booleans())
rows = node(s.Row, numbers, maybe(some(row_values | blanks)))
tables = node(s.Rows, some(node(s.CellRef, rows_names, maybe(rows_names))), some(rows, 0))

attributes = node(s.Attribute, names, maybe(domain_uses), maybe(conditions))
objects = node(
    s.ObjectEntry, some(node(s.DeclaredObject, names, st.booleans())), some(attributes, 0)
)
references = node(s.RuleRef, names, maybe(cells))
alternatives = node(s.Alternative, some(references), maybe(conditions))
answers = (
    node(s.Correct, maybe(names))
    | node(s.Label, names, maybe(texts), some(alternatives))
    | node(s.Balanced, some(some(cells)))
)

feature_names = names | node(s.Name, st.sampled_from(["present", "1", "3"]))
feature_sets = node(s.FeatureSet, some(feature_names))
columns = node(
    s.Column, names, st.booleans(), maybe(node(s.ValueSet, some(values), st.just(False)))
)
filled = node(s.Filled, feature_sets, names | texts)
categories = node(s.Name, st.sampled_from([n for n in NAMES if n not in ("none", "all")]))
word_entries = (
    node(s.Category, names, maybe(texts), some(columns), some(feature_sets, 0))
    | node(s.Category, names, maybe(texts), st.just(()), some(feature_sets))
    | node(s.Word, names, categories, some(filled))
)
requirements = node(s.Requirement, names, values)
seed_entries = (
    node(s.Slots, some(node(s.Slot, names, names)))
    | node(s.Table, texts, some(requirements, 0))
    | node(s.Seed, names, some(filled))
    | node(s.Vary, names, maybe(names))
    | node(s.Combine, some(names), maybe(names))
)
features = (
    node(s.FixedFeature, feature_names)
    | node(s.DottedFeature, names, names)
    | node(s.SlotOfFeature, dotted, names)
)
elements = (
    node(s.Verbatim, st.text("abc' é\"\\", max_size=4))
    | node(s.Use, rows_names, some(features, 0))
    | node(s.SlotOf, dotted, some(features, 0))
)
phrases = node(s.Phrase, names, some(node(s.Realisation, some(elements), maybe(conditions))))
sentences = node(s.Sentence, names, maybe(texts), some(elements))

sections = (
    node(s.PhenomenonHeader, names, maybe(texts))
    | node(s.Domains, some(node(s.Domain, names, sets | ranges), 0))
    | node(s.Objects, some(objects, 0))
    | node(s.Possible, some(node(s.Constraint, names, maybe(texts), conditions), 0))
    | node(s.Rules, st.sampled_from([Family.EXTERNAL, Family.INTERNAL]), some(rules, 0))
    | node(
        s.Matrix,
        node(s.Number, st.integers(1, 20)),
        node(s.Number, st.integers(2, 20)),
        some(rules | variables | tables, 0),
    )
    | node(s.Answers, some(answers, 0))
    | node(s.LanguageHeader, names, maybe(texts))
    | node(s.Of, texts)
    | node(s.Words, some(word_entries, 0))
    | node(s.Seeds, some(seed_entries, 0))
    | node(s.Phrases, some(phrases, 0))
    | node(s.Sentences, some(sentences, 0), st.booleans())
)
files = node(s.File, some(sections, 0))


def conditions_over(cells_: list[str], values_: list[str]) -> st.SearchStrategy[s.Condition]:
    """Conditions over given cells and values, which may or may not be in their domains."""
    at = st.sampled_from(cells_).map(
        lambda name: s.CellRef(NOWHERE, *(s.Name(NOWHERE, part) for part in name.split(".")))
    )
    value = node(s.Value, st.sampled_from(values_))
    atom = (
        node(s.Is, at, value)
        | node(s.IsNot, at, value)
        | node(s.IsOneOf, at, some(value))
        | node(s.Matches, at, at)
        | node(s.Differs, at, at)
        | node(s.Compare, at, comparisons, value | at)
        | node(s.Distinct, st.lists(at, min_size=2, max_size=3).map(tuple))
    )
    return st.recursive(atom, _compound, max_leaves=5)
