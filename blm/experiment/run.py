"""Runs an experiment, run by run: what is finished is not run again."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from errno import EEXIST
from pathlib import Path
from typing import Any

from blm.baselines import reference_scores
from blm.encode import Encoded, Encoder, Example, VectorStore, encode_examples, load_encoder
from blm.encode.arrays import standardise
from blm.encode.data import sentences
from blm.encode.encoder import FloatArray, MissingModel, find_encoder, find_model
from blm.encode.split import sample
from blm.experiment.config import EncoderChoice, ExperimentConfig
from blm.experiment.plan import Parts, Run, plan, run_name
from blm.experiment.results import (
    CSV,
    PARQUET,
    RUNS,
    Prediction,
    Setting,
    predictions,
    read_results,
    write_parquet,
    write_results,
)
from blm.experiment.sources import Say, read_sources
from blm.resources import cache_place

Progress = Callable[[int, int, str], None]
"""Runs finished, runs in all, and the name of the run that comes next."""


def default_cache() -> Path:
    """Where vectors are kept: `$BLM_CACHE`, else `blm` in the user's folder of caches."""
    given = os.environ.get("BLM_CACHE")
    return Path(given) if given else cache_place()


def run_experiment(
    config: ExperimentConfig,
    output: Path,
    *,
    cache: Path | None = None,
    progress: Progress = lambda _done, _total, _name: None,
    say: Say = lambda _text: None,
) -> Path:
    """Run what is missing, and write `results.parquet` and `results.csv` in `output`.

    `cache` keeps the vectors of sentences for this and other experiments. Returns `output`.
    MissingModel, before the first run, names all models that are needed and not to be had.
    """
    if config.threads is not None:
        import torch

        torch.set_num_threads(config.threads)
    _refuse_strangers(output)
    output.mkdir(parents=True, exist_ok=True)
    parts, digests = read_sources(config, output, say=say)
    bench = Bench(config, parts, output, cache or default_cache(), say)
    runs = plan(config, parts)
    if not runs:
        raise ValueError("there is nothing to run: no encoder reads any of the languages")
    names = [run_name(run, config, digests) for run in runs]
    folder = output / RUNS
    paths = [folder / f"{name}.parquet" for name in names]
    _find_models([run for run, path in zip(runs, paths, strict=True) if not path.exists()])
    folder.mkdir(exist_ok=True)
    for number, (run, name, path) in enumerate(zip(runs, names, paths, strict=True)):
        progress(number, len(runs), name)
        if not path.exists():
            write_parquet(path, bench.answer(run, name))
    progress(len(runs), len(runs), "")
    write_results(output, (row for path in paths for row in read_results(path)))
    return output


def _find_models(runs: Sequence[Run]) -> None:
    """MissingModel where runs need models that are not to be had; it names them all."""
    given = [run.encoder.name for run in runs if run.encoder and run.encoder.train is None]
    models = [run.model.name for run in runs if run.model]
    missing: dict[str, str] = {}
    for find, names in ((find_encoder, given), (find_model, models)):
        for name in dict.fromkeys(names):
            try:
                find(name)
            except MissingModel as error:
                missing |= error.missing
    if missing:
        raise MissingModel(missing)


def _refuse_strangers(output: Path) -> None:
    """FileExistsError where the folder holds something that is no result of experiments."""
    ours = {RUNS, PARQUET, CSV, "data", "encoders"}
    found = {path.name for path in output.iterdir()} if output.is_dir() else set()
    if found and not found & ours:
        raise FileExistsError(EEXIST, "there is something else in it; name a new folder", output)


@dataclass
class Bench:
    """What runs share: encoders and vectors, loaded when a run first asks for them."""

    config: ExperimentConfig
    parts: Parts
    output: Path
    cache: Path
    say: Say
    _stores: dict[str, VectorStore] = field(default_factory=dict)
    _vectors: dict[tuple[str, str, str], Encoded] = field(default_factory=dict)

    def answer(self, run: Run, name: str) -> list[Prediction]:
        """Train what is to be trained, and answer every test set of the run."""
        match run.kind:
            case "network":
                return self._network(run, name)
            case "reference":
                return self._reference(run)
            case _:
                return self._language_model(run)

    # --- kinds of solvers -------------------------------------------------------------------

    def _network(self, run: Run, name: str) -> list[Prediction]:
        from blm.train.loop import fit, predict, save_checkpoint

        encoder = _encoder_of(run)
        whole = self._encoded(encoder, run.train, "train")
        rows = sample(range(len(whole)), run.problems, seed=run.seed)
        train = whole.take(rows)
        dev = self._encoded(encoder, run.train, "dev")
        if encoder.standardise:
            train, dev = standardise(train, train), standardise(train, dev)
        settings = replace(self.config.train, seed=run.seed)
        fitted = fit(run.solver, train, dev, settings)
        if self.config.checkpoints:
            path = self.output / "checkpoints" / f"{name}.safetensors"
            save_checkpoint(path, run.solver, fitted, settings)
        found: list[Prediction] = []
        for test in run.tests:
            data = self._encoded(encoder, test, "test")
            if encoder.standardise:
                data = standardise(whole.take(rows), data)
            found += self._rows(run, test, predict(fitted.network, data))
        return found

    def _reference(self, run: Run) -> list[Prediction]:
        encoder = _encoder_of(run)
        train = self._encoded(encoder, run.train, "train")
        found: list[Prediction] = []
        for test in run.tests:
            data = self._encoded(encoder, test, "test")
            if encoder.standardise:
                data = standardise(train, data)
            found += self._rows(run, test, reference_scores(run.solver, train, data, seed=run.seed))
        return found

    def _language_model(self, run: Run) -> list[Prediction]:
        from blm.baselines.language_model import LanguageModel

        assert run.model is not None
        self.say(f"{run.solver}: {', '.join(run.tests)}")
        model = LanguageModel.load(run.model.name, device=self.config.train.device)
        found: list[Prediction] = []
        for test in run.tests:
            part = self.parts[test]
            examples = part["test"][: run.model.limit]
            shots = sample(part["train"], run.problems, seed=run.seed)
            scores = model.scores(examples, shots=shots, mean=run.model.mean)
            found += self._rows(run, test, scores, examples)
        return found

    def _rows(
        self,
        run: Run,
        test: str,
        scores: FloatArray,
        examples: tuple[Example, ...] | None = None,
    ) -> list[Prediction]:
        trained = self.parts[run.train]["train"][0] if run.train else None
        setting = Setting(
            encoder=run.encoder.label if run.encoder else "",
            encoder_kind=_kind(run.encoder),
            solver=run.solver,
            kind=run.kind,
            train=run.train,
            train_language=trained.language if trained else "",
            train_type=trained.type if trained else "",
            train_size=run.problems,
            size=run.size,
            seed=run.seed,
        )
        chosen = self.parts[test]["test"] if examples is None else examples
        return predictions(setting, test, chosen, scores)

    # --- vectors ------------------------------------------------------------------------------

    def _encoded(self, choice: EncoderChoice, name: str, split: str) -> Encoded:
        """A part of a data set as vectors, encoded once for all runs."""
        key = (choice.label, name, split)
        if key not in self._vectors:
            store = self._store(choice)
            self._vectors[key] = encode_examples(
                self.parts[name][split], store, progress=self._encoding(choice, name, split)
            )
        return self._vectors[key]

    def _encoding(self, choice: EncoderChoice, name: str, split: str) -> Callable[[int, int], None]:
        def told(done: int, total: int) -> None:
            self.say(f"{choice.label}: {name} {split}, {done} of {total} new sentences")

        return told

    def _store(self, choice: EncoderChoice) -> VectorStore:
        label = replace(choice, standardise=False).label
        if label not in self._stores:
            self.say(f"{label}: loading")
            self._stores[label] = VectorStore(self.cache, self._encoder(choice, label))
        return self._stores[label]

    def _encoder(self, choice: EncoderChoice, label: str) -> Encoder:
        device = self.config.train.device
        if choice.train is None:
            return load_encoder(choice.name, pooling=choice.pooling, device=device)
        texts = list(self._read_by(choice))
        folder = self.output / "encoders" / f"{label}-{_digest(choice.train, texts)}"
        if not folder.exists():
            from blm.encode.mlm import EncoderConfig, train_encoder

            self.say(f"{label}: training")
            train_encoder(
                texts, folder, EncoderConfig(**choice.train), progress=self._training(label)
            )
        return load_encoder(str(folder), pooling=choice.pooling, device=device)

    def _read_by(self, choice: EncoderChoice) -> Iterator[str]:
        """The sentences that an encoder learns from, see `EncoderChoice`."""
        for part in self.parts.values():
            yield from sentences(part["train"])
            if choice.reads == "all":
                for example in (*part["dev"], *part["test"]):
                    yield from example.context

    def _training(self, label: str) -> Callable[[int, int], None]:
        def told(done: int, total: int) -> None:
            if 4 * done // total != 4 * (done - 1) // total:
                self.say(f"{label}: {done} of {total} steps")

        return told


def _digest(settings: Mapping[str, Any], texts: Sequence[str]) -> str:
    """What an encoder of one's own depends on, so that a changed one is trained anew."""
    told = json.dumps([sorted(settings.items()), texts])
    return hashlib.sha256(told.encode()).hexdigest()[:10]


def _kind(encoder: EncoderChoice | None) -> str:
    if encoder is None:
        return ""
    return "given" if encoder.train is None else "own"


def _encoder_of(run: Run) -> EncoderChoice:
    assert run.encoder is not None
    return run.encoder
