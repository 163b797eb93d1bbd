"""The networks of the paper (Merlo et al. 2023, section 5), for n sentences of any width."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional

from blm.baselines.loss import Scoring, max_margin, scores_of


class Baseline(nn.Module, ABC):
    """A network that predicts the vector of the missing sentence."""

    scoring: ClassVar[Scoring] = "cosine"

    @abstractmethod
    def forward(self, context: Tensor) -> Tensor:
        """The prediction: (batch, n, width) -> (batch, width)."""

    def score(self, context: Tensor, candidates: Tensor) -> Tensor:
        """(batch, n, width), (batch, candidates, width) -> (batch, candidates)."""
        return scores_of(self(context), candidates, self.scoring)

    def loss(self, context: Tensor, candidates: Tensor, answer: Tensor, mask: Tensor) -> Tensor:
        """What training makes small: ()."""
        return max_margin(self.score(context, candidates), answer, mask)


class FFNN(Baseline):
    """n*width -> n*width/2 -> n*width/2 -> width over the concatenated context.

    At 7 x 768 it has 23,746,560 parameters.
    """

    def __init__(self, items: int, width: int, *, hidden: int | None = None) -> None:
        super().__init__()
        hidden = hidden or max(items * width // 2, 1)
        self.first = nn.Linear(items * width, hidden)
        self.second = nn.Linear(hidden, hidden)
        self.last = nn.Linear(hidden, width)

    def forward(self, context: Tensor) -> Tensor:
        """(batch, n, width) -> (batch, width)."""
        hidden = functional.relu(self.first(context.flatten(1)))
        hidden = functional.relu(self.second(hidden))
        output: Tensor = self.last(hidden)
        return output


class CNN(Baseline):
    """The context as an image: three 3 x 3 convolutions, stride 1, no dilation, then one linear.

    Without padding, 7 rows become one, which is the paper's case; a shorter context gets rows of
    zeros up to 7. The paper does not state the channels; 4, 8 and 16 are those of the authors'
    program. At 7 x 768 it has 9,365,728 parameters.
    """

    CHANNELS = (4, 8, 16)
    ROWS = 7

    def __init__(self, items: int, width: int) -> None:
        super().__init__()
        if width < self.ROWS:
            raise ValueError(f"three 3 x 3 convolutions need a width of {self.ROWS}, not {width}")
        inputs = (1, *self.CHANNELS[:-1])
        self.convolutions = nn.ModuleList(
            nn.Conv2d(before, after, kernel_size=3)
            for before, after in zip(inputs, self.CHANNELS, strict=True)
        )
        lost = 2 * len(self.CHANNELS)
        rows, columns = max(items, self.ROWS) - lost, width - lost
        self.last = nn.Linear(self.CHANNELS[-1] * rows * columns, width)

    def forward(self, context: Tensor) -> Tensor:
        """(batch, n, width) -> (batch, width)."""
        missing = max(self.ROWS - context.shape[1], 0)
        image = functional.pad(context, (0, 0, 0, missing)).unsqueeze(1)  # (batch, 1, rows, width)
        for convolution in self.convolutions:
            image = functional.relu(convolution(image))
        output: Tensor = self.last(image.flatten(1))
        return output


class AuthorsFFNN(FFNN):
    """The authors' program: hidden width 2*width (1,536 for 768), ReLU at the end, dot product."""

    scoring = "dot"

    def __init__(self, items: int, width: int) -> None:
        super().__init__(items, width, hidden=2 * width)

    def forward(self, context: Tensor) -> Tensor:
        """(batch, n, width) -> (batch, width)."""
        return functional.relu(super().forward(context))


class AuthorsCNN(CNN):
    """The authors' program: ReLU on the output, and the dot product as score."""

    scoring = "dot"

    def forward(self, context: Tensor) -> Tensor:
        """(batch, n, width) -> (batch, width)."""
        return functional.relu(super().forward(context))


def _vae(items: int, width: int) -> Baseline:
    from blm.baselines.vae import TwoLevelVAE

    return TwoLevelVAE(items, width)


_BUILDERS: Mapping[str, Callable[[int, int], Baseline]] = {
    "ffnn": FFNN,
    "cnn": CNN,
    "ffnn-authors": AuthorsFFNN,
    "cnn-authors": AuthorsCNN,
    "vae": _vae,
}


def build_network(
    name: str, items: int, width: int, *, seed: int = 0, hidden: int | None = None
) -> Baseline:
    """The network of a name with fresh weights, equal for equal seeds. ValueError if unknown.

    `hidden` is the width of the hidden layers of `ffnn`; the others have one of their own.
    """
    if name not in _BUILDERS:
        raise ValueError(f"there is no network {name!r}; use one of: {', '.join(_BUILDERS)}")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        if name == "ffnn":
            return FFNN(items, width, hidden=hidden)
        return _BUILDERS[name](items, width)


def parameters(network: nn.Module) -> int:
    """The number of weights that training changes."""
    return sum(p.numel() for p in network.parameters() if p.requires_grad)
