"""Which chunks of the fragments a phenomenon has a place for."""

from __future__ import annotations

from collections.abc import Iterator

from blm.conditions import domains_of
from blm.diagnostics import Diagnostic, Severity
from blm.importing.columns import PL, SG, Chunk, Role
from blm.importing.fragments import Fragments
from blm.phenomenon import CellName, Phenomenon

EMBEDDED, COORDINATED = "embedded", "coordinated"
"""The values of `link`, where an attractor of the phenomenon has that attribute."""

_NAMES = {
    Role.SUBJECT: "np-s and np-p",
    Role.EMBEDDED: "pp{0}-s and pp{0}-p",
    Role.COORDINATED: "conj{0}-s and conj{0}-p",
    Role.VERB: "vp-s and vp-p",
}


def number_of(chunk: Chunk) -> CellName:
    """The cell that decides the number of a chunk."""
    names = {Role.SUBJECT: "subj", Role.VERB: "verb"}
    return CellName(names.get(chunk.role, f"pp{chunk.index}"), "number")


def has_link(phenomenon: Phenomenon, index: int) -> bool:
    """Whether attractor `index` is embedded or coordinated."""
    domain = domains_of(phenomenon).get(CellName(f"pp{index}", "link"), ())
    return {EMBEDDED, COORDINATED} <= set(domain)


def placed_chunks(
    fragments: Fragments, phenomenon: Phenomenon, problems: list[Diagnostic]
) -> tuple[Chunk, ...]:
    """The chunks that the items of `phenomenon` can say, in the order of the sentence.

    What has no place goes to `problems`; so does what is missing, as an error where items cannot
    be said without.
    """
    wanted = tuple(_wanted(phenomenon))
    for chunk in fragments.chunks:
        if chunk not in wanted:
            message = f"'{phenomenon.name}' says no {chunk}: its columns are not placed"
            problems.append(_warning("no-place", message, fragments))
    problems += _missing(wanted, fragments, phenomenon)
    return tuple(chunk for chunk in wanted if chunk in fragments.chunks)


def _wanted(phenomenon: Phenomenon) -> Iterator[Chunk]:
    """The chunks that a phenomenon can say."""
    domains = domains_of(phenomenon)
    attractors = [i for i in range(1, 100) if CellName(f"pp{i}", "number") in domains]
    chunks = [Chunk(Role.SUBJECT)]
    for index in attractors:
        chunks.append(Chunk(Role.EMBEDDED, index))
        if has_link(phenomenon, index):
            chunks.append(Chunk(Role.COORDINATED, index))
    for chunk in (*chunks, Chunk(Role.VERB)):
        if {SG, PL} <= set(domains.get(number_of(chunk), ())):
            yield chunk
    yield Chunk(Role.PREFIX)
    yield Chunk(Role.RELATIVE)


def _missing(
    wanted: tuple[Chunk, ...], fragments: Fragments, phenomenon: Phenomenon
) -> Iterator[Diagnostic]:
    optional = {thing.name for thing in phenomenon.objects if thing.optional}
    for chunk in (Chunk(Role.SUBJECT), Chunk(Role.VERB)):
        if chunk not in wanted:
            message = f"'{phenomenon.name}' has no {number_of(chunk)} {{sg, pl}}"
            yield Diagnostic("unfit-phenomenon", message, phenomenon.span)
    for chunk in wanted:
        if chunk in fragments.chunks or chunk.role not in _NAMES:
            continue
        name = _NAMES[chunk.role].format(chunk.index)
        if chunk.role is Role.COORDINATED or number_of(chunk).object in optional:
            message = f"no columns {name}: sentences with a {chunk} do not show it"
            yield _warning("missing-column", message, fragments)
        else:
            yield Diagnostic("missing-column", f"no columns {name}", fragments.header)


def _warning(code: str, message: str, fragments: Fragments) -> Diagnostic:
    return Diagnostic(code, message, fragments.header, severity=Severity.WARNING)
