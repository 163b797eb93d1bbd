"""The command line: thin faces over `blm.pipeline`. Exit codes: 0, 1 for mistakes, 2 for usage."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from blm import __version__

app = typer.Typer(
    name="blm",
    help="Write a grammar, enumerate every matrix, and read why an answer is wrong.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class Minimise(StrEnum):
    """What a minimal distractor has least of."""

    subset = "subset"
    cardinality = "cardinality"
    edits = "edits"


class Target(StrEnum):
    """Minimal among the candidates that break each rule, or among all."""

    each = "each"
    any = "any"


class TypeOption(StrEnum):
    """The lexical types."""

    I = "I"  # noqa: E741
    II = "II"
    III = "III"
    III_OWN = "III-own"


class AnswersOption(StrEnum):
    """The kinds of answer sets."""

    named = "named"
    minimal = "minimal"
    balanced = "balanced"


class FormatOption(StrEnum):
    """The file formats of a data set."""

    jsonl = "jsonl"
    csv = "csv"


GrammarFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="A grammar, concrete or abstract.")
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]
MatrixId = Annotated[Optional[str], typer.Option("--matrix", metavar="ID", help="m1, m2, ...")]
Seconds = Annotated[
    float, typer.Option("--time-limit", metavar="SECONDS", min=0.1, help="Give up after this.")
]


# --- helpers ----------------------------------------------------------


@contextmanager
def _reported() -> Iterator[None]:
    """Turn what users can cause into a message and an exit code."""
    from blm.diagnostics import GrammarError
    from blm.solve import LimitExceeded

    try:
        yield
    except GrammarError as error:
        _complain("\n".join(d.render() for d in error.diagnostics))
        raise typer.Exit(1) from None
    except LimitExceeded as error:
        _complain(f"error: {error}")
        raise typer.Exit(1) from None
    except (ValueError, IndexError) as error:
        _complain(f"error: {error}")
        raise typer.Exit(1) from None
    except OSError as error:
        _complain(f"error: {error.strerror or error}: {error.filename or ''}".rstrip(": "))
        raise typer.Exit(1) from None


def _complain(text: str) -> None:
    print(text, file=sys.stderr)


def _print_json(document: Any) -> None:
    json.dump(document, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")


def _load(path: Path, seconds: float = 600.0) -> Any:
    from blm.pipeline import load
    from blm.solve import Limits

    grammar = load(path, limits=Limits(seconds=seconds))
    for warning in grammar.warnings:
        _complain(warning.render())
    return grammar


# --- commands ----------------------------------------------------------


@app.callback(invoke_without_command=True)
def _root(
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    if version:
        print(f"blm {__version__}")
        raise typer.Exit


@app.command()
def check(file: GrammarFile, as_json: AsJson = False, seconds: Seconds = 600.0) -> None:
    """Find the mistakes of a grammar. Exit 1 if there is an error."""
    from blm.diagnostics import GrammarError, Severity
    from blm.pipeline import load
    from blm.solve import LimitExceeded, Limits

    try:
        grammar = load(file, limits=Limits(seconds=seconds))
        found = [*grammar.warnings, *grammar.check()]
    except GrammarError as error:
        found = list(error.diagnostics)
    except LimitExceeded as error:
        _complain(f"error: {error}")
        raise typer.Exit(1) from None
    errors = sum(d.severity is Severity.ERROR for d in found)
    if as_json:
        _print_json({"errors": errors, "diagnostics": [d.to_json() for d in found]})
    else:
        for diagnostic in found:
            print(diagnostic.render())
        warnings = len(found) - errors
        print(f"{file}: {_amount(errors, 'error')}, {_amount(warnings, 'warning')}")
    raise typer.Exit(1 if errors else 0)


def _amount(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


@app.command("compile")
def compile_(
    file: GrammarFile,
    candidates: Annotated[
        bool, typer.Option("--candidates", help="The program of the candidates instead.")
    ] = False,
) -> None:
    """Print the ASP program, to run with clingo alone: a model for each matrix."""
    with _reported():
        program = _load(file).program
        sys.stdout.write(program.candidate_text if candidates else program.matrix_text)


@app.command()
def matrices(
    file: GrammarFile,
    count: Annotated[bool, typer.Option("--count", help="Print only how many there are.")] = False,
    limit: Annotated[Optional[int], typer.Option(min=0, help="At most this many.")] = None,
    as_json: AsJson = False,
    seconds: Seconds = 600.0,
) -> None:
    """Enumerate all matrices, in a fixed order."""
    from blm.problem import matrix_json

    with _reported():
        grammar = _load(file, seconds)
        if count:
            _print_json({"count": grammar.count()}) if as_json else print(grammar.count())
            return
        found = grammar.matrices(limit=limit)
        if as_json:
            listed = [matrix_json(grammar.phenomenon, matrix) for matrix in found]
            _print_json({"count": grammar.count(), "matrices": listed})
            return
        from blm.render import console, matrix_table

        out = console()
        for matrix in found:
            out.print(matrix_table(grammar.phenomenon, matrix, _first_words(grammar, matrix)))
        if limit is not None and limit < grammar.count():
            out.print(f"{limit} of {grammar.count()} matrices")


def _first_words(grammar: Any, matrix: Any) -> list[str] | None:
    """The sentences of a matrix in the first clause type, with the first seed that serves it."""
    if not grammar.has_words:
        return None
    return [grammar.say(item, matrix=matrix) for item in matrix.items]


@app.command()
def distractors(
    file: GrammarFile,
    matrix: MatrixId = None,
    minimise: Annotated[Minimise, typer.Option(help="In which sense minimal.")] = Minimise.subset,
    target: Annotated[Target, typer.Option(help="Minimal for each rule, or at all.")] = Target.each,
    as_json: AsJson = False,
    seconds: Seconds = 600.0,
) -> None:
    """List the minimal distractors of one matrix, or of all, and those that labels select."""
    with _reported():
        grammar = _load(file, seconds)
        chosen = grammar.matrices() if matrix is None else [grammar.matrix(matrix)]
        listed = (
            (m, grammar.distractors(m, minimise=minimise.value, target=target.value))
            for m in chosen
        )
        if as_json:
            _print_json({"matrices": [_distractors_json(grammar, *pair) for pair in listed]})
            return
        from blm.problem import solution_candidate
        from blm.render import candidate_table, console, matrix_table

        out = console()
        for one, candidates in listed:
            out.print(matrix_table(grammar.phenomenon, one, _first_words(grammar, one)))
            shown = [solution_candidate(one), *candidates]
            words = [grammar.say(c.item, matrix=one) for c in shown] if grammar.has_words else None
            out.print(candidate_table(grammar.phenomenon, shown, words))


def _distractors_json(grammar: Any, matrix: Any, candidates: Any) -> dict[str, Any]:
    from blm.problem import candidate_json, matrix_json

    documents = [candidate_json(grammar.phenomenon, c) for c in candidates]
    if grammar.has_words:
        for document, candidate in zip(documents, candidates, strict=True):
            document["text"] = grammar.say(candidate.item, matrix=matrix)
    return {**matrix_json(grammar.phenomenon, matrix), "distractors": documents}


@app.command()
def explain(
    file: GrammarFile,
    sentence: Annotated[Optional[str], typer.Option(help="A sentence of the grammar.")] = None,
    item: Annotated[
        Optional[str], typer.Option(help='Its cells: "subj.number=pl verb.number=sg ..."')
    ] = None,
    matrix: MatrixId = None,
    as_json: AsJson = False,
    seconds: Seconds = 600.0,
) -> None:
    """Say which rules a sentence or an item breaks, and why; for one matrix, or whatever the matrix."""
    if (sentence is None) == (item is None):
        _complain("error: give either --sentence or --item")
        raise typer.Exit(2)
    from blm.pipeline import UnknownSentence

    with _reported():
        grammar = _load(file, seconds)
        try:
            replies = grammar.explain(sentence, item=item, matrix=matrix)
        except UnknownSentence as error:
            _unknown_sentence(error, as_json)
            raise typer.Exit(1) from None
        if as_json:
            documents = [_reply_json(grammar, reply) for reply in replies]
            _print_json({"sentence": sentence, "replies": documents})
            return
        from blm.render import console, reply_view

        out = console()
        for reply in replies:
            out.print(reply_view(grammar.phenomenon, reply))


def _unknown_sentence(error: Any, as_json: bool) -> None:
    if as_json:
        nearest = [text for text, _ in error.nearest]
        _print_json({"sentence": error.sentence, "replies": [], "nearest": nearest})
    _complain(f"error: {error}")
    for text, _ in error.nearest:
        _complain(f"  near it: {text}")


def _reply_json(grammar: Any, reply: Any) -> dict[str, Any]:
    from blm.explain import Explanation, explanation_json
    from blm.problem import item_json

    phenomenon, verdict = grammar.phenomenon, reply.verdict
    document: dict[str, Any] = {
        "item": item_json(phenomenon, reply.item),
        "readings": [{"clause": r.clause, "seed": r.seed} for r in reply.readings],
    }
    if isinstance(verdict, Explanation):
        return document | {"explanations": [explanation_json(phenomenon, verdict)]}
    return document | {
        "right_in": verdict.right_in,
        "matrices": verdict.matrices,
        "explanations": [explanation_json(phenomenon, e) for e in verdict.explanations],
    }


@app.command()
def generate(
    file: GrammarFile,
    output: Annotated[
        Optional[Path], typer.Option("--output", "-o", metavar="DIR", help="A new folder.")
    ] = None,
    type_: Annotated[
        TypeOption, typer.Option("--type", help="Lexical type; III-own: a seed for each answer.")
    ] = TypeOption.I,
    answers: Annotated[
        AnswersOption, typer.Option(help="Which candidates stand beside the correct answer.")
    ] = AnswersOption.named,
    formats: Annotated[
        Optional[list[FormatOption]], typer.Option("--format", help="May be repeated.")
    ] = None,
    limit: Annotated[
        Optional[int],
        typer.Option(min=1, help="The first problems of each split, at most so many."),
    ] = None,
    sample: Annotated[
        Optional[int], typer.Option(min=1, help="So many problems, at random without repetition.")
    ] = None,
    split: Annotated[
        Optional[str],
        typer.Option(metavar="WEIGHTS", help="Shares of train, dev and test, as 80:10:10."),
    ] = None,
    split_by: Annotated[
        Optional[str],
        typer.Option(metavar="SLOT", help="Keep seeds with the same word in it together (verb)."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of all choices that are made at random.")] = 0,
    exclude_repeats: Annotated[
        bool, typer.Option("--exclude-repeats", help="No wrong answer that the context holds.")
    ] = False,
    workers: Annotated[int, typer.Option(min=1, help="Processes that write.")] = 1,
    shard_size: Annotated[int, typer.Option(min=1, help="Problems in a file.")] = 25_000,
    count: Annotated[bool, typer.Option("--count", help="Print only how many there are.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a data set in DIR.")] = False,
    as_json: AsJson = False,
    seconds: Seconds = 600.0,
) -> None:
    """Write a data set: the problems of a grammar in one format or several, with a manifest."""
    from blm.answers import Answers
    from blm.dataset.plan import Options, make_plan
    from blm.dataset.write import DatasetExistsError, write_dataset
    from blm.variation import LexicalType

    with _reported():
        options = Options(
            type=LexicalType(type_.value),
            answers=Answers(answers.value),
            seed=seed,
            exclude_repeats=exclude_repeats,
            limit=limit,
            sample=sample,
            split=_weights(split),
            split_by=split_by,
            shard_size=shard_size,
            formats=list(dict.fromkeys(f.value for f in formats or [FormatOption.jsonl])),
        )
        grammar = _load(file, seconds)
        if count:
            _print_counts(make_plan(grammar, options), as_json)
            return
        if output is None:
            _complain("error: name the folder to write to: --output DIR")
            raise typer.Exit(2)
        try:
            with _progress() as progress:
                manifest = write_dataset(
                    grammar, options, output, workers=workers, force=force, progress=progress
                )
        except DatasetExistsError as error:
            _complain(f"error: {error}")
            raise typer.Exit(1) from None
        if as_json:
            _print_json(manifest)
            return
        print(f"{output}: {_amount(manifest['problems'], 'problem')}")
        for name in manifest["files"]:
            print(f"  {name}")
        for reason, number in manifest["refused"].items():
            print(f"  {number} answers left out, {reason}")


def _weights(split: str | None) -> dict[str, int]:
    """`80:10:10` as shares of train, dev and test; two numbers leave dev out."""
    if split is None:
        return {}
    parts = split.split(":")
    names = {2: ("train", "test"), 3: ("train", "dev", "test")}.get(len(parts))
    if names is None or not all(p.isascii() and p.isdigit() and int(p) > 0 for p in parts):
        raise ValueError(f"'{split}' is no split; write 80:10:10 (train, dev, test) or 90:10")
    return dict(zip(names, map(int, parts), strict=True))


def _print_counts(plan: Any, as_json: bool) -> None:
    total = sum(space.count for space in plan.spaces.values())
    splits = {n: {"count": s.count, "factors": s.factors()} for n, s in plan.spaces.items()}
    if as_json:
        _print_json({"count": total, "splits": splits})
        return
    print(total)
    for name, told in splits.items():
        factors = " x ".join(f"{number} {what}" for what, number in told["factors"].items())
        _complain(f"  {name}: {told['count']} = {factors}")


@contextmanager
def _progress() -> Iterator[Any]:
    """A function to report progress to: a bar on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.progress import Progress

    from blm.render import console

    with Progress(console=console(error=True), transient=True) as bar:
        task = bar.add_task("writing", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@app.command()
def show(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A data set of `blm generate`.")],
    limit: Annotated[int, typer.Option(min=0, help="At most this many problems.")] = 1,
    start: Annotated[int, typer.Option(min=0, help="The first problem, from 0.")] = 0,
) -> None:
    """Show problems of a data set: the context, and what each answer breaks."""
    from blm.dataset.jsonl import read
    from blm.render import console, problem_view

    with _reported():
        out = console()
        for problem in read(folder / "problems.jsonl", start, limit):
            out.print(problem_view(problem))


def main() -> None:
    """Run the command line; Ctrl-C ends it quietly, a closed pipe too."""
    try:
        app()
    except KeyboardInterrupt:
        _complain("stopped")
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(141)
