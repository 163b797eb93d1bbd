"""What the commands share: options, how grammars are loaded, how mistakes are told."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

DEFAULT_MODEL = "bert-base-multilingual-cased"
"""`blm.encode.encoder.DEFAULT`, which is not imported for a default of an option."""

GrammarFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="A grammar, concrete or abstract.")
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]
MatrixId = Annotated[str | None, typer.Option("--matrix", metavar="ID", help="m1, m2, ...")]
Seconds = Annotated[
    float, typer.Option("--time-limit", metavar="SECONDS", min=0.1, help="Give up after this.")
]


@contextmanager
def reported(as_json: bool = False) -> Iterator[None]:
    """Turn what users can cause into a message and exit code 1.

    For programs the one JSON document then is `{"error": ...}`, or `{"diagnostics": [...]}`.
    """
    from blm.diagnostics import GrammarError
    from blm.solve import LimitExceeded

    document: dict[str, Any]
    try:
        yield
        return
    except GrammarError as error:
        text = "\n".join(d.render() for d in error.diagnostics)
        document = {"diagnostics": [d.to_json() for d in error.diagnostics]}
    except BrokenPipeError:  # nobody reads the output, which is no mistake
        raise
    except OSError as error:
        text = f"error: {error.strerror or error}: {error.filename or ''}".rstrip(": ")
        document = {"error": text.removeprefix("error: ")}
    except (LimitExceeded, ValueError) as error:
        text = f"error: {error}"
        document = {"error": str(error)}
    complain(text)
    if as_json:
        print_json(document)
    raise typer.Exit(1)


def complain(text: str) -> None:
    """Tell people something, on standard error."""
    from blm.text import harmless

    print(harmless(text), file=sys.stderr)


def print_json(document: Any) -> None:
    """Print the one JSON document of a command."""
    json.dump(document, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")


def load_grammar(path: Path, seconds: float = 600.0) -> Any:
    """The grammar of a file, its warnings told."""
    from blm.grammar import load
    from blm.solve import Limits

    grammar = load(path, limits=Limits(seconds=seconds))
    for warning in grammar.warnings:
        complain(warning.render())
    return grammar


def refuse_errors(grammar: Any) -> None:
    """GrammarError where `blm check` finds an error: what is made of the grammar would have it."""
    from blm.diagnostics import GrammarError, Severity

    errors = [found for found in grammar.check() if found.severity is Severity.ERROR]
    if errors:
        raise GrammarError(errors)


def amount(number: int, noun: str) -> str:
    """`3 errors`, `1 error`, `no errors`."""
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


@contextmanager
def show_progress(what: str) -> Iterator[Any]:
    """A function to report progress to: a bar on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.progress import Progress

    from blm.render import console

    with Progress(console=console(error=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
