"""An experiment as one TOML file. `docs/baselines.md` lists every field."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Literal, get_args

from blm.baselines import NETWORKS, REFERENCES
from blm.diagnostics import MOST_DIAGNOSTICS, Diagnostic, GrammarError, did_you_mean
from blm.encode.encoder import DEFAULT, Pooling
from blm.encode.mlm_config import EncoderConfig
from blm.encode.split import By
from blm.experiment.fields import Mistake, mistakes
from blm.experiment.places import Places, Where, read_toml
from blm.files import read
from blm.train.config import TrainConfig

Reads = Literal["train", "all"]

POOLINGS = get_args(Pooling)
READS = get_args(Reads)
SPLITS_BY = get_args(By)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A data set: a folder that exists, or a grammar to generate it from (`blm generate`).

    `sample` problems are drawn (all, if it is not given). With `split`, the shares of train, dev
    and test (or of train and test), lexical seeds are split when they are generated, and those
    with the same word in the slot `split_by` stay together; without, see the experiment's.
    """

    name: str
    path: Path | None = None
    grammar: Path | None = None
    type: str = "I"
    sample: int | None = None
    split: tuple[int, ...] = ()
    split_by: str | None = None
    answers: str = "named"
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderChoice:
    """An encoder. `standardise`: see `blm.encode.arrays.standardise`; `train`: a BERT of one's own.

    `train` holds fields of `blm.encode.mlm.EncoderConfig`; the encoder then learns from the
    training sentences of every data set, and from no other. With `reads = "all"` it also reads the
    contexts of the dev and test parts, as sentences without order: it then knows their words, as
    an encoder that was trained on a language does, but has seen no candidate of theirs.
    """

    name: str = DEFAULT
    pooling: Pooling = "own"
    standardise: bool = False
    train: Mapping[str, Any] | None = None
    reads: Reads = "train"
    languages: tuple[str, ...] = ()
    """Only data sets of these languages; all, if none is given."""

    @property
    def label(self) -> str:
        """How results call it."""
        pooling = "" if self.pooling == "own" else f":{self.pooling}"
        return f"{Path(self.name).name}{pooling}{'+std' if self.standardise else ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SolverChoice:
    """A causal language model as a solver, with `shots` solved problems before each."""

    name: str
    shots: tuple[int, ...] = (0,)
    mean: bool = False
    """The mean log-likelihood of a token instead of the sum."""
    limit: int | None = None
    """At most this many problems of a test part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentConfig:
    """What is run: every encoder x network x training set x size x seed, tested on every test set.

    `sizes`: numbers of training problems, 0 for all of them; `equal` adds the size of the
    smallest training set for all, the paper's "same amount of data". `across_languages` tests a
    network on the other languages too.
    """

    name: str
    data: tuple[Source, ...]
    encoders: tuple[EncoderChoice, ...] = (EncoderChoice(),)
    networks: tuple[str, ...] = ("ffnn", "cnn")
    references: tuple[str, ...] = tuple(REFERENCES)
    solvers: tuple[SolverChoice, ...] = ()
    seeds: tuple[int, ...] = (1, 2, 3, 4, 5)
    sizes: tuple[int, ...] = (0,)
    equal: bool = False
    across_languages: bool = False
    split_by: By = "answer"
    split_seed: int = 0
    dev: float = 0.1
    test: float = 0.1
    test_limit: int | None = None
    checkpoints: bool = False
    threads: int | None = None
    train: TrainConfig = field(default_factory=TrainConfig)

    def __post_init__(self) -> None:
        found = [
            *(() if self.data else (_NO_DATA,)),
            *_unknown("split_by", ("split_by",), self.split_by, SPLITS_BY),
            *_clashes(*(dict(enumerate(getattr(self, key))) for key in _LISTS)),
        ]
        if found:
            raise ValueError("\n  ".join(map(str, found)))


class ExperimentError(GrammarError, ValueError):
    """The file of an experiment has mistakes; `diagnostics` lists them all."""


_KINDS = {
    "data": Source,
    "encoders": EncoderChoice,
    "encoders.train": EncoderConfig,
    "solvers": SolverChoice,
    "train": TrainConfig,
}
_LISTS = ("data", "encoders", "networks", "references", "seeds", "sizes")
_NO_DATA = Mistake(
    "no-data", ("data",), "an experiment needs data", "write [[data]] with a path or a grammar"
)


def read_config(path: Path) -> ExperimentConfig:
    """The experiment of a TOML file; paths in it are relative to the file.

    ExperimentError lists every mistake, each with its place.
    """
    source, problem = read(str(path))
    if problem is None:
        document, problem = read_toml(source)
    if problem:
        raise ExperimentError([problem])
    found = list(islice(_mistakes(document, path.parent), MOST_DIAGNOSTICS))
    if found:
        places = Places(source)
        told = [_diagnostic(mistake, places) for mistake in found]
        raise ExperimentError(sorted(told, key=lambda d: (d.span.start, d.span.end)))
    return _config_of(document, path.parent, path.stem)


def _diagnostic(mistake: Mistake, places: Places) -> Diagnostic:
    """A mistake at its place."""
    helps = [mistake.help] if mistake.help else []
    if mistake.first:
        helps.insert(0, f"the first one is on line {places.span(mistake.first).line}")
    span = places.span(mistake.where)
    return Diagnostic(mistake.code, mistake.message, span, "; ".join(helps))


def _mistakes(document: Mapping[str, Any], base: Path) -> Iterator[Mistake]:
    """What is wrong with a document: with its fields first, and then with those that are right."""
    wrong: set[Where] = set()
    for mistake in mistakes(document, ExperimentConfig, _KINDS, base):
        wrong.add(mistake.where[:2])
        yield mistake
    if document.get("data", []) == []:
        yield _NO_DATA

    def right(key: str) -> dict[int, Any]:
        entries = () if (key,) in wrong else document.get(key, ())
        return {n: entry for n, entry in enumerate(entries) if (key, n) not in wrong}

    data = {n: _source(entry, base, n) for n, entry in right("data").items()}
    encoders = {n: _encoder(entry, base) for n, entry in right("encoders").items()}
    yield from _clashes(data, encoders, *map(right, _LISTS[2:]))


def _config_of(document: Mapping[str, Any], base: Path, name: str) -> ExperimentConfig:
    """The experiment of a document without mistakes."""
    given: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in document.items()
    }
    given["data"] = tuple(_source(entry, base, n) for n, entry in enumerate(given["data"]))
    for key, make in (("encoders", _encoder), ("solvers", _solver)):
        if key in given:
            given[key] = tuple(make(entry, base) for entry in given[key])
    if "train" in given:
        given["train"] = TrainConfig(**given["train"])
    return ExperimentConfig(**{"name": name} | given)


# --- what types do not tell ---------------------------------------------------------------------


def _clashes(
    data: Mapping[int, Source],
    encoders: Mapping[int, EncoderChoice],
    networks: Mapping[int, str],
    references: Mapping[int, str],
    seeds: Mapping[int, int],
    sizes: Mapping[int, int],
) -> Iterator[Mistake]:
    """What is not known, not enough or there twice, among entries with their numbers."""
    for n, name in networks.items():
        yield from _unknown("network", ("networks", n), name, NETWORKS)
    for n, name in references.items():
        yield from _unknown("reference", ("references", n), name, tuple(REFERENCES))
    for n, encoder in encoders.items():
        yield from _unknown("pooling", ("encoders", n, "pooling"), encoder.pooling, POOLINGS)
        yield from _unknown("reads", ("encoders", n, "reads"), encoder.reads, READS)
    for n, source in data.items():
        yield from _unfit(n, source)
    yield from _repeated("data set", "data", {n: source.name for n, source in data.items()})
    yield from _repeated("encoder", "encoders", {n: e.label for n, e in encoders.items()})
    yield from _repeated("network", "networks", networks)
    yield from _repeated("reference", "references", references)
    yield from _repeated("seed", "seeds", {n: str(seed) for n, seed in seeds.items()})
    yield from _repeated("size", "sizes", {n: str(size) for n, size in sizes.items()})


def _unknown(what: str, where: Where, name: str, known: tuple[str, ...]) -> Iterator[Mistake]:
    if name not in known:
        message = f"there is no {what} {name!r}"
        yield Mistake(f"unknown-{what}", where, message, did_you_mean(name, known))


def _unfit(number: int, source: Source) -> Iterator[Mistake]:
    if (source.path is None) == (source.grammar is None):
        message = f"data set {source.name!r} needs either a path or a grammar"
        yield Mistake("path-or-grammar", ("data", number, "grammar"), message)
    if source.split and len(source.split) not in (2, 3):
        message = f"data set {source.name!r}: split is train, dev and test, or train and test"
        yield Mistake("wrong-length", ("data", number, "split"), message)


def _repeated(what: str, key: str, names: Mapping[int, str]) -> Iterator[Mistake]:
    """Names that stand there twice, at the `name` of the second entry if it has one."""
    numbers: dict[str, list[int]] = {}
    for n, name in names.items():
        numbers.setdefault(name, []).append(n)
    help_ = "give one of them another name" if key == "data" else ""
    for name, (first, *more) in numbers.items():
        if more:
            message = f"the {what} {name!r} stands there twice"
            where, before = (key, more[0], "name"), (key, first, "name")
            yield Mistake(f"duplicate-{what.replace(' ', '-')}", where, message, help_, before)


# --- parts of an experiment ---------------------------------------------------------------------


def _source(entry: Mapping[str, Any], base: Path, number: int) -> Source:
    values = dict(entry)
    for key in ("path", "grammar"):
        if key in values:
            values[key] = base / values[key]
    where = values.get("path") or values.get("grammar")
    if "name" not in values and isinstance(where, Path):
        stem = where.stem if "grammar" in values else where.name
        values["name"] = f"{stem}-{values['type']}" if "type" in values else stem
    values.setdefault("name", str(number + 1))
    if "split" in values:
        values["split"] = tuple(values["split"])
    return Source(**values)


def _encoder(entry: str | Mapping[str, Any], base: Path) -> EncoderChoice:
    values: dict[str, Any] = {"name": entry} if isinstance(entry, str) else dict(entry)
    if "languages" in values:
        values["languages"] = tuple(values["languages"])
    return EncoderChoice(**values | {"name": _model(values, base)})


def _solver(entry: str | Mapping[str, Any], base: Path) -> SolverChoice:
    values: dict[str, Any] = {"name": entry} if isinstance(entry, str) else dict(entry)
    if "shots" in values:
        values["shots"] = tuple(values["shots"])
    return SolverChoice(**values | {"name": _model(values, base)})


def _model(values: Mapping[str, Any], base: Path) -> str:
    """A name of a model; a relative path, with a dot before it, is relative to the file."""
    name = str(values.get("name", DEFAULT))
    if not name.startswith(("./", "../")):
        return name
    path = base / name
    # Without the dot, which `Path` takes away, it would be the name of a model of the hub.
    return str(path) if path.is_absolute() else f"./{path}"


def slug(text: str) -> str:
    """A text as a part of a file name."""
    return re.sub(r"[^A-Za-z0-9.+]+", "_", text)
