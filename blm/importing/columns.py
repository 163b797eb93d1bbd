"""What the columns of a fragments file are, whatever a file calls them.

Names differ in case, in separators and in abbreviation: `np-s`, `NP_sg`, `Subj sing`; `pp1-p`,
`P1pl`; `Conj2sg`, `coord_2-s`.  To understand one more name, add it to a table here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from blm.diagnostics import Diagnostic, Severity
from blm.lexicon.tables import Field
from blm.text import without_accents


class Role(StrEnum):
    """What the fragments of a column do in the sentence."""

    SUBJECT = "subject"
    EMBEDDED = "attractor"
    COORDINATED = "coordinated"
    VERB = "verb"
    PREFIX = "prefix"
    RELATIVE = "relative"


SG, PL = "sg", "pl"

ROLES: Mapping[str, Role] = {
    **dict.fromkeys(("np", "n", "subj", "subject", "sujet", "soggetto", "sogg"), Role.SUBJECT),
    **dict.fromkeys(("pp", "p", "att", "attr", "attractor"), Role.EMBEDDED),
    **dict.fromkeys(("conj", "coord", "c", "coordinated", "conjunction"), Role.COORDINATED),
    **dict.fromkeys(("vp", "v", "verb", "verbe", "verbo"), Role.VERB),
    **dict.fromkeys(("prefix", "pref", "comp", "completive", "prefixe"), Role.PREFIX),
    **dict.fromkeys(("roc", "rc", "rel", "relative", "orc"), Role.RELATIVE),
}
NUMBERS: Mapping[str, str] = {
    **dict.fromkeys(("s", "sg", "sing", "singular"), SG),
    **dict.fromkeys(("p", "pl", "plu", "plur", "plural"), PL),
}
PASSED_OVER = frozenset({"", ".", "#", "id", "index", "unnamed"})
"""Columns of row numbers and of the final stop."""

_INFLECTED = frozenset({Role.SUBJECT, Role.EMBEDDED, Role.COORDINATED, Role.VERB})
_COUNTED = frozenset({Role.EMBEDDED, Role.COORDINATED})
_PART = re.compile(r"[a-z]+|[0-9]+")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A place in the sentence: the second attractor, its coordinated counterpart, the verb.

    `index` is 0 where there is only one of its kind.
    """

    role: Role
    index: int = 0

    def __str__(self) -> str:
        return f"{self.role}{self.index or ''}"


@dataclass(frozen=True, slots=True)
class Column:
    """A chunk, and the number that it has in this column; "" where it does not vary."""

    chunk: Chunk
    number: str


def understand(header: str) -> Column | None:
    """The column of this name, or None.

    >>> str(understand("Conj2 sing.").chunk), understand("np-p").number
    ('coordinated2', 'pl')
    """
    parts = _PART.findall(without_accents(header).lower())
    for ordered in (parts, parts[::-1]):
        words = [part for part in ordered if not part.isdigit()]
        indices = [int(part) for part in parts if part.isdigit() and len(part) < 3]
        named = _named(words)
        if named is not None and len(words) + len(indices) == len(parts) and len(indices) <= 1:
            return _column(*named, indices[0] if indices else 1)
    return None


def _named(words: list[str]) -> tuple[Role, str] | None:
    """Role and number of `np s`, of `nps`, or of a role alone."""
    match words:
        case [role, number] if role in ROLES and number in NUMBERS:
            return ROLES[role], NUMBERS[number]
        case [role] if role in ROLES:
            return ROLES[role], ""
        case [both]:
            cuts = ((both[:cut], both[cut:]) for cut in range(len(both) - 1, 0, -1))
            return next((found for cut in cuts if (found := _named(list(cut)))), None)
        case _:
            return None


def _column(role: Role, number: str, index: int) -> Column | None:
    if bool(number) != (role in _INFLECTED) or index < 1 or (index > 1 and role not in _COUNTED):
        return None
    return Column(Chunk(role, index if role in _COUNTED else 0), number)


def columns_of(header: Iterable[Field], problems: list[Diagnostic]) -> dict[Column, int]:
    """The place of each column that is understood; the others go to `problems`."""
    places: dict[Column, int] = {}
    for place, field in enumerate(header):
        column = understand(field.text)
        if column is not None and column not in places:
            places[column] = place
        elif column is not None:
            problems.append(_not_read("repeated-column", "stands here twice", field))
        elif field.text.lower().partition(":")[0].strip() not in PASSED_OVER:
            problems.append(_not_read("unknown-column", "is not understood", field))
    return places


def _not_read(code: str, what: str, field: Field) -> Diagnostic:
    help = "write np, pp1, conj1, vp with -s and -p, Prefix, ROC" if "unknown" in code else ""
    message = f"column '{field.text}' {what}, and is not read"
    return Diagnostic(code, message, field.span, help, Severity.WARNING)
