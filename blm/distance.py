"""Edit distance between sentences, word by word, where near words count as nearly equal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from blm.text import APOSTROPHE

Words = tuple[str, ...]
Row = tuple[float, ...]
"""The distances of a beginning of one sentence from every beginning of the other."""

_WORD = re.compile(rf"[^\s{APOSTROPHE}]+{APOSTROPHE}?|{APOSTROPHE}")


def words_of(text: str) -> Words:
    """The words of a folded sentence; an elided one is a word of its own.

    >>> words_of("l’eau est froide")
    ('l’', 'eau', 'est', 'froide')
    """
    return tuple(_WORD.findall(text))


def first_row(target: Words) -> Row:
    """The row of the empty sentence."""
    return tuple(float(length) for length in range(len(target) + 1))


def extend(row: Row, words: Sequence[str], target: Words) -> Row:
    """The row of a sentence with these words more.  Its least entry never shrinks."""
    for word in words:
        new = [row[0] + 1.0]
        for place, other in enumerate(target):
            new.append(min(row[place + 1] + 1, new[place] + 1, row[place] + unlike(word, other)))
        row = tuple(new)
    return row


@lru_cache(maxsize=100_000)
def unlike(one: str, other: str) -> float:
    """How much two words differ by their letters: 0 if equal, 1 if nothing is in common.

    >>> unlike("chat", "chats"), unlike("chat", "chat")
    (0.2, 0.0)
    """
    if one == other:
        return 0.0
    row = list(range(len(other) + 1))
    for letter in one:
        diagonal, row[0] = row[0], row[0] + 1
        for place, beside in enumerate(other, 1):
            cost = diagonal + (letter != beside)
            diagonal, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, cost)
    return row[-1] / max(len(one), len(other))
