"""Lark's tree to the nodes of `blm.syntax`: one line for each rule of `phenomenon.lark`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from lark import Token, Tree

from blm import syntax as s
from blm.diagnostics import Source, Span


def build(tree: Tree[Token], source: Source) -> Any:
    """The node that a tree stands for. Recursive: the caller limits how deep trees are."""
    span = Span(source, tree.meta.start_pos, tree.meta.end_pos)
    children = [
        build(child, source) if isinstance(child, Tree) else _leaf(child, source)
        for child in tree.children
    ]
    return _RULES[str(tree.data)](span, *children)


def _leaf(token: Token | None, source: Source) -> s.Node | None:
    if token is None:
        return None
    span = Span(source, token.start_pos or 0, token.end_pos or 0)
    match token.type:
        case "NUMBER" | "ITEM":
            return s.Number(span, int(token))
        case "TEXT":
            return s.Text(span, str(token))
        case _:
            return s.Name(span, str(token))


# What the grammar passes to these functions is the grammar's business, which the type
# checker does not see: hence `Any`.


def _all(_: Span, *children: Any) -> tuple[Any, ...]:
    return children


def _only(_: Span, child: Any) -> Any:
    return child


def _word(_: Span, name: s.Name) -> str:
    return name.text


def _value(span: Span, written: s.Name | s.Number) -> s.Value:
    return s.Value(span, written.text if isinstance(written, s.Name) else written.value)


def _feature_name(span: Span, written: s.Name | s.Number) -> s.Name:
    return written if isinstance(written, s.Name) else s.Name(span, str(written.value))


def _values(span: Span, *values: s.Value, ordered: bool) -> s.ValueSet:
    return s.ValueSet(span, values, ordered)


def _object(span: Span, name: s.Name, *, optional: bool) -> s.DeclaredObject:
    return s.DeclaredObject(span, name, optional)


def _objects(span: Span, objects: Any, attributes: Any) -> s.ObjectEntry:
    return s.ObjectEntry(span, objects, attributes or ())


def _presence(span: Span, name: s.Name) -> s.CellRef:
    return s.CellRef(span, name, None)


def _group(node: Callable[..., Any], span: Span, *children: Any) -> Any:
    """A node with one tuple of children."""
    return node(span, children)


def _count(span: Span, _: s.Name, conditions: Any, *rest: Any, operator: Any = None) -> s.Count:
    *compared, number = rest
    return s.Count(span, conditions, compared[0] if compared else operator, number)


def _quantified(span: Span, conditions: Any, *, quantifier: s.Quantifier) -> s.Quantified:
    return s.Quantified(span, quantifier, conditions)


def _edit(span: Span, cell: s.CellRef, *, kind: s.EditKind) -> s.Edit:
    return s.Edit(span, kind, cell)


def _pool(span: Span, operators: Any, cells: Any, *, once: bool) -> s.Pool:
    return s.Pool(span, operators, cells, once)


def _variables(span: Span, names: Any, domain: Any, *, distinct: bool) -> s.Variables:
    return s.Variables(span, names, domain, distinct)


def _row(span: Span, item: s.Number, *entries: Any) -> s.Row:
    return s.Row(span, item, entries or None)


def _label(span: Span, name: s.Name, text: s.Text | None, *alternatives: Any) -> s.Label:
    return s.Label(span, name, text, alternatives)


def _column(span: Span, name: s.Name, optional: Any, values: Any) -> s.Column:
    return s.Column(span, name, optional is not None, values)


def _category(span: Span, name: s.Name, path: Any, columns: Any, forms: Any = None) -> s.Category:
    return s.Category(span, name, path, columns, forms or ())


def _category_of_forms(span: Span, name: s.Name, path: Any, forms: Any) -> s.Category:
    return s.Category(span, name, path, (), forms)


def _word_entry(span: Span, name: s.Name, category: s.Name, *columns: Any) -> s.Word:
    return s.Word(span, name, category, columns)


def _filled(span: Span, column: s.FeatureSet, value: s.Name | s.Number | s.Text) -> s.Filled:
    written = value if isinstance(value, s.Text) else _feature_name(value.span, value)
    return s.Filled(span, column, written)


def _table(span: Span, path: s.Text, requires: Any) -> s.Table:
    return s.Table(span, path, requires or ())


def _seed(span: Span, name: s.Name, *words: Any) -> s.Seed:
    return s.Seed(span, name, words)


def _phrase(span: Span, name: s.Name, *realisations: Any) -> s.Phrase:
    return s.Phrase(span, name, realisations)


def _featured(node: Callable[..., Any], span: Span, word: Any, features: Any) -> Any:
    return node(span, word, features or ())


def _verbatim(span: Span, text: s.Text) -> s.Verbatim:
    return s.Verbatim(span, text.text)


def _title(_: Span, name: s.Name, title: s.Text | None) -> tuple[s.Name, s.Text | None]:
    return name, title


def _absent(span: Span) -> s.Value:
    return s.Value(span, "absent")


_RULES: dict[str, Callable[..., Any]] = {
    "title": _title,
    "path": _only,
    # domains and objects
    "domain": s.Domain,
    "unordered": partial(_values, ordered=False),
    "ordered": partial(_values, ordered=True),
    "range": s.Range,
    "domain_name": _only,
    "objects_entry": _objects,
    "declared_objects": _all,
    "required_object": partial(_object, optional=False),
    "optional_object": partial(_object, optional=True),
    "attributes": _all,
    "attribute": s.Attribute,
    "attribute_name": _only,
    "value": _value,
    "dotted": s.CellRef,
    "presence": _presence,
    # conditions
    "implies": s.Implies,
    "disjunction": partial(_group, s.Or),
    "conjunction": partial(_group, s.And),
    "negation": s.Not,
    "is_value": s.Is,
    "is_not_value": s.IsNot,
    "is_one_of": lambda span, cell, *values: s.IsOneOf(span, cell, values),
    "matches": s.Matches,
    "differs": s.Differs,
    "comparison": _word,
    "compare": s.Compare,
    "changes": partial(_edit, kind="changes"),
    "appears": partial(_edit, kind="appears"),
    "disappears": partial(_edit, kind="disappears"),
    "count_is": partial(_count, operator="="),
    "count_is_not": partial(_count, operator="!="),
    "count_compare": _count,
    "any_of": partial(_quantified, quantifier="any of"),
    "none_of": partial(_quantified, quantifier="none of"),
    "all_of": partial(_quantified, quantifier="all of"),
    "distinct": partial(_group, s.Distinct),
    "conditions": _all,
    # rules
    "possible_entry": s.Constraint,
    "rule": s.Rule,
    "clauses": _all,
    "sequence": s.SequenceClause,
    "movement": s.MovementClause,
    "condition_clause": s.ConditionClause,
    "pool": partial(_pool, once=False),
    "pool_once": partial(_pool, once=True),
    "operators": _all,
    "cells": _all,
    "alternates": s.Alternates,
    "switches": s.Switches,
    "progresses": s.Progresses,
    "constant": s.Constant,
    "varies": s.Varies,
    "distributes": s.Distributes,
    "cycles": s.Cycles,
    "follows": partial(_group, s.Follows),
    "terms": _all,
    "blank": s.Blank,
    "absent": _absent,
    "over_items": partial(_group, s.OverItems),
    "over_where": s.OverWhere,
    "by_row": s.ByRow,
    "by_column": s.ByColumn,
    "stretch": s.Stretch,
    # the matrix and the answers
    "variables": partial(_variables, distinct=False),
    "distinct_variables": partial(_variables, distinct=True),
    "rows": lambda span, *columns: s.Rows(span, columns, ()),
    "names": _all,
    "row": _row,
    "row_of_the_answer": _row,
    "correct": s.Correct,
    "label": _label,
    "broken": s.Alternative,
    "broken_rules": _all,
    "broken_rule": s.RuleRef,
    "axis": _all,
    "balanced": partial(_group, s.Balanced),
    # words and seeds
    "category": _category,
    "category_of_forms": _category_of_forms,
    "word": _word_entry,
    "columns": _all,
    "column": _column,
    "column_values": partial(_values, ordered=False),
    "forms": _all,
    "feature_set": partial(_group, s.FeatureSet),
    "feature_name": _feature_name,
    "filled": _filled,
    "slots": partial(_group, s.Slots),
    "slot": s.Slot,
    "table": _table,
    "requirements": _all,
    "requirement": s.Requirement,
    "vary": s.Vary,
    "combine": s.Combine,
    "seed": _seed,
    # phrases and sentences
    "phrases_entry": _phrase,
    "realisation": s.Realisation,
    "elements": _all,
    "literal": _verbatim,
    "use": partial(_featured, s.Use),
    "slot_of": partial(_featured, s.SlotOf),
    "features": _all,
    "fixed_feature": s.FixedFeature,
    "dotted_feature": s.DottedFeature,
    "slot_of_feature": s.SlotOfFeature,
    "sentences_entry": s.Sentence,
}
