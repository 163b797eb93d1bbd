"""A two-level variational encoder-decoder, after the authors' later work.

Source: Nastase and Merlo, "Are there identifiable structural parts in the sentence embedding
whole?" (2024, arXiv 2406.16563).  From its description: two levels trained together; a sentence
level that compresses a sentence vector, seen as an image, by convolution into a small latent and
decodes it back; a task level that reads the latents of the context sentences and gives the latent
of the answer; max-margin losses and a divergence from the normal prior on both levels.

Reconstructed here, because the description was not at hand in full: the sizes (latent 5, 40
channels of 15 x 15 over the image, 32 channels of 4 x 4 over the latents), the image (the most
square one), the negatives of the sentence level (the other sentences of the context), the equal
weight of the two losses, the weight of the divergence, the spread that the latents begin with, and
comparing the answer with the candidates by the means of their latents.  Its numbers are no
replication of that paper's.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from blm.baselines.loss import max_margin, scores_of
from blm.baselines.networks import Baseline

FIRST_LOGVAR = -4.0
"""The log-variance of latents before training.

With 0, what fresh weights would give, the noise of a sample is many times the differences between
the means of two sentences: training is slow, and some runs stay at chance.
"""


class Latent(NamedTuple):
    """A normal distribution for each row: (rows, latent) each."""

    mean: Tensor
    logvar: Tensor

    def sample(self) -> Tensor:
        """A value of each, by the reparametrisation trick: (rows, latent)."""
        return self.mean + torch.randn_like(self.mean) * (0.5 * self.logvar).exp()

    def divergence(self) -> Tensor:
        """The mean over rows of the divergence from the standard normal: ()."""
        terms = 1 + self.logvar - self.mean.square() - self.logvar.exp()
        return -0.5 * terms.sum(1).mean()


class ImageEncoder(nn.Module):
    """One convolution over an image of one channel, then a linear layer to a latent."""

    def __init__(self, shape: tuple[int, int], *, channels: int, kernel: int, latent: int) -> None:
        super().__init__()
        self.shape = shape
        sides = (min(kernel, shape[0]), min(kernel, shape[1]))
        self.convolution = nn.Conv2d(1, channels, kernel_size=sides)
        rows, columns = (side - k + 1 for side, k in zip(shape, sides, strict=True))
        self.last = nn.Linear(channels * rows * columns, 2 * latent)
        with torch.no_grad():
            self.last.bias[latent:] = FIRST_LOGVAR

    def forward(self, rows: Tensor) -> Latent:
        """(rows, height*width) -> the latent of each row."""
        image = rows.reshape(-1, 1, *self.shape)
        hidden = functional.relu(self.convolution(image)).flatten(1)
        mean: Tensor
        logvar: Tensor
        mean, logvar = self.last(hidden).chunk(2, dim=1)
        return Latent(mean, logvar.clamp(-10, 10))


class ImageDecoder(nn.Module):
    """The mirror of `ImageEncoder`: (rows, latent) -> (rows, height*width)."""

    def __init__(self, shape: tuple[int, int], *, channels: int, kernel: int, latent: int) -> None:
        super().__init__()
        sides = (min(kernel, shape[0]), min(kernel, shape[1]))
        rows, columns = (side - k + 1 for side, k in zip(shape, sides, strict=True))
        self.shape = (channels, rows, columns)
        self.first = nn.Linear(latent, channels * rows * columns)
        self.convolution = nn.ConvTranspose2d(channels, 1, kernel_size=sides)

    def forward(self, latents: Tensor) -> Tensor:
        """(rows, latent) -> (rows, height*width)."""
        hidden = functional.relu(self.first(latents)).reshape(-1, *self.shape)
        output: Tensor = self.convolution(hidden).flatten(1)
        return output


class TwoLevelVAE(Baseline):
    """Sentence level and task level; `forward` gives the latent of the answer: (batch, latent)."""

    def __init__(
        self, items: int, width: int, *, latent: int = 5, divergence: float = 0.001
    ) -> None:
        super().__init__()
        image = square(width)
        self.divergence = divergence
        self.encoder = ImageEncoder(image, channels=40, kernel=15, latent=latent)
        self.decoder = ImageDecoder(image, channels=40, kernel=15, latent=latent)
        self.task = ImageEncoder((items, latent), channels=32, kernel=4, latent=latent)
        self.answer = nn.Linear(latent, latent)

    def forward(self, context: Tensor) -> Tensor:
        """(batch, n, width) -> (batch, latent), without sampling."""
        batch, items, _ = context.shape
        means = self.encoder(context.flatten(0, 1)).mean
        output: Tensor = self.answer(self.task(means.reshape(batch, items * means.shape[1])).mean)
        return output

    def score(self, context: Tensor, candidates: Tensor) -> Tensor:
        """Cosine of latents: (batch, n, width), (batch, k, width) -> (batch, k)."""
        return scores_of(self.forward(context), self._means(candidates))

    def loss(self, context: Tensor, candidates: Tensor, answer: Tensor, mask: Tensor) -> Tensor:
        """The losses of both levels; latents are sampled while training: ()."""
        batch, items, _ = context.shape
        sentences = self.encoder(context.flatten(0, 1))
        values = sentences.sample() if self.training else sentences.mean
        task = self.task(values.reshape(batch, items * values.shape[1]))
        predicted = self.answer(task.sample() if self.training else task.mean)
        scores = scores_of(predicted, self._means(candidates))
        task_loss = max_margin(scores, answer, mask)
        rebuilt = self.decoder(values).reshape(context.shape)
        divergence = sentences.divergence() + task.divergence()
        levels = task_loss + _rebuilding_loss(rebuilt, context)
        total: Tensor = levels + self.divergence * divergence
        return total

    def _means(self, candidates: Tensor) -> Tensor:
        """(batch, k, width) -> (batch, k, latent)."""
        means: Tensor = self.encoder(candidates.flatten(0, 1)).mean
        return means.reshape(*candidates.shape[:2], -1)


def _rebuilding_loss(rebuilt: Tensor, context: Tensor) -> Tensor:
    """Max-margin of a rebuilt sentence against the other sentences of its context: ().

    A sentence that stands in the context twice is not its own rival.
    """
    batch, items, width = context.shape
    rivals = context.unsqueeze(1).expand(batch, items, items, width).reshape(-1, items, width)
    own = torch.arange(items, device=context.device).repeat(batch)
    same = torch.cdist(context, context).reshape(-1, items) < 1e-6
    return max_margin(scores_of(rebuilt.reshape(-1, width), rivals), own, ~same) / (items - 1)


def square(width: int) -> tuple[int, int]:
    """The most square image of `width` values: 768 -> (32, 24), 384 -> (24, 16)."""
    columns = next(side for side in range(math.isqrt(width), 0, -1) if width % side == 0)
    return width // columns, columns
