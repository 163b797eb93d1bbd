"""What is wrong with the table itself: columns, rows, cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from blm.audit.checks.base import Check, Job, rows_of
from blm.audit.finding import Example, Finding, Kind, Severity

NO_PROBLEMS = Kind("no-problems", "the file has no problem", Severity.ERROR)
DOUBLED = Kind(
    "doubled-column",
    "a column name stands twice",
    Severity.ERROR,
    "columns",
    left="which of the two columns is meant is for the author to decide",
)
MISSING = Kind(
    "missing-column",
    "columns are missing",
    Severity.WARNING,
    "columns",
    left="their content is not in the file",
)
RAGGED = Kind(
    "ragged-row",
    "a row has more or fewer cells than the header",
    Severity.ERROR,
    left="which cell is missing is for the author to decide",
)
EMPTY = Kind(
    "empty-cell",
    "a sentence is missing",
    Severity.ERROR,
    "sentences",
    left="the sentence is not in the file",
)
ONE_ANSWER = Kind(
    "one-answer",
    "a problem leaves nothing to choose: it has one answer, or none",
    Severity.ERROR,
    left="other answers are for the author to add",
)
CONSTANT = Kind(
    "constant-column",
    "a column has the same sentence in every row",
    Severity.ERROR,
    "columns",
    left="the sentences are for the author to write",
)
TWICE = Kind(
    "same-problem",
    "a problem stands twice: the same context and the same right answer",
    Severity.WARNING,
    left="which of the two to drop is for the author to decide",
)

_FEWEST_ROWS = 10
"""Rows below which a constant column says nothing."""


def no_problems(job: Job) -> Iterator[Finding]:
    """A file with a header and no rows."""
    if not job.part.rows:
        yield NO_PROBLEMS.found(job.part.file, 1, 1)


def _faults(kind: Kind) -> Callable[[Job], Iterator[Finding]]:
    """The faults of one kind that the reader met."""

    def look(job: Job) -> Iterator[Finding]:
        part = job.part
        said = [fault for fault in part.faults if fault.code == kind.code]
        if said:
            examples = [Example(part.file, f.row, f.column, f.text) for f in said[: job.limit]]
            of = part.rows if kind.unit == "rows" else len(part.sentence_names)
            detail = ", ".join(dict.fromkeys(f"{f.column} {f.text}".strip() for f in said[:3]))
            yield kind.found(part.file, len(said), of, examples, detail=detail)

    return look


def empty_cell(job: Job) -> Iterator[Finding]:
    """Sentences of the context that are missing, and answers that have a label and no text.

    Where a problem has fewer answers than another its last columns are empty: no fault.
    """
    part = job.part
    labelled = ~part.filled
    if part.labels is not None:
        labelled &= part.labels >= 0
    else:
        later = np.cumsum(part.filled[:, ::-1], axis=1)[:, ::-1] > 0
        labelled &= later
    missing = np.concatenate([part.context < 0, labelled], axis=1)
    if missing.any():
        examples = [
            job.example(row, part.sentence_names[place], "empty")
            for row, place in np.argwhere(missing)[: job.limit]
        ]
        yield EMPTY.found(part.file, missing.sum(), missing.size, examples)


def one_answer(job: Job) -> Iterator[Finding]:
    """Rows with fewer than two answers."""
    part = job.part
    alone = part.filled.sum(axis=1) < 2
    if alone.any():
        examples = [
            job.example(int(row), part.sentence_names[-1], f"{part.filled[row].sum()} answers")
            for row in np.flatnonzero(alone)[: job.limit]
        ]
        yield ONE_ANSWER.found(part.file, alone.sum(), part.rows, examples)


def constant_column(job: Job) -> Iterator[Finding]:
    """Columns of sentences in which every row has the same text."""
    part = job.part
    if part.rows < _FEWEST_ROWS:
        return
    sentences = part.sentences
    same = (sentences == sentences[:1]).all(axis=0) & (sentences[0] >= 0)
    if same.any():
        places = list(rows_of(same))
        examples = [
            job.example(0, part.sentence_names[p], job.table.text(sentences[0, p])) for p in places
        ]
        names = [part.sentence_names[place] for place in places]
        yield CONSTANT.found(
            part.file,
            len(places),
            len(same),
            examples[: job.limit],
            detail=", ".join(names[:8]),
            measures={"columns": names},
        )


def same_problem(job: Job) -> Iterator[Finding]:
    """Rows whose context and right answer stand in an earlier row too."""
    first: dict[bytes, int] = {}
    repeated: list[tuple[int, int]] = []
    for row in map(int, job.part.judged):
        key = job.context[row].tobytes() + job.solutions[row].tobytes()
        earlier = first.setdefault(key, row)
        if earlier != row:
            repeated.append((row, earlier))
    if repeated:
        examples = [
            job.answer_example(row, job.part.correct[row], f"the same as row {earlier + 1}")
            for row, earlier in repeated[: job.limit]
        ]
        yield TWICE.found(job.part.file, len(repeated), job.part.rows, examples)


CHECKS = (
    Check(NO_PROBLEMS, no_problems),
    *(Check(kind, _faults(kind)) for kind in (DOUBLED, MISSING, RAGGED)),
    Check(EMPTY, empty_cell),
    Check(ONE_ANSWER, one_answer),
    Check(CONSTANT, constant_column),
    Check(TWICE, same_problem),
)
