"""Tables with a header: the authors' layouts, old and new, and ours, by the names of columns.

The names are `Sent_k`, `Answer_k`, `Answer_label_k`, `Answer_value_k`, `Sent_template_k`,
`Answer_template_k`, in any order; a tab, a comma or a semicolon between cells.  `Sent_chunks_k`,
`ID` and other columns are left alone.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from blm.audit.errors import AuditError
from blm.audit.readers.marks import marks, marks_from_labels
from blm.audit.readers.source import read_text
from blm.audit.table import Fault, Ids, Part, Strings

MOST_COLUMNS = 200
"""Answers, or sentences of a context, beyond which a file is taken for something else."""

LONGEST_CELL = 100_000
"""Characters of a cell beyond which a file is taken for something else, or a quote for open."""

_ROLES = {
    "sent": "context",
    "sentence": "context",
    "context": "context",
    "answer": "answers",
    "answerlabel": "labels",
    "answervalue": "values",
    "senttemplate": "context_items",
    "answertemplate": "answer_items",
}
"""The name of a column without its number, case and underscores: what stands in it."""

_LINE_END = re.compile(r"[\r\n]")
_NUMBERED = re.compile(r"(.*?)[ _.-]?(\d{1,9})$")


@dataclass
class Header:
    """Where each role's columns stand, by their numbers; and what is wrong with the header."""

    places: dict[str, dict[int, int]] = field(default_factory=dict)
    doubled: dict[str, int] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def columns(self, role: str) -> list[int]:
        """The places of a role's columns, by number."""
        return [place for _, place in sorted(self.places.get(role, {}).items())]

    def numbers(self, role: str) -> list[int]:
        """The numbers of a role's columns."""
        return sorted(self.places.get(role, {}))


def role_of(name: str) -> tuple[str, int] | None:
    """What stands in a column of this name, and its number; None for other columns.

    >>> role_of("Answer_label_3")
    ('labels', 3)
    """
    found = _NUMBERED.fullmatch(name.strip())
    if found is None:
        return None
    stem = re.sub(r"[ _.-]", "", found[1]).lower()
    return (_ROLES[stem], int(found[2])) if stem in _ROLES else None


def delimiter_of(header: str) -> str:
    """The separator that a header line holds most of."""
    return max("\t,;", key=header.count)


def read_header(names: Sequence[str]) -> Header:
    """The roles of columns. A name that comes twice counts once: the first column has it."""
    header = Header()
    for place, name in enumerate(names):
        if (role := role_of(name)) is None:
            continue
        kind, number = role
        known = header.places.setdefault(kind, {})
        if number in known:
            header.doubled[f"{name} (again)"] = place
            header.faults.append(Fault("doubled-column", 0, name, "stands twice in the header"))
        else:
            known[number] = place
    _find_gaps(header)
    return header


def _find_gaps(header: Header) -> None:
    """Numbers that are missing, and columns that the answers have and their labels lack."""
    wanted = {"context": header.numbers("context"), "answers": header.numbers("answers")}
    beside = {"labels": "answers", "values": "answers"}
    beside |= {"context_items": "context", "answer_items": "answers"}
    for role in ("context", "answers"):
        if wanted[role] and wanted[role] != list(range(1, len(wanted[role]) + 1)):
            text = "the numbers are " + ", ".join(map(str, wanted[role]))
            header.faults.append(Fault("missing-column", 0, _NAMES[role], text))
    for role, owner in beside.items():
        have = header.numbers(role)
        if lacking := [n for n in wanted[owner] if n not in have]:
            text = "there is none" if not have else f"lacks {', '.join(map(str, lacking))}"
            if have or role in ("labels", "values"):
                header.faults.append(Fault("missing-column", 0, _NAMES[role], text))


_NAMES = {
    "context": "Sent_k",
    "answers": "Answer_k",
    "labels": "Answer_label_k",
    "values": "Answer_value_k",
    "context_items": "Sent_template_k",
    "answer_items": "Answer_template_k",
}


_TOO_LARGE = "field larger than"
"""So begins what the csv module says of a cell above its own limit, which others may set."""


def read_rows(path: Path) -> tuple[list[str], list[list[str]], str]:
    """The header, the rows and the separator of a table. AuditError if it is none."""
    text = read_text(path)
    delimiter = delimiter_of(_LINE_END.split(text, maxsplit=1)[0])
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[list[str]] = []
    line = 1  # where a row begins, as one that is not closed runs to the end of the file
    try:
        for row in reader:
            if max(map(len, row), default=0) > LONGEST_CELL:
                raise csv.Error(_TOO_LARGE)
            line = reader.line_num + 1
            if row:
                rows.append(row)
    except csv.Error as error:
        told = str(error)
        if told == "unexpected end of data":
            told = "a quotation mark in this row is not closed"
        elif told.startswith(_TOO_LARGE):
            told = f"a cell of over {LONGEST_CELL:,} characters"
        raise AuditError(f"{path}:{line}: this is no table: {told}") from None
    if not rows:
        raise AuditError(f"{path}: the file is empty")
    return rows[0], rows[1:], delimiter


def read(path: Path, name: str, strings: Strings) -> Part:
    """A table of problems. AuditError where the columns of sentences are missing."""
    names, rows, delimiter = read_rows(path)
    header = read_header(names)
    context, answers = header.columns("context"), header.columns("answers")
    if not context or not answers:
        known = ", ".join(n[:40] for n in names[:6] if n.strip()) or "nothing"
        raise AuditError(
            f"{path}: no columns Sent_1, ... and Answer_1, ...; the header begins with {known}"
        )
    if max(len(context), len(answers)) > MOST_COLUMNS:
        raise AuditError(f"{path}: more than {MOST_COLUMNS} answers or sentences in a row")
    faults = [*header.faults, *_even_out(rows, len(names))]
    labels = _matching(header, "labels", rows, strings)
    return Part(
        file=name,
        path=path,
        layout={"\t": "tab-separated", ",": "comma-separated"}.get(delimiter, "semicolons"),
        context=strings.block(_cells(rows, context), len(context)),
        answers=strings.block(_cells(rows, answers), len(answers)),
        context_names=tuple(names[place] for place in context),
        answer_names=tuple(names[place] for place in answers),
        right=_right(header, rows),
        labels=labels,
        context_items=_matching(header, "context_items", rows, strings),
        answer_items=_matching(header, "answer_items", rows, strings),
        extra={n: strings.add(row[p].strip() for row in rows) for n, p in header.doubled.items()},
        faults=tuple(faults),
    )


def _even_out(rows: list[list[str]], width: int) -> list[Fault]:
    """Make every row as long as the header, in place; a fault for each that was not."""
    faults = []
    for number, row in enumerate(rows, 1):
        if len(row) != width:
            faults.append(Fault("ragged-row", number, "", f"{len(row)} cells, not {width}"))
            rows[number - 1] = (row + [""] * width)[:width]
    return faults


def _cells(rows: list[list[str]], places: Sequence[int]) -> list[list[str]]:
    return [[cell if (cell := row[place]).strip() else "" for place in places] for row in rows]


def _aligned(header: Header, role: str, rows: list[list[str]]) -> list[list[str]] | None:
    """The cells of a role beside its sentences, number by number; None if it has no columns."""
    owner = "context" if role == "context_items" else "answers"
    places: Mapping[int, int] = header.places.get(role, {})
    if not places:
        return None
    wanted = [places.get(number, -1) for number in header.numbers(owner)]
    return [[row[place].strip() if place >= 0 else "" for place in wanted] for row in rows]


def _matching(header: Header, role: str, rows: list[list[str]], strings: Strings) -> Ids | None:
    cells = _aligned(header, role, rows)
    owner = "context" if role == "context_items" else "answers"
    return None if cells is None else strings.block(cells, len(header.numbers(owner)))


def _right(header: Header, rows: list[list[str]]) -> NDArray[np.int8]:
    width = len(header.numbers("answers"))
    values = _aligned(header, "values", rows)
    if values is not None:
        return marks(values, width)
    return marks_from_labels(_aligned(header, "labels", rows) or [[]] * len(rows), width)
