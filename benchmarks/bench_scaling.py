"""How much faster two workers write than one, from the start of the program to its end."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from common import FRENCH, Clock, Line, Settings, blm, clocked, interleaved, run

_LEAST = 1.6
"""Times, on two cores that are free."""


def lines(settings: Settings) -> Iterator[Line]:
    number = settings.size(1_000_000)
    longer = replace(settings, seconds=3 * settings.seconds)
    times = interleaved({str(n): partial(_written, number, n) for n in (1, 2)}, longer)
    ratio = times.ratio("2", "1")
    yield Line(
        "scaling",
        f"{number:,} problems, two workers",
        number / times.median("2"),
        "a second",
        against="one worker",
        other=number / times.median("1"),
        ratio=ratio,
        target=f">= {_LEAST:g} times",
        met=ratio >= _LEAST,
        rounds=times.number,
        note=f"busy for {times.cpu('2') / times.cpu('1'):.2f} times the seconds of one worker",
    )


def _written(number: int, workers: int) -> Clock:
    with tempfile.TemporaryDirectory() as scratch:
        made = ["--type", "III", "--limit", str(number), "--format", "parquet"]
        told = [*made, "--workers", str(workers)]
        return clocked(lambda: run(blm("generate", FRENCH, "-o", Path(scratch) / "set", *told)))
