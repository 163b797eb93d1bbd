"""A Dask cluster on this machine: the same bytes, whatever happens to its workers."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import small
from making import EVERY, FRENCH, contents

from blm.dataset.plan import Options, Shard
from blm.dataset.workers import Job, WorkerError
from blm.dataset.write import write_dataset
from blm.grammar import load

OPTIONS = Options(formats=EVERY, shard_size=150)
"""Twenty shards."""

try:
    import distributed
except ImportError:
    distributed = None

needs_dask = pytest.mark.skipif(distributed is None, reason="the extra is not installed")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two worker processes, and a nanny for each."""
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        scheduler_kwargs={"dashboard": False},
        silence_logs=100,
    ) as running:
        yield running


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What one process writes."""
    folder = tmp_path_factory.mktemp("whole") / "set"
    write_dataset(load(FRENCH), OPTIONS, folder)
    return contents(folder)


def pids(cluster: Any) -> list[int]:
    return [nanny.pid for nanny in cluster.workers.values() if nanny.pid]


@needs_dask
def test_a_worker_is_killed_half_way(tmp_path: Path, cluster: Any, whole: dict[str, bytes]) -> None:
    killed: list[int] = []

    def progress(done: int, total: int) -> None:
        if not killed and 0 < done < total:
            killed.append(pids(cluster)[0])
            os.kill(killed[0], signal.SIGKILL)

    folder = tmp_path / "set"
    write_dataset(
        load(FRENCH), OPTIONS, folder, cluster=cluster.scheduler_address, progress=progress
    )
    assert killed
    assert contents(folder) == whole


@needs_dask
def test_a_scheduler_is_found_by_its_file(
    tmp_path: Path, cluster: Any, whole: dict[str, bytes]
) -> None:
    file = tmp_path / "scheduler.json"
    # As a scheduler writes it at its start; Dask cannot always write that of one at work.
    told = {"type": "Scheduler", "address": cluster.scheduler_address, "workers": {}}
    file.write_text(json.dumps(told), encoding="utf-8")
    write_dataset(load(FRENCH), OPTIONS, tmp_path / "set", cluster=str(file))
    assert contents(tmp_path / "set") == whole


def failing(job: Job, shard: Shard) -> int:
    raise OSError(28, "No space left on device", f"{shard.stem}.jsonl")


def dying(job: Job, shard: Shard) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


@needs_dask
@pytest.mark.parametrize(
    ("what", "message"),
    [
        (failing, r"shard problems: failed 4 times: No space left on device: problems\.jsonl"),
        (dying, "shard problems: every worker that tried it was lost"),
    ],
)
def test_a_shard_that_fails_too_often_is_named(
    tmp_path: Path, cluster: Any, monkeypatch: pytest.MonkeyPatch, what: Any, message: str
) -> None:
    (tmp_path / "grammar").mkdir()
    grammar = load(small.write(tmp_path / "grammar"))
    monkeypatch.setattr("blm.dataset.cluster.work", what)
    with pytest.raises(WorkerError, match=message):
        write_dataset(
            grammar, Options(limit=9), tmp_path / "set", cluster=cluster.scheduler_address
        )
    monkeypatch.undo()
    write_dataset(grammar, Options(limit=9), tmp_path / "set", cluster=cluster.scheduler_address)
    write_dataset(grammar, Options(limit=9), tmp_path / "whole")
    assert contents(tmp_path / "set") == contents(tmp_path / "whole")


@needs_dask
def test_a_local_cluster_lives_as_long_as_the_run(tmp_path: Path, whole: dict[str, bytes]) -> None:
    write_dataset(load(FRENCH), OPTIONS, tmp_path / "set", cluster="local:2")
    assert contents(tmp_path / "set") == whole


@needs_dask
def test_a_scheduler_without_workers_is_waited_for(tmp_path: Path, whole: dict[str, bytes]) -> None:
    options = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0", "silence_logs": 100}
    with distributed.LocalCluster(
        n_workers=0, threads_per_worker=1, scheduler_kwargs={"dashboard": False}, **options
    ) as empty:
        told: list[str] = []

        def come(text: str) -> None:
            told.append(text)
            empty.scale(1)

        address = empty.scheduler_address
        write_dataset(load(FRENCH), OPTIONS, tmp_path / "set", cluster=address, say=come)
    assert told == [f"the scheduler at {address} has no workers yet; waiting for one"]
    assert contents(tmp_path / "set") == whole


@needs_dask
@pytest.mark.slow
def test_a_scheduler_that_is_lost_is_told(tmp_path: Path, whole: dict[str, bytes]) -> None:
    file, dask = tmp_path / "scheduler.json", [sys.executable, "-m", "dask"]
    told = ["--scheduler-file", str(file), "--no-dashboard"]
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    scheduler = subprocess.Popen(
        [*dask, "scheduler", *told, "--host", "127.0.0.1", "--port", "0"], **silent
    )
    worker = subprocess.Popen(
        [*dask, "worker", *told, "--nthreads", "1", "--death-timeout", "60"], **silent
    )
    try:
        until = time.monotonic() + 60
        while not file.exists() or not file.stat().st_size:
            assert time.monotonic() < until
            time.sleep(0.05)
        with pytest.raises(WorkerError, match="is lost; the same command goes on"):
            write_dataset(
                load(FRENCH),
                OPTIONS,
                tmp_path / "set",
                cluster=str(file),
                progress=lambda done, _total: scheduler.kill() if done else None,
            )
    finally:
        for process in (scheduler, worker):
            process.kill()
            process.wait()
    write_dataset(load(FRENCH), OPTIONS, tmp_path / "set")
    assert contents(tmp_path / "set") == whole


# --- what users may get wrong ----------------------------------------------------------


def refused(folder: Path, address: str) -> str:
    """Why a run with this address does nothing."""
    with pytest.raises(WorkerError) as found:
        write_dataset(load(FRENCH), Options(limit=3), folder, cluster=address)
    return str(found.value)


@needs_dask
def test_addresses_of_nothing_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("blm.dataset.cluster._CONNECT", 1)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{closed.getsockname()[1]}"
        assert refused(tmp_path / "1", address).startswith(f"no scheduler answers at {address}")
    assert "is no cluster" in refused(tmp_path / "2", str(tmp_path / "none.json"))
    file = tmp_path / "scheduler.json"
    for text in ("{}", "[]", "no JSON"):
        file.write_text(text, encoding="utf-8")
        assert refused(tmp_path / "3", str(file)) == f"{file} is no file of a scheduler"
    assert "write local:2" in refused(tmp_path / "4", "local:0")


def test_without_dask_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "pip install 'blm[distributed]'" in refused(tmp_path / "set", "local:2")


def test_a_local_cluster_that_does_not_start_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where one of its processes is killed before it is ready."""

    def fails(**_options: Any) -> None:
        raise RuntimeError("Nanny failed to start.")

    monkeypatch.setattr("distributed.LocalCluster", fails)
    with pytest.raises(WorkerError, match=r"did not start \(Nanny failed to start.\); try again"):
        write_dataset(load(FRENCH), Options(limit=10), tmp_path / "set", cluster="local:1")
