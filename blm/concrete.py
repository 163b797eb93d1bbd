"""The checked concrete language: how an item of a phenomenon is said.

A concrete grammar (`grammars/agreement/fr.blm`) names the phenomenon it realises, the
tables with its words and seeds, the phrases that realise the objects of an item, and the
clause types: the orders in which phrases make a sentence.  Words stay here: none enters
the logic program.
"""

from __future__ import annotations

from msgspec import Struct

from blm.diagnostics import Placed, Span
from blm.phenomenon import CellName, Condition, Phenomenon, Value

# --- features: what a word is inflected for ---------------------------------------------


class CellFeature(Struct, frozen=True):
    """`[subj.number]`: the value of a cell of the item."""

    cell: CellName


class FixedFeature(Struct, frozen=True):
    """`[past]`: always this feature."""

    value: str


class WordFeature(Struct, frozen=True):
    """`[subject.gender]` or `[@subj.role.gender]`: an inherent feature of another word."""

    word: Word
    feature: str


Feature = CellFeature | FixedFeature | WordFeature


# --- elements: what a phrase is made of ---------------------------------------------------


class Slot(Struct, frozen=True):
    """`subject`: the word that the seed has in this column."""

    name: str


class SlotOf(Struct, frozen=True):
    """`@subj.role`: the word that the seed has in the column named like the cell's value."""

    cell: CellName


Word = Slot | SlotOf


class Literal(Struct, frozen=True):
    """`"et"`: these words as they stand (elision and contraction still apply)."""

    text: str


class Inflected(Placed, frozen=True):
    """`noun1[pp1.number]`: a word of the seed, in the form that has these features."""

    word: Word
    features: tuple[Feature, ...]
    span: Span


class Function(Placed, frozen=True):
    """`def`, `be[past, subj.number]`: a word of the language itself (article, auxiliary).

    The language module says which there are. Articles agree with the next noun.
    """

    name: str
    features: tuple[Feature, ...]
    span: Span


class PhraseReference(Struct, frozen=True):
    """`comp`: another phrase, at this place. References make no circle."""

    name: str


Element = Literal | Inflected | Function | PhraseReference


class Realisation(Placed, frozen=True):
    """One way to say a phrase, where its condition is true (always, if None)."""

    elements: tuple[Element, ...]
    condition: Condition | None
    span: Span


class Phrase(Placed, frozen=True):
    """A phrase with its ways to be said, of which the first that applies is taken.

    A phrase that bears the name of an optional object is empty where the object is absent.
    """

    name: str
    realisations: tuple[Realisation, ...]
    span: Span


class ClauseType(Placed, frozen=True):
    """A kind of sentence (`sentences`) or word form (`forms`, joined without spaces)."""

    name: str
    text: str
    elements: tuple[Element, ...]
    joined: bool
    span: Span


# --- tables ----------------------------------------------------------


class Category(Placed, frozen=True):
    """`noun "nouns.csv" : gender {m, f}, onset? {aspirated}; forms sg, pl`.

    `features` are columns with an inherent feature of the word: name, values (empty: any
    text), and whether the cell may be empty. `forms` are the columns with forms: each is a
    set of features, written `pl.f` in the header. `path` is None for words given in the file.
    """

    name: str
    path: str | None
    features: tuple[FeatureColumn, ...]
    forms: tuple[frozenset[str], ...]
    span: Span


class FeatureColumn(Struct, frozen=True):
    """A column of a word table with an inherent feature."""

    name: str
    values: tuple[str, ...]
    optional: bool


class InlineWord(Placed, frozen=True):
    """A word given in the grammar file: `chat : noun gender=m, sg="chat", pl="chats"`."""

    name: str
    category: str
    columns: tuple[tuple[str, str], ...]
    span: Span


class SlotDeclaration(Placed, frozen=True):
    """`subject : noun`: a column of the seeds; category None (`text`) is words as they stand."""

    name: str
    category: str | None
    span: Span


class SeedTable(Placed, frozen=True):
    """`seeds "seeds.csv" where S is patient`: plausible combinations of words.

    `requires` limits the table to matrices whose variables have these values.
    """

    path: str
    requires: tuple[tuple[str, Value], ...]
    span: Span


class InlineSeed(Placed, frozen=True):
    """A seed given in the grammar file: slot name and word (or text)."""

    name: str
    words: tuple[tuple[str, str], ...]
    span: Span


class Vary(Placed, frozen=True):
    """`vary subject within kind`: the slot whose word type II varies.

    Seeds with the same word in the slot `within` (all seeds, if None) lend each other their
    word in `slot`.
    """

    slot: str
    within: str | None
    span: Span


class Combine(Placed, frozen=True):
    """`combine agent, theme within verb`: the words of `slots` combine freely.

    They do so among the seeds that have the same words in all other slots, `within` included.
    """

    slots: tuple[str, ...]
    within: str | None
    span: Span


class Concrete(Placed, frozen=True):
    """A checked concrete grammar. Paths are resolved against the file's folder."""

    language: str
    title: str
    phenomenon: Phenomenon
    categories: tuple[Category, ...]
    words: tuple[InlineWord, ...]
    slots: tuple[SlotDeclaration, ...]
    seed_tables: tuple[SeedTable, ...]
    seeds: tuple[InlineSeed, ...]
    vary: Vary | None
    combine: Combine | None
    phrases: tuple[Phrase, ...]
    clauses: tuple[ClauseType, ...]
    span: Span
