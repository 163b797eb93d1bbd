"""Answers that stand twice, and rows without exactly one right answer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from blm.audit.checks.base import Check, Job, Tally, rows_of
from blm.audit.finding import Example, Finding, Kind, Severity
from blm.audit.readers.marks import RIGHT_LABELS
from blm.audit.table import Bools

DUPLICATE = Kind(
    "duplicate-answers",
    "two wrong answers are the same sentence",
    Severity.ERROR,
    left="which of two equal answers should say what is for the author to decide",
)
IS_RIGHT = Kind(
    "distractor-is-correct",
    "a wrong answer is the same sentence as the right one",
    Severity.ERROR,
    left="the distractor needs another sentence",
)
IN_CONTEXT = Kind(
    "distractor-in-context",
    "a wrong answer is a sentence of the context",
    Severity.ERROR,
    "wrong answers",
    left="the distractor needs another sentence",
)
RIGHT_IN_CONTEXT = Kind(
    "correct-in-context", "the right answer is a sentence of the context", Severity.NOTE
)
RIGHT_COUNT = Kind(
    "right-answers",
    "not exactly one answer is marked right",
    Severity.ERROR,
    left="only the author knows which answer is right",
)
CONTRADICTION = Kind(
    "contradictory-marks",
    "label and mark of an answer contradict each other",
    Severity.ERROR,
    "answers",
    left="only the author knows which of the two is right",
)


def _pairs(job: Job, *, with_right: bool) -> Iterator[tuple[int, int, Bools]]:
    """Pairs of places, and the rows where both have the same sentence."""
    part, answers = job.part, job.answers
    for one, other in combinations(range(answers.shape[1]), 2):
        right = (part.right[:, one] == 1) | (part.right[:, other] == 1)
        same = (answers[:, one] == answers[:, other]) & (answers[:, one] >= 0)
        same &= right if with_right else ~right
        if same.any():
            yield one, other, same


def _same(job: Job, kind: Kind, *, with_right: bool) -> Iterator[Finding]:
    hit = np.zeros(job.part.rows, dtype=bool)
    tally, examples = Tally(), list[Example]()
    for one, other, same in _pairs(job, with_right=with_right):
        new = same & ~hit
        hit |= same
        for row in rows_of(same):
            tally.add(f"{_named(job, row, one)} = {_named(job, row, other)}")
        for row in list(rows_of(new))[: max(0, job.limit - len(examples))]:
            names = f"{job.part.answer_names[one]} = {job.part.answer_names[other]}"
            text = job.table.text(job.part.answers[row, one])
            labels = f" [{job.label(row, one)} = {job.label(row, other)}]"
            examples.append(job.example(row, names, text + labels))
    if hit.any():
        pairs = {"pairs": tally.most()}
        yield kind.found(
            job.part.file, hit.sum(), len(hit), examples, detail=tally.text(), measures=pairs
        )


def _named(job: Job, row: int, place: int) -> str:
    return job.label(row, place) or job.part.answer_names[place]


def duplicate_answers(job: Job) -> Iterator[Finding]:
    """Rows in which two wrong answers have the same text, with their labels."""
    yield from _same(job, DUPLICATE, with_right=False)


def distractor_is_correct(job: Job) -> Iterator[Finding]:
    """Rows in which a wrong answer has the text of the right one."""
    yield from _same(job, IS_RIGHT, with_right=True)


def distractor_in_context(job: Job) -> Iterator[Finding]:
    """Wrong answers that are sentences of their context; a note where the data set declares it."""
    part = job.part
    standing: Bools = (job.answers[:, :, None] == job.context[:, None, :]).any(axis=2)
    standing &= part.wrong
    if not standing.any():
        return
    tally, examples = Tally(), list[Example]()
    for row, place in np.argwhere(standing).tolist():
        tally.add(_named(job, row, place))
        if len(examples) < job.limit:
            examples.append(job.answer_example(row, place, _twin(job, row, place)))
    declared = part.meta.repeats
    why = "declared by the data set; " if declared else ""
    rows = int(standing.any(axis=1).sum())
    yield IN_CONTEXT.found(
        part.file,
        standing.sum(),
        part.wrong.sum(),
        examples,
        detail=f"{why}in {rows:,} of {part.rows:,} rows; {tally.text()}",
        severity=Severity.NOTE if declared else None,
        measures={"rows": rows, "labels": tally.most()},
    )


def _twin(job: Job, row: int, place: int) -> str:
    """The answer, and the name of the sentence of the context that it equals."""
    twin = int(np.argmax(job.context[row] == job.answers[row, place]))
    sentence = job.table.text(job.part.answers[row, place])
    return f"{sentence} [{_named(job, row, place)}] = {job.part.context_names[twin]}"


def correct_in_context(job: Job) -> Iterator[Finding]:
    """Rows whose right answer is a sentence of the context."""
    solutions = job.solutions
    hit = ((job.context == solutions[:, None]) & (solutions >= 0)[:, None]).any(axis=1)
    if hit.any():
        examples = [
            job.answer_example(row, job.part.correct[row])
            for row in list(rows_of(hit))[: job.limit]
        ]
        yield RIGHT_IN_CONTEXT.found(job.part.file, hit.sum(), len(hit), examples)


def right_answers(job: Job) -> Iterator[Finding]:
    """Rows in which no answer is marked right, or more than one, or a mark cannot be read."""
    part = job.part
    counts = ((part.right == 1) & part.filled).sum(axis=1)
    unread = np.asarray(((part.right < 0) & part.filled).any(axis=1))
    wrong = (counts != 1) | unread
    if wrong.any():
        examples = [
            job.example(row, "", "a mark cannot be read" if unread[row] else f"{counts[row]} right")
            for row in list(rows_of(wrong))[: job.limit]
        ]
        yield RIGHT_COUNT.found(part.file, wrong.sum(), part.rows, examples)


def contradictory_marks(job: Job) -> Iterator[Finding]:
    """Answers labelled as right and marked wrong, or the reverse; and a wrong number `answer`."""
    part = job.part
    said = [fault for fault in part.faults if fault.code == CONTRADICTION.code]
    examples = [Example(part.file, f.row, f.column, f.text) for f in said[: job.limit]]
    count = len(said)
    if part.labels is not None:
        texts = [text.strip().lower() in RIGHT_LABELS for text in job.table.strings.texts]
        named = np.array([*texts, False], dtype=bool)[part.labels]
        known = (part.labels >= 0) & part.filled & (part.right >= 0)
        differs = known & named.any() & (named != (part.right == 1))
        count += int(differs.sum())
        for row, place in np.argwhere(np.asarray(differs))[: max(0, job.limit - len(examples))]:
            mark = "right" if part.right[row, place] == 1 else "wrong"
            text = f"labelled {job.label(row, place)}, marked {mark}"
            examples.append(job.answer_example(row, place, text))
    if count:
        yield CONTRADICTION.found(part.file, count, part.filled.sum(), examples)


CHECKS = (
    Check(DUPLICATE, duplicate_answers),
    Check(IS_RIGHT, distractor_is_correct),
    Check(IN_CONTEXT, distractor_in_context),
    Check(RIGHT_IN_CONTEXT, correct_in_context),
    Check(RIGHT_COUNT, right_answers),
    Check(CONTRADICTION, contradictory_marks),
)
