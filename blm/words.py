"""Words and seeds: what a lexicon holds once its tables are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from msgspec.structs import force_setattr

from blm.phenomenon import Value


class FormError(ValueError):
    """A word has no form for the features asked for, or more than one.

    The lexicon turns these into diagnostics when it is loaded; after that none is raised for
    the lexicon's own seeds. `code` and `help` are those of the diagnostic.
    """

    def __init__(self, code: str, message: str, help: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.help = help


Forms = tuple[tuple[frozenset[str], str], ...]
"""Sets of features, each with the form that has them."""


def best_forms(forms: Forms, wanted: frozenset[str]) -> tuple[str, ...]:
    """The forms that fit `wanted` with the most features; different ones are a tie.

    A form fits if all its features are wanted, so `sg` serves where `sg` and `f` are asked.

    >>> best_forms(((frozenset({"sg"}), "est"), (frozenset({"pl"}), "sont")), frozenset({"pl"}))
    ('sont',)
    """
    fitting = [(len(features), form) for features, form in forms if features <= wanted]
    most = max((count for count, _ in fitting), default=0)
    return tuple(dict.fromkeys(form for count, form in fitting if count == most))


def show(features: frozenset[str]) -> str:
    """Features as the author writes them: `pl.f`; sorted, as their order is free."""
    return ".".join(sorted(features)) or "no features"


class Word(Struct, frozen=True):
    """An entry of a word table.

    `features` are inherent (gender, onset); each form is known by the features it has.
    """

    key: str
    category: str
    features: Mapping[str, str]
    forms: Forms

    def __post_init__(self) -> None:
        force_setattr(self, "features", MappingProxyType(dict(self.features)))

    def __hash__(self) -> int:
        return hash((self.key, self.category))

    def __reduce__(self) -> tuple[Any, ...]:
        return Word, (self.key, self.category, dict(self.features), self.forms)

    def form(self, wanted: frozenset[str]) -> str:
        """The form for these features; FormError if there is none, or no single one."""
        match best_forms(self.forms, wanted):
            case (form,):
                return form
            case ():
                known = ", ".join(show(features) for features, _ in self.forms)
                raise FormError(
                    "missing-form",
                    f"{self.category} '{self.key}' has no form for {show(wanted)}",
                    f"it has {known}" if known else "it has no forms",
                )
            case several:
                raise FormError(
                    "ambiguous-form",
                    f"{self.category} '{self.key}' has several forms for {show(wanted)}: "
                    + ", ".join(several),
                    "add a column for the features together",
                )


Text = str
"""The content of a slot whose words are used as they stand."""


def key_of(word: Word | Text) -> str:
    """The key of a word; a text is its own."""
    return word if isinstance(word, Text) else word.key


class Seed(Struct, frozen=True):
    """A plausible combination of words: what each slot holds.

    `requires` names matrix variables and their values: the seed serves those matrices only.
    """

    name: str
    words: Mapping[str, Word | Text]
    requires: tuple[tuple[str, Value], ...] = ()

    def __post_init__(self) -> None:
        force_setattr(self, "words", MappingProxyType(dict(self.words)))

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[Any, ...]:
        return Seed, (self.name, dict(self.words), self.requires)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All words and seeds of a concrete grammar, in the order of their tables."""

    words: tuple[Word, ...]
    seeds: tuple[Seed, ...]
    _words: Mapping[tuple[str, str], Word] = field(init=False, compare=False, repr=False)
    _seeds: Mapping[str, Seed] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_words", {(w.category, w.key): w for w in self.words})
        object.__setattr__(self, "_seeds", {seed.name: seed for seed in self.seeds})

    def word(self, category: str, key: str) -> Word:
        """The word of this category and key; KeyError if there is none."""
        return self._words[category, key]

    def seed(self, name: str) -> Seed:
        """The seed of this name; KeyError if there is none."""
        return self._seeds[name]
