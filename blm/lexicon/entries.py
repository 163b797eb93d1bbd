"""Word tables and seed tables into words and seeds, or diagnostics."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from blm.concrete import Category, Concrete, FeatureColumn, SlotDeclaration
from blm.diagnostics import Diagnostic, Span, did_you_mean
from blm.lexicon.records import Columns, Record, records
from blm.lexicon.tables import Field, read_table
from blm.phenomenon import Value
from blm.text import normalise
from blm.words import Forms, Seed, Word

WORD, SEED = "word", "seed"
"""The columns with the key of a word and the name of a seed."""

_HELPED = 50
"""Mistakes after which near words are no longer sought: a whole column is wrong, not a word."""


class Entry(Struct, frozen=True):
    """A word, and where its key and its forms stand."""

    word: Word
    span: Span
    forms: Mapping[frozenset[str], Span]


Entries = Mapping[tuple[str, str], Entry]
"""Words by category and key."""


# --- words ----------------------------------------------------------


def read_words(concrete: Concrete, problems: list[Diagnostic]) -> Entries:
    """Every word of `concrete` that can be used; the mistakes go to `problems`."""
    entries: dict[tuple[str, str], Entry] = {}
    for category in concrete.categories:
        columns = _word_columns(category)
        for record in _word_records(concrete, category, columns, problems):
            features = _inherent(category, record, problems)
            if _is_new(record, WORD, category.name, entries, problems) and features is not None:
                entries[category.name, record.key.text] = _entry(category, record, features)
    return entries


def unread_categories(
    concrete: Concrete, entries: Entries, problems: Sequence[Diagnostic]
) -> frozenset[str]:
    """The categories that have no word because their table has mistakes."""
    known = {category for category, _ in entries}
    faulty = {d.span.source.path for d in problems}
    spans = [d.span for d in problems]
    return frozenset(
        c.name
        for c in concrete.categories
        if c.name not in known and (c.path in faulty or c.span in spans)
    )


def _form_name(features: frozenset[str]) -> str:
    return ".".join(sorted(features))


def _word_columns(category: Category) -> Columns:
    forms = tuple(_form_name(form) for form in category.forms)
    needed = tuple(f.name for f in category.features if not f.optional)
    return Columns(WORD, needed + forms, tuple(f.name for f in category.features if f.optional))


def _word_records(
    concrete: Concrete, category: Category, columns: Columns, problems: list[Diagnostic]
) -> Iterator[Record]:
    if category.path is not None:
        table = read_table(category.path, category.span, problems)
        if table is not None:
            yield from records(table, columns, problems)
    for word in concrete.words:
        if word.category == category.name:
            yield _inline(word.name, word.columns, word.span, columns, problems)


def _inline(
    name: str,
    given: Iterable[tuple[str, str]],
    span: Span,
    columns: Columns,
    problems: list[Diagnostic],
) -> Record:
    """An entry of the grammar file as if it were a row of a table."""
    cells: dict[str, Field] = {}
    for header, text in given:
        column = columns.named(header)
        if column is None:
            help = did_you_mean(header, columns.required + columns.optional)
            problems.append(
                Diagnostic("unknown-column", f"'{name}' has no column '{header}'", span, help)
            )
        else:
            cells[column] = Field(normalise(text), span)
    return Record(Field(normalise(name), span), cells)


def _inherent(
    category: Category, record: Record, problems: list[Diagnostic]
) -> dict[str, str] | None:
    """The inherent features of a row, or None if one is wrong."""
    found: dict[str, str] = {}
    sound = True
    for column in category.features:
        cell = record.cells.get(column.name)
        text = cell.text if cell else ""
        span = cell.span if cell else record.key.span
        if text and (not column.values or text in column.values):
            found[column.name] = text
        elif text or not column.optional:
            sound = False
            problems.append(_wrong_feature(column, text, record.where(column.name), span))
    return found if sound else None


def _wrong_feature(column: FeatureColumn, text: str, where: str, span: Span) -> Diagnostic:
    if not text:
        help = f"one of {', '.join(column.values)}" if column.values else ""
        return Diagnostic("empty-feature", f"{where}: nothing here", span, help)
    help = did_you_mean(text, column.values)
    return Diagnostic("feature-value", f"{where}: '{text}' is no {column.name}", span, help)


def _entry(category: Category, record: Record, features: Mapping[str, str]) -> Entry:
    """A word without form columns has one form, its key."""
    cells = {form: record.cells.get(_form_name(form)) for form in category.forms}
    forms: Forms = tuple((form, cell.text) for form, cell in cells.items() if cell and cell.text)
    if not category.forms:
        forms = ((frozenset(), record.key.text),)
    spans = {form: cell.span for form, cell in cells.items() if cell}
    return Entry(Word(record.key.text, category.name, features, forms), record.key.span, spans)


def _is_new(
    record: Record,
    kind: str,
    group: str,
    known: Collection[tuple[str, str]],
    problems: list[Diagnostic],
) -> bool:
    """Whether the key is neither empty nor taken."""
    key = record.key
    if not key.text:
        problems.append(Diagnostic("empty-key", f"a row without a {kind}", key.span))
    elif (group, key.text) in known:
        problems.append(
            Diagnostic(f"duplicate-{kind}", f"the {kind} '{key.text}' stands here twice", key.span)
        )
    return bool(key.text) and (group, key.text) not in known


# --- seeds ----------------------------------------------------------


def read_seeds(
    concrete: Concrete,
    entries: Entries,
    needed: frozenset[str],
    unread: Collection[str],
    problems: list[Diagnostic],
) -> tuple[Seed, ...]:
    """Every seed that can be used; `needed` are the slots that phrases read.

    Of the categories in `unread` no word is known, and none is missed. A grammar without slots
    has one seed without words.
    """
    if not concrete.slots:
        return (Seed("1", {}),)
    known = _keys(entries)
    seeds: dict[tuple[str, str], Seed] = {}
    contents: dict[object, str] = {}
    for record, requires in _seed_records(concrete, problems):
        words = _fill(concrete.slots, record, known, needed, unread, problems)
        if _is_new(record, SEED, "", seeds, problems) and words is not None:
            seed = Seed(record.key.text, words, requires)
            same = contents.setdefault((tuple(words.items()), requires), seed.name)
            if same != seed.name:
                message = f"the seed '{seed.name}' has the words of '{same}'"
                problems.append(Diagnostic("duplicate-seed", message, record.key.span))
            seeds["", seed.name] = seed
    if not seeds and not problems:
        problems.append(Diagnostic("no-seeds", "there are no seeds", concrete.span))
    return tuple(seeds.values())


def _keys(entries: Entries) -> Mapping[str, Mapping[str, Word]]:
    """Words by category, then by key."""
    keys: dict[str, dict[str, Word]] = {}
    for (category, key), entry in entries.items():
        keys.setdefault(category, {})[key] = entry.word
    return keys


def _seed_records(
    concrete: Concrete, problems: list[Diagnostic]
) -> Iterator[tuple[Record, tuple[tuple[str, Value], ...]]]:
    slots = tuple(slot.name for slot in concrete.slots)
    columns = Columns(SEED, slots, named_by_line=True)
    for declared in concrete.seed_tables:
        table = read_table(declared.path, declared.span, problems)
        if table is not None:
            for record in records(table, columns, problems):
                yield record, declared.requires
    for seed in concrete.seeds:
        yield _inline(seed.name, seed.words, seed.span, columns, problems), ()


def _fill(
    slots: Iterable[SlotDeclaration],
    record: Record,
    known: Mapping[str, Mapping[str, Word]],
    needed: frozenset[str],
    unread: Collection[str],
    problems: list[Diagnostic],
) -> dict[str, Word | str] | None:
    """The words of a row, or None if one is wrong.

    A word of a table of which nothing could be read is taken as its text: what is wrong is told
    of the table.
    """
    words: dict[str, Word | str] = {}
    faults: list[Diagnostic] = []
    for slot in slots:
        cell = record.cells.get(slot.name) or Field("", record.key.span)
        where = record.where(slot.name)
        category = known.get(slot.category or "", {})
        if not cell.text:
            if slot.name in needed:
                faults.append(Diagnostic("empty-slot", f"{where}: no word here", cell.span))
        elif slot.category is None or slot.category in unread:
            words[slot.name] = cell.text
        elif cell.text in category:
            words[slot.name] = category[cell.text]
        else:
            message = f"{where}: no {slot.category} '{cell.text}'"
            help = did_you_mean(cell.text, category) if len(problems) < _HELPED else ""
            faults.append(Diagnostic("unknown-word", message, cell.span, help))
    problems += faults
    return None if faults else words
