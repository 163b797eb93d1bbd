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
    _by_text: dict[str, int] = field(default_factory=dict, repr=False)

    def item(self, codes: bytes, item: Item) -> int:
        """The number of an item, by its codes."""
        number = self._item_numbers.setdefault(codes, len(self.items))
        if number == len(self.items):
            self.items.append(item)
        return number

    def numbers(self, items: Numbers, clauses: Numbers, wordings: Numbers) -> Numbers:
        """The numbers of the sentences for arrays of the same shape; says what is new."""
        clause_types = self.grammar.concrete.clauses
        keys = (items * len(clause_types) + clauses) * len(self.wordings) + wordings
        unique, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        found = np.empty(len(unique), dtype=np.int64)
        flat = [array.reshape(-1)[first] for array in (items, clauses, wordings)]
        for place, key in enumerate(unique.tolist()):
            number = self._by_key.get(key)
            if number is None:
                item, clause, wording = (int(array[place]) for array in flat)
                number = self._by_key[key] = self._say(item, clause_types[clause].name, wording)
            found[place] = number
        numbers: Numbers = found[inverse.reshape(keys.shape)]
        return numbers

    def _say(self, item: int, clause: str, wording: int) -> int:
        sentence = self.grammar.speaker.say(clause, self.items[item], self.wordings[wording])
        number = self._by_text.setdefault(sentence.text, len(self.sentences))
        if number == len(self.sentences):
            self.sentences.append(sentence)
        return number
