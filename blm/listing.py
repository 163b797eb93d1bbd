"""Lists of results that show as tables in a notebook."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from blm.phenomenon import ABSENT, PRESENCE, Phenomenon
from blm.problem import Candidate, Matrix, decode_matrix
from blm.solve import MatrixSpace
from blm.tables import html_table

_SHOWN = 5
"""Matrices that a notebook shows of a longer list."""

_BLOCK = 4096
"""Matrices decoded at a time."""


@dataclass(frozen=True, repr=False)
class Matrices(Sequence[Matrix]):
    """Matrices of a phenomenon, `start` to `stop` - 1 of its space, decoded when looked at."""

    phenomenon: Phenomenon
    space: MatrixSpace
    start: int
    stop: int
    say: Callable[[Matrix], Sequence[str]] | None = None

    def __len__(self) -> int:
        return self.stop - self.start

    @overload
    def __getitem__(self, index: int) -> Matrix: ...

    @overload
    def __getitem__(self, index: slice) -> list[Matrix]: ...

    def __getitem__(self, index: int | slice) -> Matrix | list[Matrix]:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        number = range(self.start, self.stop)[index]
        return decode_matrix(self.space.layout, self.space.codes(number), number)

    def __iter__(self) -> Iterator[Matrix]:
        for first in range(self.start, self.stop, _BLOCK):
            block = self.space.array(first, min(self.stop, first + _BLOCK))
            for number, codes in enumerate(block, first):
                yield decode_matrix(self.space.layout, codes, number)

    def __repr__(self) -> str:
        return f"<Matrices of {self.phenomenon.name}: {len(self):,}>"

    def _repr_html_(self) -> str:
        tables = [self._table(matrix) for matrix in self[:_SHOWN]]
        rest = len(self) - len(tables)
        return "".join(tables) + (f"<p>… and {rest:,} more</p>" if rest else "")

    def _table(self, matrix: Matrix) -> str:
        cells = [c.name for c in self.phenomenon.cells if c.name.attribute != PRESENCE]
        cells += [c.name for c in self.phenomenon.cells if not self._told(c.name.object)]
        words = self.say(matrix) if self.say else None
        head = ["", *map(str, cells), *(["sentence"] if words else [])]
        rows = []
        for number, item in enumerate(matrix.items, 1):
            row = [str(number), *(str(item.get(cell, ABSENT)) for cell in cells)]
            rows.append(row + ([words[number - 1]] if words else []))
        return html_table(matrix.id, head, rows)

    def _told(self, name: str) -> bool:
        """Whether an object has attributes, whose cells tell that it is there."""
        return any(
            o.name == name and (o.attributes or not o.optional) for o in self.phenomenon.objects
        )


class Candidates(tuple[Candidate, ...]):
    """Candidates of one matrix."""

    __slots__ = ()

    def __repr__(self) -> str:
        labels = ", ".join(candidate.label for candidate in self)
        return f"<Candidates: {labels}>"

    def _repr_html_(self) -> str:
        rows = [
            [
                ", ".join(candidate.labels) or candidate.label,
                " + ".join(candidate.broken) or "nothing",
                ", ".join(f"{c} = {candidate.item.get(c, ABSENT)}" for c in candidate.edits),
            ]
            for candidate in self
        ]
        return html_table("candidates", ["label", "breaks", "differs in"], rows)
