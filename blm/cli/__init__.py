"""The command line: thin faces over `blm.pipeline`. Exit codes: 0, 1 for mistakes, 2 for usage."""

from __future__ import annotations

import gc
import os
import sys
from io import TextIOWrapper
from typing import Annotated

import typer

from blm.cli import augments, baselines, datasets, grammars, lexicons, problems
from blm.cli.ending import Commands, let_go_of_output
from blm.version import __version__

app = typer.Typer(
    name="blm",
    cls=Commands,
    help="Write a grammar, enumerate every matrix, and read why an answer is wrong.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(grammars.app)
app.add_typer(datasets.app)
app.add_typer(problems.app)
app.add_typer(lexicons.app)
app.add_typer(augments.app)
app.add_typer(baselines.app)


_WITH_LARGE_MATRICES = {"augment", "encode", "encoder", "train"}
"""Commands for which it pays that OpenBLAS has a thread for each core."""


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    if version:
        print(f"blm {__version__}")
        raise typer.Exit
    if context.invoked_subcommand not in _WITH_LARGE_MATRICES:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy loads in two thirds of the time


def main() -> None:
    """Run the command line."""
    gc.set_threshold(100_000)  # what a command loads stays; looking through it takes a tenth
    for stream in (sys.stdout, sys.stderr):  # a path may hold bytes that are no character
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    finally:
        gc.freeze()  # it would be looked through once more at the end
        let_go_of_output()
