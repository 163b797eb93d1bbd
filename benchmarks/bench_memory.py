"""The peak memory of a process that writes 10^4, 10^5 and 10^6 problems: it must not grow."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from common import FRENCH, Line, Settings, blm, peak

_MOST = 1.2


def lines(settings: Settings) -> Iterator[Line]:
    before: tuple[int, float] | None = None
    for number in map(settings.size, (10_000, 100_000, 1_000_000)):
        found = _peak(number)
        ratio = found / before[1] if before else None
        yield Line(
            "memory",
            f"{number:,} problems, Parquet",
            found,
            "MB",
            against=f"{before[0]:,} problems" if before else "",
            other=before[1] if before else None,
            ratio=ratio,
            target=f"<= {_MOST:g} times" if ratio else "",
            met=ratio <= _MOST if ratio else None,
            rounds=1,
        )
        before = number, found


def _peak(number: int) -> float:
    with tempfile.TemporaryDirectory() as scratch:
        made = ["--type", "III", "--limit", str(number), "--format", "parquet"]
        return peak(blm("generate", FRENCH, "-o", Path(scratch) / "set", *made))
