"""Shards for several workers: what travels to them, and what they do with it.

A worker needs no file of the grammar.  The plan lies in the output folder as a *parcel*: the
checked grammar, the matrices found, and which seeds each split uses, so that nothing is parsed,
solved or dealt out again.  A task names the parcel by its hash, and a worker opens no other.
"""

from __future__ import annotations

import hashlib
import pickle
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from blm.concrete import Concrete
from blm.dataset.plan import Options, Plan, Shard, make_spaces
from blm.dataset.shards import write_shard
from blm.grammar import Grammar
from blm.phenomenon import Phenomenon
from blm.solve import Factor, Limits, MatrixSpace
from blm.version import __version__
from blm.words import Lexicon


class WorkerError(Exception):
    """A shard could not be written by others; the text says which, why, and what to do."""


@dataclass(frozen=True)
class Job:
    """What every task of a run knows: the folder, and the parcel to be found there."""

    folder: Path
    parcel: str
    digest: str
    version: str


@dataclass(frozen=True)
class _Parcel:
    """What a plan is made from again."""

    phenomenon: Phenomenon
    concrete: Concrete
    lexicon: Lexicon
    limits: Limits
    factors: tuple[Factor, ...]
    options: Options
    seeds: Mapping[str, Sequence[str] | None]
    sizes: Mapping[str, int]


def pack(plan: Plan, folder: Path) -> Job:
    """Put the parcel of a plan into the output folder."""
    grammar = plan.grammar
    parcel = _Parcel(
        grammar.phenomenon,
        grammar.concrete,
        grammar.lexicon,
        grammar.limits,
        grammar.space.factors,
        plan.options,
        {name: space.seeds for name, space in plan.spaces.items()},
        plan.sizes,
    )
    path = folder.absolute() / f".parcel.{secrets.token_hex(8)}.part"
    with path.open("wb") as file:
        pickle.dump(parcel, file, protocol=5)
    return Job(path.parent, path.name, _digest(path), __version__)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def unpack(job: Job) -> Plan:
    """The plan of a job. WorkerError where this is not the place, or not the blm, to do it."""
    if job.version != __version__:
        raise WorkerError(
            f"the worker has blm {__version__}, the data set is of blm {job.version}: "
            "give both the same environment"
        )
    path = _parcel(job)
    if _digest(path) != job.digest:
        raise WorkerError(f"{path} is not what the caller wrote")
    with path.open("rb") as file:
        return _opened(pickle.load(file))


def _parcel(job: Job) -> Path:
    """Where the parcel lies. WorkerError where the folder is not that of the caller."""
    path = job.folder / job.parcel
    if not path.is_file():
        raise WorkerError(
            f"the worker does not find the data set in {job.folder}: "
            "name an output folder that it shares"
        )
    return path


def _opened(parcel: _Parcel) -> Plan:
    grammar = Grammar(parcel.phenomenon, parcel.concrete, parcel.lexicon, limits=parcel.limits)
    grammar.space = MatrixSpace(grammar.program.layout, parcel.factors)
    spaces = make_spaces(grammar, parcel.options, parcel.seeds)
    return Plan(grammar, parcel.options, spaces, parcel.sizes)


# --- in a worker ----------------------------------------------------------

_plans: dict[str, Plan] = {}
"""The plan of this process, by the digest of its parcel: a worker makes it once."""

_alone = Lock()
"""A plan serves one shard at a time, and workers of a cluster may have several threads."""


def work(job: Job, shard: Shard) -> int:
    """Write a shard; the number of its problems."""
    with _alone:
        _parcel(job)
        if job.digest not in _plans:
            _plans.clear()  # a worker that stays for the next data set does not keep the last
            _plans[job.digest] = unpack(job)
        return sum(write_shard(_plans[job.digest], job.folder, shard))
