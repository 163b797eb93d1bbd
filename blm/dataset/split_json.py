"""The split files of the task's authors: lists of lists of texts, a row a problem.

`x.json` [N][n - 1] holds the context sentences and `y.json` [N][k] the answers; `labels.json`,
`truth_bool.json` ("True" or "False") and `y_templates.json` go with the answers,
`x_templates.json` with the context.  A template is the item's cells.  Where a problem has fewer
answers than another, its rows are shorter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from blm.dataset.batch import Batch, Column
from blm.dataset.records import dumps
from blm.dataset.space import ProblemSpace
from blm.problem import item_text

NAMES = (
    "{}/x.json",
    "{}/y.json",
    "{}/labels.json",
    "{}/truth_bool.json",
    "{}/x_templates.json",
    "{}/y_templates.json",
)
"""The files of a split, `{}` standing for its name, in the order of `SplitJsonWriter`."""


class SplitJsonWriter:
    """Writes problems to new files, a row at a time."""

    def __init__(self, paths: Sequence[Path], space: ProblemSpace) -> None:
        self._space = space
        self._rows = 0
        self._closing = ExitStack()
        try:
            self._files = [
                self._closing.enter_context(path.open("w", encoding="utf-8", newline=""))
                for path in paths
            ]
        except OSError:
            self._closing.close()
            raise

    def write(self, batch: Batch) -> None:
        """Add the problems of a batch."""
        for file, column in zip(self._files, self._columns(batch), strict=True):
            before = ",\n" if self._rows else "[\n"
            for row in column:
                file.write(before + row)
                before = ",\n"
        self._rows += len(batch)

    def close(self) -> None:
        """Finish the files."""
        with self._closing:
            for file in self._files:
                file.write("\n]\n" if self._rows else "[]\n")

    def _columns(self, batch: Batch) -> tuple[Iterable[str], ...]:
        """For each file its rows, in the order of NAMES."""
        phenomenon, texts = self._space.grammar.phenomenon, self._space.texts
        said = _Quoted(lambda number: texts.sentences[number].text)
        items = _Quoted(lambda number: item_text(phenomenon, texts.items[number]))
        labels = _Quoted(lambda number: batch.labels[number])
        truth = _Quoted(lambda number: str(batch.candidates[number].correct))
        offered = _Quoted(lambda number: item_text(phenomenon, batch.candidates[number].item))
        return (
            said.rows(batch.context_text),
            said.rows(batch.answer_text),
            labels.rows(batch.place),
            truth.rows(batch.answer),
            items.rows(batch.context_item),
            offered.rows(batch.answer),
        )


class _Quoted:
    """Texts by number as JSON, each quoted once."""

    def __init__(self, text: Callable[[int], str]) -> None:
        self._text = text
        self._known: dict[int, str] = {}

    def rows(self, numbers: Column) -> Iterator[str]:
        """Each row of the column as a JSON list; -1 stands for nothing."""
        for row in numbers.tolist():
            yield "[" + ", ".join(self._quote(number) for number in row if number >= 0) + "]"

    def _quote(self, number: int) -> str:
        if number not in self._known:
            self._known[number] = dumps(self._text(number))
        return self._known[number]
