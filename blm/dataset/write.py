"""Writes a data set shard by shard, in one process or several, and finishes it with a manifest.

A shard that has its note is written (`blm.dataset.shards`): a run that was interrupted is taken
up where it stopped, if the grammar and the options are the same.  The companions (card,
preview, metadata) are made from the notes, and the manifest comes last: a folder without one is
no finished data set.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from blm.dataset.cluster import run_cluster
from blm.dataset.crew import Crew
from blm.dataset.folder import (
    MANIFEST,
    is_finished,
    is_written,
    move_in,
    note_run,
    place_to_write,
    prepare,
    read_manifest,
    tidied,
)
from blm.dataset.formats import check_formats, companion_texts
from blm.dataset.plan import Options, Plan, Shard, check_size, make_plan
from blm.dataset.shards import checksum, note_path, read_note, write_shard, write_whole
from blm.dataset.summary import LICENSE, Summary, summarise
from blm.dataset.workers import pack
from blm.grammar import Grammar
from blm.problem import Json
from blm.version import __version__

Progress = Callable[[int, int], None]
"""Called with the number of problems written so far, and of all."""


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

    Where the very data set is there already, nothing is written unless `force` is set.
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
        if is_finished(folder, plan):
            return tidied(folder)
        if not force and is_written(folder, plan):
            return read_manifest(folder)
        place = place_to_write(folder, plan, force)
        if not is_finished(place, plan):
            prepare(place, plan)
            _write(plan, place, workers, cluster, progress)
        if place != folder:
            move_in(place, folder, plan)
        return tidied(folder)
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


# --- the end ----------------------------------------------------------


def _finish(plan: Plan, folder: Path, shards: Iterable[Shard]) -> None:
    """Gather the notes, write the companions and the manifest."""
    summary = summarise((shard, read_note(folder, shard)) for shard in shards)
    texts = list(companion_texts(plan, summary))
    note_run(folder, plan, [name for _, name, _ in texts])
    files: dict[str, Json] = {
        file.name: {k: v for k, v in asdict(file).items() if k != "name"} for file in summary.files
    }
    for kind, name, text in texts:
        write_whole(folder, name, text)
        files[name] = {"format": kind, **checksum(folder / name)}
    manifest = _manifest(plan, summary, files)
    write_whole(folder, MANIFEST, json.dumps(manifest, ensure_ascii=False, indent=2) + "\n")


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
