"""A data set appears whole: with several workers, after a kill at any moment, on a full disk."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import small
from making import EVERY, FRENCH, contents, make

from blm.dataset.folder import DatasetExistsError, note_run, read_manifest
from blm.dataset.lock import LOCK
from blm.dataset.workers import WorkerError

TESTS = Path(__file__).parent
FORMATS = ("jsonl", "csv", "parquet", "json")

KILLED = """
import os, signal, sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from making import make

left, replace = int(sys.argv[4]), os.replace

def counted(*paths):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    replace(*paths)

os.replace = counted
options = {"formats": ("jsonl", "json"), "shard_size": 300}
make(Path(sys.argv[3]), Path(sys.argv[2]), force=sys.argv[5] == "True", **options)
"""
"""Ends itself before it gives a file its name for the n-th time; the 30th is the manifest."""


def killed(grammar: Path, folder: Path, moment: int, *, force: bool = False) -> bool:
    """Whether a run ended at this moment, and not before it."""
    arguments = [str(TESTS), str(grammar), str(folder), str(moment), str(force)]
    result = subprocess.run([sys.executable, "-c", KILLED, *arguments], check=False)
    assert result.returncode in (0, -signal.SIGKILL)
    return result.returncode != 0


def test_workers_write_the_same_bytes(tmp_path: Path) -> None:
    options = {"formats": EVERY, "shard_size": 700, "split": {"train": 80, "test": 20}}
    make(tmp_path / "one", FRENCH, workers=1, **options)
    make(tmp_path / "two", FRENCH, workers=2, **options)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


@pytest.mark.parametrize("moment", [1, 2, 4, 9, 10, 17, 25, 26, 27, 28, 29, 30])
def test_a_run_killed_at_any_moment_is_completed(tmp_path: Path, moment: int) -> None:
    (tmp_path / "grammar").mkdir()
    grammar = small.write(tmp_path / "grammar")
    options = {"formats": ("jsonl", "json"), "shard_size": 300}
    make(tmp_path / "whole", grammar, **options)
    whole = contents(tmp_path / "whole")
    if not killed(grammar, tmp_path / "set", moment):
        pytest.fail("there are fewer moments than this")
    for name, data in contents(tmp_path / "set").items():
        assert name.startswith(".") or data == whole[name]
    make(tmp_path / "set", grammar, **options)
    assert contents(tmp_path / "set") == whole


def test_a_run_has_no_moment_after_the_manifest(tmp_path: Path) -> None:
    (tmp_path / "grammar").mkdir()
    assert not killed(small.write(tmp_path / "grammar"), tmp_path / "set", 31)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_with_workers_is_killed_and_completed(tmp_path: Path, workers: int) -> None:
    options = {"formats": ["jsonl", "parquet"], "shard_size": 300}
    make(tmp_path / "whole", FRENCH, **options)
    code = (
        f"import sys; sys.path.insert(0, {str(TESTS)!r})\n"
        "from pathlib import Path\nfrom making import FRENCH, make\n"
        f"make(Path({str(tmp_path / 'set')!r}), FRENCH, workers={workers}, **{options!r})"
    )
    for notes in (1, 3, 6):
        run = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
        _wait(run, tmp_path / "set", notes)
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
    make(tmp_path / "set", FRENCH, workers=workers, **options)
    assert contents(tmp_path / "set") == contents(tmp_path / "whole")


def _wait(run: subprocess.Popen, folder: Path, notes: int) -> None:
    """Until so many shards are there, or the run has ended."""
    while run.poll() is None and len(list(folder.glob(".*.done"))) < notes:
        time.sleep(0.01)


def test_a_finished_run_is_tidied_after_a_kill(tmp_path: Path) -> None:
    manifest = make(tmp_path / "set", FRENCH, limit=10)
    whole = contents(tmp_path / "set")
    from blm.dataset.plan import Options, make_plan
    from blm.pipeline import load

    plan = make_plan(load(FRENCH), Options(limit=10))
    note_run(tmp_path / "set", plan)
    (tmp_path / "set" / ".problems.done").write_text("{}", encoding="utf-8")
    assert make(tmp_path / "set", FRENCH, limit=10) == manifest
    assert contents(tmp_path / "set") == whole


# --- folders of other things ----------------------------------------------------------


def test_a_data_set_is_replaced_only_when_forced(tmp_path: Path) -> None:
    make(tmp_path / "set", FRENCH, formats=EVERY, limit=10)
    with pytest.raises(DatasetExistsError, match="use --force"):
        make(tmp_path / "set", FRENCH, limit=20)
    make(tmp_path / "set", force=True, limit=20)
    make(tmp_path / "new", FRENCH, limit=20)
    assert contents(tmp_path / "set") == contents(tmp_path / "new")
    assert not (tmp_path / "set" / "lm_eval").exists()


def test_the_same_command_finds_nothing_to_do(tmp_path: Path) -> None:
    manifest = make(tmp_path / "set", FRENCH, formats=EVERY, limit=10)
    steps: list[tuple[int, int]] = []
    again = make(
        tmp_path / "set", progress=lambda *step: steps.append(step), formats=EVERY, limit=10
    )
    assert again == manifest
    assert not steps
    (tmp_path / "set" / "problems.csv").write_text("cut off", encoding="utf-8")
    with pytest.raises(DatasetExistsError, match="use --force"):
        make(tmp_path / "set", FRENCH, formats=EVERY, limit=10)


def test_a_data_set_stands_until_the_one_that_replaces_it_is_whole(tmp_path: Path) -> None:
    make(tmp_path / "set", FRENCH, formats=EVERY, limit=10)
    make(tmp_path / "new", FRENCH, limit=20, shard_size=5)
    before = contents(tmp_path / "set")

    def stop(done: int, _total: int) -> None:
        if done > 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make(tmp_path / "set", force=True, progress=stop, limit=20, shard_size=5)
    there = contents(tmp_path / "set")
    assert {name: there[name] for name in before} == before
    assert {name.split("/")[0] for name in there.keys() - before.keys()} == {".next"}
    steps: list[tuple[int, int]] = []
    options = {"limit": 20, "shard_size": 5}
    make(tmp_path / "set", force=True, progress=lambda *step: steps.append(step), **options)
    assert steps[0][0] >= 5  # it went on
    assert contents(tmp_path / "set") == contents(tmp_path / "new")


@pytest.mark.parametrize("moment", [1, 9, 30, 31, 32, 33, 45, 58])
def test_a_replacement_killed_at_any_moment_is_completed(tmp_path: Path, moment: int) -> None:
    """It needs no --force once the old data set is gone."""
    (tmp_path / "grammar").mkdir()
    grammar = small.write(tmp_path / "grammar")
    options = {"formats": ("jsonl", "json"), "shard_size": 300}
    make(tmp_path / "new", grammar, **options)
    make(tmp_path / "set", FRENCH, formats=EVERY, limit=10)
    old, new = contents(tmp_path / "set"), contents(tmp_path / "new")
    if not killed(grammar, tmp_path / "set", moment, force=True):
        pytest.fail("there are fewer moments than this")
    there = contents(tmp_path / "set")
    if there.get("manifest.json") == old["manifest.json"]:
        assert {name: there[name] for name in old} == old
        make(tmp_path / "set", grammar, force=True, **options)
    else:
        make(tmp_path / "set", grammar, **options)
    assert contents(tmp_path / "set") == new


@pytest.mark.parametrize("moment", [1, 2, 4, 9])
def test_a_run_that_wrote_no_shard_is_in_nobodys_way(tmp_path: Path, moment: int) -> None:
    (tmp_path / "grammar").mkdir()
    assert killed(small.write(tmp_path / "grammar"), tmp_path / "set", moment)
    make(tmp_path / "set", FRENCH, limit=20)
    make(tmp_path / "new", FRENCH, limit=20)
    assert contents(tmp_path / "set") == contents(tmp_path / "new")


@pytest.mark.parametrize("moment", [11, 17, 27, 30])
def test_an_unfinished_data_set_is_replaced_when_forced(tmp_path: Path, moment: int) -> None:
    (tmp_path / "grammar").mkdir()
    assert killed(small.write(tmp_path / "grammar"), tmp_path / "set", moment)
    with pytest.raises(DatasetExistsError, match="unfinished"):
        make(tmp_path / "set", FRENCH, limit=20)
    make(tmp_path / "set", force=True, limit=20)
    make(tmp_path / "new", FRENCH, limit=20)
    assert contents(tmp_path / "set") == contents(tmp_path / "new")


# --- two commands on one folder ----------------------------------------------------------


BUSY = "another command is writing there"


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("other", [{}, {"limit": 20}])
def test_a_folder_that_is_written_to_is_left_alone(
    tmp_path: Path, force: bool, other: dict[str, int]
) -> None:
    """Whether the second one makes the same data set or another, and at whatever moment."""
    options = {"shard_size": 300, "formats": ("jsonl", "parquet")}
    make(tmp_path / "whole", FRENCH, **options)
    refused = 0

    def meanwhile(_done: int, _total: int) -> None:
        nonlocal refused
        with pytest.raises(BlockingIOError, match=BUSY) as error:
            make(tmp_path / "set", FRENCH, force=force, **{**options, **other})
        assert error.value.filename == str(tmp_path / "set")
        refused += 1

    make(tmp_path / "set", FRENCH, progress=meanwhile, **options)
    assert refused > 5
    assert contents(tmp_path / "set") == contents(tmp_path / "whole")


def test_the_same_command_many_times_at_once(tmp_path: Path) -> None:
    code = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from making import FRENCH, make

try:
    make(Path(sys.argv[2]), FRENCH, force=sys.argv[3] == "1", limit=int(sys.argv[4]), shard_size=9)
except BlockingIOError:
    sys.exit(3)
"""
    cases = [("0", "90"), ("1", "90"), ("0", "90"), ("1", "90")]
    running = [
        subprocess.Popen([sys.executable, "-c", code, str(TESTS), str(tmp_path / "set"), *case])
        for case in cases
    ]
    codes = [process.wait() for process in running]
    assert set(codes) <= {0, 3}
    assert 0 in codes
    make(tmp_path / "whole", FRENCH, limit=90, shard_size=9)
    assert contents(tmp_path / "set") == contents(tmp_path / "whole")


def test_the_lock_of_a_command_that_was_killed_holds_nobody_up(tmp_path: Path) -> None:
    (tmp_path / "grammar").mkdir()
    grammar = small.write(tmp_path / "grammar")
    assert killed(grammar, tmp_path / "set", 9)
    assert (tmp_path / "set" / LOCK).exists()
    make(tmp_path / "set", grammar, formats=("jsonl", "json"), shard_size=300)
    assert not (tmp_path / "set" / LOCK).exists()


def test_a_folder_made_for_nothing_is_gone(tmp_path: Path) -> None:
    with pytest.raises(WorkerError):
        make(tmp_path / "a" / "b", FRENCH, cluster=str(tmp_path / "no.json"))
    assert not (tmp_path / "a").exists()
    make(tmp_path / "a" / "b", FRENCH, limit=3)
    assert (tmp_path / "a" / "b" / "manifest.json").exists()


# --- what is none of ours ----------------------------------------------------------


@pytest.mark.parametrize("name", ["notes.txt", "README.md", "lm_eval/own.yaml", "deep/er"])
def test_other_files_are_never_touched(tmp_path: Path, name: str) -> None:
    make(tmp_path / "set", FRENCH, formats=EVERY, limit=10)
    if name == "README.md":
        (tmp_path / "set" / "manifest.json").unlink()
    else:
        (tmp_path / "set" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "set" / name).write_text("mine", encoding="utf-8")
    before = contents(tmp_path / "set")
    with pytest.raises(DatasetExistsError, match="holds other files"):
        make(tmp_path / "set", force=True, limit=20)
    assert contents(tmp_path / "set") == before


def test_a_manifest_cannot_name_files_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "kept").write_text("mine", encoding="utf-8")
    (tmp_path / "set" / "away").symlink_to(tmp_path)
    manifest = '{"files": {"../kept": {}, "away/kept": {}, "' + str(tmp_path / "kept") + '": {}}}'
    (tmp_path / "set" / "manifest.json").write_text(manifest, encoding="utf-8")
    with pytest.raises(DatasetExistsError):
        make(tmp_path / "set", force=True, limit=20)
    assert (tmp_path / "kept").read_text(encoding="utf-8") == "mine"


# --- what goes wrong ----------------------------------------------------------

FULL = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))
from blm.cli import main
main()
"""


@pytest.mark.parametrize("form", FORMATS)
def test_a_full_disk_gives_a_message(tmp_path: Path, form: str) -> None:
    arguments = ["generate", str(FRENCH), "-o", str(tmp_path / "set"), "--format", form]
    result = subprocess.run(
        [sys.executable, "-c", FULL, *arguments], capture_output=True, text=True, check=False
    )
    assert result.returncode == 1
    assert "File too large" in result.stderr
    assert "Traceback" not in result.stderr
    assert str(tmp_path / "set") in result.stderr
    assert [name for name in contents(tmp_path / "set") if not name.startswith(".run")] == []


def test_a_folder_that_cannot_be_made_gives_a_message(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(NotADirectoryError) as caught:
        make(tmp_path / "file" / "set", FRENCH, limit=1)
    assert str(tmp_path / "file") in str(caught.value.filename)
    with pytest.raises(DatasetExistsError, match="is a file"):
        make(tmp_path / "file", FRENCH, limit=1)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_the_right_to_write_gives_a_message(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir(mode=0o500)
    with pytest.raises(PermissionError):
        make(tmp_path / "set", FRENCH, limit=1)


def test_the_manifest_of_no_data_set(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_manifest(tmp_path)
