"""Options that say which problems a grammar has: those of `generate` and of `problem`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer


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


Type = Annotated[
    TypeOption, typer.Option("--type", help="Lexical type; III-own: a seed for each answer.")
]
AnswerSet = Annotated[
    AnswersOption, typer.Option(help="Which candidates stand beside the correct answer.")
]
Split = Annotated[
    str | None,
    typer.Option(metavar="WEIGHTS", help="Shares of train, dev and test, as 80:10:10."),
]
SplitBy = Annotated[
    str | None,
    typer.Option(metavar="SLOT", help="Keep seeds with the same word in it together (verb)."),
]
Randomness = Annotated[int, typer.Option(help="Of all choices that are made at random.")]
ExcludeRepeats = Annotated[
    bool, typer.Option("--exclude-repeats", help="No wrong answer that the context holds.")
]


def shares(split: str | None) -> dict[str, int]:
    """`80:10:10` as shares of train, dev and test; two numbers leave dev out."""
    if split is None:
        return {}
    parts = split.split(":")
    names = {2: ("train", "test"), 3: ("train", "dev", "test")}.get(len(parts))
    if names is None or not all(p.isascii() and p.isdigit() and int(p) > 0 for p in parts):
        raise ValueError(f"'{split}' is no split; write 80:10:10 (train, dev, test) or 90:10")
    return dict(zip(names, map(int, parts), strict=True))
