"""Matrices, candidates and problems as people and programs read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from blm.candidates import Verdict
from blm.layout import Codes, Item, Layout
from blm.phenomenon import ABSENT, PRESENCE, PRESENT, CellName, Family, Phenomenon, Value
from blm.tables import html_table
from blm.text import letters

Json = dict[str, Any]


class Matrix(Struct, frozen=True):
    """n items that obey every rule: n - 1 of context, and the solution.

    `choices` holds what the matrix chose beside its items: the value of each variable, and
    for each pooled rule its operator, as text. `codes` has the shape (columns,).
    """

    id: str
    items: tuple[Item, ...]
    choices: Mapping[str, Value]
    codes: Codes

    def __repr__(self) -> str:
        return f"<Matrix {self.id}: {len(self.items)} items>"

    def _repr_html_(self) -> str:
        cells = dict.fromkeys(cell for item in self.items for cell in item)
        rows = [
            [str(number), *(str(item.get(cell, ABSENT)) for cell in cells)]
            for number, item in enumerate(self.items, 1)
        ]
        return html_table(self.id, ["", *map(str, cells)], rows)

    @property
    def context(self) -> tuple[Item, ...]:
        """The items that a solver sees."""
        return self.items[:-1]

    @property
    def solution(self) -> Item:
        """The correct answer."""
        return self.items[-1]


class Candidate(Struct, frozen=True):
    """One choice of an answer set.

    `label` is the author's first label that fits, or the broken rules joined by `+`; `labels`
    lists all that fit. `edits` are the cells in which it differs from the solution.
    `repeats` is the place in the context (from 1) of an item that is the same, or None.
    """

    item: Item
    label: str
    labels: tuple[str, ...]
    correct: bool
    broken: tuple[str, ...]
    edits: tuple[CellName, ...]
    minimal: bool
    repeats: int | None


class Problem(dict[str, Any]):
    """A problem as `blm generate` writes it (see docs/datasets.md); a table in a notebook."""

    def _repr_html_(self) -> str:
        context = [[str(k), s["text"]] for k, s in enumerate(self["context"], 1)]
        answers = [
            [letter, c["text"], c["label"], " + ".join(b["rule"] for b in c["broken"]) or "nothing"]
            for letter, c in zip(letters(), self["candidates"], strict=False)
        ]
        return html_table(f"problem {self['id']}", ["", "context"], context) + html_table(
            "", ["", "answer", "label", "breaks"], answers
        )


def decode_matrix(layout: Layout, codes: Codes, index: int) -> Matrix:
    """The matrix number `index` (from 0) from its codes; its id counts from m1."""
    items = tuple(
        layout.decode_item(codes[layout.item_columns(position)])
        for position in range(1, layout.size + 1)
    )
    return Matrix(f"m{index + 1}", items, layout.decode_choices(codes), codes)


def matrix_index(identifier: str) -> int:
    """The number (from 0) of a matrix by its id, `m3` or `3`. ValueError if it is none."""
    digits = identifier.strip().removeprefix("m")
    if not (digits.isascii() and digits.isdigit() and int(digits) > 0):
        raise ValueError(f"'{identifier}' is no matrix; they are named m1, m2, ...")
    return int(digits) - 1


def solution_candidate(matrix: Matrix) -> Candidate:
    """The correct answer as a candidate. Its label is `correct`."""
    repeats = _place(matrix, matrix.solution)
    return Candidate(matrix.solution, "correct", ("correct",), True, (), (), True, repeats)


def make_candidate(layout: Layout, matrix: Matrix, verdict: Verdict, *, minimal: bool) -> Candidate:
    """A candidate from the solver's verdict on it."""
    item = layout.decode_item(verdict.codes)
    labels = tuple(dict.fromkeys(label for label, _ in verdict.fits))
    return Candidate(
        item=item,
        label=labels[0] if labels else "+".join(verdict.broken) or "correct",
        labels=labels,
        correct=not verdict.broken,
        broken=verdict.broken,
        edits=verdict.edits,
        minimal=minimal,
        repeats=_place(matrix, item),
    )


def _place(matrix: Matrix, item: Item) -> int | None:
    for place, other in enumerate(matrix.context, 1):
        if other == item:
            return place
    return None


# --- JSON ----------------------------------------------------------


def item_json(phenomenon: Phenomenon, item: Item) -> Json:
    """`{"subj": {"number": "sg"}, "pp3": null}`; null is an absent object or a missing value."""
    return {
        thing.name: None
        if thing.optional and item.get(CellName(thing.name, PRESENCE)) != PRESENT
        else {name: item.get(CellName(thing.name, name)) for name in thing.attributes}
        for thing in phenomenon.objects
    }


def matrix_json(phenomenon: Phenomenon, matrix: Matrix) -> Json:
    """`{"id", "items"}`, with `choices` where the phenomenon has variables or pools."""
    document: Json = {
        "id": matrix.id,
        "items": [item_json(phenomenon, item) for item in matrix.items],
    }
    if matrix.choices:
        document["choices"] = dict(matrix.choices)
    return document


def candidate_json(phenomenon: Phenomenon, candidate: Candidate) -> Json:
    """A candidate without its text."""
    families: dict[str, Family] = {rule.name: rule.family for rule in phenomenon.rules}
    return {
        "item": item_json(phenomenon, candidate.item),
        "label": candidate.label,
        "labels": list(candidate.labels),
        "correct": candidate.correct,
        "broken": [{"rule": r, "family": str(families[r])} for r in candidate.broken],
        "edits": [str(cell) for cell in candidate.edits],
        "minimal": candidate.minimal,
        "repeats": candidate.repeats,
    }


# --- items as text ----------------------------------------------------------


def item_text(phenomenon: Phenomenon, item: Item) -> str:
    """`subj.number=sg pp3=absent`: every cell that says something, in the author's order."""
    parts = []
    for cell in phenomenon.cells:
        name, value = cell.name, item.get(cell.name)
        if name.attribute == PRESENCE and value == PRESENT and _has_attributes(phenomenon, name):
            continue
        if value is not None:
            parts.append(f"{name}={value}")
    return " ".join(parts)


def _has_attributes(phenomenon: Phenomenon, name: CellName) -> bool:
    return any(o.name == name.object and o.attributes for o in phenomenon.objects)


class ItemSyntaxError(ValueError):
    """The text of an item cannot be read; the message says what to write."""


def parse_item(phenomenon: Phenomenon, text: str) -> dict[CellName, Value]:
    """Read `subj.number=pl pp2=absent ...`; the presence of an object follows from its cells.

    Raises ItemSyntaxError for unknown cells and values, and for repetitions.
    """
    known = {str(cell.name): cell for cell in phenomenon.cells}
    item: dict[CellName, Value] = {}
    for part in text.replace(",", " ").split():
        name, equals, word = part.partition("=")
        if not equals or name not in known:
            raise ItemSyntaxError(
                f"'{part}' is no cell; write NAME=VALUE with one of {_list(known)}"
            )
        cell = known[name]
        values = {str(v): v for v in cell.domain}
        if word not in values:
            raise ItemSyntaxError(f"'{word}' is no value of {name}; use {_list(values)}")
        if item.setdefault(cell.name, values[word]) != values[word]:
            raise ItemSyntaxError(f"'{name}' has two values")
    item = _complete(phenomenon, item)
    for cell in phenomenon.cells:
        there = item.get(CellName(cell.name.object, PRESENCE), PRESENT) == PRESENT
        if there and cell.condition is None and cell.name not in item:
            raise ItemSyntaxError(f"'{cell.name}' has no value; use {_list(map(str, cell.domain))}")
    return item


def _complete(phenomenon: Phenomenon, item: dict[CellName, Value]) -> dict[CellName, Value]:
    for thing in phenomenon.objects:
        if thing.optional:
            named = any(c.object == thing.name and c.attribute != PRESENCE for c in item)
            item.setdefault(CellName(thing.name, PRESENCE), PRESENT if named else ABSENT)
    return item


def _list(names: Iterable[str]) -> str:
    return ", ".join(names)
