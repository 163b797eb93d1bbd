# ruff: noqa: E402 - nothing is imported before it is known that torch is there
from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is missing: pip install 'blm[neural]'")

import toy

from blm.encode import VectorStore, distinct, encode_examples
from blm.encode.data import sentences
from blm.encode.encoder import FloatArray


def test_each_sentence_once(tmp_path: Path) -> None:
    problems = toy.examples(50)
    encoder = toy.ToyEncoder()
    data = encode_examples(problems, VectorStore(tmp_path, encoder))
    texts = distinct(sentences(problems))
    assert sorted(encoder.seen) == sorted(texts)
    assert len(texts) < len(list(sentences(problems)))
    assert data.table.shape == (len(texts), toy.WIDTH)
    again = VectorStore(tmp_path, encoder)
    assert np.array_equal(encode_examples(problems, again).table, data.table)
    assert again.encoded == 0


class Interrupted(toy.ToyEncoder):
    """Stops in its third shard."""

    def encode(self, texts: Sequence[str]) -> FloatArray:
        if len(self.seen) >= 20:
            raise KeyboardInterrupt
        return super().encode(texts)


def test_resumes(tmp_path: Path) -> None:
    texts = [f"sentence {k}" for k in range(45)]
    with pytest.raises(KeyboardInterrupt):
        VectorStore(tmp_path, Interrupted(), shard=10).vectors(texts)
    store = VectorStore(tmp_path, toy.ToyEncoder(), shard=10)
    told: list[tuple[int, int]] = []
    vectors = store.vectors(texts, progress=lambda done, total: told.append((done, total)))
    assert store.encoded == 25
    assert told == [(10, 25), (20, 25), (25, 25)]
    assert np.array_equal(vectors, toy.ToyEncoder().encode(texts))
    assert not list(tmp_path.rglob("*.part"))


def test_a_shard_that_was_cut_off_is_made_again(tmp_path: Path) -> None:
    texts = [f"sentence {k}" for k in range(20)]
    VectorStore(tmp_path, toy.ToyEncoder(), shard=10).vectors(texts)
    shard = next(tmp_path.rglob("*.npz"))
    shard.write_bytes(shard.read_bytes()[:100])
    store = VectorStore(tmp_path, toy.ToyEncoder(), shard=10)
    store.vectors(texts)
    assert store.encoded == 10


def test_another_revision_is_another_cache(tmp_path: Path) -> None:
    VectorStore(tmp_path, toy.ToyEncoder()).vectors(["one"])
    newer = toy.ToyEncoder()
    newer.revision = "2"
    store = VectorStore(tmp_path, newer)
    store.vectors(["one", "one"])
    assert store.encoded == 1


def test_contexts_of_one_length() -> None:
    first, second = toy.examples(2)
    from dataclasses import replace

    with pytest.raises(ValueError, match="found 3, 7"):
        encode_examples(
            [first, replace(second, context=second.context[:3])],
            VectorStore(None, toy.ToyEncoder()),
        )
