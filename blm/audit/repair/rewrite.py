"""Writes the files of a data set again, in their layout, with their sentences corrected."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from blm.audit.readers.columns import read_rows, role_of
from blm.audit.readers.source import parse_json, read_bytes, read_text
from blm.audit.repair.fixer import Fixer

_BOM = b"\xef\xbb\xbf"

Rewriter = Callable[[Path, Path, Fixer], None]


def rewrite_columns(source: Path, target: Path, fixer: Fixer) -> None:
    """A table: the columns of sentences and of chunks are corrected, the others copied."""
    names, rows, delimiter = read_rows(source)
    data = read_bytes(source)
    end = "\r\n" if b"\r\n" in data[: data.find(b"\n") + 1] else "\n"
    fixes = [_fix_of(name, fixer) for name in names]
    with target.open("w", encoding="utf-8", newline="") as file:
        file.write("\ufeff" if data.startswith(_BOM) else "")
        writer = csv.writer(file, delimiter=delimiter, lineterminator=end)
        writer.writerow(names)
        for row in rows:
            tail = row[len(fixes) :]
            writer.writerow([*(fix(c) for fix, c in zip(fixes, row, strict=False)), *tail])


def _fix_of(name: str, fixer: Fixer) -> Callable[[str], str]:
    role = role_of(name)
    if role is not None and role[0] in ("context", "answers"):
        return fixer.fix
    return fixer.fix_chunks if "chunks" in name.lower() else _same


def _same(cell: str) -> str:
    return cell


def rewrite_jsonl(source: Path, target: Path, fixer: Fixer) -> None:
    """JSON Lines: lines without a correction stay as they are."""
    with target.open("w", encoding="utf-8", newline="") as file:
        for number, line in enumerate(read_text(source).split("\n"), 1):
            record = parse_json(line, f"{source}:{number}") if line.strip() else None
            if isinstance(record, dict) and _fix_record(record, fixer):
                line = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
            file.write(line + "\n" if line else "")


def rewrite_json(source: Path, target: Path, fixer: Fixer) -> None:
    """A JSON list of problems."""
    records = parse_json(read_text(source), str(source))
    for record in records:
        _fix_record(record, fixer)
    target.write_text(json.dumps(records, ensure_ascii=False) + "\n", encoding="utf-8")


def rewrite_grid(source: Path, target: Path, fixer: Fixer) -> None:
    """A list of lists of sentences: x.json, y.json."""
    grid = parse_json(read_text(source), str(source))
    fixed = [[fixer.fix(c) if isinstance(c, str) else c for c in row] for row in grid]
    target.write_text(json.dumps(fixed, ensure_ascii=False), encoding="utf-8")


def rewrite_parquet(source: Path, target: Path, fixer: Fixer) -> None:
    """Parquet, with the same schema."""
    pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    table = parquet.read_table(source)
    records = table.to_pylist()
    for record in records:
        _fix_record(record, fixer)
    parquet.write_table(pyarrow.Table.from_pylist(records, schema=table.schema), target)


def _fix_record(record: dict[str, Any], fixer: Fixer) -> bool:
    """Correct the sentences of a problem in place; whether there was anything to correct."""
    changed = False
    for entries in (record.get("context"), record.get("candidates")):
        if not isinstance(entries, list):
            continue
        for place, entry in enumerate(entries):
            text = entry.get("text") if isinstance(entry, dict) else entry
            if not isinstance(text, str) or (fixed := fixer.fix(text)) == text:
                continue
            changed = True
            if isinstance(entry, dict):
                entry["text"] = fixed
            else:
                entries[place] = fixed
    return changed


REWRITERS: Mapping[str, Rewriter] = {
    ".jsonl": rewrite_jsonl,
    ".parquet": rewrite_parquet,
    ".csv": rewrite_columns,
    ".tsv": rewrite_columns,
    ".json": rewrite_json,
}
"""How a file is written again, by its suffix."""
