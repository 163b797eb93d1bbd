"""Whether the right answer can be found without the context.

A blind solver gives every answer a score from the answer set alone, or from other problems,
and takes the best.  Where answers tie it is right by its share among the tied.  I-RAVEN (Hu et
al., "Stratified rule-aware network for abstract visual reasoning", AAAI 2021) showed that sets
of one right answer and its variations can be solved so, and balances against it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from blm.audit.checks.base import Check, Job
from blm.audit.finding import Finding, Kind, Severity
from blm.audit.items import cells_of
from blm.audit.statistics import wilson

MARGIN = 0.05
"""How far above chance the whole interval must lie to be an error.

Chance is the mean of 1 / (number of answers).  With many problems the smallest bias lies outside
chance, so that significance alone is no measure: 0.05 is what a balanced data set is allowed,
and less than the differences between systems that such data are used to show.  An accuracy
beyond the margin whose interval still reaches into it is a warning.
"""

_LEFT = "balanced answer sets are a new choice of distractors"

WORDS = Kind(
    "blind-words",
    "solved without the context: the answer that shares most words with the others",
    Severity.NOTE,
    left=_LEFT,
)
EDITS = Kind(
    "blind-edits",
    "solved without the context: the answer fewest characters away from the others",
    Severity.NOTE,
    left=_LEFT,
)
FEATURES = Kind(
    "blind-features",
    "solved without the context: the answer whose features differ least from the others",
    Severity.NOTE,
    left=_LEFT,
)
FREQUENCY = Kind(
    "blind-frequency",
    "solved without the context: the sentence that is right most often elsewhere",
    Severity.NOTE,
    left=_LEFT,
)

MOST_CHARACTERS = 2000
"""Of longer texts only so much is compared: distances cost the product of the lengths."""

Scores = NDArray[np.float64]
_TIE = 1e-9


def _finding(job: Job, kind: Kind, scores: Scores) -> Iterator[Finding]:
    """The accuracy of the best score, with chance and interval; scores have the answers' shape."""
    part = job.part
    rows = part.judged
    filled = part.filled[rows]
    rows, filled = rows[filled.sum(axis=1) > 1], filled[filled.sum(axis=1) > 1]
    if not len(rows):
        return
    best = np.where(filled, scores[rows], -np.inf)
    tied = best >= best.max(axis=1, keepdims=True) - _TIE
    hit = tied[np.arange(len(rows)), part.correct[rows]] / tied.sum(axis=1)
    chance = float((1 / filled.sum(axis=1)).mean())
    solved = float(hit.sum())
    low, high = wilson(solved, len(rows))
    accuracy = solved / len(rows)
    detail = f"accuracy {accuracy:.3f} (95 % {low:.3f} to {high:.3f}), chance {chance:.3f}"
    severity = _severity(accuracy, low, chance)
    if job.declared and severity is Severity.ERROR:
        severity = Severity.WARNING
        detail += f"; declared: {part.meta.answers} answer sets are not balanced"
    yield kind.found(
        part.file,
        round(solved),
        len(rows),
        detail=detail,
        severity=severity,
        title=f"not {kind.title}" if severity is Severity.NOTE else "",
        measures={
            "accuracy": round(accuracy, 6),
            "low": round(low, 6),
            "high": round(high, 6),
            "chance": round(chance, 6),
            "solved": round(solved, 3),
        },
    )


def _severity(accuracy: float, low: float, chance: float) -> Severity:
    if low > chance + MARGIN:
        return Severity.ERROR
    return Severity.WARNING if accuracy > chance + MARGIN else Severity.NOTE


def _nearness(job: Job, similarities: Callable[[list[tuple[int, int]]], NDArray[Any]]) -> Scores:
    """For each answer the sum of its similarities to the other answers of its row."""
    answers = job.part.answers
    scores = np.zeros(answers.shape)
    for one, other in combinations(range(answers.shape[1]), 2):
        first, second = answers[:, one], answers[:, other]
        both = (first >= 0) & (second >= 0)
        low, high = np.minimum(first, second)[both], np.maximum(first, second)[both]
        keys, place = np.unique(low.astype(np.int64) << 32 | high, return_inverse=True)
        pairs = list(zip((keys >> 32).tolist(), (keys & 0xFFFFFFFF).tolist(), strict=True))
        found = similarities(pairs)[place] if pairs else np.zeros(0)
        scores[both, one] += found
        scores[both, other] += found
    return scores


def blind_words(job: Job) -> Iterator[Finding]:
    """Nearest to the others by the words shared: |A and B| / |A or B| (Jaccard)."""
    words = [frozenset(text.lower().split()) for text in job.table.strings.texts]
    sizes = list(map(len, words))

    def similarities(pairs: list[tuple[int, int]]) -> NDArray[Any]:
        shared = np.array([len(words[a] & words[b]) for a, b in pairs])
        both = np.array([sizes[a] + sizes[b] for a, b in pairs])
        similar: NDArray[Any] = shared / np.maximum(both - shared, 1)
        return similar

    yield from _finding(job, WORDS, _nearness(job, similarities))


def blind_edits(job: Job) -> Iterator[Finding]:
    """Nearest to the others by edit distance, in characters."""
    texts = [text[:MOST_CHARACTERS] for text in job.table.strings.texts]

    def similarities(pairs: list[tuple[int, int]]) -> NDArray[Any]:
        return np.array([-Levenshtein.distance(texts[a], texts[b]) for a, b in pairs], float)

    yield from _finding(job, EDITS, _nearness(job, similarities))


def blind_features(job: Job) -> Iterator[Finding]:
    """Fewest features (cells of an item, tokens of a template) that the others do not share."""
    items = job.part.answer_items
    if items is None:
        return
    cells = {int(n): cells_of(job.table.text(n)) for n in np.unique(items[items >= 0])}
    scores = np.zeros(items.shape)
    known: dict[bytes, list[int]] = {}
    for number, row in enumerate(items):
        key = row.tobytes()
        if key not in known:
            listed = [cells.get(int(n), frozenset()) for n in row]
            known[key] = [-sum(len(mine ^ other) for other in listed) for mine in listed]
        scores[number] = known[key]
    yield from _finding(job, FEATURES, scores)


def blind_frequency(job: Job) -> Iterator[Finding]:
    """How often a sentence is the right answer elsewhere, of how often it stands elsewhere.

    One more, at chance, is added to both: a sentence that stands nowhere else scores chance.
    """
    part, answers = job.part, job.answers
    rows = part.judged
    if len(rows) < 2:
        return
    size = len(job.table.folded)
    marked = np.zeros(answers.shape, dtype=bool)
    marked[rows, part.correct[rows]] = True
    present = part.filled & (part.correct >= 0)[:, None]
    stands = np.bincount(answers[present], minlength=size)
    right = np.bincount(answers[marked], minlength=size)
    own = (answers[:, :, None] == answers[:, None, :]) & present[:, None, :]
    chance = 1 / np.maximum(part.filled.sum(axis=1, keepdims=True), 1)
    hits = right[answers] - (own & marked[:, None, :]).sum(axis=2)
    scores = (hits + chance) / (stands[answers] - own.sum(axis=2) + 1)
    yield from _finding(job, FREQUENCY, scores)


CHECKS = (
    Check(WORDS, blind_words),
    Check(EDITS, blind_edits),
    Check(FEATURES, blind_features),
    Check(FREQUENCY, blind_frequency),
)
