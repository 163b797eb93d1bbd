"""Commands about fill-mask augmentation: propose words, accept them."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from blm.cli.common import (
    DEFAULT_MODEL,
    GrammarFile,
    amount,
    complain,
    reported,
    show_progress,
)

app = typer.Typer(
    name="augment", help="More words for a slot, proposed by a masked language model."
)

Forms = Annotated[
    Path | None, typer.Option("--forms", metavar="FILE", help="A table of words with their forms.")
]


class Score(StrEnum):
    """What is compared with the score of the seed's own word."""

    sum = "sum"
    token = "token"


@app.command()
def propose(
    file: GrammarFile,
    slot: Annotated[str, typer.Option(help="The slot whose word is masked.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="CSV", help="The review table.")
    ],
    model: Annotated[
        str, typer.Option(help="A masked language model: its name, or its folder.")
    ] = DEFAULT_MODEL,
    k: Annotated[int, typer.Option("--k", help="Fillers taken from the model.")] = 50,
    best: Annotated[int, typer.Option(help="Proposals for a seed, at most.")] = 10,
    margin: Annotated[float, typer.Option(help="Nats below the original's score.")] = 1.0,
    window: Annotated[int, typer.Option(help="Words seen left and right; 0: all.")] = 0,
    masks: Annotated[int, typer.Option(help="Word pieces of a noun, at most.")] = 2,
    score: Annotated[Score, typer.Option(help="Of the sentence, or its mean.")] = Score.sum,
    batch: Annotated[int, typer.Option(help="Sentences read at once.")] = 32,
    same: Annotated[
        list[str] | None, typer.Option(help="A feature a word must share, as gender.")
    ] = None,
    seed: Annotated[list[str] | None, typer.Option(help="Only this seed.")] = None,
    forms: Forms = None,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda, mps.")] = "auto",
) -> None:
    """Write a table of words that a person accepts or rejects. Go on where a run stopped."""
    from blm.augment import Options
    from blm.augment import propose as run

    with reported(), show_progress("asking the model") as progress:
        options = Options(
            k=k,
            best=best,
            margin=margin,
            window=window,
            masks=masks,
            score=score.value,
            batch=batch,
            same=tuple(same or ()),
        )
        found = run(
            file,
            slot,
            output,
            model=model,
            options=options,
            forms=forms,
            only=tuple(seed or ()),
            device=device,
            progress=progress,
        )
    proposals = amount(found.added, "new proposal")
    print(f"{found.review}: {proposals} for {amount(found.seeds, 'seed')}")


@app.command()
def accept(
    file: GrammarFile,
    review: Annotated[Path, typer.Argument(metavar="CSV", help="The reviewed table.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="A new folder.")],
    forms: Forms = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files in DIR.")] = False,
) -> None:
    """Write a copy of the grammar that has the accepted words as seeds."""
    from blm.augment import accept as run

    with reported():
        found = run(file, review, output, forms=forms, force=force)
    for diagnostic in found.diagnostics:
        complain(diagnostic.render())
    print(f"{found.grammar}: {amount(found.seeds, 'seed')} more")
