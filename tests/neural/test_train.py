# ruff: noqa: E402 - nothing is imported before it is known that torch is there
from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is missing: pip install 'blm[neural]'")

import toy

from blm.encode import Encoded, VectorStore, encode_examples
from blm.train.config import TrainConfig
from blm.train.loop import fit, load_checkpoint, predict, save_checkpoint

QUICK = TrainConfig(epochs=40, batch=32)


def encoded(number: int, *, seed: int = 0) -> Encoded:
    return encode_examples(toy.examples(number, seed=seed), VectorStore(None, toy.ToyEncoder()))


def hits(scores: np.ndarray, data: Encoded) -> float:
    return float((scores.argmax(1) == data.answer).mean())


@pytest.mark.slow
def test_the_two_level_vae_learns() -> None:
    """Far above chance on problems that it has not seen."""
    train, test = encoded(300, seed=1), encoded(200, seed=2)
    fitted = fit("vae", train, config=replace(QUICK, epochs=60, rate=0.003))
    chance = float((1 / test.mask.sum(1)).mean())
    assert hits(predict(fitted.network, test), test) > 2 * chance


@pytest.mark.parametrize("name", ["ffnn", "cnn"])
def test_fits_64_problems(name: str) -> None:
    data = encoded(64)
    fitted = fit(name, data, config=replace(QUICK, epochs=100))
    # Cosines cannot all keep a margin of 1, so that the lowest loss may leave one or two wrong.
    assert hits(predict(fitted.network, data), data) >= 0.95
    assert fitted.epochs[-1].train < fitted.epochs[0].train


def test_shuffled_labels_give_chance() -> None:
    """With the right place drawn at random there is nothing to learn that a new problem has."""
    train, test = encoded(300, seed=1), encoded(600, seed=2)
    random = Random(3)

    def shuffled(data: Encoded) -> Encoded:
        places = [random.randrange(int(row.sum())) for row in data.mask]
        return replace(data, answer=np.array(places))

    fitted = fit("ffnn", shuffled(train), config=replace(QUICK, epochs=20))
    test = shuffled(test)
    chance = float((1 / test.mask.sum(1)).mean())
    # Four standard deviations of 600 trials.
    assert abs(hits(predict(fitted.network, test), test) - chance) < 4 * (0.25 * 0.75 / 600) ** 0.5


def test_same_seed_same_numbers() -> None:
    data = encoded(50)
    first, same, other = (
        predict(fit("cnn", data, config=replace(QUICK, epochs=3, seed=seed)).network, data)
        for seed in (1, 1, 2)
    )
    assert np.array_equal(first, same)
    assert not np.array_equal(first, other)


def test_seeds_of_the_caller_are_left_alone() -> None:
    torch.manual_seed(5)
    before = torch.rand(1)
    torch.manual_seed(5)
    fit("vae", encoded(10), config=replace(QUICK, epochs=1))
    assert torch.equal(torch.rand(1), before)


def test_room_for_more_candidates_changes_nothing() -> None:
    data = encoded(40)
    room = ((0, 0), (0, 3))
    wide = replace(data, candidates=np.pad(data.candidates, room), mask=np.pad(data.mask, room))
    config = replace(QUICK, epochs=5)
    one = predict(fit("ffnn", data, config=config).network, data)
    two = predict(fit("ffnn", wide, config=config).network, wide)
    assert np.all(np.isneginf(two[:, one.shape[1] :]))
    assert np.isneginf(one).sum() == (~data.mask).sum() > 0
    there = data.mask
    assert np.allclose(one[there], two[:, : one.shape[1]][there], atol=1e-4)


def test_dev_chooses_the_epoch_and_stops() -> None:
    train, dev = encoded(40), encoded(40, seed=9)
    fitted = fit("ffnn", train, dev, replace(QUICK, epochs=200, patience=3))
    assert len(fitted.epochs) == fitted.best + 3 < 200
    assert fitted.best == min(fitted.epochs, key=lambda epoch: epoch.dev).number


def test_checkpoint(tmp_path: Path) -> None:
    data, config = encoded(20), replace(QUICK, epochs=2)
    fitted = fit("cnn", data, config=config)
    path = tmp_path / "deep" / "run.safetensors"
    save_checkpoint(path, "cnn", fitted, config)
    loaded = load_checkpoint(path, data.items, data.width, device="cpu")
    assert np.array_equal(predict(loaded, data), predict(fitted.network, data))
    assert [p.name for p in path.parent.iterdir()] == ["run.safetensors"]


def test_hidden_width(tmp_path: Path) -> None:
    """Given in place of the paper's, and kept in the checkpoint."""
    data, config = encoded(20), replace(QUICK, epochs=1, hidden=12)
    fitted = fit("ffnn", data, config=config)
    assert fitted.network.get_parameter("second.weight").shape == (12, 12)
    save_checkpoint(tmp_path / "run.safetensors", "ffnn", fitted, config)
    loaded = load_checkpoint(tmp_path / "run.safetensors", data.items, data.width, device="cpu")
    assert np.array_equal(predict(loaded, data), predict(fitted.network, data))


def test_bad_settings() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        TrainConfig(epochs=0)
    with pytest.raises(ValueError, match="there is no device 'tpu'"):
        fit("ffnn", encoded(5), config=replace(QUICK, device="tpu"))
