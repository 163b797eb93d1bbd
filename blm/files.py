"""Files to grammars: reads, parses and checks, and follows `of` to the phenomenon."""

from __future__ import annotations

import os
import stat
from pathlib import PurePath

from msgspec import Struct

from blm import syntax as s
from blm.check import Languages, check_concrete, check_phenomenon
from blm.concrete import Concrete
from blm.diagnostics import Diagnostic, GrammarError, Source, Span
from blm.parse import parse
from blm.phenomenon import Phenomenon

LARGEST_FILE = 2_000_000
"""Grammar files of more bytes are refused; tables of words may be of any size."""


class Loaded(Struct, frozen=True):
    """A grammar without errors, and the warnings about it."""

    grammar: Phenomenon | Concrete
    warnings: tuple[Diagnostic, ...]


def load_file(
    path: str | os.PathLike[str], *, languages: Languages | None = None
) -> Phenomenon | Concrete:
    """The grammar of a file; GrammarError, with all mistakes of all its files, if it has any.

    `languages` are the languages that can be said, with their function words; without them
    any language and any function word is taken as known.
    """
    return load(path, languages=languages).grammar


def load(path: str | os.PathLike[str], *, languages: Languages | None = None) -> Loaded:
    """As `load_file`, with the warnings."""
    grammar, diagnostics = diagnose(path, languages=languages)
    if grammar is None:
        raise GrammarError(diagnostics)
    return Loaded(grammar, tuple(diagnostics))


def diagnose(
    path: str | os.PathLike[str], *, languages: Languages | None = None
) -> tuple[Phenomenon | Concrete | None, list[Diagnostic]]:
    """The grammar of a file, None if it has errors, and all that is to say about it.

    Diagnostics come file by file, the phenomenon first, and by position within a file.
    """
    source, unreadable = read(os.fspath(path))
    if unreadable:
        return None, [unreadable]
    return check_text(source, languages=languages)


def check_text(
    source: Source, *, languages: Languages | None = None
) -> tuple[Phenomenon | Concrete | None, list[Diagnostic]]:
    """As `diagnose`, for a text; what it is `of` is looked up beside `source.path`."""
    tree, problems = parse(source)
    if not tree.concrete:
        return _checked_phenomenon(tree, problems)
    phenomenon, abroad = _phenomenon_of(tree)
    concrete, found = check_concrete(tree, phenomenon, languages)
    own = [d for d in abroad if d.span.source == source]
    others = [d for d in abroad if d.span.source != source]
    return None if problems else concrete, [*others, *_by_position([*problems, *own, *found])]


def _checked_phenomenon(
    tree: s.File, problems: list[Diagnostic]
) -> tuple[Phenomenon | None, list[Diagnostic]]:
    phenomenon, found = check_phenomenon(tree)
    return None if problems else phenomenon, _by_position([*problems, *found])


def _by_position(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    return sorted(diagnostics, key=lambda d: (d.span.start, d.span.end))


def _phenomenon_of(tree: s.File) -> tuple[Phenomenon | None, list[Diagnostic]]:
    """The phenomenon that a language file names."""
    of = next((section for section in tree.sections if isinstance(section, s.Of)), None)
    if of is None:
        return None, []
    beside = PurePath(of.span.source.path).parent
    source, unreadable = read(str(beside / of.path.text), named_at=of.path.span)
    if unreadable:
        return None, [unreadable]
    abstract, problems = parse(source)
    if abstract.concrete:
        message = f"{source.path} is the file of a language, not of a phenomenon"
        return None, [Diagnostic("not-a-phenomenon", message, of.path.span)]
    return _checked_phenomenon(abstract, problems)


# --- reading ----------------------------------------------------------


def read(path: str, *, named_at: Span | None = None) -> tuple[Source, Diagnostic | None]:
    """The text of a file, with line breaks made equal; or why it cannot be read.

    `named_at` is where a grammar names the file.
    """
    nothing = Source(path, "")
    at = named_at or Span(nothing, 0, 0)
    try:
        problem = _unsuitable(os.stat(path))
        if not problem:
            with open(path, "rb") as file:
                return _decoded(path, file.read())
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = error.strerror if isinstance(error, OSError) else str(error)
        problem = (reason or "unknown reason").lower()
    return nothing, Diagnostic("unreadable-file", f"cannot read {path}: {problem}", at)


def _unsuitable(status: os.stat_result) -> str:
    if stat.S_ISDIR(status.st_mode):
        return "it is a folder"
    if not stat.S_ISREG(status.st_mode):
        return "it is not a file"
    if status.st_size > LARGEST_FILE:
        return f"it has more than {LARGEST_FILE} bytes"
    return ""


def _decoded(path: str, data: bytes) -> tuple[Source, Diagnostic | None]:
    data = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        return Source(path, data.decode("utf-8")), None
    except UnicodeDecodeError as error:
        start = len(data[: error.start].decode("utf-8"))
        source = Source(path, data.decode("utf-8", errors="replace"))
        message = f"this file is not UTF-8: byte {data[error.start]:#04x} makes no character"
        span = Span(source, start, start + 1)
        return source, Diagnostic("not-utf8", message, span, "save it as UTF-8")
