"""Rows and names that several tables and figures ask for."""

from __future__ import annotations

from collections.abc import Sequence

from blm.experiment.results import Prediction

CORRECT = "correct"


def networks(rows: Sequence[Prediction]) -> list[Prediction]:
    """The rows of networks."""
    return [row for row in rows if row.kind == "network"]


def at_home(rows: Sequence[Prediction]) -> list[Prediction]:
    """Tested on the data set trained on, on its `whole`; and what was not trained."""
    size = whole(networks(rows))
    return [
        row
        for row in rows
        if row.kind == "language model"
        or (row.train == row.test and row.size == (size if row.kind == "network" else "all"))
    ]


def whole(rows: Sequence[Prediction]) -> str:
    """The training size that stands for a data set: `all`; if that was not run, `equal`."""
    sizes = {row.size for row in rows}
    return "equal" if "equal" in sizes and "all" not in sizes else "all"


def labels_of(rows: Sequence[Prediction]) -> list[str]:
    """The labels of candidates, `correct` first, the others by the alphabet."""
    found = {label for row in rows for label in row.labels}
    return sorted(found, key=lambda label: (label != CORRECT, label))


def families_of(rows: Sequence[Prediction]) -> list[str]:
    """The families of broken rules, in the order E, I, R."""
    return sorted({family for row in rows for family in row.families})


def names(rows: Sequence[Prediction], column: str) -> list[str]:
    """The values of a column, in order of first occurrence."""
    return list(dict.fromkeys(str(getattr(row, column)) for row in rows))
