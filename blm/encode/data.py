"""Reads data sets as texts: the one place that knows how a problem lies in a file.

A record is the one that `blm generate` writes (`blm.dataset.records`), as a line of JSON or a row
of Parquet.  A folder holds one file or many; `train`, `dev` and `test` in the name of a file or its
folder, or a field `split` of the record, say which split a problem is in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SPLITS = ("train", "dev", "test")
UNSPLIT = "all"
_SPLIT_NAMES = {"train": "train", "test": "test"} | dict.fromkeys(
    ("dev", "valid", "val", "validation"), "dev"
)


@dataclass(frozen=True, slots=True)
class Choice:
    """A candidate: its text, the label of its place, the rules it breaks and their families."""

    text: str
    label: str
    rules: tuple[str, ...] = ()
    families: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """A problem as text: a context, the choices for the next sentence, and which is right."""

    id: str
    phenomenon: str
    language: str
    type: str
    matrix: str
    clause: str
    seeds: tuple[str, ...]
    context: tuple[str, ...]
    choices: tuple[Choice, ...]
    answer: int

    @property
    def solution(self) -> str:
        """The text of the correct choice."""
        return self.choices[self.answer].text


def read_splits(folder: str | Path) -> dict[str, tuple[Example, ...]]:
    """The problems of a data set by split; those of no split stand under `all`.

    FileNotFoundError where there are no problems, ValueError where a record is none.
    """
    folder = Path(folder)
    found: dict[str, list[Example]] = {}
    for path in _files(folder):
        place = _split_of(path.relative_to(folder) if path != folder else Path(path.name))
        for number, record in enumerate(_records(path), 1):
            try:
                example = example_of(record)
            except (KeyError, TypeError, IndexError, ValueError) as error:
                reason = f"no {error}" if isinstance(error, KeyError) else str(error)
                raise ValueError(f"{path}:{number}: this is no problem: {reason}") from None
            split = _SPLIT_NAMES.get(str(record.get("split") or ""), place)
            found.setdefault(split, []).append(example)
    return {split: tuple(found[split]) for split in (*SPLITS, UNSPLIT) if split in found}


def read_examples(folder: str | Path) -> tuple[Example, ...]:
    """All problems of a data set, whatever their split."""
    return tuple(example for part in read_splits(folder).values() for example in part)


def example_of(record: dict[str, Any]) -> Example:
    """The problem of a record. KeyError, TypeError or ValueError where it is none."""
    context = _nested(record["context"])
    candidates = _nested(record["candidates"])
    example = Example(
        id=str(record["id"]),
        phenomenon=str(record.get("phenomenon") or ""),
        language=str(record.get("language") or ""),
        type=str(record.get("type") or ""),
        matrix=str(record.get("matrix") or ""),
        clause=str(record.get("clause") or ""),
        seeds=tuple(map(str, _nested(record.get("seeds") or []))),
        context=tuple(_text(sentence) for sentence in context),
        choices=tuple(_choice(candidate) for candidate in candidates),
        answer=int(record["answer"]),
    )
    if not example.context:
        raise ValueError("its context is empty")
    if not 0 <= example.answer < len(example.choices):
        raise ValueError(f"there is no candidate {example.answer}")
    return example


def _choice(candidate: Any) -> Choice:
    broken = _nested(candidate.get("broken") or [])
    rules = tuple(str(rule["rule"]) for rule in broken)
    families = tuple(dict.fromkeys(str(rule["family"]) for rule in broken))
    return Choice(str(candidate["text"]), str(candidate["label"]), rules, families)


def _text(sentence: Any) -> str:
    return sentence if isinstance(sentence, str) else str(sentence["text"])


def _nested(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value


# --- files ----------------------------------------------------------


def _files(folder: Path) -> list[Path]:
    """The files with problems; of one that stands in both formats, the Parquet file."""
    if folder.is_file():
        return [folder]
    paths = [
        path
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".jsonl", ".parquet")
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]
    if not paths:
        raise FileNotFoundError(f"{folder} holds no problems (*.jsonl or *.parquet)")
    parquet = [path for path in paths if path.suffix == ".parquet"]
    return parquet or paths


def _split_of(path: Path) -> str:
    """The split that the name of a file, or else of its folder, speaks of."""
    for part in reversed(path.parts):
        for word in re.split(r"[-._]", part):
            if word in _SPLIT_NAMES:
                return _SPLIT_NAMES[word]
    return UNSPLIT


def _records(path: Path) -> Iterator[dict[str, Any]]:
    if path.suffix == ".parquet":
        from pyarrow import parquet

        for batch in parquet.ParquetFile(path).iter_batches(batch_size=1024):
            yield from batch.to_pylist()
        return
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                yield json.loads(line)
            except json.JSONDecodeError:
                raise ValueError(f"{path}:{number}: this line is no JSON") from None


def sentences(examples: Iterable[Example]) -> Iterator[str]:
    """Every sentence of every problem, repetitions included, in order."""
    for example in examples:
        yield from example.context
        for choice in example.choices:
            yield choice.text
