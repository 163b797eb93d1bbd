"""Labels against rules, and distractors that change more than one thing."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from blm.audit.checks.base import Check, Job, Tally
from blm.audit.finding import Example, Finding, Kind, Severity
from blm.audit.judge import changes

LABELS = Kind(
    "label-rules",
    "the label of an answer is not what it breaks",
    Severity.ERROR,
    "answers",
    left="whether the label or the sentence is wrong is for the author to decide",
)
UNKNOWN_LABELS = Kind(
    "unknown-label",
    "the grammar has no such label: it cannot be compared with what is broken",
    Severity.NOTE,
    "answers",
)
STRANGERS = Kind("no-matrix", "the context is that of no matrix of the grammar", Severity.ERROR)
UNREAD = Kind("not-read", "a sentence or template that the grammar does not have", Severity.WARNING)
SEVERAL = Kind(
    "several-edits",
    "a wrong answer differs from the right one in several features",
    Severity.WARNING,
    "wrong answers",
    left="a smaller change is another distractor",
)


def label_rules(job: Job) -> Iterator[Finding]:
    """Answers whose label names other rules than those that they break, by the grammar.

    Without a grammar: marks that contradict the rules that the data set itself lists.
    """
    if job.judged is None:
        yield from _declared_rules(job)
        return
    known = [a for a in job.judged.answers if a.fits is not None]
    amiss = [a for a in known if not a.fits]
    if not amiss:
        return
    tally, examples = Tally(), dict[str, Example]()
    for answer in amiss:
        broken = "+".join(answer.broken) or "nothing"
        said = f"{job.label(answer.row, answer.place)} breaks {broken}"
        tally.add(said)
        text = f"{job.table.text(job.part.answers[answer.row, answer.place])} [{said}]"
        if said not in examples:
            examples[said] = job.answer_example(answer.row, answer.place, text)
    yield LABELS.found(
        job.part.file,
        len(amiss),
        len(known),
        list(examples.values())[: job.limit],
        detail=tally.text(),
        measures={"labels": tally.most(), "read": job.judged.way},
    )


def _declared_rules(job: Job) -> Iterator[Finding]:
    """Right answers that are said to break something, wrong ones that are said to break nothing."""
    part = job.part
    if part.broken is None:
        return
    sound = np.array([*(text == "-" for text in job.table.strings.texts), False])[part.broken]
    said = (part.broken >= 0) & part.filled & (part.right >= 0)
    amiss = said & (sound != (part.right == 1))
    if amiss.any():
        examples = [job.answer_example(row, place) for row, place in np.argwhere(amiss)]
        detail = "the rules that the data set lists as broken contradict the marks"
        yield LABELS.found(part.file, amiss.sum(), said.sum(), examples[: job.limit], detail=detail)


def unknown_label(job: Job) -> Iterator[Finding]:
    """Answers with a label that neither the grammar nor a scheme knows."""
    if job.judged is None:
        return
    unknown = [a for a in job.judged.answers if a.fits is None]
    if unknown:
        tally = Tally()
        for answer in unknown:
            tally.add(job.label(answer.row, answer.place) or "(none)")
        examples = [job.answer_example(a.row, a.place) for a in unknown[: job.limit]]
        total = len(job.judged.answers)
        yield UNKNOWN_LABELS.found(
            job.part.file, len(unknown), total, examples, detail=tally.text()
        )


def no_matrix(job: Job) -> Iterator[Finding]:
    """Rows whose context no matrix of the grammar has."""
    if job.judged is not None and job.judged.strangers:
        found = job.judged.strangers
        examples = [job.example(row, "", text) for row, text in found[: job.limit]]
        yield STRANGERS.found(job.part.file, len(found), job.part.rows, examples)


def not_read(job: Job) -> Iterator[Finding]:
    """Rows with a sentence that could not be read, so that their labels were not compared."""
    if job.judged is None or not job.judged.unread:
        return
    found = job.judged.unread
    rows = list(dict.fromkeys(row for row, _, _ in found))
    examples = [job.example(*place) for place in found[: job.limit]]
    way = {"nothing": "no templates that a scheme reads, and the grammar has no words"}
    yield UNREAD.found(
        job.part.file,
        len(rows),
        job.part.rows,
        examples,
        detail=way.get(job.judged.way, f"read by {job.judged.way}"),
        measures={"texts": len(found)},
    )


def several_edits(job: Job) -> Iterator[Finding]:
    """Wrong answers that change several cells; where an object comes or goes it counts once.

    By the grammar if one is given, else as the data set says, else by its items or templates.
    """
    counted = _edits(job)
    amiss = {place: edits for place, edits in counted.items() if edits[0] > 1}
    if not amiss:
        return
    tally, examples = Tally(), dict[str, Example]()
    for (row, place), (_, names) in amiss.items():
        label = job.label(row, place)
        tally.add(label or job.part.answer_names[place])
        if label not in examples:
            text = job.table.text(job.part.answers[row, place])
            examples[label] = job.answer_example(row, place, f"{text} [{label}: {names}]")
    declared = job.part.meta.answers
    why = f"declared: {declared} answer sets; " if declared else ""
    yield SEVERAL.found(
        job.part.file,
        len(amiss),
        len(counted),
        list(examples.values())[: job.limit],
        detail=why + tally.text(),
        severity=Severity.NOTE if declared else None,
        measures={"labels": tally.most()},
    )


def _edits(job: Job) -> dict[tuple[int, int], tuple[int, str]]:
    """For each wrong answer how many edits it has, and which."""
    part = job.part
    if job.judged is not None and job.judged.answers:
        return {
            (a.row, a.place): (len(a.edits), ", ".join(a.edits))
            for a in job.judged.answers
            if part.wrong[a.row, a.place]
        }
    if part.edits is not None and (part.edits >= 0).any():
        said = part.wrong & (part.edits >= 0)
        places = zip(*(axis.tolist() for axis in np.nonzero(said)), strict=True)
        counts = part.edits[said].tolist()
        return {place: (n, f"{n} edits") for place, n in zip(places, counts, strict=True)}
    found = changes(part, job.table) or {}
    return {place: (len(names), ", ".join(names)) for place, names in found.items()}


CHECKS = (
    Check(LABELS, label_rules),
    Check(UNKNOWN_LABELS, unknown_label),
    Check(STRANGERS, no_matrix),
    Check(UNREAD, not_read),
    Check(SEVERAL, several_edits),
)
