"""The sections `words` and `seeds`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath

from blm import concrete as c
from blm import syntax as s
from blm.check.report import Report
from blm.diagnostics import Span
from blm.phenomenon import VariableDeclaration

TEXT = "text"
"""The category of slots whose words are taken as they stand."""

_KEYS = {"word": "the column 'word' holds the words", "seed": "the column 'seed' names the seeds"}


def resolve_path(path: s.Text) -> str:
    """A path in a grammar file, from where its reader works."""
    return str(PurePath(path.span.source.path).parent / path.text)


# --- words ----------------------------------------------------------


def check_categories(entries: Iterable[s.WordsEntry], report: Report) -> dict[str, c.Category]:
    """The word categories, by name."""
    found: dict[str, c.Category] = {}
    for entry in entries:
        if not isinstance(entry, s.Category):
            continue
        name = entry.name.text
        if name == TEXT:
            message = f"'{TEXT}' is reserved: it is the category of words as they stand"
            report.error("reserved-word", message, entry.name)
        elif name in found:
            report.duplicate("category", name, entry.name, found[name].span)
        found.setdefault(name, _category(entry, report))
    return found


def _category(entry: s.Category, report: Report) -> c.Category:
    path = resolve_path(entry.path) if entry.path else None
    columns: dict[frozenset[str], Span] = {}
    features = []
    for column in entry.columns:
        _add_column(frozenset((column.name.text,)), column.name, columns, report)
        features.append(_feature_column(column, report))
    for form in entry.forms:
        _add_column(_features(form, report), form, columns, report)
    forms = tuple(frozenset(n.text for n in form.features) for form in entry.forms)
    return c.Category(entry.name.text, path, tuple(features), forms, entry.name.span)


def _add_column(
    name: frozenset[str], node: s.Node, columns: dict[frozenset[str], Span], report: Report
) -> None:
    text = node.span.text
    if name in columns:
        report.duplicate("column", text, node, columns[name])
    _refuse_key(text, node, report)
    columns.setdefault(name, node.span)


def _refuse_key(name: str, node: s.Node, report: Report) -> None:
    if name in _KEYS:
        report.error("reserved-word", f"'{name}' is reserved: {_KEYS[name]}", node)


def _features(form: s.FeatureSet, report: Report) -> frozenset[str]:
    names = [name.text for name in form.features]
    for name in form.features:
        if names.count(name.text) > 1:
            report.error("duplicate-feature", f"'{name.text}' stands twice in this form", form)
    return frozenset(names)


def _feature_column(column: s.Column, report: Report) -> c.FeatureColumn:
    values: dict[str, Span] = {}
    for value in column.values.values if column.values else ():
        text = str(value.value)
        if text in values:
            report.duplicate("value", text, value, values[text])
        values.setdefault(text, value.span)
    return c.FeatureColumn(column.name.text, tuple(values), column.optional)


def check_words(
    entries: Iterable[s.WordsEntry], categories: Mapping[str, c.Category], report: Report
) -> tuple[c.InlineWord, ...]:
    """The words that are given in the file."""
    found: dict[tuple[str, str], c.InlineWord] = {}
    for entry in entries:
        if not isinstance(entry, s.Word):
            continue
        category = categories.get(entry.category.text)
        if category is None:
            report.unknown("category", entry.category.text, categories, entry.category)
            continue
        word = c.InlineWord(
            entry.name.text, category.name, _columns(entry.columns), entry.name.span
        )
        key = (category.name, word.name)
        if key in found:
            report.duplicate("word", word.name, entry.name, found[key].span)
        found.setdefault(key, word)
        _check_columns(entry, category, report)
    return tuple(found.values())


def _columns(filled: Iterable[s.Filled]) -> tuple[tuple[str, str], ...]:
    return tuple((str(one.column), one.value.text) for one in filled)


def _check_columns(entry: s.Word, category: c.Category, report: Report) -> None:
    features = {frozenset((f.name,)): f for f in reversed(category.features)}
    known = [f.name for f in category.features] + [".".join(sorted(f)) for f in category.forms]
    seen: dict[frozenset[str], Span] = {}
    for filled in entry.columns:
        column = frozenset(name.text for name in filled.column.features)
        feature = features.get(column)
        if column in seen:
            report.duplicate("column", str(filled.column), filled, seen[column])
        elif feature and feature.values and filled.value.text not in feature.values:
            message = f"'{filled.value.text}' is not a value of {feature.name}"
            report.unknown("value", filled.value.text, feature.values, filled.value, message)
        elif not feature and column not in category.forms:
            message = f"a {category.name} has no column '{filled.column}'"
            report.unknown("column", str(filled.column), known, filled.column, message)
        seen.setdefault(column, filled.span)
    missing = [
        f.name for f in category.features if not f.optional and frozenset((f.name,)) not in seen
    ]
    if missing:
        message = f"'{entry.name.text}' has no {' and no '.join(missing)}"
        report.error("missing-column", message, entry.name)


# --- seeds ----------------------------------------------------------


def check_slots(
    entries: Iterable[s.SeedsEntry], categories: Mapping[str, c.Category], report: Report
) -> dict[str, c.SlotDeclaration]:
    """The slots of the seeds, by name."""
    found: dict[str, c.SlotDeclaration] = {}
    for slot in (slot for e in entries if isinstance(e, s.Slots) for slot in e.slots):
        name, category = slot.name.text, slot.category.text
        if name in found:
            report.duplicate("slot", name, slot.name, found[name].span)
        _refuse_key(name, slot.name, report)
        if category != TEXT and category not in categories:
            report.unknown("category", category, (*categories, TEXT), slot.category)
        of = None if category == TEXT else category
        found.setdefault(name, c.SlotDeclaration(name, of, slot.name.span))
    return found


def check_tables(
    entries: Iterable[s.SeedsEntry], variables: Sequence[VariableDeclaration], report: Report
) -> Iterator[c.SeedTable]:
    """The tables with seeds, and the matrices they serve."""
    declared = {variable.name: variable for variable in variables}
    for entry in entries:
        if isinstance(entry, s.Table):
            for requirement in entry.requires:
                _check_requirement(requirement, declared, report)
            requires = tuple((r.variable.text, r.value.value) for r in entry.requires)
            yield c.SeedTable(resolve_path(entry.path), requires, entry.span)


def _check_requirement(
    requirement: s.Requirement, declared: Mapping[str, VariableDeclaration], report: Report
) -> None:
    name, value = requirement.variable, requirement.value
    variable = declared.get(name.text)
    if variable is None:
        message = f"'{name.text}' is not a variable of the phenomenon"
        report.unknown("variable", name.text, declared, name, message)
    elif value.value not in variable.values:
        message = f"{variable.name} is never '{value.value}'"
        report.unknown("value", str(value.value), map(str, variable.values), value, message)


def check_seeds(
    entries: Iterable[s.SeedsEntry],
    slots: Mapping[str, c.SlotDeclaration],
    report: Report,
) -> tuple[c.InlineSeed, ...]:
    """The seeds that are given in the file."""
    found: dict[str, c.InlineSeed] = {}
    for entry in entries:
        if not isinstance(entry, s.Seed):
            continue
        name = entry.name.text
        if name in found:
            report.duplicate("seed", name, entry.name, found[name].span)
        found.setdefault(name, c.InlineSeed(name, _columns(entry.words), entry.name.span))
        seen: dict[str, Span] = {}
        for filled in entry.words:
            slot = str(filled.column)
            if slot not in slots:
                report.unknown("slot", slot, slots, filled.column)
            elif slot in seen:
                report.duplicate("slot", slot, filled, seen[slot])
            seen.setdefault(slot, filled.span)
    return tuple(found.values())
