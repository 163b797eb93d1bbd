"""Writes a data set shard by shard, in one process or several, and finishes it with a manifest.

A shard that has its note is written (`blm.dataset.shards`): a run that was interrupted is taken
up where it stopped, if the grammar and the options are the same.  The companions (card,
preview, metadata) are made from the notes, and the manifest comes last: a folder without one is
no finished data set.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path, PurePosixPath

from blm.dataset.cluster import run_cluster
from blm.dataset.crew import Crew
from blm.dataset.formats import check_formats, companion_texts, problem_formats
from blm.dataset.plan import Options, Plan, Shard, check_size, make_plan
from blm.dataset.shards import checksum, note_path, read_note, write_shard, write_whole
from blm.dataset.summary import LICENSE, Summary, summarise
from blm.dataset.workers import pack
from blm.grammar import Grammar
from blm.problem import Json
from blm.version import __version__

MANIFEST = "manifest.json"
_RUN = ".run.json"

Progress = Callable[[int, int], None]
"""Called with the number of problems written so far, and of all."""


class DatasetExistsError(Exception):
    """The folder holds a data set, or something that is none of ours; the text says which."""


def write_dataset(
    grammar: Grammar,
    options: Options,
    folder: Path,
    *,
    workers: int | Crew = 1,
    cluster: str | None = None,
    force: bool = False,
    progress: Progress = lambda _done, _total: None,
) -> Json:
    """Write a data set to `folder`, or finish one that was interrupted; returns the manifest.

    With more than one worker the shards are shared among processes, or those of a crew that is
    there already; with a cluster, among its workers (see `run_cluster` for its address). The
    files are the same.
    Raises ValueError for formats that do not go together, NoProblems where the options leave
    none, DatasetExistsError where the folder holds other data and `force` is not set,
    WorkerError where workers fail, OSError where the folder cannot be written.
    """
    check_formats(options.formats)
    plan = make_plan(grammar, options)
    check_size(plan)
    try:
        if not _is_finished(folder, plan):
            _prepare(folder, plan, force)
            _write(plan, folder, workers, cluster, progress)
        return _tidied(folder)
    except OSError as error:
        error.filename = error.filename or str(folder)
        raise


def _write(
    plan: Plan, folder: Path, workers: int | Crew, cluster: str | None, progress: Progress
) -> None:
    """Write the shards that are not there yet, and what comes after them."""
    shards = list(plan.shards())
    waiting = [shard for shard in shards if not note_path(folder, shard).exists()]
    total = sum(plan.sizes.values())
    done = total - sum(shard.stop - shard.start for shard in waiting)
    progress(done, total)
    with closing(_run(plan, folder, waiting, workers, cluster)) as running:
        for written in running:
            done += written
            progress(done, total)
    _finish(plan, folder, shards)


def read_manifest(folder: Path) -> Json:
    """The manifest of a data set.

    FileNotFoundError if the folder holds no finished one, ValueError if it is damaged.
    """
    try:
        document: Json = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{folder / MANIFEST}: {error}") from None
    return document


# --- shards ----------------------------------------------------------


def _run(
    plan: Plan, folder: Path, shards: Sequence[Shard], workers: int | Crew, cluster: str | None
) -> Generator[int]:
    """Write these shards; yields how many problems more are written."""
    if shards and cluster is not None:
        yield from run_cluster(pack(plan, folder), shards, cluster)
    elif isinstance(workers, Crew):
        yield from workers.write(plan, shards, folder)
    elif len(shards) > 1 and workers > 1:
        with Crew(min(workers, len(shards)) - 1) as crew:
            yield from crew.write(plan, shards, folder)
    else:
        for shard in shards:
            yield from write_shard(plan, folder, shard)


# --- the folder ----------------------------------------------------------


def _is_finished(folder: Path, plan: Plan) -> bool:
    """Whether an interrupted run of this plan had come to its end, but for the tidying."""
    same = _fingerprint_of_run(folder) == plan.fingerprint()
    return same and (folder / MANIFEST).exists()


def _prepare(folder: Path, plan: Plan, force: bool) -> None:
    """Make the folder ready for this run, or refuse it where something would be lost."""
    if folder.exists() and not folder.is_dir():
        raise DatasetExistsError(f"{folder} is a file; name a folder")
    folder.mkdir(parents=True, exist_ok=True)
    if _fingerprint_of_run(folder) != plan.fingerprint():
        _refuse(folder, force)
        _clear(folder)
    for path in folder.glob(".*.part"):
        path.unlink(missing_ok=True)
    _write_run(folder, plan.fingerprint(), _planned(plan))


def _clear(folder: Path) -> None:
    """Delete what is ours: the manifest first, the list of the rest last."""
    ours = sorted(_ours(folder), key=lambda path: path.name != MANIFEST)
    if not ours:
        return
    _write_run(folder, "", [path.relative_to(folder).as_posix() for path in ours])
    for path in [*ours, folder / _RUN]:
        path.unlink(missing_ok=True)
    for path in {path.parent for path in ours} - {folder}:
        if not any(path.iterdir()):
            path.rmdir()


def _planned(plan: Plan) -> list[str]:
    """The files of problems that a run will write."""
    formats = problem_formats(plan.options.formats).values()
    return [name for shard in plan.shards() for form in formats for name in form.files(shard.stem)]


def _write_run(folder: Path, fingerprint: str, files: Sequence[str]) -> None:
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
    if (folder / _RUN).exists():
        raise DatasetExistsError(
            f"{folder} holds an unfinished data set of another grammar or of other options; "
            "use --force to replace it"
        )


def _strangers(folder: Path) -> Iterator[str]:
    """The names of files that are not ours."""
    ours = set(_ours(folder))
    for path in sorted(folder.iterdir()):
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


def _finish(plan: Plan, folder: Path, shards: Iterable[Shard]) -> None:
    """Gather the notes, write the companions and the manifest."""
    summary = summarise((shard, read_note(folder, shard)) for shard in shards)
    texts = list(companion_texts(plan, summary))
    _write_run(folder, plan.fingerprint(), [*_planned(plan), *(name for _, name, _ in texts)])
    files: dict[str, Json] = {
        file.name: {k: v for k, v in asdict(file).items() if k != "name"} for file in summary.files
    }
    for kind, name, text in texts:
        write_whole(folder, name, text)
        files[name] = {"format": kind, **checksum(folder / name)}
    manifest = _manifest(plan, summary, files)
    write_whole(folder, MANIFEST, json.dumps(manifest, ensure_ascii=False, indent=2) + "\n")


def _tidied(folder: Path) -> Json:
    """The manifest, once what only the run needed is removed."""
    for path in [*folder.glob(".*.done"), *folder.glob(".*.part"), folder / _RUN]:
        path.unlink(missing_ok=True)
    return read_manifest(folder)


def _manifest(plan: Plan, summary: Summary, files: dict[str, Json]) -> Json:
    phenomenon, concrete = plan.grammar.phenomenon, plan.grammar.concrete
    return {
        "phenomenon": phenomenon.name,
        "title": phenomenon.title,
        "language": concrete.language,
        "license": LICENSE,
        "options": plan.options.to_json(),
        "problems": sum(plan.sizes.values()),
        "splits": {
            name: {
                "problems": plan.sizes[name],
                "of": space.count,
                "factors": space.factors(),
                "counts": summary.parts[name].tally.to_json(),
            }
            for name, space in plan.spaces.items()
        },
        "refused": dict(sorted(summary.whole.refused.items())),
        "grammar": plan.hashes(),
        "blm": __version__,
        "python": platform.python_version(),
        "files": dict(sorted(files.items())),
    }
