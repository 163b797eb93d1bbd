"""Independent checkers of Debian, each run once over many sentences; and what they are to read.

None is needed by blm: where one is not installed its tests are skipped, unless `BLM_CHECKERS`
names it, as .ci/run does once it has installed it.
"""

import json
import os
import random
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from blm.grammar import Grammar
from blm.layout import Item
from blm.words import key_of

PACKAGES = {
    "grammalecte-cli": "grammalecte-cli",
    "link-parser": "link-grammar",
    "hunspell": "hunspell hunspell-fr hunspell-it",
}
"""The Debian packages of each program."""

FEW, SAMPLE = 1000, 500
"""Where a grammar has more than FEW seeds, SAMPLE of them are read; so with variants of seeds."""


@dataclass(frozen=True)
class Known:
    """What a checker flags although it is right: a regular expression, and why."""

    pattern: str
    why: str


@dataclass(frozen=True)
class Review:
    """The flags of a checker that no table explains, and the entries that explain none."""

    unknown: list[str]
    stale: list[str]


def review(flagged: Iterable[str], known: Iterable[Known]) -> Review:
    """Compare what a checker flags with what it is known to flag."""
    flagged, known = list(flagged), list(known)
    return Review(
        [text for text in flagged if not any(re.search(one.pattern, text) for one in known)],
        [one.pattern for one in known if not any(re.search(one.pattern, t) for t in flagged)],
    )


def need(program: str) -> None:
    """Skip the test where `program` is not installed; fail it where it should be."""
    if installed(program):
        return
    message = f"{program} is not installed (apt-get install {PACKAGES[program]})"
    if program in os.environ.get("BLM_CHECKERS", "").split():
        pytest.fail(message)
    pytest.skip(message)


def installed(program: str) -> bool:
    """Whether a program can be run, with the dictionaries that the tests need."""
    if shutil.which(program) is None:
        return False
    if program != "hunspell":
        return True
    listing = subprocess.run(
        ["hunspell", "-D"], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8"
    )
    return all(f"/{name}\n" in listing.stderr for name in ("fr_FR", "it_IT"))


def output(*command: str, text: str = "") -> str:
    """What a program prints when it reads `text`. Its complaints about the locale are not read."""
    done = subprocess.run(
        command,
        input=text,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        timeout=600,
        check=True,
    )
    return done.stdout


def version(program: str) -> str:
    """The version of a checker: a newer one may have mended what it is known to flag."""
    found = re.search(r"\d+(?:\.\d+)+", VERSIONS[program]())
    assert found, program
    return found[0]


VERSIONS = {
    "grammalecte-cli": lambda: grammalecte_report([])["grammalecte"],
    "link-parser": lambda: output("link-parser", "--version"),
    "hunspell": lambda: output("hunspell", "--version").rpartition("Hunspell")[2],
}


# --- the checkers: each says what is wrong in a list of sentences, in one process ----------------


def grammalecte(sentences: list[str]) -> list[str]:
    """Those in which grammalecte sees a mistake of French, each with what it says."""
    canary = "Le chat mangent."  # the last one: all before it were read
    lines = [*sentences, canary]
    found = [
        f"{lines[entry['iParagraph'] - 1]} [{'; '.join(_messages(entry))}]"
        for entry in grammalecte_report(lines)["data"]
    ]
    assert found, "grammalecte flags nothing at all"
    assert found.pop().startswith(canary)
    return found


def _messages(entry: dict) -> Iterator[str]:
    yield from (error["sMessage"] for error in entry["lGrammarErrors"])
    yield from (error["sValue"] for error in entry["lSpellingErrors"])


def grammalecte_report(lines: list[str]) -> dict:
    """The report on these lines, of which each is a paragraph."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "lines.txt")
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        return json.loads(output("grammalecte-cli", "-f", str(path), "-j", "-owe"))


def link_grammar(sentences: list[str]) -> list[str]:
    """Those that link-grammar cannot parse as English without leaving a word out."""
    canary = "The cat eat."
    lines = [*sentences, canary]
    text = "".join(line + "\n" for line in lines)
    printed = output("link-parser", "en", "-batch", "-null=0", "-echo", text=text).splitlines()
    own = set(lines)
    assert [line for line in printed if line in own] == lines, "some were not read"
    found = [text for text, verdict in pairwise(printed) if verdict.startswith("+++++ error")]
    assert found, "link-grammar flags nothing at all"
    assert found.pop() == canary
    return found


def hunspell(sentences: list[str], dictionary: str) -> list[str]:
    """The words of these sentences that a dictionary does not have."""
    canary = "xqzwk"
    text = "".join(line + "\n" for line in [*sentences, canary])
    found = set(output("hunspell", "-d", dictionary, "-i", "utf-8", "-l", text=text).split())
    assert canary in found
    return sorted(found - {canary})


# --- what they read ------------------------------------------------------------------------------


@cache
def correct_sentences(grammar: Grammar) -> list[str]:
    """Correct sentences of a grammar, each once: those that may stand in a context or answer it.

    All of its seeds in all clause types. A variant differs from its seed in one word only and is
    said in the first clause type. Where a grammar has very many, a sample that has every word.
    """
    said: dict[str, None] = {}
    clauses = [clause.name for clause in grammar.concrete.clauses]
    own = len(grammar.lexicon.seeds)
    variants = range(own, len(grammar.wordings))
    for number in [*_sample(grammar, range(own)), *_sample(grammar, variants)]:
        words = grammar.wordings[number]
        for item in _items(grammar, grammar.wordings.seed(number).requires):
            for clause in clauses if number < own else clauses[:1]:
                said[grammar.speaker.say(clause, item, words).text] = None
    return list(said)


def _sample(grammar: Grammar, numbers: range) -> list[int]:
    """Some wordings by number: all if there are few, else some that have every word, and more."""
    if len(numbers) <= FEW:
        return list(numbers)
    mixed = random.Random(1).sample(numbers, len(numbers))
    seen: set[str] = set()
    covering, others = [], []
    for number in mixed:
        keys = {f"{slot}={key_of(word)}" for slot, word in grammar.wordings[number].items()}
        (others if keys <= seen else covering).append(number)
        seen |= keys
    return sorted([*covering, *others[: max(0, SAMPLE - len(covering))]])


def _items(grammar: Grammar, requires: tuple) -> tuple[Item, ...]:
    """The items of the matrices that a seed serves."""
    if not requires:
        return grammar.matrix_items
    found = {
        tuple(item.items()): item
        for matrix in grammar.matrices()
        if all(matrix.choices.get(name) == value for name, value in requires)
        for item in matrix.items
    }
    return tuple(found.values())
