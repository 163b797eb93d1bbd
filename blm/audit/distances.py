"""Edit distances of many pairs of texts at once.

What two texts share at their beginning and end is cut off; the rest is compared by the bit
vectors of G. Myers, "A fast bit-vector algorithm for approximate string matching based on
dynamic programming", JACM 46 (1999), as H. Hyyrö (2003) gives them for the distance of whole
texts: one 64-bit word for each pair, all pairs in step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

MOST_CHARACTERS = 2000
"""Of longer texts only so much is compared."""

_WORD = 64
_LONGEST = 256
_BLOCK = 50_000
"""Pairs compared in one step."""


def edit_distances(pairs: Sequence[tuple[str, str]]) -> NDArray[np.int64]:
    """The Levenshtein distance of each pair, in characters; shape (pairs,).

    >>> edit_distances([("kitten", "sitting"), ("a", "a"), ("", "abc")]).tolist()
    [3, 0, 3]
    """
    found = np.zeros(len(pairs), dtype=np.int64)
    short: list[tuple[int, str, str]] = []
    for number, (first, second) in enumerate(pairs):
        if first == second:
            continue
        rest = _differing(first[:MOST_CHARACTERS], second[:MOST_CHARACTERS])
        one, other = sorted(rest, key=len)
        if not one:
            found[number] = len(other)
        elif len(one) <= _WORD and len(other) <= _LONGEST:
            short.append((number, one, other))
        else:
            found[number] = _distance(one, other)
    short.sort(key=lambda entry: len(entry[2]))
    for start in range(0, len(short), _BLOCK):
        block = short[start : start + _BLOCK]
        found[[n for n, _, _ in block]] = _parallel(
            [o for _, o, _ in block], [t for *_, t in block]
        )
    return found


def _differing(first: str, second: str) -> tuple[str, str]:
    """Both texts without what they share at the beginning and at the end."""
    start = _shared(min(len(first), len(second)), lambda n: first.startswith(second[:n]))
    least = min(len(first), len(second)) - start
    end = _shared(least, lambda n: first.endswith(second[len(second) - n :]))
    return first[start : len(first) - end], second[start : len(second) - end]


def _shared(most: int, same: Callable[[int], bool]) -> int:
    """The largest number of letters, at most `most`, that are the same: by halving."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if same(middle):
            low = middle
        else:
            high = middle - 1
    return low


def _codes(texts: Sequence[str], filler: int) -> NDArray[np.uint32]:
    """Texts as code points, shape (texts, longest), filled up at the end."""
    width = max(map(len, texts))
    joined = "".join(text.ljust(width, chr(filler)) for text in texts)
    raw = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return raw.reshape(len(texts), width)


def _parallel(patterns: Sequence[str], texts: Sequence[str]) -> NDArray[np.int64]:
    """Distances of patterns of 1 to 64 characters from texts of any length."""
    letters, stream = _codes(patterns, 1), _codes(texts, 2)
    sizes = np.array([len(p) for p in patterns])
    lengths = np.array([len(t) for t in texts])
    one = np.uint64(1)
    last = one << (sizes - 1).astype(np.uint64)
    plus = np.full(len(patterns), ~np.uint64(0))
    minus = np.zeros(len(patterns), dtype=np.uint64)
    score = sizes.astype(np.int64)
    for column in range(stream.shape[1]):
        live = lengths > column
        same = _matches(letters, stream[:, column])
        vertical = same | minus
        horizontal = (((same & plus) + plus) ^ plus) | same
        up = minus | ~(horizontal | plus)
        down = plus & horizontal
        score += (live & ((up & last) != 0)).astype(np.int64)
        score -= (live & ((down & last) != 0)).astype(np.int64)
        up, down = (up << one) | one, down << one
        plus = down | ~(vertical | up)
        minus = up & vertical
    return score


def _matches(letters: NDArray[np.uint32], letter: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """For each pair a word whose bit k says whether pattern letter k is the letter."""
    words = np.zeros((len(letters), _WORD // 8), dtype=np.uint8)
    packed = np.packbits(letters == letter[:, None], axis=1, bitorder="little")
    words[:, : packed.shape[1]] = packed
    return words.view("<u8")[:, 0].astype(np.uint64)


def _distance(first: str, second: str) -> int:
    """The same with one long whole number as the word: for the few long texts."""
    places: dict[str, int] = {}
    for place, letter in enumerate(first):
        places[letter] = places.get(letter, 0) | 1 << place
    mask, last = (1 << len(first)) - 1, 1 << (len(first) - 1)
    plus, minus, score = mask, 0, len(first)
    for letter in second:
        same = places.get(letter, 0)
        vertical = same | minus
        horizontal = (((same & plus) + plus) ^ plus) | same
        up = minus | (mask & ~(horizontal | plus))
        down = plus & horizontal
        score += bool(up & last) - bool(down & last)
        up, down = ((up << 1) | 1) & mask, (down << 1) & mask
        plus = down | (mask & ~(vertical | up))
        minus = up & vertical
    return score
