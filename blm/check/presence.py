"""Words that depend on an object where it may be absent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from blm import concrete as c
from blm.check.names import Names
from blm.check.report import Report
from blm.phenomenon import CellName, cells_of


def warn_of_absent(
    phrases: Sequence[c.Phrase], clauses: Sequence[c.ClauseType], names: Names, report: Report
) -> None:
    """Warn of words that depend on an optional object where it may be absent.

    It is there in the phrase that bears its name and in the phrases that only this one uses,
    and where the condition of a realisation reads one of its cells.
    """
    safe = _safe_objects(phrases, clauses)
    for phrase in phrases:
        for realisation in phrase.realisations:
            present = safe[phrase.name] | _read(realisation)
            for element in realisation.elements:
                _warn(element, present, names, report)
    for clause in clauses:
        for element in clause.elements:
            _warn(element, frozenset(), names, report)


def _safe_objects(
    phrases: Sequence[c.Phrase], clauses: Sequence[c.ClauseType]
) -> dict[str, frozenset[str]]:
    """For each phrase, the objects that are present wherever it is said."""
    every = frozenset(phrase.name for phrase in phrases)
    safe = dict.fromkeys(every, every)
    for clause in clauses:
        for element in clause.elements:
            if isinstance(element, c.PhraseReference):
                safe[element.name] = frozenset((element.name,))
    waiting = list(phrases)
    by_name = {phrase.name: phrase for phrase in phrases}
    while waiting:
        phrase = waiting.pop()
        for realisation in phrase.realisations:
            present = safe[phrase.name] | _read(realisation) | {phrase.name}
            for element in realisation.elements:
                if isinstance(element, c.PhraseReference) and element.name in by_name:
                    narrowed = safe[element.name] & (present | {element.name})
                    if narrowed != safe[element.name]:
                        safe[element.name] = narrowed
                        waiting.append(by_name[element.name])
    return {name: objects | {name} for name, objects in safe.items()}


def _read(realisation: c.Realisation) -> frozenset[str]:
    """The objects that a condition reads: where it is true they are there, or it says not."""
    cells = cells_of(realisation.condition) if realisation.condition else ()
    return frozenset(cell.object for cell in cells)


def _warn(element: c.Element, present: frozenset[str], names: Names, report: Report) -> None:
    if not isinstance(element, c.Inflected | c.Function):
        return
    for cell in _cells_of(element):
        owner = names.objects[cell.object]
        if owner.optional and owner.name not in present:
            message = f"{cell} has no value where {owner.name} is absent"
            help_ = f"say this in the phrase '{owner.name}', or add 'where {owner.name} is present'"
            report.warning("maybe-absent", message, element.span, help_)


def _cells_of(element: c.Inflected | c.Function) -> Iterator[CellName]:
    if isinstance(element, c.Inflected) and isinstance(element.word, c.SlotOf):
        yield element.word.cell
    for feature in element.features:
        match feature:
            case c.CellFeature(cell) | c.WordFeature(c.SlotOf(cell)):
                yield cell
            case _:
                pass
