"""The training loop: whole batches of whole answer sets, the same numbers for the same seed.

Defaults are the paper's (Merlo et al. 2023, section 5): Adam, learning rate 0.001, batches of
100, 120 epochs.  The weights kept are those of the epoch with the lowest loss on the dev part,
as in the authors' program, and those of the last epoch where there is no dev part.
"""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from blm.baselines.networks import Baseline, build_network
from blm.encode.arrays import Encoded
from blm.encode.encoder import FloatArray
from blm.train.config import TrainConfig
from blm.train.device import pick_device
from blm.whole import whole


@dataclass(frozen=True, slots=True)
class Epoch:
    """What an epoch gave: mean losses a problem; `dev` is NaN where there is no dev part."""

    number: int
    train: float
    dev: float


@dataclass(frozen=True, slots=True)
class Fitted:
    """A trained network, its course, and the epoch its weights are from (from 1)."""

    network: Baseline
    epochs: tuple[Epoch, ...]
    best: int


@dataclass(frozen=True, slots=True)
class Tensors:
    """`Encoded` on a device."""

    table: Tensor
    context: Tensor
    candidates: Tensor
    mask: Tensor
    answer: Tensor

    @classmethod
    def of(cls, data: Encoded, device: torch.device) -> Tensors:
        """Move the arrays of a data set to a device."""
        arrays = (data.table, data.context, data.candidates, data.mask, data.answer)
        return cls(*(torch.from_numpy(np.ascontiguousarray(a)).to(device) for a in arrays))

    def batch(self, rows: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Context (b, n, width), candidates (b, k, width), answer (b,), mask (b, k)."""
        return (
            self.table[self.context[rows]],
            self.table[self.candidates[rows]],
            self.answer[rows],
            self.mask[rows],
        )


def fit(
    network: str,
    train: Encoded,
    dev: Encoded | None = None,
    config: TrainConfig | None = None,
    *,
    progress: Callable[[Epoch], None] = lambda _epoch: None,
) -> Fitted:
    """Train the network of a name. Equal arguments give equal weights on one machine."""
    config = config or TrainConfig()
    device = pick_device(config.device)
    model = build_network(
        network, train.items, train.width, seed=config.seed, hidden=config.hidden
    ).to(device)
    tensors = Tensors.of(train, device)
    held_out = None if dev is None else Tensors.of(dev, device)
    order = torch.Generator().manual_seed(config.seed)
    optimiser = torch.optim.Adam(model.parameters(), lr=config.rate, fused=device.type != "mps")
    epochs: list[Epoch] = []
    best, weights = math.inf, model.state_dict()
    kept = 0
    with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
        torch.manual_seed(config.seed)
        for number in range(1, config.epochs + 1):
            rows = torch.randperm(len(train), generator=order)
            loss = _epoch(model, tensors, rows, optimiser, config.batch)
            dev_loss = math.nan if held_out is None else evaluate(model, held_out, config.batch)
            if not math.isfinite(loss):
                raise ValueError(f"training diverged, as its rate of {config.rate:g} is too high")
            epochs.append(Epoch(number, loss, dev_loss))
            progress(epochs[-1])
            if held_out is None or dev_loss < best:
                best, kept = dev_loss, number
                if held_out is not None:
                    weights = copy.deepcopy(model.state_dict())
            elif config.patience is not None and number - kept >= config.patience:
                break
    model.load_state_dict(weights)
    return Fitted(model.eval(), tuple(epochs), kept)


def _epoch(
    model: Baseline,
    data: Tensors,
    rows: Tensor,
    optimiser: torch.optim.Optimizer,
    batch: int,
) -> float:
    """One pass over the problems in this order; the mean loss a problem."""
    model.train()
    total = torch.zeros((), device=data.table.device)
    for part in torch.split(rows.to(data.table.device), batch):
        optimiser.zero_grad(set_to_none=True)
        loss = model.loss(*data.batch(part))
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        total += loss.detach() * len(part)
    return float(total) / max(len(rows), 1)


@torch.inference_mode()
def evaluate(model: Baseline, data: Tensors, batch: int) -> float:
    """The mean loss a problem."""
    model.eval()
    total = 0.0
    for part in torch.split(torch.arange(len(data.answer), device=data.table.device), batch):
        total += float(model.loss(*data.batch(part))) * len(part)
    return total / max(len(data.answer), 1)


@torch.inference_mode()
def predict(model: Baseline, data: Encoded, *, batch: int = 500) -> FloatArray:
    """The score of each candidate: (N, k) float32, -inf where there is none."""
    model.eval()
    device = next(model.parameters()).device
    tensors = Tensors.of(data, device)
    parts = []
    for rows in torch.split(torch.arange(len(data), device=device), batch):
        context, candidates, _, mask = tensors.batch(rows)
        scores = model.score(context, candidates).float()
        parts.append(scores.masked_fill(~mask, -math.inf).cpu().numpy())
    if not parts:
        return np.zeros(data.mask.shape, dtype=np.float32)
    return np.concatenate(parts)


def save_checkpoint(path: Path, network: str, fitted: Fitted, config: TrainConfig) -> None:
    """Write the weights as safetensors, whole or not at all, with what made them as metadata."""
    from safetensors.torch import save_file

    path.parent.mkdir(parents=True, exist_ok=True)
    about = {"network": network, "epoch": str(fitted.best), "config": json.dumps(asdict(config))}
    state = {name: w.contiguous().cpu() for name, w in fitted.network.state_dict().items()}
    with whole(path) as part:
        save_file(state, part, metadata=about)


def load_checkpoint(path: Path, items: int, width: int, *, device: str = "auto") -> Baseline:
    """The network of a checkpoint, for contexts of `items` sentences and vectors of `width`."""
    from safetensors import safe_open

    with safe_open(path, framework="pt") as file:
        about = file.metadata() or {}
        hidden = json.loads(about.get("config", "{}")).get("hidden")
        network = build_network(about["network"], items, width, hidden=hidden)
        network.load_state_dict({name: file.get_tensor(name) for name in file.keys()})  # noqa: SIM118
    network.to(pick_device(device)).eval()
    return network
