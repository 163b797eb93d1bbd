"""Findings about several files together: leaks between splits, and the manifest's numbers."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from blm.audit.checks.base import Job, WholeCheck
from blm.audit.finding import Example, Finding, Kind, Severity
from blm.audit.table import Bools, Table

LEAK_ANSWER = Kind(
    "leak-answer",
    "a right answer is a right answer of another split too",
    Severity.ERROR,
    left="which split keeps the problem is for the author to decide",
)
LEAK_CONTEXT = Kind(
    "leak-context",
    "a sentence of the context stands in the contexts of another split too",
    Severity.ERROR,
    "sentences",
    left="which split keeps the problem is for the author to decide",
)
COUNT = Kind(
    "wrong-count", "the manifest states another number of problems", Severity.ERROR, "files"
)
CHECKSUM = Kind(
    "checksum", "a file is not the one that the manifest describes", Severity.ERROR, "files"
)

_ORDER = ("train", "dev", "test")


def _jobs(table: Table, split: str) -> list[Job]:
    return [Job(part, table) for part in table.parts if part.split == split]


def _pairs(table: Table) -> Iterator[tuple[str, list[Job], list[Job]]]:
    """Two splits that the path has, the larger first."""
    for one, other in combinations(_ORDER, 2):
        first, second = _jobs(table, one), _jobs(table, other)
        if first and second:
            yield one, first, second


def leak_answer(table: Table, limit: int) -> Iterator[Finding]:
    """Problems of a later split whose right answer is right in an earlier one."""
    for split, first, second in _pairs(table):
        known = np.unique(np.concatenate([job.solutions for job in first]))
        for job in second:
            hit = np.isin(job.solutions, known) & (job.solutions >= 0)
            rows = np.flatnonzero(hit)
            if len(rows):
                examples = [job.answer_example(r, job.part.correct[r]) for r in rows[:limit]]
                yield LEAK_ANSWER.found(
                    job.part.file, len(rows), job.part.rows, examples, detail=f"in {split} too"
                )


def leak_context(table: Table, limit: int) -> Iterator[Finding]:
    """Sentences of a later split's contexts that stand in the contexts of an earlier one."""
    for split, first, second in _pairs(table):
        known = np.unique(np.concatenate([job.context.ravel() for job in first]))
        for job in second:
            hit = np.isin(job.context, known) & (job.context >= 0)
            if hit.any():
                yield _context_finding(job, split, hit, limit)


def _context_finding(job: Job, split: str, hit: Bools, limit: int) -> Finding:
    part = job.part
    examples = [
        job.example(row, part.context_names[place], job.table.text(part.context[row, place]))
        for row, place in np.argwhere(hit)[:limit]
    ]
    rows = int(hit.any(axis=1).sum())
    return LEAK_CONTEXT.found(
        part.file,
        hit.sum(),
        hit.size,
        examples,
        detail=f"in {split} too; {rows:,} of {part.rows:,} rows",
        measures={"rows": rows},
    )


def wrong_count(table: Table, limit: int) -> Iterator[Finding]:
    """The number of problems in the manifest, against the number in the files."""
    stated = (table.manifest or {}).get("problems")
    if not isinstance(stated, int) or table.manifest is None:
        return
    found = sum(part.rows for part in table.parts)
    if stated != found:
        text = f"the manifest states {stated:,} problems, the files have {found:,}"
        yield COUNT.found("manifest.json", 1, 1, [Example("manifest.json", 0, "problems", text)],
                          detail=text)  # fmt: skip


def checksum(table: Table, limit: int) -> Iterator[Finding]:
    """Files that are missing, or have another SHA-256 than the manifest states."""
    files = (table.manifest or {}).get("files")
    if not isinstance(files, Mapping):
        return
    examples = []
    for name, stated in files.items():
        text = _differs(table.path, str(name), stated)
        if text:
            examples.append(Example(str(name), 0, "", text))
    if examples:
        detail = ", ".join(f"{e.file}: {e.text}" for e in examples[:3])
        yield CHECKSUM.found(
            "manifest.json", len(examples), len(files), examples[:limit], detail=detail
        )


def _differs(folder: Path, name: str, stated: Any) -> str:
    """What is wrong with a file of the manifest; nothing if it is the one described."""
    pure = PurePath(name)
    if pure.is_absolute() or ".." in pure.parts:
        return "lies outside the data set"
    path = folder / pure
    if not os.path.isfile(path):
        return "is missing"
    wanted = stated.get("sha256") if isinstance(stated, Mapping) else stated
    digest = hashlib.sha256()
    with path.open("rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    same = not isinstance(wanted, str) or digest.hexdigest() == wanted.removeprefix("sha256:")
    return "" if same else "has changed since the manifest was written"


CHECKS = (
    WholeCheck(LEAK_ANSWER, leak_answer),
    WholeCheck(LEAK_CONTEXT, leak_context),
    WholeCheck(COUNT, wrong_count),
    WholeCheck(CHECKSUM, checksum),
)
