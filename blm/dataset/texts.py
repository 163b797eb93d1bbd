"""Sentences by number: each is said once, and equal texts have equal numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from blm.grammar import Grammar
from blm.layout import Item
from blm.realise import Sentence, Words

Numbers = np.ndarray[Any, np.dtype[np.int64]]

_MOST_DENSE = 2**21
"""Keys of sentences up to which their numbers stand in one table, of 16 MB."""


@dataclass
class TextTable:
    """The sentences that problems have needed so far.

    An item, a clause type and a wording together make a key; `sentences[number]` is what it
    says. A text that two keys share has the number of the first.
    """

    grammar: Grammar
    wordings: Sequence[Words]
    items: list[Item] = field(default_factory=list)
    sentences: list[Sentence] = field(default_factory=list)
    _item_numbers: dict[bytes, int] = field(default_factory=dict, repr=False)
    _by_key: dict[int, int] = field(default_factory=dict, repr=False)
    _dense: Numbers = field(default_factory=lambda: np.empty(0, dtype=np.int64), repr=False)
    _by_text: dict[str, int] = field(default_factory=dict, repr=False)

    def item(self, codes: bytes, item: Item) -> int:
        """The number of an item, by its codes."""
        number = self._item_numbers.setdefault(codes, len(self.items))
        if number == len(self.items):
            self.items.append(item)
        return number

    def numbers(self, items: Numbers, clauses: Numbers, wordings: Numbers) -> Numbers:
        """The numbers of the sentences for arrays that broadcast; says what is new."""
        clause_types = len(self.grammar.concrete.clauses)
        keys = (items * clause_types + clauses) * len(self.wordings) + wordings
        possible = len(self.items) * clause_types * len(self.wordings)
        if possible <= _MOST_DENSE:
            return self._looked_up(keys, possible)
        unique, inverse = np.unique(keys, return_inverse=True)
        numbers: Numbers = self._of_keys(unique)[inverse.reshape(keys.shape)]
        return numbers

    def _looked_up(self, keys: Numbers, possible: int) -> Numbers:
        """The numbers of keys below `possible`, from a table that has a place for each."""
        if possible > len(self._dense):
            longer = np.full(min(2 * possible, _MOST_DENSE), -1, dtype=np.int64)
            longer[: len(self._dense)] = self._dense
            self._dense = longer
        numbers: Numbers = self._dense[keys]
        if numbers.size and numbers.min() < 0:
            new = np.unique(keys[numbers < 0])
            self._dense[new] = self._of_keys(new)
            numbers = self._dense[keys]
        return numbers

    def _of_keys(self, keys: Numbers) -> Numbers:
        """The numbers of different keys (k,)."""
        return np.array([self._of_key(key) for key in keys.tolist()], dtype=np.int64)

    def _of_key(self, key: int) -> int:
        if key not in self._by_key:
            clause_types = self.grammar.concrete.clauses
            rest, wording = divmod(key, len(self.wordings))
            item, clause = divmod(rest, len(clause_types))
            self._by_key[key] = self._say(item, clause_types[clause].name, wording)
        return self._by_key[key]

    def _say(self, item: int, clause: str, wording: int) -> int:
        sentence = self.grammar.speaker.say(clause, self.items[item], self.wordings[wording])
        number = self._by_text.setdefault(sentence.text, len(self.sentences))
        if number == len(self.sentences):
            self.sentences.append(sentence)
        return number
