"""How a network is trained."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainConfig:
    """The paper's settings. `patience`: epochs without progress before it stops.

    `hidden`: the width of the hidden layers of `ffnn`, where it is not to be the paper's n*width/2.
    """

    epochs: int = 120
    batch: int = 100
    rate: float = 0.001
    patience: int | None = None
    hidden: int | None = None
    seed: int = 0
    device: str = "auto"

    def __post_init__(self) -> None:
        if self.epochs < 1 or self.batch < 1 or self.rate <= 0:
            raise ValueError("epochs and batch are at least 1, and the rate is above 0")
        if self.patience is not None and self.patience < 1:
            raise ValueError("a patience is at least 1 epoch")
        if self.hidden is not None and self.hidden < 1:
            raise ValueError("hidden is at least 1")
