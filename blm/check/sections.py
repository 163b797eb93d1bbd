"""The sections of a file: which there must be, and which there may be once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from blm import syntax as s
from blm.check.report import Report
from blm.diagnostics import Span

ABSTRACT = (
    "phenomenon",
    "domains",
    "objects",
    "possible",
    "external",
    "internal",
    "matrix",
    "answers",
)
_ABSTRACT_NEEDS = ("phenomenon", "objects", "matrix", "answers")
_CONCRETE_NEEDS = ("language", "of")
CONCRETE = ("language", "of", "words", "seeds", "phrases", "sentences", "forms")

_Section = TypeVar("_Section", bound=s.Section)
_Entry = TypeVar("_Entry", covariant=True)


class _HasEntries(Protocol[_Entry]):
    @property
    def entries(self) -> tuple[_Entry, ...]: ...


def section_word(section: s.Section) -> str:
    """The word at the head of a section."""
    match section:
        case s.PhenomenonHeader():
            return "phenomenon"
        case s.LanguageHeader():
            return "language"
        case s.Rules():
            return section.family.value
        case s.Sentences():
            return "forms" if section.joined else "sentences"
        case _:
            return type(section).__name__.lower()


def sections_of(file: s.File, kind: type[_Section]) -> list[_Section]:
    """The sections of a kind, in order."""
    return [section for section in file.sections if isinstance(section, kind)]


def entries_of(sections: Iterable[_HasEntries[_Entry]]) -> list[_Entry]:
    """The entries of several sections, in order."""
    return [entry for section in sections for entry in section.entries]


def check_sections(file: s.File, report: Report) -> None:
    """Report sections that are missing, repeated, empty, or of the other kind of file."""
    allowed = CONCRETE if file.concrete else ABSTRACT
    seen: dict[str, Span] = {}
    for section in file.sections:
        word = section_word(section)
        if word not in allowed:
            _report_stranger(word, section, file, report)
        elif word in seen:
            message = f"there is a section '{word}' already, on line {seen[word].line}"
            report.error("duplicate-section", message, section, "a file has one section of a kind")
        seen.setdefault(word, section.span)
    needed = _CONCRETE_NEEDS if file.concrete else _ABSTRACT_NEEDS
    _report_missing(needed, {*seen, *report.broken}, file, report)
    if file.concrete:
        _check_sentences(seen, file, report)
    _report_empty(file, report)


def _report_stranger(word: str, section: s.Section, file: s.File, report: Report) -> None:
    kind = "language" if file.concrete else "phenomenon"
    other = "phenomenon" if file.concrete else "language"
    message = f"'{word}' does not belong into the file of a {kind}"
    report.error("wrong-section", message, section, f"it belongs into the file of a {other}")


def _report_missing(
    required: Iterable[str], present: Iterable[str], file: s.File, report: Report
) -> None:
    missing = [word for word in required if word not in present]
    if missing:
        message = f"the file has no section {' and no section '.join(missing)}"
        report.error("missing-section", message, start_of(file))
        report.broken |= set(missing)


def _check_sentences(seen: Mapping[str, Span], file: s.File, report: Report) -> None:
    both = [word for word in ("sentences", "forms") if word in seen]
    if len(both) > 1:
        message = "the items are either sentences or forms, not both"
        report.error("sentences-and-forms", message, max((seen[w] for w in both), key=_start))
    elif not both and report.broken.isdisjoint(("sentences", "forms")):
        message = "the file has neither a section 'sentences' nor a section 'forms'"
        report.error("missing-section", message, start_of(file))


def _start(span: Span) -> int:
    return span.start


def start_of(file: s.File) -> Span:
    """The place for messages about a file as a whole: its first header."""
    if file.sections:
        return file.sections[0].span
    return Span(file.span.source, 0, min(1, file.span.end))


def _report_empty(file: s.File, report: Report) -> None:
    for section in file.sections:
        word = section_word(section)
        entries: Sequence[s.Node] | None = getattr(section, "entries", None)
        if entries is not None and not entries and word not in report.broken and word != "matrix":
            report.error("empty-section", f"the section '{word}' is empty", section)
