"""What the benchmarks share: contestants timed in turn, and lines of one table.

Everything is a ratio between contestants that ran in the same minutes: each round lets every
contestant run once, the next round in the opposite order, and medians are taken over rounds.
A load on the machine that lasts longer than a round meets all of them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

FOLDER = Path(__file__).resolve().parent
GRAMMARS = FOLDER.parent / "grammars"
FRENCH = GRAMMARS / "agreement" / "fr.blm"


@dataclass(frozen=True)
class Settings:
    """How long to measure: rounds, and seconds after which no round begins; both at most."""

    repeats: int = 5
    seconds: float = 60.0
    quick: bool = False

    def size(self, usual: int) -> int:
        """How much to do: a tenth, if a glance will do."""
        return usual // 10 if self.quick else usual


@dataclass(frozen=True)
class Line:
    """A line of the table. `value` and `other` are medians in `unit`; `met`: None, if no target.

    `cpu` is what `value` would be if the processor did nothing else, in the same unit, and
    `cpu_ratio` the ratio of that: on a machine that is busy they say more about the program.
    """

    topic: str
    what: str
    value: float | None
    unit: str
    cpu: float | None = None
    against: str = ""
    other: float | None = None
    ratio: float | None = None
    cpu_ratio: float | None = None
    target: str = ""
    met: bool | None = None
    rounds: int = 0
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


# --- time ----------------------------------------------------------


@dataclass(frozen=True)
class Clock:
    """How long something took, and how long processors were busy with it, in seconds."""

    wall: float
    cpu: float


def clocked(run: Callable[[], object]) -> Clock:
    """The time that a run takes, with that of the processes which it waits for."""
    before, start = os.times(), time.perf_counter()
    run()
    wall, after = time.perf_counter() - start, os.times()
    return Clock(wall, sum(after[:4]) - sum(before[:4]))


@dataclass(frozen=True)
class Times:
    """The times of each contestant, round by round."""

    rounds: Mapping[str, Sequence[Clock]]

    def median(self, name: str) -> float:
        """The median of the seconds."""
        return median(clock.wall for clock in self.rounds[name])

    def cpu(self, name: str) -> float:
        """The median of the seconds that processors were busy."""
        return median(clock.cpu for clock in self.rounds[name])

    def ratio(self, name: str, other: str) -> float:
        """How many times as long `other` takes as `name`: the median over the rounds."""
        pairs = zip(self.rounds[name], self.rounds[other], strict=True)
        return median(theirs.wall / ours.wall for ours, theirs in pairs)

    def cpu_ratio(self, name: str, other: str) -> float:
        """The same of the seconds that processors were busy."""
        pairs = zip(self.rounds[name], self.rounds[other], strict=True)
        return median(theirs.cpu / max(ours.cpu, 1e-3) for ours, theirs in pairs)

    @property
    def number(self) -> int:
        """The number of rounds."""
        return len(next(iter(self.rounds.values())))


def interleaved(contestants: Mapping[str, Callable[[], Clock]], settings: Settings) -> Times:
    """Let the contestants run in turn; each tells the time that it took."""
    rounds: dict[str, list[Clock]] = {name: [] for name in contestants}
    until = time.monotonic() + settings.seconds
    for number in range(settings.repeats):
        if number and time.monotonic() > until:
            break
        for name in list(contestants)[:: -1 if number % 2 else 1]:
            rounds[name].append(contestants[name]())
    return Times(rounds)


# --- processes ----------------------------------------------------------


def blm(*arguments: str | Path) -> list[str]:
    """The command line of `blm`, in the Python that runs the benchmarks."""
    return [sys.executable, "-c", "from blm.__main__ import main; main()", *map(str, arguments)]


def run(command: Sequence[str]) -> None:
    """Run a command to its end; what it says is seen only if it fails."""
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{found.stdout}{found.stderr}")


_PEAK = """
import os, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(child, 0)
print(usage.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def peak(command: Sequence[str]) -> float:
    """The peak memory of a command, in MB; that of processes which it starts is not in it.

    A small process starts it: Linux counts to a process what the one had that started it.
    """
    found = subprocess.run(
        [sys.executable, "-c", _PEAK, *command], capture_output=True, text=True, check=True
    )
    return int(found.stdout.split()[-1]) / (2**20 if sys.platform == "darwin" else 2**10)
