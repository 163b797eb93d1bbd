"""Files to grammars: reads, parses and checks, and follows `of` to the phenomenon."""

from __future__ import annotations

from blm.check import check_phenomenon
from blm.diagnostics import GrammarError, Severity, Source
from blm.parse import parse
from blm.phenomenon import Phenomenon


def load_file(path: str) -> Phenomenon:
    source = Source(str(path), open(path, encoding="utf-8").read())
    tree, syntax = parse(source)
    phenomenon, found = check_phenomenon(tree)
    if phenomenon is None or syntax:
        raise GrammarError(sorted([*syntax, *found], key=lambda d: d.span.start))
    return phenomenon
