"""Scores of candidates and the max-margin loss, over whole answer sets at once."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor
from torch.nn import functional

Scoring = Literal["cosine", "dot"]


def scores_of(prediction: Tensor, candidates: Tensor, scoring: Scoring = "cosine") -> Tensor:
    """The score of each candidate.

    (batch, width), (batch, candidates, width) -> (batch, candidates). The paper's is the cosine,
    that of the authors' program the dot product.
    """
    if scoring == "cosine":
        prediction = functional.normalize(prediction, dim=-1)
        candidates = functional.normalize(candidates, dim=-1)
    return torch.einsum("bkw,bw->bk", candidates, prediction)


def max_margin(scores: Tensor, answer: Tensor, mask: Tensor, margin: float = 1.0) -> Tensor:
    """The mean over problems of the sum over wrong candidates of [1 - s(correct) + s(wrong)]+.

    (batch, candidates), (batch,), (batch, candidates) bool -> (); Merlo et al. 2023, section 5.
    """
    correct = scores.gather(1, answer.unsqueeze(1))  # (batch, 1)
    wrong = mask.scatter(1, answer.unsqueeze(1), value=False)
    hinges = functional.relu(margin - correct + scores)
    return torch.where(wrong, hinges, torch.zeros_like(hinges)).sum(1).mean()
