"""Word tables and seed tables into words and seeds, or diagnostics."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from blm.concrete import Category, Concrete, FeatureColumn, SlotDeclaration
from blm.diagnostics import Diagnostic, Span, did_you_mean
from blm.lexicon.tables import Field, Table, read_table
from blm.phenomenon import Value
from blm.text import normalise
from blm.words import Forms, Seed, Word, show

WORD, SEED = "word", "seed"
"""The columns with the key of a word and the name of a seed."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A word, and where its key and its columns stand."""

    word: Word
    span: Span
    columns: Mapping[str, Span]


Entries = Mapping[tuple[str, str], Entry]
"""Words by category and key."""


@dataclass(frozen=True, slots=True)
class Record:
    """A row of a table, or an entry of the grammar file: its key and its other columns."""

    key: Field
    columns: Mapping[str, Field]

    def where(self, column: str) -> str:
        """How a message names a cell of this row."""
        return f"row '{self.key.text}', column '{column}'"


def column_of(features: frozenset[str], headers: Iterable[str]) -> str | None:
    """The header of the column with these features; their order is free."""
    return next((h for h in headers if frozenset(h.split(".")) == features), None)


# --- words -------------------------------------------------------------------------------


def read_words(concrete: Concrete, problems: list[Diagnostic]) -> dict[tuple[str, str], Entry]:
    """Every word of `concrete` that could be read."""
    entries: dict[tuple[str, str], Entry] = {}
    for category in concrete.categories:
        for record in _word_records(concrete, category, problems):
            if not record.key.text:
                problems.append(Diagnostic("empty-key", "a row without a word", record.key.span))
                continue
            entry = _entry(category, record, problems)
            if _is_new(entries, (category.name, record.key), category.name, problems):
                entries[category.name, record.key.text] = entry
    return entries


def _word_records(
    concrete: Concrete, category: Category, problems: list[Diagnostic]
) -> Iterator[Record]:
    if category.path is not None:
        table = read_table(category.path, category.span, problems)
        if table is not None:
            required = {f.name for f in category.features if not f.optional}
            yield from _records(table, WORD, required, _header_check(category), problems)
            problems += _missing_forms_columns(category, table)
    for word in concrete.words:
        if word.category == category.name:
            columns = {name: Field(normalise(text), word.span) for name, text in word.columns}
            yield Record(Field(normalise(word.name), word.span), columns)


def _header_check(category: Category) -> Mapping[str, None]:
    names = [feature.name for feature in category.features]
    return dict.fromkeys(names + [show(form) for form in category.forms])


def _missing_forms_columns(category: Category, table: Table) -> Iterator[Diagnostic]:
    headers = [field.text for field in table.header]
    for form in category.forms:
        if column_of(form, headers) is None:
            yield Diagnostic(
                "missing-column", f"no column for the form {show(form)}", table.header[0].span
            )
