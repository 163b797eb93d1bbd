"""The sections `phrases`, `sentences` and `forms`: what their words stand for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import assert_never

from msgspec import Struct

from blm import concrete as c
from blm import syntax as s
from blm.check.circles import find_circle
from blm.check.conditions import Conditions
from blm.check.names import Names
from blm.check.report import Report
from blm.phenomenon import Cell


class Vocabulary(Struct, frozen=True):
    """What an element of a phrase may name; `functions` None: any word of the language."""

    names: Names
    categories: Mapping[str, c.Category]
    slots: Mapping[str, c.SlotDeclaration]
    functions: frozenset[str] | None
    report: Report
    phrases: frozenset[str] = frozenset()


def check_phrases(entries: Iterable[s.Phrase], vocabulary: Vocabulary) -> tuple[c.Phrase, ...]:
    """The phrases; none contains itself."""
    elements = _Elements(vocabulary)
    conditions = Conditions(vocabulary.names, vocabulary.report)
    found: dict[str, c.Phrase] = {}
    for entry in entries:
        name = entry.name.text
        if name in found:
            vocabulary.report.duplicate("phrase", name, entry.name, found[name].span)
        realisations = tuple(
            c.Realisation(
                tuple(elements.all(r.elements)),
                conditions.resolve(r.condition) if r.condition else None,
                r.span,
            )
            for r in entry.realisations
        )
        _report_unreachable(entry, vocabulary.report)
        found.setdefault(name, c.Phrase(name, realisations, entry.name.span))
    _report_circle(found, vocabulary.report)
    return tuple(found.values())


def _report_unreachable(entry: s.Phrase, report: Report) -> None:
    for one, following in zip(entry.realisations, entry.realisations[1:], strict=False):
        if one.condition is None:
            message = "this is never said: what stands before it has no condition"
            report.error("unreachable", message, following)


def references(phrase: c.Phrase) -> list[str]:
    """The phrases that a phrase contains."""
    elements = (element for r in phrase.realisations for element in r.elements)
    return [element.name for element in elements if isinstance(element, c.PhraseReference)]


def _report_circle(phrases: Mapping[str, c.Phrase], report: Report) -> None:
    circle = find_circle({name: references(phrase) for name, phrase in phrases.items()})
    if circle and not report.may_be_lost("slot"):  # what is lost may be a slot of that name
        way = " -> ".join([*circle, circle[0]])
        message = f"the phrase '{circle[0]}' contains itself: {way}"
        report.error("circular-phrase", message, phrases[circle[0]].span)


def check_sentences(
    sections: Iterable[s.Sentences], vocabulary: Vocabulary
) -> tuple[c.ClauseType, ...]:
    """The clause types, or the word forms."""
    elements = _Elements(vocabulary, phrases_first=True)
    found: dict[str, c.ClauseType] = {}
    for section in sections:
        for entry in section.entries:
            name = entry.name.text
            if name in found:
                vocabulary.report.duplicate("sentence", name, entry.name, found[name].span)
            text = entry.text.text if entry.text else ""
            said = tuple(elements.all(entry.elements))
            clause = c.ClauseType(name, text, said, section.joined, entry.name.span)
            found.setdefault(name, clause)
    return tuple(found.values())


class _Elements(Struct, frozen=True):
    """Resolves elements: within a phrase a slot comes before a phrase of the same name."""

    vocabulary: Vocabulary
    phrases_first: bool = False

    def all(self, elements: Iterable[s.Element]) -> Iterator[c.Element]:
        for element in elements:
            resolved = self._element(element)
            if resolved is not None:
                yield resolved

    def _element(self, element: s.Element) -> c.Element | None:
        match element:
            case s.Verbatim():
                return c.Literal(element.text)
            case s.Use():
                return self._use(element)
            case s.SlotOf():
                return self._slot_of(element)
            case _:
                assert_never(element)

    def _use(self, node: s.Use) -> c.Element | None:
        name, known = node.name.text, self.vocabulary
        as_phrase = name in known.phrases and not (node.features and name in known.slots)
        if as_phrase and (self.phrases_first or name not in known.slots):
            if node.features and not known.report.may_be_lost("slot"):
                message = f"'{name}' is a phrase: only words have features"
                known.report.error("features-of-phrase", message, node)
            return c.PhraseReference(name)
        if name in known.slots:
            return self._inflected(node, c.Slot(name), [known.slots[name]])
        if known.functions is not None and name not in known.functions:
            self._report_unknown_word(node.name)
        return c.Function(name, self._features(node.features, None), node.span)

    def _report_unknown_word(self, name: s.Name) -> None:
        known = self.vocabulary
        if not known.report.may_be_lost("phrase"):
            functions = sorted(known.functions or ())
            message = f"'{name.text}' is not a slot, a phrase or a function word"
            words = (*known.slots, *sorted(known.phrases), *functions)
            known.report.unknown("word", name.text, words, name, message)

    def _slot_of(self, node: s.SlotOf) -> c.Inflected | None:
        cell = self.vocabulary.names.cell(node.cell, self.vocabulary.report)
        if cell is None:
            return None
        slots = self._slots_of(cell, node.cell)
        return self._inflected(node, c.SlotOf(cell.name), slots)

    def _slots_of(self, cell: Cell, at: s.CellRef) -> list[c.SlotDeclaration]:
        """The slots that are named like the values of a cell."""
        known = self.vocabulary
        for value in cell.domain:
            if str(value) not in known.slots:
                message = f"there is no slot '{value}', which {cell.name} may choose"
                known.report.unknown("slot", str(value), known.slots, at, message)
        return [known.slots[str(value)] for value in cell.domain if str(value) in known.slots]

    def _inflected(
        self, node: s.Use | s.SlotOf, word: c.Word, slots: Sequence[c.SlotDeclaration]
    ) -> c.Inflected:
        texts = [slot.name for slot in slots if slot.category is None]
        if node.features and texts:
            message = f"'{texts[0]}' is text as it stands: it has no forms to choose from"
            self.vocabulary.report.error("features-of-text", message, node)
            slots = ()
        return c.Inflected(word, self._features(node.features, slots), node.span)

    def _features(
        self, features: Iterable[s.Feature], slots: Sequence[c.SlotDeclaration] | None
    ) -> tuple[c.Feature, ...]:
        """Features of a word in one of `slots`, or of a function word (None)."""
        resolved = (self._feature(feature, slots) for feature in features)
        return tuple(feature for feature in resolved if feature is not None)

    def _feature(
        self, feature: s.Feature, slots: Sequence[c.SlotDeclaration] | None
    ) -> c.Feature | None:
        match feature:
            case s.FixedFeature():
                if slots:
                    self._check_form(feature.name, slots)
                return c.FixedFeature(feature.name.text)
            case s.DottedFeature():
                return self._dotted(feature)
            case s.SlotOfFeature():
                cell = self.vocabulary.names.cell(feature.cell, self.vocabulary.report)
                if cell is None:
                    return None
                self._check_inherent(feature.feature, self._slots_of(cell, feature.cell))
                return c.WordFeature(c.SlotOf(cell.name), feature.feature.text)
            case _:
                assert_never(feature)

    def _check_form(self, name: s.Name, slots: Sequence[c.SlotDeclaration]) -> None:
        """A fixed feature stands in some form of a word that the slots may hold."""
        known = self.vocabulary
        categories = [known.categories.get(slot.category or "") for slot in slots]
        forms = {f for category in categories if category for form in category.forms for f in form}
        if name.text not in forms and None not in categories:
            message = f"no form of '{slots[0].category}' has the feature '{name.text}'"
            known.report.unknown("feature", name.text, sorted(forms), name, message)

    def _dotted(self, node: s.DottedFeature) -> c.Feature | None:
        known = self.vocabulary
        owner = known.names.objects.get(node.owner.text)
        slot = known.slots.get(node.owner.text)
        if slot and not (owner and node.feature.text in owner.attributes):
            self._check_inherent(node.feature, [slot])
            return c.WordFeature(c.Slot(slot.name), node.feature.text)
        if owner is None:
            message = f"'{node.owner.text}' is neither an object nor a slot"
            names = (*known.names.objects, *known.slots)
            if not known.report.may_be_lost("slot"):
                known.report.unknown("object", node.owner.text, names, node.owner, message)
            return None
        cell = known.names.cell(s.CellRef(node.span, node.owner, node.feature), known.report)
        return c.CellFeature(cell.name) if cell else None

    def _check_inherent(self, feature: s.Name, slots: Iterable[c.SlotDeclaration]) -> None:
        """Words of all the slots have an inherent feature of this name."""
        known = self.vocabulary
        for slot in slots:
            category = known.categories.get(slot.category or "")
            if slot.category is None:
                message = f"'{slot.name}' is text as it stands: it has no features"
                known.report.error("features-of-text", message, feature)
            elif category:
                names = [column.name for column in category.features]
                if feature.text not in names:
                    message = f"a {category.name} has no feature '{feature.text}'"
                    known.report.unknown("feature", feature.text, names, feature, message)
