"""The column layout of the task's authors: tab-separated, a row a problem.

An unnamed index; `Sent_1..`, `Sent_template_1..`, `Sent_chunks_1..`; then `Answer_`,
`Answer_label_`, `Answer_value_`, `Answer_template_`, `Answer_chunks_` 1 to k, as in the files
of the repository CLCL-Geneva/BLM-SNFDisentangling (state of July 2024).  Where a problem has
fewer answers than another, its last columns are empty.  A template is the item's cells.
"""

from __future__ import annotations

import csv
from pathlib import Path

from blm.dataset.batch import Batch
from blm.dataset.space import ProblemSpace
from blm.problem import item_text

_CONTEXT_COLUMNS = ("Sent", "Sent_template", "Sent_chunks")
_ANSWER_COLUMNS = ("Answer", "Answer_label", "Answer_value", "Answer_template", "Answer_chunks")


class AuthorsWriter:
    """Writes problems to a new file, with room for the largest answer set."""

    def __init__(self, path: Path, space: ProblemSpace) -> None:
        self._file = path.open("w", encoding="utf-8", newline="")
        self._space = space
        self._places = space.places
        self._known_chunks: dict[int, str] = {}
        self._rows = csv.writer(self._file, delimiter="\t", lineterminator="\n")
        context = range(1, space.grammar.phenomenon.shape.size)
        header = [f"{name}_{k}" for name in _CONTEXT_COLUMNS for k in context]
        header += [f"{name}_{k}" for name in _ANSWER_COLUMNS for k in range(1, self._places + 1)]
        self._rows.writerow(["", *header])

    def write(self, batch: Batch) -> None:
        """Add the problems of a batch."""
        phenomenon, texts = self._space.grammar.phenomenon, self._space.texts
        templates = [item_text(phenomenon, item) for item in texts.items]
        offered = [item_text(phenomenon, candidate.item) for candidate in batch.candidates]
        for place, number in enumerate(batch.numbers):
            said = batch.context_text[place].tolist()
            row = [str(number), *(texts.sentences[text].text for text in said)]
            row += [templates[item] for item in batch.context_item[place].tolist()]
            row += [self._chunks(text) for text in said]
            answers = [
                (
                    texts.sentences[text].text,
                    batch.labels[label],
                    str(batch.candidates[answer].correct),
                    offered[answer],
                    self._chunks(text),
                )
                for answer, label, text in zip(
                    batch.answer[place].tolist(),
                    batch.place[place].tolist(),
                    batch.answer_text[place].tolist(),
                    strict=True,
                )
                if answer >= 0
            ]
            missing = [""] * (self._places - len(answers))
            for column in zip(*answers, strict=True):
                row += [*column, *missing]
            self._rows.writerow(row)

    def close(self) -> None:
        """Finish the file."""
        self._file.close()

    def _chunks(self, text: int) -> str:
        """The phrases of a sentence as the text of a Python list, as the authors write them."""
        known = self._known_chunks.get(text)
        if known is None:
            sentence = self._space.texts.sentences[text]
            phrases = [sentence.text[start:end] for _, start, end in sentence.phrases]
            known = self._known_chunks[text] = repr(phrases)
        return known
