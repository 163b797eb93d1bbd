"""All benchmarks, one table. Each compares contestants that run in turn, in the same minutes.

python benchmarks/run.py                      # all, in some minutes
python benchmarks/run.py --only matrices audit --json
python benchmarks/run.py --neural             # encoders and networks too (extra `neural`)
"""

from __future__ import annotations

import argparse
import compileall
import importlib
import json
import os
import platform
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from common import Line, Settings
from rich.console import Console
from rich.table import Table

import blm

BENCHMARKS = (
    "matrices",
    "space",
    "problems",
    "explanations",
    "audit",
    "startup",
    "memory",
    "scaling",
)
NEURAL = ("encode", "train")


def main() -> None:
    options = _parser().parse_args()
    settings = Settings(options.repeats, options.seconds, options.quick)
    _compile()
    names = options.only or [*BENCHMARKS, *(NEURAL if options.neural else ())]
    found = list(measured(names, settings))
    if options.json:
        json.dump({**_machine(), "lines": [line.to_json() for line in found]}, sys.stdout, indent=2)
        sys.stdout.write("\n")
    else:
        show(found)
    sys.exit(any(line.met is False for line in found) if options.strict else 0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=[*BENCHMARKS, *NEURAL], metavar="NAME")
    parser.add_argument("--neural", action="store_true", help="what needs torch, too")
    parser.add_argument("--repeats", type=int, default=5, help="rounds, at most")
    parser.add_argument(
        "--seconds", type=float, default=60, help="no round of a comparison begins after these"
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of the work: a glance")
    parser.add_argument("--json", action="store_true", help="one JSON document, no table")
    parser.add_argument("--strict", action="store_true", help="exit 1 if a target is missed")
    return parser


def _compile() -> None:
    """Compile blm, as `pip install` does, so that no start has to."""
    compileall.compile_dir(str(Path(blm.__file__).parent), quiet=2)


def measured(names: list[str], settings: Settings) -> Iterator[Line]:
    """The lines of these benchmarks, one after the other."""
    for name in names:
        print(f"{name} ...", file=sys.stderr, flush=True)
        yield from importlib.import_module(f"bench_{name}").lines(settings)


def _machine() -> dict[str, Any]:
    """Where and when: what the figures depend on, and nothing that names the machine."""
    load = round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None
    return {
        "date": date.today().isoformat(),
        "cores": os.cpu_count(),
        "machine": platform.machine(),
        "python": platform.python_version(),
        "load": load,
    }


def show(lines: list[Line]) -> None:
    """The table, and below it what stands in no column."""
    table = Table(box=None, pad_edge=False)
    for title in ("", "what", "blm", "by CPU", "against", "ratio", "by CPU ", "target", "rounds"):
        right = title in ("blm", "by CPU", "ratio", "by CPU ", "rounds")
        table.add_column(title, justify="right" if right else "left", no_wrap=title != "what")
    for line in lines:
        table.add_row(
            line.topic,
            line.what,
            _amount(line.value, line.unit),
            _amount(line.cpu, line.unit) if line.cpu is not None else "",
            f"{line.against}: {_amount(line.other, line.unit)}" if line.against else "",
            f"{line.ratio:.2f}" if line.ratio is not None else "",
            f"{line.cpu_ratio:.2f}" if line.cpu_ratio is not None else "",
            f"{line.target} {'' if line.met else 'MISSED'}" if line.target else "",
            str(line.rounds),
        )
    console = Console(width=None if sys.stdout.isatty() else 160, highlight=False)
    console.print(table)
    for line in lines:
        if line.note:
            console.print(f"{line.topic}, {line.what}: {line.note}")
    told = _machine()
    console.print(", ".join(f"{name} {value}" for name, value in told.items()))


def _amount(value: float | None, unit: str) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f} {unit}" if abs(value) >= 100 else f"{value:.3g} {unit}"


if __name__ == "__main__":
    main()
