"""The corrected copy as a whole: it appears complete or not at all, and says what it left."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from blm.audit.checks import KINDS
from blm.audit.errors import AuditError
from blm.audit.finding import Severity
from blm.audit.readers import READERS, read_table, split
from blm.audit.readers.folder import MANIFEST
from blm.audit.repair.fixer import Fixer, usual_apostrophe
from blm.audit.repair.rewrite import REWRITERS, rewrite_grid
from blm.audit.report import audit
from blm.audit.table import Part, Strings
from blm.audit.writing.language import guess


@dataclass(frozen=True)
class Change:
    """What was corrected in one file: how many sentences, and some before and after."""

    file: str
    code: str
    count: int
    examples: tuple[tuple[str, str], ...]

    def to_json(self) -> dict[str, object]:
        """The change for programs."""
        pairs = [{"before": old, "after": new} for old, new in self.examples]
        return {"file": self.file, "code": self.code, "count": self.count, "examples": pairs}


@dataclass(frozen=True)
class Left:
    """What is wrong with the copy still, and why it was left."""

    file: str
    code: str
    severity: Severity
    count: int
    why: str

    def to_json(self) -> dict[str, object]:
        """The rest for programs."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True)
class Repaired:
    """A corrected copy: where it is, what was changed, what was left."""

    out: Path
    changes: tuple[Change, ...]
    left: tuple[Left, ...]

    @property
    def errors(self) -> int:
        """How many findings that are errors are left."""
        return sum(entry.severity is Severity.ERROR for entry in self.left)

    def to_json(self) -> dict[str, Any]:
        """The repair for programs."""
        return {
            "out": str(self.out),
            "changes": [change.to_json() for change in self.changes],
            "left": [entry.to_json() for entry in self.left],
        }


def repair(path: str | Path, out: str | Path, *, language: str = "") -> Repaired:
    """Write a corrected copy of a file or folder to `out`, which must not exist.

    Raises AuditError where the data set cannot be read or the copy not be written.
    """
    source, target = Path(path), Path(out)
    read_table(source)
    refuse(source, target)
    try:
        changes = _copy(source, target, language)
    except OSError as error:
        raise AuditError(f"{out}: {error.strerror or error}") from None
    except UnicodeError as error:
        raise AuditError(f"{source}: a text holds half a character: {error}") from None
    report = audit(target, language=language, examples=0)
    left = tuple(
        Left(f.file, f.code, f.severity, f.count, KINDS[f.code].left or "no repair is certain")
        for f in report.findings
        if f.severity is not Severity.NOTE
    )
    return Repaired(target, tuple(changes), left)


def refuse(source: Path, target: Path) -> None:
    """AuditError where a copy of `source` cannot be written to `target`."""
    if target.exists() or target.is_symlink():
        raise AuditError(f"{target}: it exists; name a new file or folder for the copy")
    if source.resolve() in target.resolve().parents and source.is_dir():
        raise AuditError(f"{target}: it lies in the data set itself; name another folder")
    if not target.parent.is_dir():
        raise AuditError(f"{target}: there is no folder {target.parent}")
    if source.is_file() and target.suffix.lower() != source.suffix.lower():
        raise AuditError(
            f"{target}: a copy is of the same kind; let its name end in {source.suffix}"
        )
    if source.is_file() and source.name in split.FILES and split.is_split(source.parent):
        raise AuditError(f"{source}: name the folder of these files, not one of them")


def _copy(source: Path, target: Path, language: str) -> list[Change]:
    """Write everything beside the target, then rename it."""
    with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as held:
        part = Path(held) / target.name
        if source.is_dir():
            changes = list(_copy_folder(source, part, language))
            _update_manifest(part, changes)
        else:
            changes = _copy_file(source, part, source.name, language)
        os.rename(part, target)
    return changes


def _copy_folder(source: Path, part: Path, language: str) -> Iterator[Change]:
    part.mkdir()
    for root, folders, names in os.walk(source):
        folders.sort()
        here = Path(root)
        below = part / here.relative_to(source)
        for folder in folders:
            (below / folder).mkdir()
        grouped = split.is_split(here)
        if grouped:
            yield from _copy_split(here, below, here.relative_to(source).as_posix(), language)
        for name in sorted(names):
            if not (grouped and name in (split.CONTEXT, split.ANSWERS)):
                file = (here / name).relative_to(source).as_posix()
                yield from _copy_file(here / name, below / name, file, language)


def _copy_file(source: Path, target: Path, name: str, language: str) -> list[Change]:
    """A file of problems corrected; any other file as it is."""
    suffix = source.suffix.lower()
    if suffix not in REWRITERS or source.name == MANIFEST or not source.is_file():
        shutil.copy2(source, target)
        return []
    strings = Strings()
    try:
        part = READERS[suffix](source, name, strings)
    except AuditError:
        shutil.copy2(source, target)
        return []
    fixer = _fixer(part, strings, language)
    REWRITERS[suffix](source, target, fixer)
    return _changes(name, fixer)


def _copy_split(source: Path, target: Path, name: str, language: str) -> list[Change]:
    strings = Strings()
    fixer = _fixer(split.read(source, name, strings), strings, language)
    for file in (split.CONTEXT, split.ANSWERS):
        rewrite_grid(source / file, target / file, fixer)
    return _changes(name, fixer)


def _fixer(part: Part, strings: Strings, language: str) -> Fixer:
    numbers = part.sentences[part.sentences >= 0].tolist()
    spoken = language or part.meta.language or guess(strings.texts[n] for n in sorted({*numbers}))
    return Fixer(spoken, usual_apostrophe(strings.texts[n] for n in numbers))


def _changes(name: str, fixer: Fixer) -> list[Change]:
    return [
        Change(name, code, count, tuple(fixer.examples[code]))
        for code, count in sorted(fixer.counts.items(), key=lambda entry: (-entry[1], entry[0]))
    ]


def _update_manifest(folder: Path, changes: list[Change]) -> None:
    """The checksums of a copy of our data set, and that it was repaired."""
    path = folder / MANIFEST
    if not path.is_file() or not changes:
        return
    manifest = json.loads(path.read_text(encoding="utf-8"))
    files = manifest.get("files")
    if isinstance(files, dict):
        for name in files:
            if os.path.isfile(folder / name) and ".." not in Path(name).parts:
                data = (folder / name).read_bytes()
                files[name] = {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
    manifest["repaired"] = [{"file": c.file, "code": c.code, "count": c.count} for c in changes]
    path.write_text(json.dumps(manifest, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
