"""How commands end that are stopped: in order, with a word, and never with a traceback."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from making import FRENCH

from blm.dataset.interrupts import interrupts_wait

COMMAND = [sys.executable, "-m", "blm"]


def generating(folder: Path, *more: str) -> subprocess.Popen[str]:
    """A command that has written shards, and has more to write."""
    told = ["generate", str(FRENCH), "-o", str(folder), "--shard-size", "20", *more]
    run = subprocess.Popen([*COMMAND, *told], stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 60
    while run.poll() is None and not list(folder.glob(".*.done")):
        assert time.monotonic() < until
        time.sleep(0.005)
    return run


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_is_answered_in_order(tmp_path: Path, name: str) -> None:
    run = generating(tmp_path / "set")
    run.send_signal(getattr(signal, name))
    _, told = run.communicate(timeout=60)
    assert told == "what is written is kept; the same command goes on\nstopped\n"
    assert run.returncode == 128 + getattr(signal, name)
    left = [path.name for path in (tmp_path / "set").iterdir()]
    assert not [name for name in left if name.endswith((".part", ".lock"))]


def test_a_signal_that_is_ignored_stays_so(tmp_path: Path) -> None:
    """As under `nohup`."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        run = generating(tmp_path / "set")
    finally:
        signal.signal(signal.SIGHUP, before)
    run.send_signal(signal.SIGHUP)
    _, told = run.communicate(timeout=60)
    assert (run.returncode, told) == (0, "")


LOST = """
import os, signal, sys, time
sys.argv = ["blm", "grammars"]
import blm.cli.grammars as grammars

class Closing:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.1)

def lose(*_arguments):
    Closing()
    time.sleep(90)

grammars.print = lose
from blm.__main__ import main
main()
"""


def test_ctrl_c_where_nothing_can_be_raised_is_not_lost() -> None:
    run = subprocess.run(
        [sys.executable, "-c", LOST], capture_output=True, text=True, check=False, timeout=60
    )
    assert (run.returncode, run.stderr) == (130, "stopped\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", str(FRENCH), "--json"],
        ["matrices", str(FRENCH)],
        ["compile", str(FRENCH)],
        ["distractors", str(FRENCH), "--matrix", "m1"],
        ["grammars"],
    ],
)
def test_a_reader_that_has_enough_is_no_mistake(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        run = subprocess.run(
            [*COMMAND, *arguments], stdout=writing, stderr=subprocess.PIPE, text=True, check=False
        )
    finally:
        os.close(writing)
    assert (run.returncode, run.stderr) == (141, "")


# --- while processes are started ----------------------------------------------------------


def test_an_interrupt_waits_until_what_was_begun_is_there() -> None:
    begun = False

    def begin() -> None:
        nonlocal begun
        with interrupts_wait():
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.05)
            begun = True

    with pytest.raises(KeyboardInterrupt):
        begin()
    assert begun
    with pytest.raises(KeyboardInterrupt):  # and is heard as before
        signal.raise_signal(signal.SIGINT)


def test_what_is_started_meanwhile_does_not_hear_the_terminal() -> None:
    deaf = "import signal; print(*sorted(n.name for n in signal.pthread_sigmask(0, [])))"
    told = []

    def start() -> None:
        run = subprocess.run([sys.executable, "-c", deaf], capture_output=True, text=True)
        told.append(run.stdout.split())

    with interrupts_wait():
        start()
        thread = threading.Thread(target=start)  # as those in which Dask starts processes
        thread.start()
        thread.join()
    start()
    assert told == [["SIGHUP", "SIGINT"], ["SIGHUP", "SIGINT"], []]
