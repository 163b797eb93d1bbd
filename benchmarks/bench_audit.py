"""How long `blm audit` takes for 10,000 problems, the start of the program included."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from common import FRENCH, Clock, Line, Settings, blm, clocked, interleaved, run

_MOST = 10.0
"""Seconds."""


def lines(settings: Settings) -> Iterator[Line]:
    number = settings.size(10_000)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "set"
        made = ["--type", "III", "--sample", str(number), "--format", "jsonl"]
        run(blm("generate", FRENCH, "-o", folder, *made))
        times = interleaved(
            {
                "alone": _audit(folder / "problems.jsonl"),
                "with its grammar": _audit(folder / "problems.jsonl", "--grammar", str(FRENCH)),
            },
            settings,
        )
    for name in times.rounds:
        seconds = times.median(name)
        yield Line(
            "audit",
            f"{number:,} problems {name}, {number / seconds:,.0f} a second",
            seconds,
            "s",
            cpu=times.cpu(name),
            target=f"< {_MOST:g} s",
            met=seconds < _MOST,
            rounds=times.number,
        )


def _audit(*arguments: str | Path) -> Callable[[], Clock]:
    command = blm("audit", *arguments)
    return lambda: clocked(lambda: _ended(command))


def _ended(command: list[str]) -> None:
    """Exit code 1 says that errors were found, which is no failure here."""
    code = subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode
    assert code in (0, 1), command
