"""How long people wait: `blm --help`, and `blm check` of the largest grammar, from start to end."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from common import GRAMMARS, Line, Settings, blm, clocked, interleaved, run

_MOST = 0.5
"""Seconds."""


def lines(settings: Settings) -> Iterator[Line]:
    largest = max(GRAMMARS.rglob("*.blm"), key=_size)
    name = largest.relative_to(GRAMMARS.parent).as_posix()
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "blm --help": blm("--help"),
        f"blm check {name}": blm("check", largest),
    }
    times = interleaved(
        {n: partial(clocked, partial(run, command)) for n, command in commands.items()}, settings
    )
    bare, *ours = commands
    for what in ours:
        seconds = times.median(what)
        yield Line(
            "start-up",
            what,
            seconds,
            "s",
            cpu=times.cpu(what),
            against=bare,
            other=times.median(bare),
            ratio=times.ratio(what, bare),
            cpu_ratio=times.cpu_ratio(what, bare),
            target=f"< {_MOST:g} s",
            met=seconds < _MOST,
            rounds=times.number,
        )


def _size(grammar: Path) -> int:
    """The bytes of a grammar and of the tables beside it that have its name."""
    tables = grammar.parent.glob(f"{grammar.stem.split('-')[0]}.*.csv")
    return grammar.stat().st_size + sum(table.stat().st_size for table in tables)
