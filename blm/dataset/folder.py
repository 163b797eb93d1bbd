"""The folder of a data set: whether it is whole, who may write there, what it is left with.

A run notes in `.run.json` what it is (the fingerprint of its plan) and which files it will write,
so that it can be taken up, and so that only files of a data set are ever deleted.  A finished data
set that is to be replaced stands until the new one is whole, which is written in `.next` within.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath

from blm.dataset.formats import problem_formats
from blm.dataset.lock import LOCK
from blm.dataset.plan import Plan, Shard
from blm.dataset.shards import move_whole, note_path, write_whole
from blm.problem import Json

MANIFEST = "manifest.json"
_RUN = ".run.json"
_NEXT = ".next"


class DatasetExistsError(Exception):
    """The folder holds a data set, or something that is none of ours; the text says which."""


def read_manifest(folder: Path) -> Json:
    """The manifest of a data set.

    FileNotFoundError if the folder holds no finished one, ValueError if it is damaged.
    """
    try:
        document: Json = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{folder / MANIFEST}: {error}") from None
    return document


# --- a run ----------------------------------------------------------


def is_written(folder: Path, plan: Plan) -> bool:
    """Whether the folder holds the very data set of a plan, with all its files."""
    try:
        manifest = read_manifest(folder)
        files = [(folder / name, told["bytes"]) for name, told in manifest["files"].items()]
        whole = all(path.stat().st_size == size for path, size in files)
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return False
    return whole and plan.is_of(manifest)


def is_finished(folder: Path, plan: Plan) -> bool:
    """Whether an interrupted run of this plan had come to its end, but for the tidying."""
    same = _fingerprint_of_run(folder) == plan.fingerprint()
    return same and (folder / MANIFEST).exists()


def place_to_write(folder: Path, plan: Plan, force: bool) -> Path:
    """The folder; or one within, where it holds a finished data set that is to be replaced.

    DatasetExistsError where it holds something that would be lost.
    """
    holds_one = (folder / MANIFEST).exists()
    if is_finished(folder / _NEXT, plan) and (force or not holds_one):
        return folder / _NEXT
    if _fingerprint_of_run(folder) == plan.fingerprint():
        return folder
    _refuse(folder, force)
    return folder / _NEXT if holds_one else folder


def shards_to_write(folder: Path, plan: Plan) -> list[Shard]:
    """The shards that no interrupted run of this plan has left in the folder."""
    begun = _fingerprint_of_run(folder) == plan.fingerprint()
    return [shard for shard in plan.shards() if not (begun and note_path(folder, shard).exists())]


def prepare(folder: Path, plan: Plan) -> None:
    """Make the folder ready for this run; what another run left in it is deleted."""
    folder.mkdir(exist_ok=True)
    if _fingerprint_of_run(folder) != plan.fingerprint():
        _clear(folder)
    for path in folder.glob(".*.part"):
        path.unlink(missing_ok=True)
    note_run(folder, plan)


def move_in(place: Path, folder: Path, plan: Plan) -> None:
    """Let the data set that was written in `place` replace the one in `folder`.

    Where this is interrupted the same command goes on: the manifest is the first file to go and
    the last one to come.
    """
    files = [*read_manifest(place)["files"], MANIFEST]
    if _fingerprint_of_run(folder) != plan.fingerprint():
        _clear(folder)
        _note(folder, plan.fingerprint(), files)
    for name in files:
        if _is_inside(folder, name) and (place / name).exists():
            move_whole(place / name, folder / name)


def _clear(folder: Path) -> None:
    """Delete what is ours: the manifest first, the list of the rest last."""
    ours = sorted(_ours(folder), key=lambda path: path.name != MANIFEST)
    if not ours:
        return
    _note(folder, "", [path.relative_to(folder).as_posix() for path in ours])
    for path in [*ours, folder / _RUN]:
        path.unlink(missing_ok=True)
    for path in {path.parent for path in ours} - {folder}:
        if not any(path.iterdir()):
            path.rmdir()


def note_run(folder: Path, plan: Plan, companions: Sequence[str] = ()) -> None:
    """Note which run writes here, and the files that are, or will be, its own."""
    formats = problem_formats(plan.options.formats).values()
    planned = [n for shard in plan.shards() for form in formats for n in form.files(shard.stem)]
    _note(folder, plan.fingerprint(), [*planned, *companions])


def _note(folder: Path, fingerprint: str, files: Sequence[str]) -> None:
    write_whole(folder, _RUN, json.dumps({"fingerprint": fingerprint, "files": files}))


def _fingerprint_of_run(folder: Path) -> str | None:
    """The fingerprint of the interrupted run in a folder, if there is one."""
    try:
        document = json.loads((folder / _RUN).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    found = document.get("fingerprint") if isinstance(document, dict) else None
    return found if isinstance(found, str) else None


def _refuse(folder: Path, force: bool) -> None:
    stranger = next(_strangers(folder), None)
    if stranger is not None:
        raise DatasetExistsError(f"{folder} holds other files ({stranger}); name a new folder")
    if force:
        return
    if (folder / MANIFEST).exists():
        raise DatasetExistsError(f"{folder} holds a data set; use --force to replace it")
    if any(folder.glob(".*.done")):
        raise DatasetExistsError(
            f"{folder} holds an unfinished data set of another grammar or of other options; "
            "use --force to replace it"
        )


def _strangers(folder: Path) -> Iterator[str]:
    """The names of files that are not ours."""
    ours = set(_ours(folder))
    for path in sorted(folder.iterdir()):
        if path.name == LOCK:
            continue
        if path.name == _NEXT and path.is_dir() and not path.is_symlink():
            yield from (f"{_NEXT}/{name}" for name in _strangers(path))
            continue
        for inner in sorted(path.iterdir()) if path.is_dir() else [path]:
            if inner not in ours:
                yield inner.relative_to(folder).as_posix()


def _ours(folder: Path) -> Iterator[Path]:
    """The files of a folder that a data set consists of, finished or not."""
    for name in {MANIFEST, _RUN, *_listed(folder)}:
        if _is_inside(folder, name) and (folder / name).is_file():
            yield folder / name
    for pattern in (".*.done", ".*.part"):
        yield from folder.glob(pattern)


def _is_inside(folder: Path, name: str) -> bool:
    """Whether a listed file lies in the folder, or one deeper: nothing else is ever deleted."""
    parts = PurePosixPath(name).parts
    inside = (folder / name).resolve().is_relative_to(folder.resolve())
    return inside and 1 <= len(parts) <= 2 and ".." not in parts


def _listed(folder: Path) -> set[str]:
    """The files that the manifest or the notes of an unfinished run list."""
    listed: set[str] = set()
    for path in [folder / MANIFEST, folder / _RUN, *folder.glob(".*.done")]:
        try:
            listed.update(map(str, json.loads(path.read_text(encoding="utf-8"))["files"]))
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return listed


def tidied(folder: Path) -> Json:
    """The manifest, once what only the run needed is removed."""
    if (folder / _NEXT).is_dir() and not (folder / _NEXT).is_symlink():
        _clear(folder / _NEXT)
        with suppress(OSError):  # it holds something that is none of ours
            (folder / _NEXT).rmdir()
    for path in [*folder.glob(".*.done"), *folder.glob(".*.part"), folder / _RUN]:
        path.unlink(missing_ok=True)
    return read_manifest(folder)
