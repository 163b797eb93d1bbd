"""Writes a data set shard by shard, in one process or several, and finishes it with a manifest.

A shard that has its note is written (`blm.dataset.shards`): a run that was interrupted is taken
up where it stopped, if the grammar and the options are the same.  The companions (card,
preview, metadata) are made from the notes, and the manifest comes last: a folder without one is
no finished data set.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path

from blm.dataset.cluster import Cluster, Say, connected
from blm.dataset.crew import Crew
from blm.dataset.folder import (
    MANIFEST,
    DatasetExistsError,
    is_finished,
    is_written,
    move_in,
    note_run,
    place_to_write,
    prepare,
    read_manifest,
    shards_to_write,
    tidied,
)
from blm.dataset.formats import check_formats, companion_texts
from blm.dataset.lock import alone_in
from blm.dataset.plan import Options, Plan, Shard, check_size, make_plan
from blm.dataset.shards import checksum, read_note, write_shard, write_whole
from blm.dataset.summary import LICENSE, Summary, summarise
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
    say: Say = lambda _text: None,
) -> Json:
    """Write a data set to `folder`, or finish one that was interrupted; returns the manifest.

    Where the very data set is there already, nothing is written unless `force` is set.
    With more than one worker the shards are shared among processes, or those of a crew that is
    there already; with a cluster, among its workers (see `connected` for its address). The
    files are the same. `say` is told what is waited for.
    Raises ValueError for formats that do not go together, NoProblems where the options leave
    none, DatasetExistsError where the folder holds other data and `force` is not set,
    WorkerError where workers fail, OSError where the folder cannot be written, or another
    command is writing there.
    """
    check_formats(options.formats)
    if isinstance(workers, int) and workers < 1:
        raise ValueError(f"workers are a number from 1; {workers} is none")
    plan = make_plan(grammar, options)
    check_size(plan)
    if folder.exists() and not folder.is_dir():
        raise DatasetExistsError(f"{folder} is a file; name a folder")
    try:
        with alone_in(folder):
            if is_finished(folder, plan):
                return tidied(folder)
            if not force and is_written(folder, plan):
                return read_manifest(folder)
            place = place_to_write(folder, plan, force)
            if not is_finished(place, plan):
                waiting = shards_to_write(place, plan)
                with _others(waiting, workers, cluster, say) as others:
                    prepare(place, plan)
                    _write(plan, place, waiting, others, progress)
            if place != folder:
                move_in(place, folder, plan)
            return tidied(folder)
    except OSError as error:
        error.filename = error.filename or str(folder)
        raise


@contextmanager
def _others(
    waiting: Sequence[Shard], workers: int | Crew, cluster: str | None, say: Say
) -> Iterator[Crew | Cluster | None]:
    """Who writes these shards besides, or instead of, this process; None: nobody."""
    if waiting and cluster is not None:
        with connected(cluster, say) as found:
            yield found
    elif isinstance(workers, Crew):
        yield workers
    elif min(workers, len(waiting)) > 1:
        with Crew(min(workers, len(waiting)) - 1) as crew:
            yield crew
    else:
        yield None


def _write(
    plan: Plan,
    folder: Path,
    waiting: Sequence[Shard],
    others: Crew | Cluster | None,
    progress: Progress,
) -> None:
    """Write the shards that are not there yet, and what comes after them."""
    total = sum(plan.sizes.values())
    done = total - sum(shard.stop - shard.start for shard in waiting)
    progress(done, total)
    here = (size for shard in waiting for size in write_shard(plan, folder, shard))
    with closing(here if others is None else others.write(plan, waiting, folder)) as running:
        for written in running:
            done += written
            progress(done, total)
    _finish(plan, folder, plan.shards())


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
