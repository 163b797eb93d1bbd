"""Finds what a path holds: a file, our data set, split files, or a folder of such."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any

from blm.audit.errors import AuditError
from blm.audit.readers import columns, records, split
from blm.audit.readers.source import parse_json, read_text
from blm.audit.table import Meta, Part, Strings, Table

MANIFEST = "manifest.json"
MOST_FILES = 1000
"""Files of a folder beyond which it is taken for something else."""

Reader = Callable[[Path, str, Strings], Part]

READERS: Mapping[str, Reader] = {
    ".jsonl": records.read_jsonl,
    ".parquet": records.read_parquet,
    ".csv": columns.read,
    ".tsv": columns.read,
    ".json": records.read_json,
}
"""How a file is read, by its suffix; of the same problems in several formats, the first."""

_SPLIT_FOLDER = ""
"""The suffix of a folder of split files; they say least."""

_SPLITS = {
    "train": "train",
    "training": "train",
    "dev": "dev",
    "valid": "dev",
    "validation": "dev",
    "val": "dev",
    "test": "test",
    "testing": "test",
}


def read_table(path: Path) -> Table:
    """Everything that a path holds. AuditError where there is nothing, or it cannot be read."""
    try:
        exists, folder = path.exists(), path.is_dir()
    except (OSError, ValueError) as error:
        raise AuditError(f"{str(path)[:80]!r}: {error}") from None
    if not exists:
        raise AuditError(f"{path}: there is no such file or folder")
    strings = Strings()
    if not folder:
        return _read_file(path, strings)
    if (path / MANIFEST).is_file():
        return _read_ours(path, strings)
    return _read_folder(path, strings)


def split_of(name: str) -> str:
    """The split that a path names: train, dev or test; nothing if it names none.

    >>> split_of("type_I/datasets/test/x.json")
    'test'
    """
    for part in reversed(PurePath(name).parts):
        for word in re.split(r"[^a-z]+", part.lower()):
            if word in _SPLITS:
                return _SPLITS[word]
    return ""


def _read_file(path: Path, strings: Strings) -> Table:
    if path.name in split.FILES and split.is_split(path.parent):
        part = split.read(path.parent, path.parent.name or ".", strings)
    else:
        part = _read_one(path, path.name, strings)
    manifest = _manifest_beside(path)
    return Table(path, (_with_meta(part, manifest),), strings)


def _read_one(path: Path, name: str, strings: Strings) -> Part:
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise AuditError(f"{path}: unknown kind of file; known are {', '.join(READERS)}")
    return replace(reader(path, name, strings), split=split_of(name))


# --- our data sets ----------------------------------------------------------------------------


def _manifest(path: Path) -> dict[str, Any]:
    document = parse_json(read_text(path), str(path))
    if not isinstance(document, dict):
        raise AuditError(f"{path}: this is no manifest")
    return document


def _manifest_beside(path: Path) -> dict[str, Any] | None:
    """The manifest of the folder of a file, if the file is one that it lists."""
    if not (path.parent / MANIFEST).is_file():
        return None
    manifest = _manifest(path.parent / MANIFEST)
    files = manifest.get("files")
    return manifest if isinstance(files, dict) and path.name in files else None


def _read_ours(folder: Path, strings: Strings) -> Table:
    """The files that the manifest lists; the same problems in other formats are left out."""
    manifest = _manifest(folder / MANIFEST)
    files = manifest.get("files")
    names = _with_problems(files) if isinstance(files, dict) else []
    there = [name for name in names if _is_inside(name) and os.path.isfile(folder / name)]
    known = _grouped(folder, there)
    chosen = _one_format(known)
    if not chosen:
        raise AuditError(f"{folder}: the manifest lists no file of problems that is there")
    skipped = [(n, "the same problems in another format") for n in known if n not in chosen]
    parts, unread = _read_all(folder, [folder / name for name in chosen], strings)
    parts = [_with_meta(part, manifest) for part in parts]
    return Table(folder, tuple(parts), strings, (*skipped, *unread), manifest)


def _with_problems(files: Mapping[str, Any]) -> list[str]:
    """The files that hold problems: those with a split, where the manifest says so of any."""
    told = [name for name, about in files.items() if isinstance(about, dict) and "split" in about]
    return told or [str(name) for name in files]


def _is_inside(name: str) -> bool:
    pure = PurePath(name)
    return not pure.is_absolute() and ".." not in pure.parts


def _grouped(folder: Path, names: Iterable[str]) -> list[str]:
    """The files, and instead of split files the folder in which they lie together."""
    groups = {
        name: PurePath(name).parent.as_posix()
        for name in names
        if PurePath(name).name in split.FILES and split.is_split((folder / name).parent)
    }
    return list(dict.fromkeys(groups.get(name, name) for name in names))


def _one_format(names: list[str]) -> list[str]:
    """Of files with the same stem the one that says most; none that no reader knows."""
    order = [*READERS, _SPLIT_FOLDER]
    best: dict[str, str] = {}
    for name in sorted(names):
        pure = PurePath(name)
        if pure.suffix.lower() not in order:
            continue
        stem = str(pure.with_suffix(""))
        rank = order.index(pure.suffix.lower())
        if stem not in best or rank < order.index(PurePath(best[stem]).suffix.lower()):
            best[stem] = name
    return list(best.values())


def _with_meta(part: Part, manifest: Mapping[str, Any] | None) -> Part:
    """A part with what its manifest says."""
    if manifest is None:
        return part
    options = manifest.get("options")
    said = {**manifest, **options} if isinstance(options, dict) else manifest
    return replace(
        part,
        meta=Meta(
            language=part.meta.language or str(manifest.get("language") or ""),
            answers=str(said.get("answers") or ""),
            repeats=part.meta.repeats or said.get("exclude_repeats") is False,
        ),
    )


# --- anyone's folders ---------------------------------------------------------------------------


def _read_folder(folder: Path, strings: Strings) -> Table:
    parts, skipped = _read_all(folder, _candidates(folder), strings)
    return Table(folder, tuple(parts), strings, tuple(skipped))


def _read_all(
    folder: Path, paths: Iterable[Path], strings: Strings
) -> tuple[list[Part], list[tuple[str, str]]]:
    """The files that hold problems, and why others do not. AuditError if none does."""
    parts, skipped = [], []
    for path in paths:
        name = path.relative_to(folder).as_posix() or "."
        try:
            if path.is_dir():
                parts.append(replace(split.read(path, name, strings), split=split_of(name)))
            else:
                parts.append(_read_one(path, name, strings))
        except AuditError as error:
            skipped.append((name, str(error).removeprefix(f"{path}: ")))
    if not parts:
        why = f": {skipped[0][0]}: {skipped[0][1]}" if skipped else ""
        raise AuditError(f"{folder}: no data set in this folder{why}")
    return parts, skipped


def _candidates(folder: Path) -> Iterator[Path]:
    """Files of known kinds, and folders of split files, in order of their names."""
    count = 0
    for root, folders, names in os.walk(folder):
        folders.sort()
        here = Path(root)
        grouped = split.is_split(here)
        if grouped:
            yield here
        for name in sorted(names):
            if Path(name).suffix.lower() in READERS and not (grouped and name in split.FILES):
                count += 1
                if count > MOST_FILES:
                    raise AuditError(f"{folder}: more than {MOST_FILES} files; audit its parts")
                yield here / name
