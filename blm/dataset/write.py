"""Writes a data set shard by shard, in one process or several, and finishes it with a manifest.

A shard is written under another name and renamed when it is whole; a note beside it, written
last, says that all its formats are there.  A run that was interrupted is taken up where it
stopped, if the grammar and the options are the same.  The manifest comes last: a folder without
one is no finished data set.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from blm import __version__
from blm.dataset.formats import FORMATS
from blm.dataset.plan import Options, Plan, Shard, make_plan
from blm.pipeline import Grammar, load
from blm.problem import Json

MANIFEST = "manifest.json"
_RUN = ".run.json"
_BATCH = 2048
"""Problems made at a time."""

Progress = Callable[[int, int], None]
"""Called with the number of problems written so far, and of all."""


class DatasetExistsError(Exception):
    """The folder holds a data set, or something that is none of ours; the text says which."""


def write_dataset(
    grammar: Grammar,
    options: Options,
    folder: Path,
    *,
    workers: int = 1,
    force: bool = False,
    progress: Progress = lambda _done, _total: None,
) -> Json:
    """Write a data set to `folder`, or finish one that was interrupted; returns the manifest.

    With more than one worker the shards are shared among processes; the files are the same.
    Raises NoProblems where the options leave none, DatasetExistsError where the folder holds
    other data and `force` is not set, OSError where it cannot be written.
    """
    plan = make_plan(grammar, options)
    _prepare(folder, plan, force)
    shards = list(plan.shards())
    waiting = [shard for shard in shards if not _note(folder, shard).exists()]
    total = sum(plan.sizes.values())
    done = total - sum(shard.stop - shard.start for shard in waiting)
    progress(done, total)
    for written in _run(plan, folder, waiting, workers):
        done += written
        progress(done, total)
    return _finish(plan, folder, shards)


def read_manifest(folder: Path) -> Json:
    """The manifest of a data set. FileNotFoundError if the folder holds no finished one."""
    document: Json = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    return document


# --- shards ----------------------------------------------------------


def _run(plan: Plan, folder: Path, shards: Sequence[Shard], workers: int) -> Iterator[int]:
    """Write these shards; yields how many problems more are written."""
    if workers <= 1 or len(shards) <= 1:
        for shard in shards:
            yield from write_shard(plan, folder, shard)
        return
    from joblib import Parallel, delayed

    path = str(plan.grammar.files()[1])
    pool = Parallel(n_jobs=min(workers, len(shards)), return_as="generator_unordered")
    yield from pool(delayed(_work)(path, plan.options, folder, shard) for shard in shards)


_plans: dict[str, Plan] = {}
"""The plan of a worker process, so that it loads the grammar once."""


def _work(path: str, options: Options, folder: Path, shard: Shard) -> int:
    key = f"{path} {options}"
    if key not in _plans:
        _plans[key] = make_plan(load(path), options)
    return sum(write_shard(_plans[key], folder, shard))


def write_shard(plan: Plan, folder: Path, shard: Shard) -> Iterator[int]:
    """Write a shard in all formats, and its note; yields the size of each batch written."""
    space = plan.spaces[shard.split]
    space.refused.clear()
    names = {form: f"{shard.stem}{FORMATS[form].suffix}" for form in plan.options.formats}
    parts = {form: folder / f".{name}.{os.getpid()}.part" for form, name in names.items()}
    try:
        with ExitStack() as stack:
            writers = [
                stack.enter_context(closing(FORMATS[form].writer(path, space)))
                for form, path in parts.items()
            ]
            for start in range(shard.start, shard.stop, _BATCH):
                stop = min(shard.stop, start + _BATCH)
                batch = space.batch(plan.numbers(shard.split, start, stop))
                for writer in writers:
                    writer.write(batch)
                yield len(batch)
        note = {
            "problems": shard.stop - shard.start,
            "refused": dict(space.refused),
            "files": {names[form]: checksum(path) for form, path in parts.items()},
        }
        for form, path in parts.items():
            os.replace(path, folder / names[form])
        write_whole(_note(folder, shard), json.dumps(note))
    finally:
        for path in parts.values():
            path.unlink(missing_ok=True)


def _note(folder: Path, shard: Shard) -> Path:
    return folder / f".{shard.stem}.done"


# --- the folder ----------------------------------------------------------


def _prepare(folder: Path, plan: Plan, force: bool) -> None:
    """Make the folder ready for this run, or refuse it where something would be lost."""
    if folder.exists() and not folder.is_dir():
        raise DatasetExistsError(f"{folder} is a file; name a folder")
    folder.mkdir(parents=True, exist_ok=True)
    same = _fingerprint_of_run(folder) == plan.fingerprint()
    if not same or (folder / MANIFEST).exists():
        _refuse(folder, force)
        for path in list(_ours(folder)):
            path.unlink()
    for path in folder.glob(".*.part"):
        path.unlink()
    write_whole(folder / _RUN, json.dumps({"fingerprint": plan.fingerprint()}))


def _fingerprint_of_run(folder: Path) -> str | None:
    """The fingerprint of the interrupted run in a folder, if there is one."""
    try:
        document = json.loads((folder / _RUN).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    found = document.get("fingerprint") if isinstance(document, dict) else None
    return found if isinstance(found, str) else None


def _refuse(folder: Path, force: bool) -> None:
    strangers = sorted(p.name for p in set(folder.iterdir()) - set(_ours(folder)))
    if strangers:
        raise DatasetExistsError(f"{folder} holds other files ({strangers[0]}); name a new folder")
    if force:
        return
    if (folder / MANIFEST).exists():
        raise DatasetExistsError(f"{folder} holds a data set; use --force to replace it")
    if (folder / _RUN).exists():
        raise DatasetExistsError(
            f"{folder} holds an unfinished data set of another grammar or of other options; "
            "use --force to replace it"
        )


def _ours(folder: Path) -> Iterator[Path]:
    """The files of a folder that a data set consists of, finished or not."""
    listed = _files_of_manifest(folder)
    for path in folder.iterdir():
        hidden = path.name == _RUN or path.name.endswith((".done", ".part"))
        if path.name == MANIFEST or path.name in listed or (hidden and path.name.startswith(".")):
            yield path


def _files_of_manifest(folder: Path) -> set[str]:
    """The files that the manifest or the notes of an unfinished run list."""
    listed: set[str] = set()
    for path in [folder / MANIFEST, *folder.glob(".*.done")]:
        try:
            listed.update(json.loads(path.read_text(encoding="utf-8"))["files"])
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return listed


def _finish(plan: Plan, folder: Path, shards: Iterable[Shard]) -> Json:
    """Gather the notes into a manifest, write it, and remove what only the run needed."""
    notes = {s: json.loads(_note(folder, s).read_text(encoding="utf-8")) for s in shards}
    refused: Counter[str] = Counter()
    files: dict[str, Json] = {}
    for note in notes.values():
        refused.update(note["refused"])
        files.update(note["files"])
    manifest = _manifest(plan, refused, files)
    write_whole(folder / MANIFEST, json.dumps(manifest, ensure_ascii=False, indent=2) + "\n")
    for shard in notes:
        _note(folder, shard).unlink()
    (folder / _RUN).unlink()
    return manifest


def _manifest(plan: Plan, refused: Mapping[str, int], files: Mapping[str, Json]) -> Json:
    phenomenon, concrete = plan.grammar.phenomenon, plan.grammar.concrete
    return {
        "phenomenon": phenomenon.name,
        "title": phenomenon.title,
        "language": concrete.language,
        "options": plan.options.to_json(),
        "problems": sum(plan.sizes.values()),
        "splits": {
            name: {"problems": plan.sizes[name], "of": space.count, "factors": space.factors()}
            for name, space in plan.spaces.items()
        },
        "refused": dict(sorted(refused.items())),
        "grammar": plan.hashes(),
        "blm": __version__,
        "python": platform.python_version(),
        "files": dict(sorted(files.items())),
    }


def checksum(path: Path) -> Json:
    """The SHA-256 and the size of a file."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
    return {"sha256": digest.hexdigest(), "bytes": path.stat().st_size}


def write_whole(path: Path, text: str) -> None:
    """Write a small file so that it appears whole or not at all."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    part.write_text(text, encoding="utf-8", newline="")
    os.replace(part, path)
