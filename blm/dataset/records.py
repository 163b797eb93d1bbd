"""Batches as records: one JSON object a problem (design, section 5).

An item, a candidate or a sentence is put into JSON once; a record joins what is there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from blm.dataset.batch import Batch
from blm.dataset.space import ProblemSpace
from blm.problem import Problem, candidate_json, item_json


@dataclass
class Records:
    """Turns batches of a space into records."""

    space: ProblemSpace
    _items: dict[int, str] = field(default_factory=dict, repr=False)
    _texts: dict[int, str] = field(default_factory=dict, repr=False)
    _names: dict[int, str] = field(default_factory=dict, repr=False)

    def objects(self, batch: Batch) -> Iterator[Problem]:
        """A record for each problem of a batch."""
        for line in self.lines(batch):
            yield Problem(json.loads(line))

    def lines(self, batch: Batch) -> Iterator[str]:
        """A record for each problem of a batch, as JSON on one line."""
        head, prefix = self._head(), self.prefix
        clauses = [dumps(clause.name) for clause in self.space.grammar.concrete.clauses]
        candidates = self._candidates(batch)
        labels = [dumps(label) for label in batch.labels]
        columns = (
            batch.matrix,
            batch.clause,
            batch.context_text,
            batch.context_item,
            batch.context_wording,
            batch.answer,
            batch.place,
            batch.answer_text,
            batch.answer_wording,
            batch.correct,
        )
        rows = zip(batch.numbers, *(column.tolist() for column in columns), strict=True)
        for number, matrix, clause, *context, answer, place, text, wording, correct in rows:
            told = ",".join(map(self._sentence, *context))
            offered = ",".join(
                f'{{"text":{self._text(t)},"label":{labels[p]},"wording":{self._name(w)},{candidates[c]}}}'
                for c, p, t, w in zip(answer, place, text, wording, strict=True)
                if c >= 0
            )
            yield (
                f'{{"id":{dumps(f"{prefix}{number}")},{head},"clause":{clauses[clause]},'
                f'"matrix":"{batch.matrices[matrix].id}",'
                f'"seeds":{dumps(self._seeds(context[2], wording, answer))},'
                f'"context":[{told}],"candidates":[{offered}],"answer":{correct}}}'
            )

    def identifier(self, number: int) -> str:
        """The id of a problem: language, type and number, with which it can be made again."""
        return f"{self.prefix}{number}"

    @property
    def prefix(self) -> str:
        """What the ids of all problems begin with."""
        return f"{self.space.grammar.concrete.language}-{self.space.type}-"

    def _head(self) -> str:
        grammar = self.space.grammar
        told = {
            "phenomenon": grammar.phenomenon.name,
            "language": grammar.concrete.language,
            "type": str(self.space.type),
        }
        return dumps(told)[1:-1]

    def _sentence(self, text: int, item: int, wording: int) -> str:
        said, cells, name = self._text(text), self._item(item), self._name(wording)
        return f'{{"text":{said},"item":{cells},"wording":{name}}}'

    def _candidates(self, batch: Batch) -> list[str]:
        phenomenon = self.space.grammar.phenomenon
        found = []
        for candidate in batch.candidates:
            told = candidate_json(phenomenon, candidate)
            del told["label"]
            found.append(dumps(told)[1:-1])
        return found

    def _text(self, number: int) -> str:
        if number not in self._texts:
            self._texts[number] = dumps(self.space.texts.sentences[number].text)
        return self._texts[number]

    def _item(self, number: int) -> str:
        if number not in self._items:
            phenomenon = self.space.grammar.phenomenon
            self._items[number] = dumps(item_json(phenomenon, self.space.texts.items[number]))
        return self._items[number]

    def _name(self, wording: int) -> str:
        if wording not in self._names:
            self._names[wording] = dumps(self.space.wordings.name(wording))
        return self._names[wording]

    def _seeds(self, context: list[int], answers: list[int], offered: list[int]) -> list[str]:
        """The seeds of a problem's sentences, each once, in the order of the sentences."""
        used = [*context, *(w for w, c in zip(answers, offered, strict=True) if c >= 0)]
        numbers = dict.fromkeys(used)
        return list(dict.fromkeys(self.space.wordings.seed(w).name for w in numbers))


def dumps(value: object) -> str:
    """Compact JSON that keeps accents."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
