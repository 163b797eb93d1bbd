"""Damages the shipped grammars at random: reading them must never fail but with diagnostics.

    python tests/fuzz_grammars.py [MUTATIONS] [SEED]

Each mutant is one to four random edits of a grammar. It either means something, and then what
is printed parses to the same tree, or it has diagnostics, which all can be shown.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Callable

from blm.diagnostics import Severity, Source
from blm.files import check_text
from blm.parse import parse
from blm.resources import shipped
from blm.show import show

LANGUAGES = {
    code: frozenset({"def", "indef", "be", "past", "of"}) for code in ("en", "fr", "it", "tr")
}
TOKEN = re.compile(r'"[^"\n]*"|\w+|\s+|.')
CHARACTERS = " \n\t\r(){}[]<>=:;,.?|@_-\"#'\\\0\N{COMBINING ACUTE ACCENT}\N{ZERO WIDTH SPACE}é0９"


def change_character(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(["", rng.choice(CHARACTERS)]) + text[at + rng.randrange(2) :]


def change_tokens(text: str, rng: random.Random) -> str:
    tokens = TOKEN.findall(text)
    first, second = (rng.randrange(len(tokens)) for _ in range(2))
    match rng.randrange(4):
        case 0:
            tokens[first], tokens[second] = tokens[second], tokens[first]
        case 1:
            tokens[first] = tokens[second]
        case 2:
            tokens[first] = rng.choice(["", "0", "7", "99999", str(rng.getrandbits(200))])
        case _:
            tokens.insert(first, f" {tokens[second]} ")
    return "".join(tokens)


def change_lines(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    first, second = (rng.randrange(len(lines)) for _ in range(2))
    match rng.randrange(5):
        case 0:
            del lines[first]
        case 1:
            lines.insert(first, lines[second])
        case 2:
            lines[first], lines[second] = lines[second], lines[first]
        case 3:
            lines[first] = " " * rng.randrange(7) + lines[first].lstrip()
        case _:
            lines = lines[: first + 1]
    return "\n".join(lines)


MUTATIONS: tuple[Callable[[str, random.Random], str], ...] = (
    change_character,
    change_tokens,
    change_tokens,
    change_lines,
)


def mutants(count: int, seed: int) -> Counter[str]:
    """Check `count` mutants; how often each kind of diagnostic was met (`fine` is none)."""
    rng = random.Random(seed)
    paths = sorted(shipped("grammars").glob("*/*.blm"))
    met: Counter[str] = Counter()
    for _ in range(count):
        path = rng.choice(paths)
        text = path.read_text(encoding="utf-8")
        for _ in range(rng.randint(1, 4)):
            text = rng.choice(MUTATIONS)(text, rng)
        met.update(check(Source(str(path), text)))
    return met


def check(source: Source) -> set[str]:
    """The codes of the diagnostics of a text, after checking that all is in order."""
    try:
        tree, syntax = parse(source)
        if not syntax:
            assert parse(Source("", show(tree)))[0] == tree
        grammar, diagnostics = check_text(source, languages=LANGUAGES)
        assert all(diagnostic.render() for diagnostic in diagnostics)
        errors = [d for d in diagnostics if d.severity is Severity.ERROR]
        assert (grammar is None) == bool(errors)
    except Exception:
        print(source.text)
        raise
    return {diagnostic.code for diagnostic in diagnostics} or {"fine"}


def main(arguments: list[str]) -> None:
    count, seed = (*map(int, arguments), *(10_000, 0)[len(arguments) :])
    for code, times in mutants(count, seed).most_common():
        print(f"{times:7} {code}")


if __name__ == "__main__":
    main(sys.argv[1:])
