"""Shards for the workers of a Dask cluster, on this machine or on many.

The scheduler gives a shard to another worker where one is lost or fails.  This is safe, as a
shard has the same bytes whoever writes it, and appears whole (`blm.dataset.shards`).
"""

from __future__ import annotations

import json
import logging
import os
import re
import secrets
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from blm.dataset.interrupts import interrupts_wait
from blm.dataset.plan import Plan, Shard
from blm.dataset.shards import note_path
from blm.dataset.workers import Job, WorkerError, pack, work

RETRIES = 3
"""How often a shard is tried again."""

_CONNECT = 30
"""Seconds within which a scheduler must answer."""

_PATIENCE = 90
"""Seconds within which a note that a worker wrote must be seen here: network file systems
remember for up to a minute that there was no such file."""


Say = Callable[[str], None]
"""Called with what is waited for."""


@contextmanager
def connected(address: str, say: Say) -> Iterator[Cluster]:
    """The workers of a cluster, as long as the `with` statement lasts.

    `address` is that of a scheduler (`tcp://HOST:PORT`), the file it writes (JSON), or `local`
    or `local:N` for N processes of this machine. WorkerError where there is no such cluster.
    """
    with _quiet(), _client(address) as client:
        if not client.nthreads():
            say(f"the scheduler at {address} has no workers yet; waiting for one")
        yield Cluster(client, address)


@dataclass(frozen=True)
class Cluster:
    """The workers of a scheduler that a client is connected to."""

    client: Any
    address: str

    def write(self, plan: Plan, shards: Sequence[Shard], folder: Path) -> Generator[int]:
        """Write shards with the workers; yields how many problems more are written.

        Shards that are not begun when the caller stops are given up. WorkerError where a shard
        fails too often.
        """
        job = pack(plan, folder)
        # Keys that look like this make a group, of which a worker gets one shard at a time.
        name = f"blm-{secrets.token_hex(8)}"
        futures = {
            self.client.submit(work, job, shard, key=str((name, k)), retries=RETRIES): shard
            for k, shard in enumerate(shards)
        }
        try:
            yield from self._results(futures, job)
        finally:
            self._give_up(list(futures))

    def _results(self, futures: dict[Any, Shard], job: Job) -> Iterator[int]:
        for future in _dask().as_completed(list(futures), loop=self.client.loop):
            shard = futures[future]
            if future.status == "error":
                raise _failure(future.exception(), shard)
            if future.status != "finished":
                raise WorkerError(
                    f"the scheduler at {self.address} is lost; "
                    "the same command goes on from the shards that are written"
                )
            _await_note(job.folder, shard)
            yield future.result()

    def _give_up(self, futures: Sequence[Any]) -> None:
        """Take back what is not done, where the scheduler still listens."""
        if self.client.status == "running":
            self.client.cancel(futures, force=True)


def _failure(error: BaseException, shard: Shard) -> WorkerError:
    if isinstance(error, _dask().KilledWorker):
        return WorkerError(
            f"shard {shard.stem}: every worker that tried it was lost, perhaps for lack of memory"
        )
    return WorkerError(f"shard {shard.stem}: failed {RETRIES + 1} times: {_told(error)}")


def _told(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: {error.filename}" if error.filename else error.strerror
    return str(error) or type(error).__name__


def _await_note(folder: Path, shard: Shard) -> None:
    """Until the note is seen here. WorkerError if it never is: the folder is another one."""
    until = time.monotonic() + _PATIENCE
    while not note_path(folder, shard).exists():
        if time.monotonic() > until:
            raise WorkerError(f"shard {shard.stem} was written, but is not seen in {folder}")
        os.listdir(folder)  # opening a folder makes a network file system look again
        time.sleep(0.2)


# --- clusters ----------------------------------------------------------


@contextmanager
def _quiet() -> Iterator[None]:
    """No log of Dask, which tells with tracebacks what is raised here in a sentence."""
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _dask() -> Any:
    """Dask, which takes a second to import and is an extra. WorkerError if it is not there."""
    try:
        import distributed
    except ImportError:
        raise WorkerError(
            "--cluster needs Dask, which is not installed\n"
            "  to get it: pip install 'blm[distributed]'"
        ) from None
    return distributed


@contextmanager
def _client(address: str) -> Iterator[Any]:
    """A client of the cluster at an address; a local cluster lives as long as it."""
    number = _local_workers(address)
    if number is None:
        with _connected(address) as client:
            yield client
        return
    with ExitStack() as running:
        with interrupts_wait():
            cluster = running.enter_context(_local_cluster(number))
            client = running.enter_context(_dask().Client(cluster, set_as_default=False))
        yield client


def _local_cluster(number: int) -> Any:
    """A cluster of processes of this machine."""
    try:
        return _dask().LocalCluster(
            n_workers=number,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",  # None opens a port to everyone
            scheduler_kwargs={"dashboard": False},
            memory_limit=0,  # a worker is small, and stopping one half-way helps nobody
            silence_logs=logging.CRITICAL,
        )
    except RuntimeError as error:  # one of its processes was killed before it was ready
        raise WorkerError(f"the local cluster did not start ({error}); try again") from None


def _local_workers(address: str) -> int | None:
    """How many processes `local` or `local:N` asks for; None for another address."""
    if address == "local":
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    found = re.fullmatch(r"local:(\d+)", address)
    if not found:
        return None
    if int(found[1]) < 1:
        raise WorkerError(f"'{address}' has no workers; write local:2")
    return int(found[1])


def _connected(address: str) -> Any:
    """A client of a scheduler that runs elsewhere."""
    found = address if re.fullmatch(r"\w+://.+|[^/]+:\d+", address) else _written_in(address)
    try:
        return _dask().Client(found, timeout=_CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise WorkerError(f"no scheduler answers at {found}: {_told(error)}") from None


def _written_in(path: str) -> str:
    """The address in the file of a scheduler."""
    try:
        return str(json.loads(Path(path).read_text(encoding="utf-8"))["address"])
    except OSError as error:
        raise WorkerError(
            f"'{path}' is no cluster ({_told(error)}): write tcp://HOST:PORT, "
            "the file of a scheduler, or local:N"
        ) from None
    except (ValueError, KeyError, TypeError):
        raise WorkerError(f"{path} is no file of a scheduler") from None
