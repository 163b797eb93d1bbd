"""Problems of a data set to look at: chosen so that they differ, and explained.

A specimen says of each answer which rules it breaks, and where in its sentence: a phrase bears
the name of the object that it realises, so the cells that clash point to words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from blm.dataset.batch import Batch
from blm.dataset.plan import Plan
from blm.dataset.space import ProblemSpace
from blm.explain import Breach, Explanation, explain
from blm.phenomenon import CellName
from blm.problem import Candidate
from blm.realise import Sentence

MOST = 24
"""Problems to show."""

_TRIED = 40 * MOST
_GOLDEN = 0x9E3779B97F4A7C15
"""2**64 divided by the golden ratio: its multiples are spread evenly (Knuth, TAOCP 6.4)."""


@dataclass(frozen=True)
class Segment:
    """A piece of a sentence, and the rules that what it says clashes with."""

    text: str
    rules: tuple[str, ...]


@dataclass(frozen=True)
class Answer:
    """A candidate: its sentence in pieces, its label, and what it breaks."""

    segments: tuple[Segment, ...]
    label: str
    candidate: Candidate
    breaches: tuple[Breach, ...]


@dataclass(frozen=True)
class Specimen:
    """A problem to look at. `clause` is the title of its clause type."""

    number: int
    split: str
    matrix: str
    clause: str
    seeds: tuple[str, ...]
    context: tuple[str, ...]
    answers: tuple[Answer, ...]


def specimens(plan: Plan, most: int = MOST) -> list[Specimen]:
    """Problems of all matrices and clause types, as far as `most` allows, in the order of files."""
    chosen: dict[str, list[int]] = {}
    for split, number in _chosen(plan, most):
        chosen.setdefault(split, []).append(number)
    return [
        specimen
        for split in plan.sizes
        if split in chosen
        for specimen in _of_split(plan.spaces[split], split, chosen[split])
    ]


# --- which ----------------------------------------------------------


def _chosen(plan: Plan, most: int) -> list[tuple[str, int]]:
    """Splits and numbers of problems; their matrices and clause types occur equally often.

    Each time that one is taken whose matrix was taken least, of these one whose clause type was,
    and so on; of equals the first.
    """
    places = _spread(sum(plan.sizes.values()))
    located = [_locate(plan, place) for place in places]
    known: dict[tuple[str, object], int] = {}
    kinds = np.array([[known.setdefault(k, len(known)) for k in kinds] for *_, kinds in located])
    weights = (most + 1) ** np.arange(3, -1, -1)
    uses = np.zeros(len(known), dtype=np.int64)
    chosen: list[int] = []
    for _ in range(min(most, len(places))):
        ranks = uses[kinds] @ weights
        ranks[chosen] = np.iinfo(np.int64).max
        chosen.append(int(ranks.argmin()))
        uses[kinds[chosen[-1]]] += 1
    return [located[k][:2] for k in sorted(chosen, key=places.__getitem__)]


def _spread(total: int) -> list[int]:
    """Places to choose from: spread over all, in an order that jumps."""
    jumps = ((k * _GOLDEN % 2**64) * total >> 64 for k in range(_TRIED if total else 0))
    return list(dict.fromkeys([*jumps, *range(min(total, MOST))]))


def _locate(plan: Plan, place: int) -> tuple[str, int, tuple[tuple[str, object], ...]]:
    """The split and the number of a problem, and what should occur equally often."""
    split, place = _within(plan, place)
    number = plan.numbers(split, place, place + 1)[0]
    matrix, clause, words = plan.spaces[split].locate(number)
    kinds = (("matrix", matrix), ("clause", clause), ("split", split), ("words", words))
    return split, number, kinds


def _within(plan: Plan, place: int) -> tuple[str, int]:
    """The split that a place of all problems falls in, and the place there. IndexError: none."""
    for split, size in plan.sizes.items():
        if place < size:
            return split, place
        place -= size
    raise IndexError(place)


# --- what they show ----------------------------------------------------------


def _of_split(space: ProblemSpace, split: str, numbers: Sequence[int]) -> Iterator[Specimen]:
    batch = space.batch(numbers)
    clauses = space.grammar.concrete.clauses
    texts = space.texts.sentences
    for row, number in enumerate(numbers):
        clause = clauses[int(batch.clause[row])]
        answers = tuple(_answers(space, batch, row))
        wordings = [*batch.context_wording[row].tolist(), *batch.answer_wording[row].tolist()]
        yield Specimen(
            number=number,
            split=split,
            matrix=batch.matrices[int(batch.matrix[row])].id,
            clause=clause.text or clause.name,
            seeds=tuple(dict.fromkeys(space.wordings.name(w) for w in wordings)),
            context=tuple(texts[text].text for text in batch.context_text[row].tolist()),
            answers=answers,
        )


def _answers(space: ProblemSpace, batch: Batch, row: int) -> Iterator[Answer]:
    grammar = space.grammar
    clause = grammar.concrete.clauses[int(batch.clause[row])].name
    matrix = batch.matrices[int(batch.matrix[row])]
    columns = (batch.answer[row], batch.place[row], batch.answer_wording[row])
    for answer, place, wording in zip(*(column.tolist() for column in columns), strict=True):
        if answer < 0:
            continue
        candidate = batch.candidates[answer]
        sentence = grammar.speaker.say(clause, candidate.item, space.wordings[wording])
        explanation = explain(grammar.solver, matrix, candidate.item)
        yield Answer(
            segments=segments(sentence.text, _marks(sentence, explanation)),
            label=batch.labels[place],
            candidate=candidate,
            breaches=explanation.breaches,
        )


def _marks(sentence: Sentence, explanation: Explanation) -> dict[str, list[tuple[int, int]]]:
    """Where each broken rule clashes; where nothing that clashes is said, what was changed."""
    edits = explanation.candidate.edits
    return {
        breach.rule.name: _places(sentence, [clash.cell for clash in breach.clashes])
        or _places(sentence, edits)
        for breach in explanation.breaches
    }


def _places(sentence: Sentence, cells: Iterable[CellName]) -> list[tuple[int, int]]:
    objects = {cell.object for cell in cells}
    return [(start, end) for name, start, end in sentence.phrases if name in objects]


def segments(text: str, marks: Mapping[str, Sequence[tuple[int, int]]]) -> tuple[Segment, ...]:
    """The text in pieces, each with the rules whose places cover it.

    >>> [s.text for s in segments("the keys is rusty", {"agree": [(0, 8), (9, 17)]})]
    ['the keys', ' ', 'is rusty']
    """
    borders = {0, len(text), *(border for found in marks.values() for p in found for border in p)}
    cuts = sorted(border for border in borders if border <= len(text))
    found = []
    for start, end in pairwise(cuts):
        covering = (
            rule
            for rule, places in marks.items()
            if any(a <= start and end <= b for a, b in places)
        )
        found.append(Segment(text[start:end], tuple(covering)))
    return tuple(found)
