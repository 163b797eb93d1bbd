"""The settings of `blm.encode.mlm`, apart, so that a mistake in them is found without torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from blm.encode.tokenizer import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderConfig:
    """The size of the model and its training. `tokenizer`: pieces of words, or whole words.

    ValueError where a model cannot have this size.
    """

    tokenizer: Kind = "wordpiece"
    vocabulary: int = 4000
    hidden: int = 128
    layers: int = 3
    heads: int = 4
    longest: int = 64
    """In tokens."""
    steps: int = 2000
    batch: int = 64
    rate: float = 0.001
    masked: float = 0.15
    held_out: float = 0.05
    pooling: Literal["mean", "cls"] = "mean"
    """Masked language modelling alone does not train [CLS] to stand for a sentence."""
    seed: int = 0
    device: str = "auto"

    def __post_init__(self) -> None:
        if self.tokenizer not in get_args(Kind):
            raise ValueError(f"there is no tokenizer {self.tokenizer!r}; use wordpiece or word")
        for name in ("vocabulary", "hidden", "layers", "heads", "longest", "steps", "batch"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is at least 1")
        if self.hidden % self.heads:
            raise ValueError(f"{self.heads} heads do not divide {self.hidden} dimensions (hidden)")
        if not (0 < self.masked < 1 and 0 < self.held_out < 1 and self.rate > 0):
            raise ValueError("masked and held_out are shares between 0 and 1, the rate is above 0")
