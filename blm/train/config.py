"""How a network is trained."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainConfig:
    """The paper's settings. `patience`: epochs without progress before it stops."""

    epochs: int = 120
    batch: int = 100
    rate: float = 0.001
    patience: int | None = None
    seed: int = 0
    device: str = "auto"

    def __post_init__(self) -> None:
        if self.epochs < 1 or self.batch < 1 or self.rate <= 0:
            raise ValueError("epochs and batch are at least 1, and the rate is above 0")
        if self.patience is not None and self.patience < 1:
            raise ValueError("a patience is at least 1 epoch")
