"""Decides which places of the sentence hold nouns, and which hold phrases as they stand.

A slot of a grammar holds words of one kind, so one phrase that is no article and noun makes its
slot, in all seeds, one of fixed phrases; which phrases do so is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from blm.diagnostics import Diagnostic, Severity
from blm.importing.columns import Chunk, Role
from blm.importing.fragments import Fragments, Pair
from blm.importing.split import Noun, Split, Splitter

Row = Mapping[Chunk, Pair]


@dataclass(frozen=True, slots=True)
class Plan:
    """The chunks that are `split` in every row, and what a row holds there.

    `nouns` are known by line and chunk, prepositions too.  Coordinated chunks that are split
    say `conjunction`, article and the noun of the attractor.
    """

    chunks: tuple[Chunk, ...]
    split: frozenset[Chunk]
    conjunction: str
    rows: Mapping[int, Row]
    nouns: Mapping[tuple[int, Chunk], Split]


Found = dict[tuple[int, Chunk], tuple[Split, ...]]
"""The ways to split the pair of a line and a chunk; none where it cannot be split."""


def make_plan(
    fragments: Fragments,
    chunks: tuple[Chunk, ...],
    splitter: Splitter,
    problems: list[Diagnostic],
    *,
    only_split: bool,
) -> Plan:
    """The plan for `chunks` of all rows; with `only_split` other rows are left out."""
    phrases = [chunk for chunk in chunks if _is_phrase(chunk)]
    found: Found = {
        (line, chunk): splitter.splits(row[chunk], bare=chunk.role is Role.SUBJECT)
        for line, row in fragments.rows.items()
        for chunk in phrases
    }
    conjunction = _conjunction(found)
    _couple(found, conjunction)
    failed = {key for key, splits in found.items() if not splits}
    if splitter.able:
        problems += _not_split(failed, fragments.rows, left_out=only_split)
    rows = fragments.rows
    if only_split:
        lines = {line for line, _ in failed}
        rows = {line: row for line, row in rows.items() if line not in lines}
    split = frozenset(c for c in phrases if all(found[line, c] for line in rows))
    split -= {c for c in split if c.role is Role.COORDINATED and _partner(c) not in split}
    if splitter.able:
        problems += _fixed(frozenset(phrases) - split, failed, fragments)
    nouns = _choose({k: s for k, s in found.items() if k[1] in split and k[0] in rows})
    problems += _doubtful_genders(found, nouns, rows)
    return Plan(chunks, split, conjunction, rows, nouns)


def _is_phrase(chunk: Chunk) -> bool:
    return chunk.role in (Role.SUBJECT, Role.EMBEDDED, Role.COORDINATED)


def _partner(chunk: Chunk) -> Chunk:
    """The attractor beside a coordinated chunk."""
    return Chunk(Role.EMBEDDED, chunk.index)


def _conjunction(found: Found) -> str:
    """The word that most coordinated chunks begin with."""
    counted = Counter(
        splits[0].preposition
        for (_, chunk), splits in found.items()
        if chunk.role is Role.COORDINATED and splits and splits[0].preposition.isalpha()
    )
    return counted.most_common(1)[0][0] if counted else ""


def _couple(found: Found, conjunction: str) -> None:
    """Keep of an attractor and its coordinated counterpart the nouns that they share.

    A counterpart with another noun or conjunction is not split.
    """
    for (line, chunk), splits in list(found.items()):
        if chunk.role is not Role.COORDINATED:
            continue
        beside = found.get((line, _partner(chunk)), ())
        joined = {split.noun for split in splits if split.preposition == conjunction}
        shared = tuple(split for split in beside if split.noun in joined)
        found[line, chunk] = tuple(Split(conjunction, split.noun) for split in shared)
        if shared:
            found[line, _partner(chunk)] = shared


def _choose(found: Found) -> dict[tuple[int, Chunk], Split]:
    """One way to split each pair: that of the gender which the noun shows elsewhere, if any."""
    shown = {
        _forms(splits[0]): splits[0].noun.gender for splits in found.values() if not splits[1:]
    }
    return {
        key: next((s for s in splits if s.noun.gender == shown.get(_forms(s))), splits[0])
        for key, splits in found.items()
    }


def _forms(split: Split) -> tuple[str, str]:
    return split.noun.sg, split.noun.pl


# --- what is said about it ----------------------------------------------------------


def _not_split(
    failed: set[tuple[int, Chunk]], rows: Mapping[int, Row], *, left_out: bool
) -> Iterator[Diagnostic]:
    fate = "the row is left out" if left_out else "kept as it stands"
    for line, chunk in sorted(failed, key=lambda key: (key[0], str(key[1]))):
        if chunk.role is Role.COORDINATED and (line, _partner(chunk)) in failed:
            continue  # its attractor is reported
        pair = rows[line][chunk]
        reason = "not an article and a noun, as the language writes them"
        if chunk.role is Role.COORDINATED:
            reason = "not a conjunction, an article and the noun of the attractor"
        message = f"{pair.sg} with '{pair.pl.raw}': {reason}; {fate}"
        yield Diagnostic("not-split", message, pair.sg.span, severity=Severity.WARNING)


def _fixed(
    chunks: frozenset[Chunk], failed: set[tuple[int, Chunk]], fragments: Fragments
) -> Iterator[Diagnostic]:
    for chunk in sorted(chunks, key=str):
        lines = sorted(line for line, other in failed if other == chunk)
        because = f"because of row{'s'[: len(lines) > 1]} {', '.join(map(str, lines[:12]))}"
        more = f" and {len(lines) - 12} more" if len(lines) > 12 else ""
        if not lines:
            because = f"as {_partner(chunk)} does"
        message = f"'{chunk}' holds phrases as they stand in all seeds, {because}{more}"
        help = "mend these cells, or leave such rows out"
        yield Diagnostic("fixed-phrases", message, fragments.header, help, Severity.WARNING)


def _doubtful_genders(
    found: Found, nouns: Mapping[tuple[int, Chunk], Split], rows: Mapping[int, Row]
) -> Iterator[Diagnostic]:
    """A warning for each noun whose gender nothing shows."""
    known = {split.noun for key, split in nouns.items() if len(found[key]) == 1}
    doubtful: dict[Noun, tuple[int, Chunk]] = {}
    for key, split in nouns.items():
        if len(found[key]) > 1 and split.noun not in known:
            doubtful.setdefault(split.noun, key)
    for noun, (line, chunk) in doubtful.items():
        cell = rows[line][chunk].sg
        message = f"{cell} does not show the gender of '{noun.sg}'; taken as {noun.gender}"
        help = "correct the column gender of the table of nouns"
        yield Diagnostic("gender-unknown", message, cell.span, help, Severity.WARNING)
