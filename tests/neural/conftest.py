"""Fixtures of the neural tests; without torch they are skipped, each module saying so."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

SENTENCES = [
    f"{subject} {place} {verb} {how}."
    for subject, verb in (("the key", "opens"), ("the keys", "open"), ("a lock", "closes"))
    for place in ("of the door", "of the doors", "near a gate", "with the old chain")
    for how in ("quickly", "slowly", "every day", "without noise")
]


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    if find_spec("torch"):
        import torch

        torch.set_num_threads(1)


@pytest.fixture(scope="session")
def tiny_bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of few weights that has learned 48 sentences by heart."""
    from blm.encode.mlm import EncoderConfig, train_encoder

    folder = tmp_path_factory.mktemp("models") / "tiny"
    config = EncoderConfig(
        hidden=64, layers=1, heads=4, steps=400, batch=48, vocabulary=300, rate=0.004, masked=0.25
    )
    train_encoder(SENTENCES, folder, config)
    return folder
