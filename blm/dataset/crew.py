"""Processes of this machine that write shards beside the one that made the plan.

They take as long to load what they need as the caller does to read a grammar, so a command
starts them before: hence nothing large is imported at the head of this module.
"""

from __future__ import annotations

import os
import time
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from blm.dataset.interrupts import interrupts_wait

if TYPE_CHECKING:
    from blm.dataset.plan import Plan, Shard
    from blm.dataset.workers import Job


class Crew:
    """So many processes as are to write besides this one.

    To be used in a `with` statement, at whose end the processes end. They do too when this
    process does, even if it is killed.
    """

    def __init__(self, others: int) -> None:
        from joblib.externals.loky import ProcessPoolExecutor

        self.others = others
        with interrupts_wait():
            self._pool: Any = ProcessPoolExecutor(
                max_workers=others, initializer=_get_ready, initargs=(os.getpid(),)
            )
            self._pool.submit(int)  # starts the processes

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._pool.shutdown(wait=True, kill_workers=True)

    def write(self, plan: Plan, shards: Sequence[Shard], folder: Path) -> Generator[int]:
        """Write shards here and in the other processes; yields how many problems more are written.

        Raises WorkerError where a process is lost.
        """
        from joblib.externals.loky.process_executor import BrokenProcessPool

        from blm.dataset.workers import WorkerError, pack

        left: SimpleQueue[Shard] = SimpleQueue()
        for shard in shards:
            left.put(shard)
        try:
            yield from self._shared(plan, pack(plan, folder), left)
        except BrokenProcessPool:
            raise WorkerError(
                "a worker process was killed, perhaps for lack of memory; "
                "the same command goes on from the shards that are written"
            ) from None
        finally:
            while _next(left):
                pass

    def _shared(self, plan: Plan, job: Job, left: SimpleQueue[Shard]) -> Iterator[int]:
        """Write shards here while a thread for each other process hands it one after the other."""
        from blm.dataset.shards import write_shard

        open_, written = left.qsize(), SimpleQueue[int | BaseException]()
        for _ in range(self.others):
            Thread(target=self._hand_out, args=(job, left, written), daemon=True).start()
        while shard := _next(left):
            open_ -= 1
            for size in write_shard(plan, job.folder, shard):
                yield size
                while not written.empty():
                    yield _size(written.get())
                    open_ -= 1
        for _ in range(open_):
            yield _size(written.get())

    def _hand_out(
        self, job: Job, left: SimpleQueue[Shard], written: SimpleQueue[int | BaseException]
    ) -> None:
        from blm.dataset.workers import work

        while shard := _next(left):
            try:
                written.put(self._pool.submit(work, job, shard).result())
            except BaseException as error:  # told to whoever waits
                written.put(error)
                return


def _next(left: SimpleQueue[Shard]) -> Shard | None:
    try:
        return left.get_nowait()
    except Empty:
        return None


def _size(found: int | BaseException) -> int:
    if isinstance(found, BaseException):
        raise found
    return found


# --- in a process of the crew ----------------------------------------------------------


def _get_ready(parent: int) -> None:
    """End with the parent, even if that is killed; load what shards are written with."""
    Thread(target=_watch, args=(parent,), daemon=True).start()
    import blm.dataset.parquet
    import blm.dataset.workers  # noqa: F401


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
