"""The review table: a row for each proposal, where a person writes `accept` or `reject`."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from blm.diagnostics import Diagnostic, GrammarError, Source, Span, did_you_mean, limited
from blm.lexicon.tables import DELIMITERS, Field, Table, read_table
from blm.whole import whole

SEED, SLOT, WORD, DECISION = "seed", "slot", "word", "decision"
SCORE, ORIGINAL, DIFFERENCE = "score", "original", "difference"
ACCEPT, REJECT = "accept", "reject"
_NEEDED = (SEED, SLOT, WORD, DECISION)

Row = Mapping[str, str]
"""The cells of a proposal by column."""


def sentence_column(features: Iterable[str]) -> str:
    """The column of the sentence that has the noun in this form: `sentence sg`."""
    return " ".join(("sentence", *filter(None, [".".join(sorted(features))])))


@dataclass(frozen=True, slots=True)
class Judged:
    """A row of a review table; `decision` is empty, `accept` or `reject`."""

    seed: Field
    slot: Field
    word: Field
    decision: Field

    @property
    def key(self) -> tuple[str, str, str]:
        """What the row proposes."""
        return self.seed.text, self.slot.text, self.word.text

    @property
    def judgement(self) -> str:
        """The decision in small letters."""
        return self.decision.text.lower()


def read_review(path: Path) -> tuple[Judged, ...]:
    """The rows of a review table; GrammarError with everything that is wrong with it."""
    problems: list[Diagnostic] = []
    rows = _judged(path, problems)
    for row in rows:
        if row.judgement not in ("", ACCEPT, REJECT):
            message = f"'{row.decision.text}' is no decision"
            help_ = f"write {ACCEPT} or {REJECT}, or nothing"
            problems.append(Diagnostic("unknown-decision", message, row.decision.span, help_))
    problems += _contradictions(rows)
    stop_at(problems)
    return rows


def stop_at(problems: Sequence[Diagnostic]) -> None:
    """Raise GrammarError if there are problems."""
    if problems:
        raise GrammarError(limited(problems))


def _judged(path: Path, problems: list[Diagnostic]) -> tuple[Judged, ...]:
    table = read_table(str(path), Span(Source(str(path), ""), 0, 0), problems)
    if table is None:
        return ()
    places = _places(table, problems)
    if places is None:
        return ()
    return tuple(Judged(*(row[places[name]] for name in _NEEDED)) for row in table.rows)


def _places(table: Table, problems: list[Diagnostic]) -> dict[str, int] | None:
    """The places of the columns that decide; None if one is missing."""
    header = [field.text for field in table.header]
    line = Span(table.header[0].span.source, table.header[0].span.start, table.header[-1].span.end)
    before = len(problems)
    for name in _NEEDED:
        if name not in header:
            help_ = did_you_mean(name, header)
            problems.append(Diagnostic("missing-column", f"no column '{name}'", line, help_))
        elif header.count(name) > 1:
            message = f"column '{name}' stands here twice"
            problems.append(Diagnostic("duplicate-column", message, line))
    return {name: header.index(name) for name in _NEEDED} if len(problems) == before else None


def _contradictions(rows: Sequence[Judged]) -> list[Diagnostic]:
    """Rows that accept what another row rejects."""
    found: list[Diagnostic] = []
    first: dict[tuple[str, str, str], Judged] = {}
    for row in rows:
        if not row.judgement:
            continue
        other = first.setdefault(row.key, row)
        if other.judgement != row.judgement:
            message = f"'{row.word.text}': {row.judgement} here, {other.judgement} in line "
            message += str(other.decision.span.line)
            span = row.decision.span
            found.append(Diagnostic("contradictory-decision", message, span, "leave one of them"))
    return found


# --- writing ------------------------------------------------------------------------------------


def merge_review(path: Path, columns: Sequence[str], rows: Iterable[Row]) -> int:
    """Write the rows that the table at `path` has not yet behind those that it has.

    What stands there is not changed by a byte: decisions are somebody's work, as are columns of
    their own. Returns the number of new rows. Raises GrammarError for a table that cannot be read.
    """
    if not path.exists():
        new = list(rows)
        _replace(path, table_bytes(columns, new))
        return len(new)
    known = {row.key for row in read_review(path)}
    fresh = [row for row in rows if (row[SEED], row[SLOT], row[WORD]) not in known]
    if fresh:
        _replace(path, append_rows(path.read_bytes(), fresh))
    return len(fresh)


def append_rows(data: bytes, rows: Iterable[Row]) -> bytes:
    """A table with more rows, written as it is: its columns, separator and line ends."""
    text = data.decode("utf-8-sig")
    line = next(line for line in text.splitlines() if line.strip())
    delimiter = max(DELIMITERS, key=line.count)
    header = [_canonical(cell) for cell in next(csv.reader([line], delimiter=delimiter))]
    end = "\r\n" if "\r\n" in text else "\n"
    joint = b"" if data.endswith((b"\n", b"\r")) else end.encode()
    known = ({_canonical(name): cell for name, cell in row.items()} for row in rows)
    written = _csv(([row.get(name, "") for name in header] for row in known), delimiter, end)
    return data + joint + written


def _canonical(header: str) -> str:
    """`f.pl` for `pl.f`: the features of a form stand in any order."""
    return ".".join(sorted(header.strip().split(".")))


def table_bytes(columns: Sequence[str], rows: Iterable[Row]) -> bytes:
    """A table of these columns."""
    return _csv([columns, *([row.get(c, "") for c in columns] for row in rows)])


def _csv(rows: Iterable[Sequence[str]], delimiter: str = ",", end: str = "\n") -> bytes:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator=end).writerows(rows)
    return out.getvalue().encode()


def _replace(path: Path, data: bytes) -> None:
    """Write a file, whole or not at all."""
    with whole(path) as part:
        part.write_bytes(data)
