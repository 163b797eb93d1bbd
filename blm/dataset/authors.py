"""The column layout of the task's authors: tab-separated, a row a problem.

An unnamed index; `Sent_1..`, `Sent_template_1..`, `Sent_chunks_1..`; then `Answer_`,
`Answer_label_`, `Answer_value_`, `Answer_template_`, `Answer_chunks_` 1 to k, as in the files
of the repository CLCL-Geneva/BLM-SNFDisentangling (state of July 2024).  Where a problem has
fewer answers than another, its last columns are empty.  A template is the item's cells.
"""

from __future__ import annotations

import csv
from typing import TextIO

from blm.dataset.problems import Answer, Problem
from blm.pipeline import Grammar
from blm.problem import item_text
from blm.realise import Sentence

SUFFIX = ".csv"

_CONTEXT_COLUMNS = ("Sent", "Sent_template", "Sent_chunks")
_ANSWER_COLUMNS = ("Answer", "Answer_label", "Answer_value", "Answer_template", "Answer_chunks")


class Writer:
    """Writes problems to an open text file, with room for `places` answers."""

    def __init__(self, file: TextIO, grammar: Grammar, places: int) -> None:
        self._phenomenon = grammar.phenomenon
        self._places = places
        self._rows = csv.writer(file, delimiter="\t", lineterminator="\n")
        self._number = 0
        context = range(1, self._phenomenon.shape.size)
        header = [f"{name}_{k}" for name in _CONTEXT_COLUMNS for k in context]
        header += [f"{name}_{k}" for name in _ANSWER_COLUMNS for k in range(1, places + 1)]
        self._rows.writerow(["", *header])

    def write(self, problem: Problem) -> None:
        """Add a problem."""
        items = problem.matrix.context
        row = [
            str(self._number),
            *(sentence.text for sentence in problem.context),
            *(item_text(self._phenomenon, item) for item in items),
            *(_chunks(sentence) for sentence in problem.context),
        ]
        missing = [""] * (self._places - len(problem.answers))
        for column in zip(*map(self._answer, problem.answers), strict=True):
            row += [*column, *missing]
        self._rows.writerow(row)
        self._number += 1

    def _answer(self, answer: Answer) -> tuple[str, ...]:
        """What stands in the columns of an answer."""
        return (
            answer.sentence.text,
            answer.label,
            str(answer.candidate.correct),
            item_text(self._phenomenon, answer.candidate.item),
            _chunks(answer.sentence),
        )


def _chunks(sentence: Sentence) -> str:
    """The phrases of a sentence as the text of a Python list, as the authors write them."""
    return repr([sentence.text[start:end] for _, start, end in sentence.phrases])
