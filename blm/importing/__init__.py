"""Imports the fragments files of the task's authors: tables of ready-made parts of sentences.

A row of such a file is a seed: subject, attractors and verb in both numbers, with what stands
before a completive clause and what makes a relative one.  It becomes a grammar of a language
with tables of words and seeds that say the same sentences.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from blm.concrete import Concrete
from blm.diagnostics import Diagnostic, GrammarError, Severity, limited
from blm.files import load_file
from blm.importing.columns import Chunk
from blm.importing.fragments import Fragments, read_fragments, usable_rows
from blm.importing.place import placed_chunks
from blm.importing.plan import Plan, make_plan
from blm.importing.split import Splitter
from blm.importing.suspect import suspects
from blm.importing.tables import make_files
from blm.lexicon import load_lexicon
from blm.phenomenon import Phenomenon
from blm.realise import language as language_of
from blm.realise import languages
from blm.resources import shipped
from blm.whole import OccupiedError, publish

AnyPath = str | os.PathLike[str]


class ImportRefusedError(ValueError):
    """Nothing was written; the message says why."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import wrote: the files, the seeds in them, and the slots that hold nouns.

    `diagnostics` are warnings: columns and cells without a place, and those that look wrong.
    """

    grammar: Path
    files: tuple[Path, ...]
    seeds: int
    split: tuple[str, ...]
    fixed: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]


def import_fragments(
    fragments: AnyPath,
    target: AnyPath,
    *,
    language: str,
    of: AnyPath | None = None,
    force: bool = False,
    only_split: bool = False,
) -> Imported:
    """Turn the file `fragments` into a grammar `target/LANGUAGE.blm` with its tables.

    `of` is the file of the phenomenon, by default the agreement that ships with blm; it is copied
    beside the grammar under the name of the phenomenon.  A slot holds nouns with articles where
    all its phrases can be split, else phrases as they stand; with `only_split`, rows with a phrase
    that cannot be split are left out.
    Raises GrammarError, with every message, for a file without usable rows; ImportRefusedError (a
    ValueError) for an unknown language or files that are there; OSError if writing fails.
    """
    if language not in languages():
        known = ", ".join(sorted(languages()))
        raise ImportRefusedError(f"there is no language '{language}'; known: {known}")
    phenomenon = _phenomenon(of)
    of_name = f"{phenomenon.name}.blm"
    if phenomenon.name == language:
        raise ImportRefusedError(f"{of_name} would be the name of the language's file, too")
    problems: list[Diagnostic] = []
    plan = _plan(os.fspath(fragments), phenomenon, language, problems, only_split=only_split)
    title = type(language_of(language)).__name__
    origin = _printable(Path(fragments).name)
    files = {
        of_name: phenomenon.span.source.text,
        **make_files(plan, phenomenon, code=language, of=of_name, title=title, origin=origin),
    }
    written = _published(files, Path(target), language, force=force)
    return Imported(
        written[-1],
        written,
        len(plan.rows),
        tuple(str(c) for c in plan.chunks if c in plan.split),
        tuple(str(c) for c in plan.chunks if c not in plan.split),
        tuple(_some(problems)),
    )


def _published(
    files: Mapping[str, str], target: Path, language: str, *, force: bool
) -> tuple[Path, ...]:
    encoded = {name: text.encode() for name, text in files.items()}
    try:
        return publish(encoded, target, force=force, check=lambda part: _check(part, language))
    except OccupiedError as error:
        raise ImportRefusedError(str(error)) from None


def _phenomenon(of: AnyPath | None) -> Phenomenon:
    path = shipped("grammars") / "agreement" / "agreement.blm" if of is None else of
    grammar = load_file(path, languages=languages())
    return grammar.phenomenon if isinstance(grammar, Concrete) else grammar


def _plan(
    path: str,
    phenomenon: Phenomenon,
    code: str,
    problems: list[Diagnostic],
    *,
    only_split: bool,
) -> Plan:
    """What is to be written; GrammarError if nothing can be."""
    splitter = Splitter(code, language_of(code))
    fragments = read_fragments(path, splitter.language, problems)
    if fragments is None:
        raise GrammarError(problems)
    chunks = placed_chunks(fragments, phenomenon, problems)
    _stop_at_errors(problems)
    fragments = usable_rows(fragments, chunks, problems)
    for row in fragments.rows.values():
        problems += suspects(row, splitter)
    plan = make_plan(fragments, chunks, splitter, problems, only_split=only_split)
    if not plan.rows:
        problems.append(_no_rows(fragments, chunks))
    _stop_at_errors(problems)
    return plan


def _no_rows(fragments: Fragments, chunks: tuple[Chunk, ...]) -> Diagnostic:
    message = f"no row can be used for {', '.join(map(str, chunks))}"
    return Diagnostic("no-rows", message, fragments.header)


def _stop_at_errors(problems: list[Diagnostic]) -> None:
    if any(problem.severity is Severity.ERROR for problem in problems):
        raise GrammarError(_some(problems))


def _some(problems: list[Diagnostic]) -> list[Diagnostic]:
    """Errors first, then by position; not too many."""
    return limited(sorted(problems, key=lambda p: (p.severity is not Severity.ERROR, p.span.start)))


def _check(folder: Path, code: str) -> None:
    """Load what was written; GrammarError if it has mistakes."""
    concrete = load_file(folder / f"{code}.blm", languages=languages())
    assert isinstance(concrete, Concrete)
    lexicon, found = load_lexicon(concrete)
    if lexicon is None:
        raise GrammarError(found)


def _printable(name: str) -> str:
    return "".join(c if c.isprintable() else "_" for c in name)


__all__ = ["ImportRefusedError", "Imported", "import_fragments"]
