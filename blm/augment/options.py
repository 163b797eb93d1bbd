"""What an augmentation is asked for, and what it reports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from blm.diagnostics import Diagnostic

Progress = Callable[[int, int], None]
"""Told how many seeds are done, of how many."""


class AugmentError(ValueError):
    """Nothing was written; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How words are proposed. Raises AugmentError for numbers that mean nothing."""

    k: int = 50
    """Fillers of each masked sentence, for each number of word pieces."""
    best: int = 10
    """Proposals for a seed, at most."""
    margin: float = 1.0
    """How far the score may be below that of the seed's own word, in nats (see `score`)."""
    window: int = 0
    """Words left and right of the noun that the model sees; 0 is the whole sentence."""
    masks: int = 2
    """Nouns of up to so many word pieces are sought."""
    score: Literal["sum", "token"] = "sum"
    """The pseudo-log-likelihood of a sentence, or its mean per token."""
    batch: int = 32
    """Sentences that the model reads at once."""
    same: tuple[str, ...] = ()
    """Inherent features (`gender`) in which a word must be like the seed's own."""

    def __post_init__(self) -> None:
        for name, least in (("k", 1), ("best", 1), ("masks", 1), ("batch", 1), ("window", 0)):
            if getattr(self, name) < least:
                raise AugmentError(f"'{name}' is {getattr(self, name)}; it is at least {least}")
        if not self.margin >= 0:  # NaN, too
            raise AugmentError(f"'margin' is {self.margin}; it is 0 or more")
        if self.score not in ("sum", "token"):
            raise AugmentError(f"'score' is '{self.score}'; it is sum or token")


@dataclass(frozen=True, slots=True)
class Proposed:
    """What `propose` found: seeds asked about, proposals, and how many rows were new.

    `fillers` counts the different fillers of the model, seed by seed, `known` the words that
    can be used for them, `near` those within the margin, before the best were taken.
    """

    review: Path
    seeds: int
    without: tuple[str, ...]
    """Seeds for which there is no proposal."""
    fillers: int
    known: int
    near: int
    proposals: int
    added: int


@dataclass(frozen=True, slots=True)
class Accepted:
    """What `accept` wrote: the grammar with more seeds, and words new to its tables."""

    grammar: Path
    files: tuple[Path, ...]
    seeds: int
    words: tuple[str, ...]
    rejected: int
    undecided: int
    diagnostics: tuple[Diagnostic, ...]
    """Warnings."""
