"""docs/baselines.md names commands, options, files and figures that are there; needs no torch."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import typer

from blm.cli import app
from blm.experiment import read_config
from blm.experiment.config import EncoderChoice, ExperimentConfig, Source

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "baselines.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\| `blm ([^`]*)` \| (.*) \|$", TEXT, re.MULTILINE)
LINES = re.findall(r"^    blm (.*)$", TEXT, re.MULTILINE)


def options_of(words: list[str]) -> set[str]:
    """The options of the command that the first words name."""
    found: Any = typer.main.get_command(app)
    for word in words:
        if hasattr(found, "commands"):
            found = found.commands[word]
    return {name for parameter in found.params for name in parameter.opts}


def test_there_are_commands() -> None:
    assert len(COMMANDS) == 5
    assert len(LINES) >= 3


@pytest.mark.parametrize(("line", "told"), [*COMMANDS, *((line, "") for line in LINES)])
def test_commands_have_the_options_that_are_named(line: str, told: str) -> None:
    named = re.findall(r"(?<![\w-])--?[a-z][a-z-]*", f"{line} {told}")
    assert set(named) <= options_of(line.split())
    assert "--json" in options_of(line.split())


def test_files_that_are_named_are_there() -> None:
    for name in re.findall(r"experiments/\w+\.toml|benchmarks/\w+\.py|blm/[\w/]+\.py", TEXT):
        assert (ROOT / name).is_file(), name
    figures = re.findall(r"!\[.*?\]\((.*?)\)", TEXT)
    assert figures
    for name in figures:
        assert (ROOT / "docs" / name).is_file(), name


def test_fields_of_experiments_are_there() -> None:
    (fields,) = re.findall(r"^\| field \| meaning.*?\n\n", TEXT, re.MULTILINE | re.DOTALL)
    named = {name for row in fields.splitlines() for name in re.findall(r"`(\w+)`", row[:200])}
    known = {
        name
        for kind in (ExperimentConfig, EncoderChoice, Source)
        for name in kind.__dataclass_fields__
    }
    assert {"sizes", "equal", "test_limit", "split_by"} <= named & known


def test_results_are_of_the_shipped_experiment() -> None:
    config = read_config(ROOT / "experiments" / "agreement.toml")
    (results,) = re.findall(r"^## What the shipped experiment shows\n(.*?)^## ", TEXT, re.M | re.S)
    for encoder in config.encoders:
        assert encoder.label in results
    assert f"{len(config.seeds)} runs" in results
