"""Whether the right answer can be found without the context.

A blind solver gives every answer a score from the answer set alone, or from other problems,
and takes the best.  Where answers tie it is right by its share among the tied.  I-RAVEN (Hu et
al., "Stratified rule-aware network for abstract visual reasoning", AAAI 2021) showed that sets
of one right answer and its variations can be solved so, and balances against it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from blm.audit.checks.base import Check, Job
from blm.audit.finding import Finding, Kind, Severity
from blm.audit.items import cells_of
from blm.audit.overlaps import nearness
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


def blind_words(job: Job) -> Iterator[Finding]:
    """Nearest to the others by the words shared: |A and B| / |A or B| (Jaccard)."""
    answers = job.part.answers
    words = {
        n: set(job.table.text(n)[:MOST_CHARACTERS].lower().split())
        for n in np.unique(answers[answers >= 0]).tolist()
    }
    yield from _finding(job, WORDS, nearness(answers, job.part.filled, words, _shared))


def _shared(shared: Scores, one: Scores, other: Scores) -> Scores:
    return np.asarray(shared / np.maximum(one + other - shared, 1))


def blind_edits(job: Job) -> Iterator[Finding]:
    """Nearest to the others by edit distance, in characters."""
    answers, texts = job.part.answers, [t[:MOST_CHARACTERS] for t in job.table.strings.texts]
    scores = np.zeros(answers.shape)
    for one, other in combinations(range(answers.shape[1]), 2):
        both = (answers[:, one] >= 0) & (answers[:, other] >= 0)
        pair = ([texts[n] for n in answers[both, place].tolist()] for place in (one, other))
        found = cpdist(*pair, scorer=Levenshtein.distance, workers=-1)
        scores[both, one] -= found
        scores[both, other] -= found
    yield from _finding(job, EDITS, scores)


def blind_features(job: Job) -> Iterator[Finding]:
    """Fewest features (cells of an item, tokens of a template) that the others do not share."""
    items = job.part.answer_items
    if items is None:
        return
    cells = {n: cells_of(job.table.text(n)) for n in np.unique(items[items >= 0]).tolist()}
    yield from _finding(job, FEATURES, nearness(items, job.part.filled, cells, _apart))


def _apart(shared: Scores, one: Scores, other: Scores) -> Scores:
    return np.asarray(2 * shared - one - other)


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
