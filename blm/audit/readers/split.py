"""The authors' split files: x.json, y.json and, beside them, labels, marks and templates."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from blm.audit.errors import AuditError
from blm.audit.readers.columns import MOST_COLUMNS
from blm.audit.readers.marks import marks, marks_from_labels
from blm.audit.readers.source import parse_json, read_text
from blm.audit.table import Fault, Part, Strings

CONTEXT, ANSWERS = "x.json", "y.json"
FILES = (
    CONTEXT,
    ANSWERS,
    "labels.json",
    "truth_bool.json",
    "x_templates.json",
    "y_templates.json",
    "type_file.json",
    "templates_file.json",
)
"""The names of files that belong together."""


def is_split(folder: Path) -> bool:
    """Whether a folder holds such files."""
    return (folder / CONTEXT).is_file() and (folder / ANSWERS).is_file()


def read(folder: Path, name: str, strings: Strings) -> Part:
    """The problems of a folder. AuditError where a file is no list of lists of texts."""
    context, answers = _grid(folder / CONTEXT), _grid(folder / ANSWERS)
    items = max(map(len, context), default=0)
    places = max(map(len, answers), default=0)
    if max(items, places) > MOST_COLUMNS:
        raise AuditError(f"{folder}: more than {MOST_COLUMNS} answers or sentences in a problem")
    faults: list[Fault] = []
    rows = len(answers)
    sentence_each, answer_each = [items] * rows, [len(row) for row in answers]
    context = _fit(context, sentence_each, CONTEXT, faults)
    labels = _beside(folder, "labels.json", answer_each, faults)
    truth = _beside(folder, "truth_bool.json", answer_each, faults)
    sentences = _beside(folder, "x_templates.json", sentence_each, faults)
    templates = _beside(folder, "y_templates.json", answer_each, faults)
    nothing: list[list[str]] = [[]] * rows
    right = marks(truth, places) if truth else marks_from_labels(labels or nothing, places)
    return Part(
        file=name,
        path=folder,
        layout="split JSON",
        context=strings.block(context, items),
        answers=strings.block(answers, places),
        context_names=tuple(f"x.{k}" for k in range(1, items + 1)),
        answer_names=tuple(f"y.{k}" for k in range(1, places + 1)),
        right=right,
        labels=strings.block(labels, places) if labels else None,
        context_items=strings.block(sentences, items) if sentences else None,
        answer_items=strings.block(templates, places) if templates else None,
        faults=tuple(faults),
    )


def _grid(path: Path) -> list[list[str]]:
    """A list of lists of texts."""
    document = parse_json(read_text(path), str(path))
    if not isinstance(document, list) or not all(isinstance(row, list) for row in document):
        raise AuditError(f"{path}: this is no list of lists")
    return [[_cell(cell, path, number) for cell in row] for number, row in enumerate(document, 1)]


def _cell(cell: Any, path: Path, row: int) -> str:
    if isinstance(cell, (list, dict)):
        raise AuditError(f"{path}: row {row} holds something that is no text")
    return "" if cell is None else str(cell)


def _beside(
    folder: Path, name: str, widths: Sequence[int], faults: list[Fault]
) -> list[list[str]] | None:
    path = folder / name
    if not path.is_file():
        if name in ("labels.json", "truth_bool.json"):
            faults.append(Fault("missing-column", 0, name, "there is no such file"))
        return None
    return _fit(_grid(path), widths, name, faults)


def _fit(
    grid: list[list[str]], widths: Sequence[int], name: str, faults: list[Fault]
) -> list[list[str]]:
    """A row for each width, none wider; a fault for each that has another number of cells.

    Problems may have different numbers of answers: y.json says how many each has.
    """
    rows = len(widths)
    if len(grid) != rows:
        faults.append(Fault("ragged-row", 0, name, f"{len(grid)} rows, y.json has {rows}"))
    fitted = []
    for number, (row, width) in enumerate(zip(grid, widths, strict=False), 1):
        if len(row) != width:
            faults.append(Fault("ragged-row", number, name, f"{len(row)} cells, not {width}"))
        fitted.append(row[:width])
    return fitted + [[]] * (rows - len(fitted))
