"""Commands that show problems: show, problem."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

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
from blm.cli.common import AsJson, GrammarFile, Seconds, load_grammar, print_json, reported

app = typer.Typer()


@app.command()
def show(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A data set of `blm generate`.")],
    limit: Annotated[int, typer.Option(min=0, help="At most this many problems.")] = 1,
    start: Annotated[int, typer.Option(min=0, help="The first problem, from 0.")] = 0,
    split: Annotated[str | None, typer.Option(help="Of this split: train, dev, test.")] = None,
) -> None:
    """Show problems of a data set: the context, and what each answer breaks."""
    from blm.dataset.reading import read_problems
    from blm.render import console, problem_view

    with reported():
        out = console()
        for problem in read_problems(folder, start, limit, split):
            out.print(problem_view(problem))


@app.command()
def problem(
    file: GrammarFile,
    identifier: Annotated[
        str, typer.Argument(metavar="ID", help="As fr-III-271; or its number, from 0.")
    ],
    type_: Type = TypeOption.I,
    answers: AnswerSet = AnswersOption.named,
    split: Split = None,
    split_by: SplitBy = None,
    part: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="With --split, which one: train, dev, test."),
    ] = None,
    seed: Randomness = 0,
    exclude_repeats: ExcludeRepeats = False,
    as_json: AsJson = False,
    seconds: Seconds = 600.0,
) -> None:
    """Show the problem of an id, made alone; with the options of its data set, but its type."""
    with reported(as_json):
        from blm.answers import Answers
        from blm.dataset.one import one_problem
        from blm.dataset.plan import Options
        from blm.render import console, problem_view
        from blm.variation import LexicalType

        options = Options(
            type=LexicalType(type_.value),
            answers=Answers(answers.value),
            seed=seed,
            exclude_repeats=exclude_repeats,
            split=shares(split),
            split_by=split_by,
        )
        found = one_problem(load_grammar(file, seconds), options, identifier, part)
        if as_json:
            print_json(found)
        else:
            console().print(problem_view(found))
