"""An experiment as one TOML file. `docs/baselines.md` lists every field."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from blm.baselines import NETWORKS, REFERENCES
from blm.encode.encoder import DEFAULT, Pooling
from blm.encode.mlm_config import EncoderConfig
from blm.encode.split import By
from blm.experiment.fields import mistakes
from blm.train.config import TrainConfig

T = TypeVar("T")

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
        _one_of("network", self.networks, NETWORKS)
        _one_of("reference", self.references, tuple(REFERENCES))
        _one_of("split_by", (self.split_by,), SPLITS_BY)
        _one_of("pooling", [encoder.pooling for encoder in self.encoders], POOLINGS)
        _one_of("reads", [encoder.reads for encoder in self.encoders], READS)
        names = [source.name for source in self.data]
        if not names:
            raise ValueError("an experiment needs data: [[data]] with a path or a grammar")
        for what, found in (
            ("data set", names),
            ("encoder", [encoder.label for encoder in self.encoders]),
            ("seed", list(map(str, self.seeds))),
        ):
            twice = [name for name in dict.fromkeys(found) if found.count(name) > 1]
            if twice:
                raise ValueError(f"the {what} {twice[0]!r} stands there twice")
        for source in self.data:
            if (source.path is None) == (source.grammar is None):
                raise ValueError(f"data set {source.name!r} needs either a path or a grammar")
            if source.split and len(source.split) not in (2, 3):
                raise ValueError(
                    f"data set {source.name!r}: split is train, dev and test, or train and test"
                )


def read_config(path: Path) -> ExperimentConfig:
    """The experiment of a TOML file; paths in it are relative to the file.

    ValueError names every field that is wrong.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: {error}") from None
    try:
        return config_of(document, path.parent, name=path.stem)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{path}: {error}") from None


def config_of(document: Mapping[str, Any], base: Path, *, name: str) -> ExperimentConfig:
    """The experiment of a document as TOML gives it; paths are relative to `base`.

    ValueError lists every mistake.
    """
    kinds = {
        "data": Source,
        "encoders": EncoderChoice,
        "encoders.train": EncoderConfig,
        "solvers": SolverChoice,
        "train": TrainConfig,
    }
    if found := mistakes(document, ExperimentConfig, kinds, base):
        raise ValueError("\n  ".join(found))
    values = dict(document)
    data = tuple(_source(entry, base) for entry in values.pop("data", ()))
    given: dict[str, Any] = {"name": name, "data": data}
    if "encoders" in values:
        given["encoders"] = tuple(_encoder(entry, base) for entry in values.pop("encoders"))
    if "solvers" in values:
        given["solvers"] = tuple(_solver(entry, base) for entry in values.pop("solvers"))
    if "train" in values:
        given["train"] = TrainConfig(**values.pop("train"))
    for key, value in values.items():
        given[key] = tuple(value) if isinstance(value, list) else value
    return ExperimentConfig(**given)


def _source(entry: Mapping[str, Any], base: Path) -> Source:
    values = dict(entry)
    for key in ("path", "grammar"):
        if key in values:
            values[key] = base / values[key]
    where = values.get("path") or values.get("grammar")
    if "name" not in values and isinstance(where, Path):
        stem = where.stem if "grammar" in values else where.name
        values["name"] = f"{stem}-{values['type']}" if "type" in values else stem
    if "split" in values:
        values["split"] = tuple(values["split"])
    return Source(**values)


def _encoder(entry: str | Mapping[str, Any], base: Path) -> EncoderChoice:
    values: dict[str, Any] = {"name": entry} if isinstance(entry, str) else dict(entry)
    if "languages" in values:
        values["languages"] = tuple(values["languages"])
    if "train" in values:
        EncoderConfig(**values["train"])  # raises where a model cannot have this size
    return EncoderChoice(**values | {"name": _model(values, base)})


def _solver(entry: str | Mapping[str, Any], base: Path) -> SolverChoice:
    values: dict[str, Any] = {"name": entry} if isinstance(entry, str) else dict(entry)
    if "shots" in values:
        values["shots"] = tuple(values["shots"])
    return SolverChoice(**values | {"name": _model(values, base)})


def _model(values: Mapping[str, Any], base: Path) -> str:
    """A name of a model; a relative path, with a dot before it, is relative to the file."""
    name = str(values.get("name", DEFAULT))
    return str(base / name) if name.startswith(("./", "../")) else name


def _one_of(what: str, found: Any, known: tuple[str, ...]) -> None:
    for name in found:
        if name not in known:
            raise ValueError(f"there is no {what} {name!r}; use one of: {', '.join(known)}")


def slug(text: str) -> str:
    """A text as a part of a file name."""
    return re.sub(r"[^A-Za-z0-9.+]+", "_", text)
