"""What a grammar says about the answers of a data set.

Each sentence is read as items: from its item or template, or, where there are none, by
recognising its words.  The context gives the matrix, the matrix the rules that an answer breaks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, product
from typing import TYPE_CHECKING

from blm.audit.errors import AuditError
from blm.audit.items import Scheme, differing, fitting, is_item, shipped_schemes
from blm.audit.table import Ids, Part, Table

if TYPE_CHECKING:
    from blm.grammar import Grammar
    from blm.layout import Layout
    from blm.problem import Candidate, Matrix

MOST_MATRICES = 200_000
"""Matrices of a grammar beyond which a context is not looked up among them."""

_READINGS = 50
_COMBINATIONS = 5_000

Key = bytes
"""The codes of an item."""

_Rating = tuple[tuple[str, ...], tuple[str, ...], bool | None]
"""What an answer breaks, its edits, and whether its label fits."""


@dataclass(frozen=True)
class Judged:
    """One answer: what it breaks and how it differs from the solution, by the grammar."""

    row: int
    place: int
    broken: tuple[str, ...]
    edits: tuple[str, ...]
    fits: bool | None


@dataclass
class Judgements:
    """What a grammar says about one part. `unread` and `strangers` are rows with a reason.

    `fits` of an answer is whether its label says what it breaks, None for an unknown label.
    """

    way: str = ""
    answers: list[Judged] = field(default_factory=list)
    unread: list[tuple[int, str, str]] = field(default_factory=list)
    strangers: list[tuple[int, str]] = field(default_factory=list)


class Judge:
    """Judges parts by one grammar. `schemes` say how templates of tokens are read."""

    def __init__(self, grammar: Grammar, schemes: Sequence[Scheme] = ()) -> None:
        self._grammar = grammar
        name = grammar.phenomenon.name
        self._schemes = [s for s in (*schemes, *shipped_schemes()) if s.phenomenon == name]
        self._explained: dict[tuple[int, Key], Candidate] = {}
        self._read: dict[tuple[str, str], tuple[Key, ...]] = {}
        self._matrix: dict[int, Matrix] = {}
        self._rated: dict[object, _Rating | None] = {}
        if grammar.count() > MOST_MATRICES:
            raise AuditError(
                f"the grammar has {grammar.count():,} matrices; an audit looks contexts up "
                f"among at most {MOST_MATRICES:,}"
            )

    def judge(self, part: Part, table: Table) -> Judgements:
        """Every answer of a part."""
        reader = _Reader(self, part, table)
        found = Judgements(reader.way)
        for row in range(part.rows):
            self._judge_row(reader, row, found)
        return found

    def _judge_row(self, reader: _Reader, row: int, found: Judgements) -> None:
        context, missing = reader.context(row)
        if missing:
            found.unread.append((row, *missing))
            return
        known = (self._contexts.get(key) for key in _combine(context))
        matrix = next((number for number in known if number is not None), None)
        if matrix is None:
            found.strangers.append((row, "the context is that of no matrix of the grammar"))
            return
        for place, name, keys, text in reader.answers(row):
            rating = self._rate(matrix, keys, reader.label(row, place), reader.scheme)
            if rating is None:
                found.unread.append((row, name, text))
            else:
                found.answers.append(Judged(row, place, *rating))

    def _rate(
        self, matrix: int, keys: tuple[Key, ...], label: str, scheme: Scheme | None
    ) -> _Rating | None:
        """Of the readings the one that the label fits, else the one that breaks least."""
        asked = matrix, keys, label, scheme and scheme.name
        if asked not in self._rated:
            candidates = [c for key in keys if (c := self._explain(matrix, key)) is not None]
            rated = [(self.fits(c, label, scheme), c) for c in candidates]
            rated.sort(key=lambda r: (not r[0], len(r[1].broken), len(r[1].edits)))
            self._rated[asked] = next(
                ((c.broken, tuple(map(str, c.edits)), fits) for fits, c in rated), None
            )
        return self._rated[asked]

    def fits(self, candidate: Candidate, label: str, scheme: Scheme | None) -> bool | None:
        """Whether a label names what a candidate breaks; None for a label that is not known."""
        broken = frozenset(candidate.broken)
        if scheme is not None and (named := scheme.labels.get(label.lower())) is not None:
            return broken in named
        if label.lower() in ("true", "correct", self._grammar.phenomenon.correct.lower()):
            return not broken
        if label in {known.name for known in self._grammar.phenomenon.labels}:
            return label in candidate.labels
        parts = frozenset(label.split("+"))
        rules = {rule.name for rule in self._grammar.phenomenon.rules}
        return parts == broken if parts and parts <= rules else None

    # --- reading --------------------------------------------------------------------------------

    def scheme_for(self, templates: Sequence[str]) -> Scheme | None:
        """The scheme that reads all templates."""
        return fitting(templates, self._schemes)

    def read_item(self, text: str) -> tuple[Key, ...]:
        """The codes of an item's text; none if it is no item of the phenomenon."""
        from blm.problem import parse_item

        def read() -> Iterator[Key]:
            try:
                item = parse_item(self._grammar.phenomenon, text)
                yield self._layout.encode_item(item).tobytes()
            except (ValueError, KeyError):
                return

        return self._once(("item", text), read())

    def read_sentence(self, text: str) -> tuple[Key, ...]:
        """The codes of the items that a sentence may be."""

        def read() -> Iterator[Key]:
            for reading in self._grammar.recogniser.recognise(text, limit=_READINGS):
                yield self._layout.encode_item(reading.item).tobytes()

        return self._once(("sentence", text), read())

    def _once(self, key: tuple[str, str], keys: Iterator[Key]) -> tuple[Key, ...]:
        if key not in self._read:
            self._read[key] = tuple(dict.fromkeys(keys))
        return self._read[key]

    @property
    def has_words(self) -> bool:
        """Whether the grammar can read sentences."""
        return self._grammar.has_words

    # --- the grammar ----------------------------------------------------------------------------

    @cached_property
    def _layout(self) -> Layout:
        return self._grammar.space.layout

    @cached_property
    def _contexts(self) -> dict[Key, int]:
        """The number of the matrix (from 0) of each context."""
        end = (self._layout.size - 1) * self._layout.width
        block = self._grammar.space.array(0, self._grammar.count())
        found: dict[Key, int] = {}
        for number, codes in enumerate(block):
            found.setdefault(codes[:end].tobytes(), number)
        return found

    def _explain(self, number: int, key: Key) -> Candidate | None:
        """An item as an answer to a matrix; None if the phenomenon has no such item."""
        import numpy as np

        from blm.problem import make_candidate

        if number not in self._matrix:
            self._matrix[number] = self._grammar.matrix(number + 1)
        matrix = self._matrix[number]
        if (number, key) not in self._explained:
            item = self._layout.decode_item(np.frombuffer(key, dtype=np.int16))
            try:
                verdict, _ = self._grammar.solver.judge(matrix.codes, item)
            except ValueError:
                return None
            candidate = make_candidate(self._layout, matrix, verdict, minimal=False)
            self._explained[number, key] = candidate
        return self._explained[number, key]


class _Reader:
    """Reads the cells of one part, in the way that the part allows."""

    def __init__(self, judge: Judge, part: Part, table: Table) -> None:
        self._judge, self._part, self._table = judge, part, table
        self.scheme: Scheme | None = None
        self._known: dict[tuple[int, int], tuple[tuple[Key, ...], str]] = {}
        self.way = self._choose()

    def _choose(self) -> str:
        part = self._part
        if part.context_items is not None and part.answer_items is not None:
            texts = self._texts(part.context_items) + self._texts(part.answer_items)
            if texts and all(map(is_item, texts)):
                return "items"
            self.scheme = self._judge.scheme_for(texts)
            if self.scheme is not None:
                return "templates"
        if self._judge.has_words:
            self.scheme = self._judge.scheme_for([])
            return "sentences"
        return "nothing"

    def _texts(self, ids: Ids) -> list[str]:
        return [self._table.text(n) for n in sorted(set(ids[ids >= 0].tolist()))]

    def context(self, row: int) -> tuple[list[tuple[Key, ...]], tuple[str, str] | None]:
        """The readings of each sentence of a context; or the column and text that has none."""
        part, found = self._part, []
        for place, name in enumerate(part.context_names):
            keys, text = self._read(part.context_items, part.context, row, place)
            if not keys:
                return [], (name, text)
            found.append(keys)
        return found, None

    def answers(self, row: int) -> Iterator[tuple[int, str, tuple[Key, ...], str]]:
        """Place, column, readings and text of each answer of a row."""
        part = self._part
        for place, name in enumerate(part.answer_names):
            if part.answers[row, place] >= 0:
                yield (place, name, *self._read(part.answer_items, part.answers, row, place))

    def label(self, row: int, place: int) -> str:
        """The label of an answer; that of the right one where there are no labels."""
        if self._part.labels is not None:
            return self._table.text(self._part.labels[row, place])
        return "correct" if self._part.right[row, place] == 1 else ""

    def _read(
        self, items: Ids | None, sentences: Ids, row: int, place: int
    ) -> tuple[tuple[Key, ...], str]:
        item = -1 if items is None else int(items[row, place])
        numbers = item, int(sentences[row, place])
        # Items say it all, so that sentences that say the same item are read once.
        key = (item, -1) if item >= 0 and self.way in ("items", "templates") else numbers
        if key not in self._known:
            self._known[key] = self._reading(*numbers)
        return self._known[key]

    def _reading(self, number: int, sentence_number: int) -> tuple[tuple[Key, ...], str]:
        sentence = self._table.text(sentence_number)
        if self.way == "sentences":
            return self._judge.read_sentence(sentence), sentence
        text = self._table.text(number)
        if self.way == "nothing":
            return (), sentence
        item = text if self.scheme is None else self.scheme.item(text)
        return (self._judge.read_item(item) if item else ()), text or sentence


def _combine(readings: list[tuple[Key, ...]]) -> Iterator[Key]:
    """The contexts that the readings of sentences allow, at most so many."""
    return (b"".join(keys) for keys in islice(product(*readings), _COMBINATIONS))


def changes(part: Part, table: Table) -> dict[tuple[int, int], list[str]] | None:
    """For each wrong answer what differs from the right one, by items or templates alone.

    Tokens that no scheme reads are compared as they stand. None where there are no templates.
    """
    if part.answer_items is None:
        return None
    texts = {int(n): table.text(n) for n in set(part.answer_items[part.answer_items >= 0].tolist())}
    if not all(map(is_item, texts.values())):
        scheme = fitting(texts.values(), shipped_schemes())
        if scheme is not None:
            texts = {n: scheme.item(text) or text for n, text in texts.items()}
    found: dict[tuple[int, int], list[str]] = {}
    known: dict[tuple[int, int], list[str]] = {}
    for row in map(int, part.judged):
        right = int(part.answer_items[row, part.correct[row]])
        for place in range(part.answers.shape[1]):
            pair = right, int(part.answer_items[row, place])
            if not part.wrong[row, place] or min(pair) < 0:
                continue
            if pair not in known:
                known[pair] = _compare(texts[pair[0]], texts[pair[1]])
            found[row, place] = known[pair]
    return found


def _compare(right: str, other: str) -> list[str]:
    if is_item(right) and is_item(other):
        return differing(right, other)
    mine, theirs = right.split(), other.split()
    lost = [t for t in mine if t not in theirs]
    new = [t for t in theirs if t not in mine]
    return new if len(new) >= len(lost) else lost
