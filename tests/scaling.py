"""Grammars for tests of scale, and what a uniform sample must pass."""

from collections.abc import Sequence
from math import sqrt
from pathlib import Path

NAMES = "abcdefghijkl"
WAYS = 12
"""Each object of the wide grammar goes from one of four marks to another: 4 x 3 ways."""


def wide(folder: Path) -> Path:
    """Twelve objects that nothing ties together: 12 ** 12 matrices, 8.9e12."""
    objects = "".join(f"  {n} : mark {{m1, m2, m3, m4}}\n" for n in NAMES)
    operators = ("switches at 5", "alternates every 1")
    rules = "".join(f"  r{n} : {n}.mark {operators[k % 2]}\n" for k, n in enumerate(NAMES))
    labels = "".join(f"  W{n} breaks r{n}\n" for n in NAMES)
    axes = ", ".join(f"{n}.mark" for n in NAMES[:3])
    (folder / "wide.blm").write_text(
        f'phenomenon wide "wide"\n\nobjects\n{objects}\nmatrix 8\n{rules}\n'
        f"answers\n  correct\n{labels}  balanced over {axes}\n",
        encoding="utf-8",
    )
    slots = ", ".join(f"s{n} : text" for n in NAMES)
    words = (", ".join(f's{n}="{n}{k}"' for n in NAMES) for k in range(20))
    seeds = "".join(f"  s{k} : {said}\n" for k, said in enumerate(words))
    phrases = "".join(
        f"  p{n} : "
        + "\n       | ".join(f's{n} "{v}" where {n}.mark is m{v}' for v in (1, 2, 3))
        + f'\n       | s{n} "4"\n'
        for n in NAMES
    )
    path = folder / "en.blm"
    path.write_text(
        f'language en "English"\nof "wide.blm"\n\nseeds\n  slots {slots}\n{seeds}\n'
        f"phrases\n{phrases}\nsentences\n  main : {' '.join('p' + n for n in NAMES)}\n",
        encoding="utf-8",
    )
    return path


def chi_squared(counts: Sequence[int]) -> float:
    """How far counts are from being equal."""
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 / expected for count in counts)


def critical(degrees: int) -> float:
    """The 99.9 % quantile of chi-squared (Wilson & Hilferty 1931).

    >>> round(critical(10), 1), round(critical(100), 1)  # tables: 29.588, 149.449
    (29.8, 149.5)
    """
    share = 2 / (9 * degrees)
    return float(degrees * (1 - share + 3.0902 * sqrt(share)) ** 3)
