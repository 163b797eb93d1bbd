"""References without learning: what a solver reaches that does not read the context, or hardly.

A data set on which `nearest-candidates` does well can be solved from its answer sets alone, as
the published agreement data can (see the balanced answer sets of `blm.answers`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from blm.encode.arrays import Encoded
from blm.encode.encoder import FloatArray


def chance(train: Encoded, test: Encoded, seed: int) -> FloatArray:
    """A choice at random."""
    return np.random.default_rng(seed).random(test.mask.shape, dtype=np.float32)


def nearest_candidates(train: Encoded, test: Encoded, seed: int) -> FloatArray:
    """The candidate with the highest mean cosine to the other candidates of its answer set."""
    vectors = _unit(test.table)[test.candidates] * test.mask[..., None]  # (N, k, width)
    sums = vectors.sum(1, keepdims=True)  # (N, 1, width)
    others = np.maximum(test.mask.sum(1, keepdims=True) - 1, 1)
    # The cosine of a candidate to itself is 1 and is none of the others'.
    means = ((vectors * sums).sum(-1) - 1.0) / others
    return np.asarray(means, dtype=np.float32)


def nearest_context(train: Encoded, test: Encoded, seed: int) -> FloatArray:
    """The candidate with the highest cosine to the mean of the context sentences."""
    unit = _unit(test.table)
    mean = unit[test.context].mean(1)  # (N, width)
    scores = np.einsum("nkw,nw->nk", unit[test.candidates], mean)
    return np.asarray(scores, dtype=np.float32)


def most_frequent(train: Encoded, test: Encoded, seed: int) -> FloatArray:
    """The place that is right most often in training: the class label of a multiple choice."""
    places = test.mask.shape[1]
    counts = np.bincount(train.answer, minlength=places)[:places]
    return np.tile(counts.astype(np.float32), (len(test), 1))


REFERENCES: Mapping[str, Callable[[Encoded, Encoded, int], FloatArray]] = {
    "chance": chance,
    "nearest-candidates": nearest_candidates,
    "nearest-context": nearest_context,
    "most-frequent": most_frequent,
}


def reference_scores(name: str, train: Encoded, test: Encoded, *, seed: int = 0) -> FloatArray:
    """The scores of a reference: (N, k), -inf where there is no candidate."""
    scores = REFERENCES[name](train, test, seed)
    return np.where(test.mask, scores, -np.inf).astype(np.float32)


def _unit(table: FloatArray) -> FloatArray:
    """Rows of length 1; a row of zeros stays one."""
    norms = np.linalg.norm(table, axis=1, keepdims=True)
    unit: FloatArray = table / np.maximum(norms, 1e-12)
    return unit
