"""Several workers: what travels to them, and that what they write is what one process writes."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import small
from making import EVERY, FRENCH, GRAMMARS, contents

from blm.cli.datasets import app
from blm.dataset.plan import Options, Shard, make_plan
from blm.dataset.workers import Job, WorkerError, pack, unpack, work
from blm.dataset.write import write_dataset
from blm.grammar import load
from blm.variation import LexicalType

CONCRETE = sorted(
    path for path in GRAMMARS.rglob("*.blm") if "\nlanguage " in path.read_text(encoding="utf-8")
)


def written(plan, folder: Path) -> dict[str, bytes]:
    """What a worker writes that has nothing but the folder; the parcel left out."""
    folder.mkdir()
    job = pack(plan, folder)
    for shard in plan.shards():
        work(job, shard)
    (folder / job.parcel).unlink()
    return contents(folder)


@pytest.mark.parametrize("path", CONCRETE, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_grammar_travels(tmp_path: Path, path: Path) -> None:
    plan = make_plan(load(path), Options(sample=20))
    (tmp_path / "out").mkdir()
    arrived = unpack(pack(plan, tmp_path / "out"))
    assert arrived.grammar.phenomenon == plan.grammar.phenomenon
    assert arrived.grammar.concrete == plan.grammar.concrete
    assert arrived.grammar.lexicon == plan.grammar.lexicon
    assert arrived.grammar.count() == plan.grammar.count()
    assert list(arrived.shards()) == list(plan.shards())
    for name, space in plan.spaces.items():
        assert arrived.spaces[name].count == space.count


def test_a_worker_needs_no_file_of_the_grammar(tmp_path: Path) -> None:
    (tmp_path / "grammar").mkdir()
    path = small.write(tmp_path / "grammar")
    options = Options(formats=EVERY, shard_size=300, split={"train": 2, "test": 1})
    write_dataset(load(path), options, tmp_path / "whole")
    plan = make_plan(load(path), options)
    shutil.rmtree(tmp_path / "grammar")
    whole = contents(tmp_path / "whole")
    for name, data in written(plan, tmp_path / "out").items():
        assert name.startswith(".") or data == whole[name]


def test_a_grammar_made_in_python_is_what_workers_write(tmp_path: Path) -> None:
    """Not what stands in its files, of which it has only some seeds."""
    from blm.pipeline import Grammar
    from blm.words import Lexicon

    grammar = load(FRENCH)
    lexicon = Lexicon(grammar.lexicon.words, grammar.lexicon.seeds[:3])
    fewer = Grammar(grammar.phenomenon, grammar.concrete, lexicon)
    for workers in (1, 2):
        write_dataset(fewer, Options(shard_size=100), tmp_path / str(workers), workers=workers)
    assert contents(tmp_path / "1") == contents(tmp_path / "2")


def test_a_worker_takes_one_plan_after_the_other(tmp_path: Path) -> None:
    grammar = load(FRENCH)
    first = make_plan(grammar, Options(limit=5))
    second = make_plan(grammar, Options(limit=5, type=LexicalType.III))
    one, two = written(first, tmp_path / "1"), written(second, tmp_path / "2")
    assert one != two
    assert written(first, tmp_path / "3") == one


def test_a_worker_without_the_folder_says_so(tmp_path: Path) -> None:
    plan = make_plan(load(FRENCH), Options(limit=5))
    job = pack(plan, tmp_path)
    (tmp_path / job.parcel).unlink()
    with pytest.raises(WorkerError, match="name an output folder that it shares"):
        work(job, next(plan.shards()))


def test_a_worker_opens_no_parcel_of_others(tmp_path: Path) -> None:
    plan = make_plan(load(FRENCH), Options(limit=5))
    job = pack(plan, tmp_path)
    (tmp_path / job.parcel).write_bytes(b"cos\nsystem\n(S'false'\ntR.")
    with pytest.raises(WorkerError, match="is not what the caller wrote"):
        unpack(job)


def test_a_worker_of_another_version_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = make_plan(load(FRENCH), Options(limit=5))
    job = pack(plan, tmp_path)
    monkeypatch.setattr("blm.dataset.workers.__version__", "0.0.0")
    with pytest.raises(WorkerError, match=r"the worker has blm 0\.0\.0"):
        unpack(job)


def interrupted(folder: Path, *arguments: str) -> tuple[int, str]:
    """The exit code and the complaints of a run that Ctrl-C ends once two shards are written."""
    command = [sys.executable, "-m", "blm", "generate", str(FRENCH), "-o", str(folder)]
    run = subprocess.Popen(
        [*command, "--shard-size", "40", *arguments],
        start_new_session=True,
        stderr=subprocess.PIPE,
        text=True,
    )
    until = time.monotonic() + 120
    while run.poll() is None and len(list(folder.glob(".*.done"))) < 2:
        assert time.monotonic() < until
        time.sleep(0.01)
    os.killpg(run.pid, signal.SIGINT)  # as a terminal does: everyone hears it
    try:
        _, complaints = run.communicate(timeout=120)
    finally:
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
    return run.returncode, complaints


@pytest.mark.slow
@pytest.mark.parametrize("how", [["--workers", "2"], ["--cluster", "local:2"]], ids=" ".join)
def test_ctrl_c_leaves_a_folder_that_is_completed(tmp_path: Path, how: list[str]) -> None:
    if "--cluster" in how:
        pytest.importorskip("distributed")
    code, complaints = interrupted(tmp_path / "set", *how)
    assert code == 130
    assert complaints == "what is written is kept; the same command goes on\nstopped\n"
    assert not (tmp_path / "set" / "manifest.json").exists()
    options = Options(shard_size=40)
    write_dataset(load(FRENCH), options, tmp_path / "set")
    write_dataset(load(FRENCH), options, tmp_path / "whole")
    assert contents(tmp_path / "set") == contents(tmp_path / "whole")


def test_workers_and_a_cluster_exclude_each_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = ["generate", str(FRENCH), "-o", str(tmp_path / "set")]
    with pytest.raises(SystemExit) as ended:
        app([*told, "--workers", "2", "--cluster", "local"])
    assert ended.value.code == 2
    assert "write --cluster local:N" in capsys.readouterr().err


@pytest.mark.slow
def test_processes_that_started_for_nothing_end(tmp_path: Path) -> None:
    """They start before the grammar is read, and it has a mistake."""
    faulty = tmp_path / "faulty.blm"
    faulty.write_text("phenomenon 'p'\n", encoding="utf-8")
    told = [sys.executable, "-m", "blm", "generate", str(faulty), "-o", str(tmp_path / "set")]
    run = subprocess.run(
        [*told, "--workers", "3"], capture_output=True, text=True, timeout=60, check=False
    )
    # It came to its end: whoever else had its pipes open would have been waited for.
    assert run.returncode == 1
    assert "faulty.blm:1:12: error" in run.stderr
    assert not (tmp_path / "set").exists()


def dying(job: Job, shard: Shard) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


@pytest.mark.slow
def test_a_worker_that_is_killed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """This process may have written the rest before; then nothing is left to go on with."""
    options = Options(shard_size=40)
    monkeypatch.setattr("blm.dataset.workers.work", dying)
    with pytest.raises(WorkerError, match="the same command goes on"):
        write_dataset(load(FRENCH), options, tmp_path / "set", workers=2)
    monkeypatch.undo()
    write_dataset(load(FRENCH), options, tmp_path / "set")
    write_dataset(load(FRENCH), options, tmp_path / "whole")
    assert contents(tmp_path / "set") == contents(tmp_path / "whole")
