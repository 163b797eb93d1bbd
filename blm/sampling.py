"""Numbers drawn without replacement from a range too large to hold, and reproducible choices.

`Shuffle(n, seed)` is a pseudorandom permutation of 0..n-1 that is computed, not stored: a
Feistel network on the smallest even number of bits that holds n, walked until it falls inside
the range (Black & Rogaway 2002, "Ciphers with arbitrary finite domains").  The first k places
are a sample without replacement; a shard is a range of places.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np

Words = np.ndarray[Any, np.dtype[np.uint64]]

_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class Shuffle:
    """A permutation of 0..size-1 chosen by `seed`; the same for the same size and seed.

    >>> sorted(Shuffle(5, seed=1)[i] for i in range(5))
    [0, 1, 2, 3, 4]
    """

    size: int
    seed: int

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, place: int) -> int:
        """What stands at `place`. IndexError outside 0..size-1."""
        if not 0 <= place < self.size:
            raise IndexError(place)
        half = max(1, ((self.size - 1).bit_length() + 1) // 2)
        value = place
        while True:
            value = self._encrypt(value, half)
            if value < self.size:
                return value

    def _encrypt(self, value: int, half: int) -> int:
        mask = (1 << half) - 1
        left, right = value >> half, value & mask
        for number in range(_ROUNDS):
            left, right = right, left ^ (self._round(number, right) & mask)
        return left << half | right

    def _round(self, number: int, half: int) -> int:
        text = f"{self.size} {self.seed} {number} {half}".encode()
        return int.from_bytes(blake2b(text, digest_size=32).digest(), "little")


def noise(seed: int, *columns: Words) -> Words:
    """Pseudorandom 64-bit words, one for each row of the columns (SplitMix64, Steele et al. 2014).

    What a row gets depends on its own numbers and the seed, so it does not matter in what order
    or company rows are computed. The columns broadcast.
    """
    with np.errstate(over="ignore"):
        state = _mix(np.uint64(seed & 0xFFFFFFFFFFFFFFFF) + _GOLDEN)
        for column in columns:
            state = _mix((state ^ column.astype(np.uint64)) + _GOLDEN)
    return np.asarray(state)


_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def _mix(word: Any) -> Any:
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))
