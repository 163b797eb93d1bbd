"""A training epoch: whole answer sets at once, against a plain loop over problems and candidates.

Both train the same network from the same weights on the same batches, and end at the same losses,
which is checked.  Both run in one process, so that the ratio holds on any machine.

    python benchmarks/bench_train.py --network ffnn --width 768 --problems 500
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from common import Line, Settings
from torch import Tensor
from torch.nn import functional

from blm.baselines.networks import Baseline, build_network, parameters
from blm.encode import Encoded
from blm.train.config import TrainConfig
from blm.train.loop import Tensors, evaluate, fit


def problems(number: int, items: int, candidates: int, width: int) -> Encoded:
    """Random vectors in which the answer is a sum of context sentences and noise."""
    random = np.random.default_rng(0)
    table = random.normal(size=(number * (items + candidates), width)).astype(np.float32)
    rows = np.arange(len(table)).reshape(number, items + candidates)
    answer = random.integers(0, candidates, number)
    context, choices = rows[:, :items], rows[:, items:]
    table[choices[np.arange(number), answer]] += table[context[:, 0]] + table[context[:, 1]]
    return Encoded(
        table=table,
        context=context,
        candidates=choices,
        mask=np.ones(choices.shape, dtype=np.bool_),
        answer=answer,
    )


def plain_loop(model: Baseline, data: Tensors, config: TrainConfig) -> float:
    """The loop one would write first; the mean loss a problem of each epoch's last."""
    order = torch.Generator().manual_seed(config.seed)
    optimiser = torch.optim.Adam(model.parameters(), lr=config.rate)
    mean = 0.0
    for _ in range(config.epochs):
        rows = torch.randperm(len(data.answer), generator=order).tolist()
        total = 0.0
        for start in range(0, len(rows), config.batch):
            part = rows[start : start + config.batch]
            optimiser.zero_grad()
            loss = sum((loss_of(model, data, row) for row in part), torch.zeros(())) / len(part)
            loss.backward()
            optimiser.step()
            total += float(loss.detach()) * len(part)
        mean = total / len(rows)
    return mean


def loss_of(model: Baseline, data: Tensors, row: int) -> Tensor:
    """The loss of one problem, candidate by candidate."""
    prediction = model(data.table[data.context[row]].unsqueeze(0)).squeeze(0)
    right = data.table[data.candidates[row, data.answer[row]]]
    best = functional.cosine_similarity(prediction, right, dim=0)
    loss = torch.zeros(())
    for place in range(data.candidates.shape[1]):
        if place != data.answer[row]:
            wrong = data.table[data.candidates[row, place]]
            score = functional.cosine_similarity(prediction, wrong, dim=0)
            loss = loss + functional.relu(1 - best + score)
    return loss


@dataclass(frozen=True)
class Found:
    """Seconds, the mean loss of the last epoch, and the loss after it, of the two ways."""

    problems: int
    weights: int
    seconds: tuple[float, float]
    losses: tuple[float, float]
    ends: tuple[float, float]


def lines(settings: Settings) -> Iterator[Line]:
    found = compare("ffnn", problems(settings.size(300), 7, 6, 768), 1)
    ours = found.problems / found.seconds[1]
    yield Line(
        "training",
        f"an epoch of {found.problems} problems, {found.weights:,} weights",
        ours,
        "a second",
        against="a problem at a time",
        other=found.problems / found.seconds[0],
        ratio=found.seconds[0] / found.seconds[1],
        rounds=1,
    )


def compare(network: str, data: Encoded, epochs: int) -> Found:
    """Train both ways from the same weights."""
    tensors = Tensors.of(data, torch.device("cpu"))
    config = TrainConfig(epochs=epochs, seed=1, device="cpu")
    plain = build_network(network, data.items, data.width, seed=config.seed)
    start = time.perf_counter()
    plain_loss = plain_loop(plain, tensors, config)
    theirs = time.perf_counter() - start
    start = time.perf_counter()
    fitted = fit(network, data, config=config)
    ours = time.perf_counter() - start
    ends = [evaluate(model, tensors, config.batch) for model in (plain, fitted.network)]
    loss = fitted.epochs[-1].train
    assert abs(plain_loss - loss) < 1e-3 * plain_loss
    assert abs(ends[0] - ends[1]) < 5e-3 * ends[0]
    return Found(
        len(data), parameters(plain), (theirs, ours), (plain_loss, loss), (ends[0], ends[1])
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--network", default="ffnn", choices=["ffnn", "cnn"])
    parser.add_argument("--width", type=int, default=768)
    parser.add_argument("--items", type=int, default=7)
    parser.add_argument("--candidates", type=int, default=6)
    parser.add_argument("--problems", type=int, default=300)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--threads", type=int)
    options = parser.parse_args()
    if options.threads:
        torch.set_num_threads(options.threads)
    data = problems(options.problems, options.items, options.candidates, options.width)
    found = compare(options.network, data, options.epochs)
    print(f"network                  {options.network}, {found.weights} weights")
    print(f"problems                 {found.problems}, {options.candidates} candidates each")
    for way, seconds, loss, end in zip(
        ("a problem at a time", "whole answer sets"),
        found.seconds,
        found.losses,
        found.ends,
        strict=True,
    ):
        print(f"{way:24} {seconds:9.2f} s  loss {loss:.6f}, after it {end:.6f}")
    print(f"ratio                    {found.seconds[0] / found.seconds[1]:9.1f}")


if __name__ == "__main__":
    main()
