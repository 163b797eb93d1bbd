"""The file of a language, section by section."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from blm import concrete as c
from blm import syntax as s
from blm.check.names import Names
from blm.check.phrases import Vocabulary, check_phrases, check_sentences, references
from blm.check.presence import warn_of_absent
from blm.check.report import Report
from blm.check.sections import check_sections, entries_of, sections_of
from blm.check.variation import check_combine, check_vary
from blm.check.words import check_categories, check_seeds, check_slots, check_tables, check_words
from blm.diagnostics import Diagnostic, did_you_mean
from blm.phenomenon import Phenomenon

Languages = Mapping[str, frozenset[str]]
"""The languages that can be said, by code, and the function words of each."""


def check_concrete(
    file: s.File, phenomenon: Phenomenon | None, languages: Languages | None = None
) -> tuple[c.Concrete | None, list[Diagnostic]]:
    """What the file of a language means, or what is wrong with it; warnings in either case.

    Without a phenomenon (because that has mistakes of its own), everything else is checked.
    Without `languages`, every code and every function word is taken as known.
    """
    report = Report(file.broken if phenomenon else file.broken | _PHENOMENON)
    check_sections(file, report)
    words = entries_of(sections_of(file, s.Words))
    categories = check_categories(words, report)
    inline_words = check_words(words, categories, report)
    seeds = entries_of(sections_of(file, s.Seeds))
    slots = check_slots(seeds, categories, report)
    variables = phenomenon.variables if phenomenon else ()
    tables = tuple(check_tables(seeds, variables, report))
    inline_seeds = check_seeds(seeds, slots, report)
    vary = check_vary(seeds, slots, report)
    combine = check_combine(seeds, slots, report)
    functions = _functions(file, languages, report)
    names = _names(phenomenon)
    phrases, clauses = _said(file, Vocabulary(names, categories, slots, functions, report))
    header = next(iter(sections_of(file, s.LanguageHeader)), None)
    if report.failed or file.broken or phenomenon is None or header is None:
        return None, report.diagnostics()
    return c.Concrete(
        language=header.name.text,
        title=header.title.text if header.title else "",
        phenomenon=phenomenon,
        categories=tuple(categories.values()),
        words=inline_words,
        slots=tuple(slots.values()),
        seed_tables=tables,
        seeds=inline_seeds,
        vary=vary,
        combine=combine,
        phrases=phrases,
        clauses=clauses,
        span=header.span,
    ), report.diagnostics()


def _said(
    file: s.File, vocabulary: Vocabulary
) -> tuple[tuple[c.Phrase, ...], tuple[c.ClauseType, ...]]:
    entries = entries_of(sections_of(file, s.Phrases))
    known = replace(vocabulary, phrases=frozenset(entry.name.text for entry in entries))
    phrases = check_phrases(entries, known)
    clauses = check_sentences(sections_of(file, s.Sentences), known)
    if not known.report.failed:
        warn_of_absent(phrases, clauses, known.names, known.report)
        _warn_of_unused(phrases, clauses, known.report)
    return phrases, clauses


_PHENOMENON = frozenset({"objects", "domains", "variables"})


def _names(phenomenon: Phenomenon | None) -> Names:
    if phenomenon is None:
        return Names({}, {})
    objects = {thing.name: thing for thing in phenomenon.objects}
    return Names(objects, {cell.name: cell for cell in phenomenon.cells})


def _functions(file: s.File, languages: Languages | None, report: Report) -> frozenset[str] | None:
    """The function words of the language; None if any word may be one."""
    headers = sections_of(file, s.LanguageHeader)
    if languages is None or not headers:
        return None
    name = headers[0].name
    if name.text not in languages:
        message = f"blm knows no rules of the language '{name.text}': words are put side by side"
        help_ = f"{did_you_mean(name.text, languages)}; function words have to be slots or text"
        report.warning("plain-language", message, name, help_)
        return frozenset()
    return languages[name.text]


def _warn_of_unused(
    phrases: tuple[c.Phrase, ...], clauses: tuple[c.ClauseType, ...], report: Report
) -> None:
    said = {
        e.name for clause in clauses for e in clause.elements if isinstance(e, c.PhraseReference)
    }
    said |= {name for phrase in phrases for name in references(phrase)}
    for phrase in phrases:
        if phrase.name not in said:
            message = f"nothing says the phrase '{phrase.name}'"
            report.warning("unused-phrase", message, phrase.span)
