"""The tables of a report, as data that prints as Markdown or HTML."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape

from blm.experiment.results import Prediction
from blm.report.select import at_home, families_of, labels_of, networks
from blm.report.stats import accuracy, chance, estimate, group

_SETTING = ("encoder", "solver", "trained on", "tested on")
FAMILIES = {"external": "E", "internal": "I", "relational": "R"}


@dataclass(frozen=True, slots=True)
class Table:
    """A table; `numeric` counts the columns at its right that hold numbers."""

    name: str
    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    numeric: int = 1

    def markdown(self) -> str:
        """As Markdown."""
        words = len(self.header) - self.numeric
        rule = ["---"] * words + ["---:"] * self.numeric
        lines = [f"### {self.title}", ""]
        for row in (self.header, rule, *self.rows):
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |")
        return "\n".join([*lines, *(["", self.note] if self.note else []), ""])

    def html(self) -> str:
        """As HTML."""
        head = "".join(f"<th>{escape(cell)}</th>" for cell in self.header)
        body = "\n".join(f"<tr>{self._cells(row)}</tr>" for row in self.rows)
        note = f"<p>{escape(self.note)}</p>" if self.note else ""
        caption = f"<caption>{escape(self.title)}</caption>"
        table = f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>"
        return f'<div class="table">{table}</div>\n{note}\n'

    def _repr_html_(self) -> str:
        return self.html()

    def _cells(self, row: Sequence[str]) -> str:
        words = len(row) - self.numeric
        return "".join(
            f"<td{' class=n' if place >= words else ''}>{escape(cell)}</td>"
            for place, cell in enumerate(row)
        )


def all_tables(rows: Sequence[Prediction]) -> list[Table]:
    """The tables that the rows give something for."""
    made = [scores(rows), by_label(rows), by_family(rows)]
    made += [by_matrix(rows), by_seed(rows), by_place(rows)]
    return [table for table in made if table.rows]


def scores(rows: Sequence[Prediction]) -> Table:
    """F1 and accuracy of every solver, training set and test set."""
    cells = group(rows, lambda r: (r.kind, r.encoder, r.solver, r.train, r.size, r.test))
    body = []
    for (kind, encoder, solver, train, size, test), found in cells.items():
        learned = kind == "network" or (kind == "reference" and solver == "most-frequent")
        one, hits = estimate(found), estimate(found, accuracy)
        trained = f"{train} ({size if size == 'all' else found[0].train_size})" if learned else "–"
        body.append(
            (
                encoder or "–",
                solver,
                trained,
                test,
                one.text(),
                one.interval(),
                hits.text(),
                f"{chance(found):.3f}",
                str(one.runs),
            )
        )
    return Table(
        "scores",
        "F1 and accuracy",
        (*_SETTING, "F1", "95 % CI", "accuracy", "chance", "runs"),
        tuple(body),
        "Mean ± standard deviation over runs. The interval is Student's over runs, and Wilson's "
        "over problems where there is one run. F1 and accuracy differ only where scores tie.",
        5,
    )


def by_label(rows: Sequence[Prediction]) -> Table:
    """What was chosen, by label, where training and test are of one data set."""
    rows = at_home(rows)
    labels = labels_of(rows)
    body = []
    for (encoder, solver, test), found in group(
        rows, lambda r: (r.encoder, r.solver, r.test)
    ).items():
        shares = [estimate(found, partial(_share, label)) for label in labels]
        body.append((encoder, solver, test, *(share.text() for share in shares)))
    return Table(
        "labels",
        "Share of answers by label",
        ("encoder", "solver", "data", *labels),
        tuple(body),
        "Tested on the data set trained on, all of it. Each row sums to 1.",
        len(labels),
    )


def _share(label: str, rows: Sequence[Prediction]) -> float:
    return sum(row.label == label for row in rows) / len(rows)


def by_family(rows: Sequence[Prediction]) -> Table:
    """How often a rule of each family was broken, where training and test are of one data set."""
    rows = at_home(rows)
    families = families_of(rows)
    titles = (f"{name} ({FAMILIES.get(name, name)})" for name in families)
    body = []
    for (encoder, solver, test), found in group(
        rows, lambda r: (r.encoder, r.solver, r.test)
    ).items():
        wrong = [row for row in found if not row.correct]
        cells = [f"{sum(name in r.families for r in found) / len(found):.3f}" for name in families]
        body.append((encoder, solver, test, f"{len(wrong) / len(found):.3f}", *cells))
    return Table(
        "families",
        "Share of answers that break a rule of a family",
        ("encoder", "solver", "data", "any", *titles),
        tuple(body),
        "An answer that breaks rules of two families counts for both.",
        1 + len(families),
    )


def by_matrix(rows: Sequence[Prediction]) -> Table:
    """Errors of the networks by matrix."""
    return _errors(rows, "matrix", "matrices", lambda row: (row.matrix,))


def by_seed(rows: Sequence[Prediction]) -> Table:
    """Errors of the networks by lexical seed; a problem counts for each of its seeds."""
    return _errors(rows, "lexical seed", "seeds", lambda row: tuple(dict.fromkeys(row.seeds)))


def by_place(rows: Sequence[Prediction]) -> Table:
    """Where the correct answer stood and where the networks looked for it."""
    rows = networks(at_home(rows))
    body = []
    for test, found in group(rows, lambda r: r.test).items():
        for place in range(max((len(row.labels) for row in found), default=0)):
            right = [row for row in found if row.answer == place]
            body.append(
                (
                    test,
                    str(place + 1),
                    f"{len(right) / len(found):.3f}",
                    f"{sum(row.chosen == place for row in found) / len(found):.3f}",
                    f"{1 - accuracy(right):.3f}" if right else "–",
                )
            )
    return Table(
        "places",
        "Places in the answer set",
        ("data", "place", "holds the correct answer", "chosen", "errors where it is right"),
        tuple(body),
        "Over all networks and runs. A solver that reads no places is even over them.",
        3,
    )


def _errors(
    rows: Sequence[Prediction],
    what: str,
    name: str,
    keys: Callable[[Prediction], tuple[str, ...]],
) -> Table:
    rows = networks(at_home(rows))
    found: dict[tuple[str, str], list[Prediction]] = {}
    for row in rows:
        for key in keys(row):
            found.setdefault((row.test, key), []).append(row)
    body = [
        (test, key, str(len(part)), f"{1 - accuracy(part):.3f}")
        for (test, key), part in sorted(found.items(), key=lambda item: natural(item[0]))
    ]
    return Table(
        name,
        f"Errors by {what}",
        ("data", what, "answers", "share wrong"),
        tuple(body),
        "Over all networks and runs, tested on the data set trained on.",
        2,
    )


def natural(words: Sequence[str]) -> list[tuple[int, str]]:
    """A key to sort `m2` before `m10`."""
    parts = [part for word in words for part in re.split(r"(\d+)", word)]
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]
