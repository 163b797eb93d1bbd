"""The runs of an experiment, in a fixed order, each with a name that changes when it must."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from blm.encode.data import Example
from blm.experiment.config import EncoderChoice, ExperimentConfig, SolverChoice, slug

Parts = Mapping[str, Mapping[str, tuple[Example, ...]]]
"""Data set -> split -> problems."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One solver, trained once (or not at all), and the test sets it answers."""

    kind: str
    solver: str
    encoder: EncoderChoice | None
    train: str
    size: str
    problems: int
    """How many training problems."""
    seed: int
    tests: tuple[str, ...]
    model: SolverChoice | None = None


def plan(config: ExperimentConfig, parts: Parts) -> tuple[Run, ...]:
    """Every run: references and networks for each encoder, then language models."""
    runs = list(_encoder_runs(config, parts))
    runs += _model_runs(config, parts)
    return tuple(runs)


def run_name(run: Run, config: ExperimentConfig, data: Mapping[str, str]) -> str:
    """A readable file name, with a digest of all that its predictions depend on.

    `data` gives the digest of each data set.
    """
    used = {name: data[name] for name in dict.fromkeys((run.train, *run.tests)) if name}
    everything = sorted(data.items()) if run.encoder and run.encoder.train is not None else None
    content = {
        "run": asdict(run),
        "data": used,
        "all": everything,
        "train": asdict(config.train) if run.kind == "network" else None,
        "split": [config.split_by, config.split_seed, config.dev, config.test, config.test_limit],
    }
    digest = hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()
    encoder = run.encoder.label if run.encoder else ""
    words = [encoder, run.solver, run.train, run.size if run.train else "", f"s{run.seed}"]
    return f"{'.'.join(slug(word) for word in words if word)}-{digest[:10]}"


def _encoder_runs(config: ExperimentConfig, parts: Parts) -> Iterator[Run]:
    smallest = min(len(part["train"]) for part in parts.values())
    for encoder in config.encoders:
        spoken = {
            name: part
            for name, part in parts.items()
            if not encoder.languages or part["train"][0].language in encoder.languages
        }
        for train, part in spoken.items():
            yield from _reference_runs(config, encoder, train, len(part["train"]))
            tests = _tests(config, spoken, train)
            for network in config.networks:
                for size, problems in _sizes(config, len(part["train"]), smallest):
                    for seed in config.seeds:
                        yield Run(
                            kind="network",
                            solver=network,
                            encoder=encoder,
                            train=train,
                            size=size,
                            problems=problems,
                            seed=seed,
                            tests=tests,
                        )


def _reference_runs(
    config: ExperimentConfig, encoder: EncoderChoice, train: str, problems: int
) -> Iterator[Run]:
    """References on the test part of their own data set; only chance depends on the seed."""
    for name in config.references:
        for seed in config.seeds if name == "chance" else config.seeds[:1]:
            yield Run(
                kind="reference",
                solver=name,
                encoder=encoder,
                train=train,
                size="all",
                problems=problems,
                seed=seed,
                tests=(train,),
            )


def _model_runs(config: ExperimentConfig, parts: Parts) -> Iterator[Run]:
    for model in config.solvers:
        for shots in model.shots:
            for test, part in parts.items():
                yield Run(
                    kind="language model",
                    solver=f"{model.name.rstrip('/').rpartition('/')[2]} {shots}-shot",
                    encoder=None,
                    train=test if shots else "",
                    size=str(shots),
                    problems=min(shots, len(part["train"])),
                    seed=config.seeds[0],
                    tests=(test,),
                    model=model,
                )


def _sizes(config: ExperimentConfig, everything: int, smallest: int) -> Iterator[tuple[str, int]]:
    """(name, problems) of the training sizes of a data set; those that it has not are left out."""
    for size in config.sizes:
        if size == 0:
            yield "all", everything
        elif size <= everything:
            yield str(size), size
    if config.equal:
        yield "equal", smallest


def _tests(config: ExperimentConfig, parts: Parts, train: str) -> tuple[str, ...]:
    """The test sets of the same phenomenon and number of context sentences."""
    own = parts[train]["train"][0]

    def fits(other: Example) -> bool:
        return (
            other.phenomenon == own.phenomenon
            and len(other.context) == len(own.context)
            and (config.across_languages or other.language == own.language)
        )

    return tuple(name for name, part in parts.items() if fits(part["test"][0]))
