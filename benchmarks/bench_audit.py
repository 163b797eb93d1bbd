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
    """Five answers a problem, and ten of all different sentences, which take longest."""
    number = settings.size(10_000)
    with tempfile.TemporaryDirectory() as scratch:
        named = _made(Path(scratch) / "named", "III", "named", number)
        minimal = _made(Path(scratch) / "minimal", "II", "minimal", number)
        times = interleaved(
            {
                "of III named": _audit(named),
                "of III named with its grammar": _audit(named, "--grammar", str(FRENCH)),
                "of II minimal": _audit(minimal),
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


def _made(folder: Path, type_: str, answers: str, number: int) -> Path:
    run(blm("generate", FRENCH, "-o", folder, "--type", type_, "--answers", answers,
            "--sample", str(number)))  # fmt: skip
    return folder / "problems.jsonl"


def _audit(*arguments: str | Path) -> Callable[[], Clock]:
    command = blm("audit", *arguments)
    return lambda: clocked(lambda: _ended(command))


def _ended(command: list[str]) -> None:
    """Exit code 1 says that errors were found, which is no failure here."""
    code = subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode
    assert code in (0, 1), command
