"""Commands about data sets: generate, audit."""

from __future__ import annotations

from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from blm.cli.choices import (
    AnswerSet,
    AnswersOption,
    ExcludeRepeats,
    Randomness,
    Split,
    SplitBy,
    Type,
    TypeOption,
    shares,
)
from blm.cli.common import (
    AsJson,
    GrammarFile,
    Seconds,
    amount,
    complain,
    load_grammar,
    print_json,
    refuse_errors,
    reported,
    show_progress,
)

if TYPE_CHECKING:
    from blm.dataset.crew import Crew

app = typer.Typer()


class FormatOption(StrEnum):
    """The file formats of a data set."""

    jsonl = "jsonl"
    csv = "csv"
    parquet = "parquet"
    json = "json"
    lm_eval = "lm-eval"


@app.command()
def generate(
    file: GrammarFile,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="DIR", help="A new folder.")
    ] = None,
    type_: Type = TypeOption.I,
    answers: AnswerSet = AnswersOption.named,
    formats: Annotated[
        list[FormatOption] | None, typer.Option("--format", help="May be repeated.")
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(min=1, help="The first problems of each split, at most so many."),
    ] = None,
    sample: Annotated[
        int | None, typer.Option(min=1, help="So many problems, at random without repetition.")
    ] = None,
    split: Split = None,
    split_by: SplitBy = None,
    seed: Randomness = 0,
    exclude_repeats: ExcludeRepeats = False,
    workers: Annotated[int, typer.Option(min=1, help="Processes that write.")] = 1,
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="A Dask cluster that writes: tcp://HOST:PORT, a scheduler's file, or local:N.",
        ),
    ] = None,
    shard_size: Annotated[int, typer.Option(min=1, help="Problems in a file.")] = 25_000,
    count: Annotated[bool, typer.Option("--count", help="Print only how many there are.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a data set in DIR.")] = False,
    as_json: AsJson = False,
    seconds: Seconds = 600.0,
) -> None:
    """Write a data set: the problems of a grammar in one format or several, with a manifest."""
    if cluster is not None and workers > 1:
        complain("error: --workers are processes without a cluster; write --cluster local:N")
        raise typer.Exit(2)
    with reported(as_json), ExitStack() as running:
        weights = shares(split)
        most = -(-(limit or sample or 0) // shard_size) * max(1, len(weights))  # shards; 0: unknown
        others = 0 if count or output is None else min(workers, most) - 1
        crew = running.enter_context(_crew(others)) if others > 0 else None
        from blm.answers import Answers
        from blm.dataset.folder import DatasetExistsError
        from blm.dataset.plan import Options, make_plan
        from blm.dataset.workers import WorkerError
        from blm.dataset.write import write_dataset
        from blm.variation import LexicalType

        options = Options(
            type=LexicalType(type_.value),
            answers=Answers(answers.value),
            seed=seed,
            exclude_repeats=exclude_repeats,
            limit=limit,
            sample=sample,
            split=weights,
            split_by=split_by,
            shard_size=shard_size,
            formats=list(dict.fromkeys(f.value for f in formats or [FormatOption.jsonl])),
        )
        grammar = load_grammar(file, seconds)
        if count:
            _print_counts(make_plan(grammar, options), as_json)
            return
        refuse_errors(grammar)
        if output is None:
            complain("error: name the folder to write to: --output DIR")
            raise typer.Exit(2)
        try:
            with show_progress("writing") as progress:
                manifest = write_dataset(
                    grammar,
                    options,
                    output,
                    workers=crew or workers,
                    cluster=cluster,
                    force=force,
                    progress=progress,
                    say=complain,
                )
        except (DatasetExistsError, WorkerError) as error:
            raise ValueError(str(error)) from None
        except KeyboardInterrupt:
            complain("what is written is kept; the same command goes on")
            raise
        if as_json:
            print_json(manifest)
            return
        print(f"{output}: {amount(manifest['problems'], 'problem')}")
        for name in manifest["files"]:
            print(f"  {name}")
        for reason, number in manifest["refused"].items():
            print(f"  {number} answers left out, {reason}")


def _crew(others: int) -> Crew:
    """Processes that write beside this one; they get ready while the grammar is read."""
    from blm.dataset.crew import Crew

    return Crew(others)


def _print_counts(plan: Any, as_json: bool) -> None:
    total = sum(space.count for space in plan.spaces.values())
    splits = {n: {"count": s.count, "factors": s.factors()} for n, s in plan.spaces.items()}
    if as_json:
        print_json({"count": total, "splits": splits})
        return
    print(total)
    for name, told in splits.items():
        factors = " x ".join(f"{number} {what}" for what, number in told["factors"].items())
        complain(f"  {name}: {told['count']} = {factors}")


@app.command()
def audit(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A file or folder with problems.")],
    grammar: Annotated[
        Path | None,
        typer.Option("--grammar", metavar="FILE", help="Compare labels with its rules."),
    ] = None,
    language: Annotated[str, typer.Option(help="fr, it, en, ...; else it is guessed.")] = "",
    templates: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="JSON that says how tokens of templates are read."),
    ] = None,
    repair: Annotated[
        Path | None,
        typer.Option("--repair", metavar="OUT", help="Write a copy, mended where that is certain."),
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Every finding, with examples.")] = False,
    as_json: AsJson = False,
    seconds: Seconds = 600.0,
) -> None:
    """Find the faults of a data set, ours or anyone's. Exit 1 if there are errors."""
    from blm.audit.command import audit as look
    from blm.audit.errors import AuditError

    with reported(as_json):
        try:
            code = look(
                path,
                grammar=grammar,
                language=language,
                templates=templates,
                repair=repair,
                full=full,
                as_json=as_json,
                seconds=seconds,
            )
        except AuditError as error:
            raise ValueError(str(error)) from None
    raise typer.Exit(code)
