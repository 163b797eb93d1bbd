"""Problems as records: our JSON Lines, our Parquet, and lists of such records.

A record has `context` and `candidates`, lists of texts or of objects with a `text`; a
candidate says whether it is `correct`, its `label`, its `item`, what it has `broken`, its
`edits`, and which sentence of the context it `repeats`; `answer` is the place of the right one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from blm.audit.errors import AuditError
from blm.audit.readers.columns import MOST_COLUMNS
from blm.audit.readers.source import parse_json, read_text
from blm.audit.table import Fault, Ids, Meta, Part, Strings

Json = Mapping[str, Any]


@dataclass
class _Rows:
    """What is gathered from records, a list for each column of the table."""

    context: list[list[str]] = field(default_factory=list)
    answers: list[list[str]] = field(default_factory=list)
    labels: list[list[str]] = field(default_factory=list)
    context_items: list[list[str]] = field(default_factory=list)
    answer_items: list[list[str]] = field(default_factory=list)
    broken: list[list[str]] = field(default_factory=list)
    right: list[list[int]] = field(default_factory=list)
    edits: list[list[int]] = field(default_factory=list)
    repeats: list[list[int]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    declared: bool = False
    language: str = ""
    known: dict[bytes, str] = field(default_factory=dict)

    def item(self, item: Any) -> str:
        """As `item_text`; made once of equal items, which are many."""
        if not isinstance(item, dict):
            return item_text(item)
        key = msgspec.json.encode(item)
        if key not in self.known:
            self.known[key] = item_text(item)
        return self.known[key]


def read_jsonl(path: Path, name: str, strings: Strings) -> Part:
    """Our JSON Lines: a problem a line. AuditError where a line is none."""
    lines = enumerate(read_text(path).split("\n"), 1)
    records = (parse_json(line, f"{path}:{number}") for number, line in lines if line.strip())
    return to_part(records, path, name, "jsonl", strings)


def read_json(path: Path, name: str, strings: Strings) -> Part:
    """A JSON list of problems."""
    document = parse_json(read_text(path), str(path))
    if not isinstance(document, list):
        raise AuditError(f"{path}: this is no list of problems")
    return to_part(document, path, name, "json", strings)


def read_parquet(path: Path, name: str, strings: Strings) -> Part:
    """Our Parquet: the same fields as JSON Lines."""
    try:
        pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise AuditError(f"{path}: reading Parquet needs pyarrow: pip install pyarrow") from None
    try:
        records = parquet.read_table(path).to_pylist()
    except (OSError, pyarrow.ArrowException) as error:
        raise AuditError(f"{path}: this is no Parquet file: {str(error)[:200]}") from None
    return to_part(records, path, name, "parquet", strings)


def to_part(records: Iterable[Any], path: Path, name: str, layout: str, strings: Strings) -> Part:
    """Records as a part of a table. AuditError where one is no problem."""
    rows = _Rows()
    for number, record in enumerate(records, 1):
        _gather(rows, record, f"{path}: problem {number}", number)
    items, places = _width(rows.context), _width(rows.answers)
    if max(items, places) > MOST_COLUMNS:
        raise AuditError(f"{path}: more than {MOST_COLUMNS} answers or sentences in a problem")
    return Part(
        file=name,
        path=path,
        layout=layout,
        context=strings.block(rows.context, items),
        answers=strings.block(rows.answers, places),
        context_names=tuple(f"context.{k}" for k in range(1, items + 1)),
        answer_names=tuple(f"candidates.{k}" for k in range(1, places + 1)),
        right=_numbers(rows.right, places).astype(np.int8),
        labels=strings.block(rows.labels, places),
        context_items=_said(strings.block(rows.context_items, items)),
        answer_items=_said(strings.block(rows.answer_items, places)),
        edits=_numbers(rows.edits, places),
        broken=strings.block(rows.broken, places),
        repeats=_numbers(rows.repeats, places),
        faults=tuple(rows.faults),
        meta=Meta(language=rows.language, repeats=rows.declared),
    )


def _gather(rows: _Rows, record: Any, place: str, number: int) -> None:
    if not isinstance(record, dict):
        raise AuditError(f"{place}: this is no object with context and candidates")
    context = _list(record.get("context"), place, "context")
    candidates = _list(record.get("candidates"), place, "candidates")
    rows.context.append([_text(entry, place) for entry in context])
    rows.answers.append([_text(entry, place) for entry in candidates])
    said, answers = [_fields(entry) for entry in context], [_fields(entry) for entry in candidates]
    rows.context_items.append([rows.item(entry.get("item")) for entry in said])
    rows.answer_items.append([rows.item(entry.get("item")) for entry in answers])
    rows.labels.append([str(entry.get("label") or "") for entry in answers])
    rows.broken.append([_broken(entry.get("broken")) for entry in answers])
    rows.edits.append([_length(entry.get("edits")) for entry in answers])
    rows.right.append(_right(record, answers))
    rows.repeats.append([_place(entry.get("repeats")) for entry in answers])
    rows.declared |= any("repeats" in entry for entry in answers)
    rows.language = rows.language or str(record.get("language") or "")
    _check_answer(rows, record.get("answer"), number)


def _right(record: Json, candidates: Sequence[Json]) -> list[int]:
    """1, 0 or -1 for each candidate; from `answer` where the candidates do not say."""
    said = [entry.get("correct") for entry in candidates]
    if any(isinstance(mark, bool) for mark in said):
        return [int(mark) if isinstance(mark, bool) else -1 for mark in said]
    answer = record.get("answer")
    if not isinstance(answer, int) or not 0 <= answer < len(candidates):
        return [-1] * len(candidates)
    return [int(place == answer) for place in range(len(candidates))]


def _check_answer(rows: _Rows, answer: Any, number: int) -> None:
    right = [place for place, mark in enumerate(rows.right[-1]) if mark == 1]
    if answer is not None and answer not in right:
        text = f"answer is {str(answer)[:20]}, right is {', '.join(map(str, right)) or 'none'}"
        rows.faults.append(Fault("contradictory-marks", number, "answer", text))


def item_text(item: Any) -> str:
    """An item as `subj.number=pl pp3=absent`; a text is taken as it is.

    >>> item_text({"subj": {"number": "pl"}, "pp3": None, "by": {}})
    'subj.number=pl pp3=absent by=present'
    """
    if not isinstance(item, dict):
        return item if isinstance(item, str) else ""
    parts = []
    for name, cells in item.items():
        if cells is None:
            parts.append(f"{name}=absent")
        elif not isinstance(cells, dict):
            parts.append(f"{name}={cells}")
        elif not cells:
            parts.append(f"{name}=present")
        else:
            for cell, value in cells.items():  # a comprehension costs more than its few cells
                if value is not None:
                    parts.append(f"{name}.{cell}={value}")
    return " ".join(parts)


# --- small things -----------------------------------------------------------------------------


def _fields(entry: Any) -> Json:
    """The fields of an entry; a bare text has none."""
    return entry if isinstance(entry, dict) else {}


def _list(value: Any, place: str, name: str) -> Sequence[Any]:
    if not isinstance(value, list):
        raise AuditError(f"{place}: there is no list '{name}'")
    return value


def _text(entry: Any, place: str) -> str:
    text = entry.get("text") if isinstance(entry, dict) else entry
    if text is not None and not isinstance(text, str):
        raise AuditError(f"{place}: a sentence is no text: {str(text)[:40]}")
    return text or ""


def _broken(value: Any) -> str:
    """The names of broken rules joined by `+`, `-` for none, nothing where nothing is said."""
    if not isinstance(value, list):
        return ""
    names = [str(entry.get("rule") or "?") if isinstance(entry, dict) else str(entry)
             for entry in value]  # fmt: skip
    return "+".join(names) or "-"


def _length(value: Any) -> int:
    return min(len(value), 1000) if isinstance(value, list) else -1


def _place(value: Any) -> int:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return min(max(value, 0), 1000) if whole else 0


def _width(rows: Iterable[Sequence[object]]) -> int:
    return max(map(len, rows), default=0)


def _numbers(rows: Sequence[Sequence[int]], width: int) -> np.ndarray[Any, np.dtype[np.int16]]:
    padded = [[*row, *[-1] * (width - len(row))] for row in rows]
    return np.array(padded, dtype=np.int16).reshape(len(rows), width)


def _said(ids: Ids) -> Ids | None:
    return ids if (ids >= 0).any() else None
