"""The sentences of a clause type and a seed as trails: what is said part by part.

Neither items nor sentences are listed.  A part of a sentence says few different things, its
variants, whatever the number of items; a trail is a choice of variants for the first parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from blm.concrete import Concrete
from blm.conditions import Item
from blm.phenomenon import CellName, Value
from blm.realise import speaker
from blm.realise.pieces import Piece
from blm.realise.speaker import Part
from blm.universe import Partial, Universe
from blm.words import Seed


class Trail(Struct, frozen=True):
    """A sentence of a seed up to some part.

    `settled` is the text that nothing said later can change, `run` are the pieces after it.
    `partials` are the values of cells under which all of it is said.
    """

    clause: str
    seed: Seed
    parts: tuple[Part, ...]
    settled: str = ""
    run: tuple[Piece, ...] = ()
    partials: tuple[Partial, ...] = ({},)


class Trails:
    """The trails of a concrete grammar."""

    def __init__(self, concrete: Concrete) -> None:
        self.clauses = tuple(clause.name for clause in concrete.clauses)
        self.speaker = speaker(concrete)
        self.language = self.speaker.language
        self._universe = Universe(concrete.phenomenon)
        self._partials: dict[Part, tuple[tuple[Item, Partial], ...]] = {}

    def start(self, clause: str, seed: Seed) -> Trail:
        """The trail on which nothing is said yet."""
        return Trail(clause, seed, self.speaker.parts(clause))

    def steps(self, trail: Trail) -> Iterator[Trail]:
        """The trails that go one part further; a trail without `parts` is at its end."""
        part, *rest = trail.parts
        for piece, said in self._variants(part, trail.seed).items():
            merged = (_merge(one, other) for one in trail.partials for other in said)
            partials = tuple(partial for partial in merged if partial is not None)
            if partials:
                settled, run = self._extend(trail, piece)
                yield Trail(trail.clause, trail.seed, tuple(rest), settled, run, partials)

    def certain(self, trail: Trail) -> str:
        """A beginning of every sentence on this trail."""
        if not trail.run:
            return trail.settled
        piece = self._merged(trail.run)
        if not piece.open:
            return trail.settled + piece.text.rstrip()[:-1]
        known = "".join(self.language.written(piece.tokens)[:-2]).rstrip()
        return trail.settled + known[:-1]

    def text(self, trail: Trail) -> str:
        """The sentence at the end of a trail."""
        text = trail.settled + (self._merged(trail.run).text if trail.run else "")
        return self.speaker.finish(trail.clause, text)

    def items(self, trail: Trail) -> Iterator[dict[CellName, Value]]:
        """The items that are said on this trail."""
        for partial in trail.partials:
            yield from self._universe.items(partial)

    def _variants(self, part: Part, seed: Seed) -> Mapping[Piece, list[Partial]]:
        """What a part says with these words, and under which values of its cells."""
        if part not in self._partials:
            self._partials[part] = tuple(
                (item, {cell: item.get(cell) for cell in part.cells})
                for item in self._universe.projections(part.cells)
            )
        variants: dict[tuple[object, ...], tuple[Piece, list[Partial]]] = {}
        for item, partial in self._partials[part]:
            piece = self.speaker.piece(part, item, seed.words)
            variants.setdefault(piece.tokens, (piece, []))[1].append(partial)
        return dict(variants.values())

    def _extend(self, trail: Trail, piece: Piece) -> tuple[str, tuple[Piece, ...]]:
        """Settled text and run with one more piece."""
        if not piece.tokens:
            return trail.settled, trail.run
        if trail.run and not (trail.run[-1].open or piece.leans):
            return trail.settled + self._merged(trail.run).text, (piece,)
        return trail.settled, (*trail.run, piece)

    def _merged(self, run: tuple[Piece, ...]) -> Piece:
        return run[0] if len(run) == 1 else self.speaker.merge(run)


def _merge(one: Partial, other: Partial) -> dict[CellName, Value | None] | None:
    """Both partial items together, or None where they differ."""
    if any(one[cell] != value for cell, value in other.items() if cell in one):
        return None
    return {**one, **other}
