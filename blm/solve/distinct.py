"""Rows of codes in order, each once."""

from __future__ import annotations

from typing import Any

import numpy as np

from blm.layout import Codes

_MOST = 2**63
"""Words hold numbers below this."""

Words = np.ndarray[Any, np.dtype[np.int64]]


def distinct(rows: Codes) -> Codes:
    """The rows in lexicographic order, each once; codes are not negative.

    As `np.unique(rows, axis=0)`, which compares rows code by code and takes ten times longer:
    here the codes of a row are digits of one number, or of a few.
    """
    if len(rows) < 2 or not rows.shape[1]:
        return rows[:1] if not rows.shape[1] else rows
    words = _packed(rows)
    order = np.argsort(words[0], kind="stable") if len(words) == 1 else np.lexsort(words[::-1])
    first = np.zeros(len(rows), dtype=bool)
    first[0] = True
    for word in words:
        arranged = word[order]
        first[1:] |= arranged[1:] != arranged[:-1]
    return np.asarray(rows[order[first]])


def _packed(rows: Codes) -> list[Words]:
    """The rows as numbers in mixed radix, in as few words of 63 bits as hold them."""
    words: list[Words] = []
    room = 0
    for column, top in zip(rows.T, rows.max(axis=0).tolist(), strict=True):
        radix = top + 1
        if room // radix == 0:
            words.append(np.zeros(len(rows), dtype=np.int64))
            room = _MOST
        room //= radix
        words[-1] *= radix
        words[-1] += column
    return words
