"""The slot that is augmented: its seeds, the words it may take, and those it has already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from msgspec.structs import replace

from blm.augment.options import AugmentError
from blm.concrete import Category, Concrete, SlotDeclaration
from blm.diagnostics import Diagnostic, GrammarError, did_you_mean
from blm.grammar import Grammar
from blm.lexicon.entries import read_words
from blm.words import Seed, Word, key_of

Rest = object
"""What seeds share that differ in nothing but the word of the slot."""


@dataclass(frozen=True)
class Target:
    """A slot of a grammar, and the words of its category: the lexicon's, then the form table's."""

    grammar: Grammar
    slot: str
    category: Category
    pool: tuple[Word, ...]

    @cached_property
    def index(self) -> Mapping[str, tuple[Word, ...]]:
        """The words of the pool by each of their forms."""
        found: dict[str, list[Word]] = {}
        for word in self.pool:
            for form in dict.fromkeys(form for _, form in word.forms):
                found.setdefault(form, []).append(word)
        return {form: tuple(words) for form, words in found.items()}

    @cached_property
    def stand_ins(self) -> tuple[Word, ...]:
        """The words of the lexicon, without those of a form table, which may be many."""
        return tuple(w for w in self.grammar.lexicon.words if w.category == self.category.name)

    def seeds(self, only: Sequence[str] = ()) -> tuple[Seed, ...]:
        """The first of the seeds that differ in nothing but the slot, or the ones named."""
        if only:
            return tuple(_named(self.grammar, name) for name in dict.fromkeys(only))
        return tuple(seeds[0] for seeds in self._by_rest.values())

    def taken(self, seed: Seed) -> frozenset[Word]:
        """Words that are no news in the slot of this seed, or stand elsewhere in its sentences.

        Where type II varies the slot, they are those of all seeds that lend it their words.
        """
        near = [*self._by_rest[self.rest(seed)], *self._by_kind.get(self._kind(seed), ())]
        words = (word for other in near for word in other.words.values())
        return frozenset(word for word in words if isinstance(word, Word))

    def rest(self, seed: Seed) -> Rest:
        """The words of a seed outside the slot, and outside slots that combine freely."""
        combine = self.grammar.concrete.combine
        free = {self.slot, *(combine.slots if combine else ())}
        words = tuple((slot, key_of(w)) for slot, w in seed.words.items() if slot not in free)
        return words, seed.requires

    def _kind(self, seed: Seed) -> str | None:
        vary = self.grammar.concrete.vary
        if vary is None or vary.slot != self.slot:
            return None
        return key_of(seed.words[vary.within]) if vary.within else ""

    @cached_property
    def _by_rest(self) -> Mapping[Rest, list[Seed]]:
        found: dict[Rest, list[Seed]] = {}
        for seed in self.grammar.lexicon.seeds:
            if self.slot in seed.words:
                found.setdefault(self.rest(seed), []).append(seed)
        return found

    @cached_property
    def _by_kind(self) -> Mapping[str | None, list[Seed]]:
        found: dict[str | None, list[Seed]] = {}
        for seed in self.grammar.lexicon.seeds:
            if (kind := self._kind(seed)) is not None:
                found.setdefault(kind, []).append(seed)
        return found


def make_target(
    grammar: Grammar, slot: str, forms: Path | None = None, same: Iterable[str] = ()
) -> Target:
    """The slot with its words; AugmentError or GrammarError where it cannot be augmented.

    `forms` is a table with the columns of the category's own.
    """
    category = category_of(grammar.concrete, slot)
    for name in same:
        columns = [column.name for column in category.features]
        if name not in columns:
            raise AugmentError(
                f"'{category.name}' has no feature '{name}'; {did_you_mean(name, columns)}"
            )
    own = tuple(word for word in grammar.lexicon.words if word.category == category.name)
    keys = {word.key for word in own}
    new = read_forms(grammar.concrete, category, forms) if forms else ()
    return Target(grammar, slot, category, (*own, *(w for w in new if w.key not in keys)))


def category_of(concrete: Concrete, slot: str) -> Category:
    """The category of a slot; AugmentError or GrammarError for a slot without inflected words."""
    declared = {one.name: one for one in concrete.slots}
    if slot not in declared:
        raise AugmentError(f"the seeds have no slot '{slot}'; {did_you_mean(slot, declared)}")
    found = declared[slot]
    if found.category is None:
        raise GrammarError([_text_slot(concrete, found)])
    return next(one for one in concrete.categories if one.name == found.category)


def _text_slot(concrete: Concrete, slot: SlotDeclaration) -> Diagnostic:
    others = ", ".join(one.name for one in concrete.slots if one.category is not None)
    return Diagnostic(
        "text-slot",
        f"the slot '{slot.name}' holds plain text: no lexicon knows its words",
        slot.span,
        f"slots with words of a category: {others or 'none'}",
    )


def read_forms(concrete: Concrete, category: Category, path: Path) -> tuple[Word, ...]:
    """The words of a table of forms; GrammarError with all that is wrong with it."""
    problems: list[Diagnostic] = []
    alone = replace(concrete, categories=(replace(category, path=str(path)),), words=())
    entries = read_words(alone, problems)
    if problems:
        raise GrammarError(problems)
    return tuple(entry.word for entry in entries.values())


def _named(grammar: Grammar, name: str) -> Seed:
    try:
        return grammar.lexicon.seed(name)
    except KeyError:
        known = did_you_mean(name, (seed.name for seed in grammar.lexicon.seeds[:1000]))
        raise AugmentError(f"there is no seed '{name}'; {known}") from None
