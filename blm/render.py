"""How results look to people: tables for a terminal and a notebook. No result is made here."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from typing import IO, Any, cast

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from blm.explain import Appraisal, Breach, Explanation
from blm.grammar import Reply
from blm.layout import Item
from blm.phenomenon import ABSENT, PRESENCE, Cell, CellName, Family, Phenomenon
from blm.problem import Candidate, Json, Matrix, item_text
from blm.text import letters

_FAMILY_STYLE = {Family.EXTERNAL: "red", Family.INTERNAL: "yellow", Family.RELATIONAL: "cyan"}


def console(*, error: bool = False) -> Console:
    """A console; without colours, and with room for a sentence, where its stream is no terminal."""
    stream = sys.stderr if error else sys.stdout
    if stream.isatty():
        return _Console(stderr=error, highlight=False)
    return _Console(file=cast(IO[str], _Trimmed(stream)), highlight=False, width=_PLAIN_WIDTH)


class _Console(Console):
    """A console that leaves it to the command what follows when nobody reads it any more."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


class _Trimmed:
    """A stream of text without the blanks that tables leave at the ends of lines."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write whole lines."""
        return self._stream.write(re.sub(r"[ \t]+(?=\n)", "", text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


_PLAIN_WIDTH = 110
"""Columns of output that goes to a file or a pipe."""


def shown_cells(phenomenon: Phenomenon, items: Iterable[Item]) -> list[Cell]:
    """The cells worth a column: those that tell items apart.

    A cell that only says whether its object is there is left out where another cell of the
    object says so too.
    """
    listed = list(items)
    found = {c.name: {item.get(c.name) for item in listed} for c in phenomenon.cells}
    telling = {name for name, values in found.items() if len(values - {None}) > 1}
    telling -= {name for name in telling if name.attribute == PRESENCE}
    covered = {name.object for name in telling}
    shown: list[Cell] = []
    for cell in phenomenon.cells:
        if cell.name.attribute == PRESENCE and _has_attributes(phenomenon, cell.name):
            continue
        comes_and_goes = len(found[cell.name]) > 1 and cell.name.object not in covered
        if cell.name in telling or comes_and_goes:
            shown.append(cell)
            covered.add(cell.name.object)
    return shown


def _has_attributes(phenomenon: Phenomenon, name: CellName) -> bool:
    return any(o.name == name.object and o.attributes for o in phenomenon.objects)


def headings(phenomenon: Phenomenon, cells: Sequence[Cell]) -> list[str]:
    """The name of each cell; that of its object where its first attribute alone is shown."""
    first = {o.name: o.attributes[0] for o in phenomenon.objects if o.attributes}
    shown = [cell.name.object for cell in cells]
    return [
        name.object
        if shown.count(name.object) == 1 and name.attribute in (PRESENCE, first.get(name.object))
        else str(name)
        for name in (cell.name for cell in cells)
    ]


def value_text(item: Item, name: CellName) -> Text:
    """The value of a cell, a dash where there is none."""
    value = item.get(name, ABSENT)
    return Text("–", style="dim") if value == ABSENT else Text(str(value))


def matrix_table(
    phenomenon: Phenomenon, matrix: Matrix, sentences: Sequence[str] | None = None
) -> Table:
    """A matrix: an item a row, with its sentence if there is one."""
    table = Table(box=box.SIMPLE_HEAD, title=Text(_matrix_title(matrix)), title_justify="left")
    table.add_column("", justify="right")
    cells = shown_cells(phenomenon, matrix.items)
    for heading in headings(phenomenon, cells):
        table.add_column(Text(heading), no_wrap=True)
    if sentences:
        table.add_column("sentence", overflow="fold")
    last = len(matrix.items) - 1
    for number, item in enumerate(matrix.items):
        row: list[RenderableType] = [str(number + 1), *(value_text(item, c.name) for c in cells)]
        if sentences:
            row.append(Text(sentences[number]))
        table.add_row(*row, style="bold" if number == last else "", end_section=number == last - 1)
    return table


def _matrix_title(matrix: Matrix) -> str:
    chosen = "; ".join(f"{name}: {value}" for name, value in matrix.choices.items())
    return f"matrix {matrix.id}" + (f" ({chosen})" if chosen else "")


def candidate_table(
    phenomenon: Phenomenon, candidates: Sequence[Candidate], sentences: Sequence[str] | None = None
) -> Table:
    """Candidates: label, what each breaks, and how it differs from the correct answer."""
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("label", no_wrap=True)
    if sentences:
        table.add_column("sentence", overflow="fold")
    table.add_column("breaks")
    table.add_column("differs in")
    for number, candidate in enumerate(candidates):
        row: list[RenderableType] = [Text(", ".join(candidate.labels) or "(no label)")]
        if sentences:
            row.append(Text(sentences[number]))
        row += [broken_text(phenomenon, candidate.broken), difference_text(candidate)]
        table.add_row(*row, style="bold" if candidate.correct else "")
    return table


def broken_text(phenomenon: Phenomenon, broken: Sequence[str]) -> Text:
    """The rules broken, coloured by family, each with the family's letter."""
    if not broken:
        return Text("nothing", style="green")
    parts = []
    for name in broken:
        family = phenomenon.rule(name).family
        parts.append(Text(f"{name} ({family[0].upper()})", style=_FAMILY_STYLE[family]))
    return Text(", ").join(parts)


def difference_text(candidate: Candidate) -> Text:
    """How a candidate differs from the correct answer."""
    text = ", ".join(_edit_text(candidate.item, cell) for cell in candidate.edits)
    if candidate.repeats and not candidate.correct:
        text += f" [repeats sentence {candidate.repeats}]"
    return Text(text)


def _edit_text(item: Item, cell: CellName) -> str:
    if cell.attribute != PRESENCE:
        return f"{cell}={item.get(cell, ABSENT)}"
    if item.get(cell) == ABSENT:
        return f"no {cell}"
    own = [str(v) for c, v in item.items() if c.object == cell.object and c != cell]
    return f"{cell} ({', '.join(own)})" if own else f"with {cell}"


def explanation_view(phenomenon: Phenomenon, explanation: Explanation) -> RenderableType:
    """An explanation, in words."""
    candidate, matrix = explanation.candidate, explanation.matrix
    if candidate.correct:
        return Text(f"In {matrix.id}: correct, it obeys every rule.", style="green")
    names = ", ".join(candidate.labels)
    head = Text(f"In {matrix.id}: wrong" + (f" ({names})" if names else "") + ", it breaks")
    lines: list[RenderableType] = [head]
    lines += [Padding(_breach_text(breach), (0, 0, 0, 2)) for breach in explanation.breaches]
    kept = ", ".join(rule.name for rule in explanation.kept)
    lines.append(Text(f"It obeys: {kept or 'no rule'}"))
    for repair in explanation.repairs:
        changes = ", ".join(f"{r.cell}: {r.before} → {r.after}" for r in repair)
        lines.append(Text(f"Smallest repair: {changes}"))
    return Group(*lines)


def _breach_text(breach: Breach) -> Text:
    rule = breach.rule
    text = Text()
    text.append(f"{rule.name} ", style=f"bold {_FAMILY_STYLE[rule.family]}")
    text.append(f"({rule.family}): {rule.text}")
    text.append(f"  [{breach.place}]", style="dim")
    for clash in breach.clashes:
        demand = f", should be {clash.demand}" if clash.demand else ""
        text.append(f"\n{clash.cell} is {clash.actual}{demand}")
    return text


def appraisal_view(phenomenon: Phenomenon, appraisal: Appraisal) -> RenderableType:
    """What an item is worth whatever the matrix."""
    if appraisal.right_in:
        count = f"{appraisal.right_in} of {appraisal.matrices} matrices"
        head = Text(f"Right: it is the solution of {count}.", style="green")
    else:
        head = Text(f"Wrong in all {appraisal.matrices} matrices.", style="red")
    views = [explanation_view(phenomenon, e) for e in appraisal.explanations]
    return Group(head, *views)


def reply_view(phenomenon: Phenomenon, reply: Reply) -> RenderableType:
    """One reading of a sentence, or an item, with what it is worth."""
    lines: list[RenderableType] = [item_line(phenomenon, reply.item)]
    if reply.readings:
        read = ", ".join(f"{r.clause}, seed {r.seed}" for r in reply.readings)
        lines.append(Text(f"read as: {read}", style="dim"))
    match reply.verdict:
        case Explanation() as explanation:
            lines.append(explanation_view(phenomenon, explanation))
        case Appraisal() as appraisal:
            lines.append(appraisal_view(phenomenon, appraisal))
    return Group(*lines, "")


def problem_view(problem: Json) -> RenderableType:
    """A problem of a data set as a solver meets it, with the solution given away."""
    context = Table(
        box=box.SIMPLE_HEAD, title=Text(f"problem {problem['id']}"), title_justify="left"
    )
    context.add_column("", justify="right")
    context.add_column("context", overflow="fold")
    for number, sentence in enumerate(problem["context"], 1):
        context.add_row(str(number), Text(sentence["text"]))
    context.add_row(str(len(problem["context"]) + 1), Text("?"))
    answers = Table(box=box.SIMPLE_HEAD)
    for heading in ("", "answer", "label", "breaks"):
        answers.add_column(heading, overflow="fold")
    for letter, candidate in zip(letters(), problem["candidates"], strict=False):
        broken = ", ".join(f"{b['rule']} ({b['family'][0].upper()})" for b in candidate["broken"])
        answers.add_row(
            letter,
            Text(candidate["text"]),
            Text(candidate["label"]),
            Text(broken or "nothing", style="" if broken else "green"),
            style="bold" if candidate["correct"] else "",
        )
    return Group(context, answers)


def item_line(phenomenon: Phenomenon, item: Item) -> Text:
    """An item on one line."""
    return Text(item_text(phenomenon, item), style="dim")
