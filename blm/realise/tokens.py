"""Tokens: words on their way into a sentence, with what their neighbours need to know."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from blm.text import normalise
from blm.words import FormError, Forms, best_forms, show

Kind = Literal["word", "literal", "determiner", "auxiliary", "suffix"]
"""Where a token comes from: the lexicon, the grammar's own words, or the language."""


class Token(Struct, frozen=True):
    """One word, without spaces.

    `features` are those a rule of sandhi may ask for, as `onset=aspirated` or `f`.
    `opens` is true for the first token of an element of a phrase.
    """

    form: str
    kind: Kind
    features: frozenset[str] = frozenset()
    opens: bool = True


def split(text: str, kind: Kind, features: frozenset[str] = frozenset()) -> tuple[Token, ...]:
    """The tokens of a text; the features (its onset) are those of the first one."""
    return tuple(
        Token(form, kind, features if index == 0 else frozenset(), opens=index == 0)
        for index, form in enumerate(normalise(text).split())
    )


class Group(Struct, frozen=True):
    """Features that exclude each other, such as sg and pl, and the one that needs no saying."""

    name: str
    values: frozenset[str]
    default: str | None


NUMBER = Group("number", frozenset({"sg", "pl"}), "sg")
GENDER = Group("gender", frozenset({"m", "f"}), None)
PERSON = Group("person", frozenset({"1", "2", "3"}), "3")


class FunctionWord(Struct, frozen=True):
    """A word of the language itself, with its forms.

    One that `agrees` (an article) takes the features it is not given from the next noun.
    An empty form is no word at all: the plural of English `indef`.
    """

    name: str
    kind: Kind
    forms: Forms
    groups: tuple[Group, ...] = (NUMBER,)
    agrees: bool = False

    @property
    def known(self) -> frozenset[str]:
        """The features that it is inflected for."""
        return frozenset[str]().union(*(group.values for group in self.groups))

    def tokens(
        self, given: frozenset[str], noun: frozenset[str] = frozenset()
    ) -> tuple[Token, ...]:
        """The word with the features `given`, and those of `noun` if it agrees.

        Raises FormError for features that the word does not know, or needs and lacks.
        """
        if unknown := given - self.known:
            raise FormError(
                "unknown-feature",
                f"'{self.name}' is not inflected for {show(unknown)}",
                f"it knows {', '.join(sorted(self.known))}" if self.known else "",
            )
        wanted = frozenset(v for group in self.groups if (v := self._value(group, given, noun)))
        match best_forms(self.forms, wanted):
            case (form,):
                features = wanted | {f"function={self.name}"}
                return (Token(form, self.kind, features),) if form else ()
            case _:
                missing = ", ".join(g.name for g in self.groups if not g.values & wanted)
                need = f"needs the {missing} of a noun" if missing else "has no such form"
                raise FormError(
                    "function-form",
                    f"'{self.name}' {need} ({show(wanted)})",
                    f"write the features: {self.name}[...]",
                )

    def _value(self, group: Group, given: frozenset[str], noun: frozenset[str]) -> str | None:
        chosen = given & group.values or (noun & group.values if self.agrees else frozenset())
        if len(chosen) > 1:
            raise FormError(
                "function-form", f"'{self.name}' cannot be {' and '.join(sorted(chosen))} at once"
            )
        return next(iter(chosen), group.default)


def table(**forms: str) -> Forms:
    """Forms by their features: `table(m_sg="le", pl="les")`."""
    return tuple((frozenset(key.split("_")), form) for key, form in forms.items())


def paradigm(**tenses: str) -> Forms:
    """The forms of a verb: six words are 1sg 2sg 3sg 1pl 2pl 3pl, one is a non-finite form.

    >>> dict(paradigm(participle="été"))[frozenset({"participle"})]
    'été'
    """
    persons = [(person, number) for number in ("sg", "pl") for person in "123"]
    forms: list[tuple[frozenset[str], str]] = []
    for tense, words in tenses.items():
        match words.split():
            case [word]:
                forms.append((frozenset({tense}), word))
            case six:
                forms += [
                    (frozenset({tense, *cell}), word)
                    for cell, word in zip(persons, six, strict=True)
                ]
    return tuple(forms)


def auxiliary(name: str, forms: Forms) -> FunctionWord:
    """A verb of the language, in the third person singular of the present if not told."""
    used = frozenset[str]().union(*(features for features, _ in forms))
    tenses = Group("tense", used - NUMBER.values - PERSON.values, "present")
    return FunctionWord(name, "auxiliary", forms, (tenses, PERSON, NUMBER))
