"""Corrects sentences by the patterns that have a repair, and counts what it did."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from blm.audit.checks.spelling import APOSTROPHES
from blm.audit.writing import PATTERNS
from blm.audit.writing.pattern import Pattern

_MOST_PASSES = 4
_MOST_EXAMPLES = 3
_LONGEST_LITERAL = 20_000
_APOSTROPHE = re.compile(r"(?<=\w)['’ʼ`´]")


@dataclass
class Fixer:
    """Corrects the sentences of one file. `apostrophe` is the one that most of it has."""

    language: str
    apostrophe: str = ""
    counts: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[tuple[str, str]]] = field(default_factory=dict)

    def fix(self, text: str, *, count: bool = True) -> str:
        """The corrected sentence, counted once for each kind of correction."""
        done: dict[str, tuple[str, str]] = {}
        for _ in range(_MOST_PASSES):
            before = text
            for pattern in PATTERNS:
                if pattern.repair is not None and pattern.holds_for(self.language):
                    text = _note(done, pattern.code, text, _replace(pattern, text))
            text = _note(done, APOSTROPHES.code, text, self._one_apostrophe(text))
            if text == before:
                break
        if count:
            for code, (old, new) in done.items():
                self._record(code, old, new)
        return text

    def fix_chunks(self, text: str) -> str:
        """A Python list of phrases with each phrase corrected; anything else as it is."""
        if not text.startswith("[") or len(text) > _LONGEST_LITERAL:
            return text
        try:
            pieces = ast.literal_eval(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            return text
        if not isinstance(pieces, list) or not all(isinstance(p, str) for p in pieces):
            return text
        fixed = [self.fix(piece, count=False) for piece in pieces]
        return text if fixed == pieces else repr(fixed)

    def _one_apostrophe(self, text: str) -> str:
        return _APOSTROPHE.sub(self.apostrophe, text) if self.apostrophe else text

    def _record(self, code: str, before: str, after: str) -> None:
        self.counts[code] += 1
        known = self.examples.setdefault(code, [])
        if len(known) < _MOST_EXAMPLES and (before, after) not in known:
            known.append((before, after))


def _note(done: dict[str, tuple[str, str]], code: str, before: str, after: str) -> str:
    if after != before:
        done[code] = (done.get(code, (before, after))[0], after)
    return after


def _replace(pattern: Pattern, text: str) -> str:
    """The text with every match of a pattern repaired."""
    assert pattern.repair is not None
    parts, end = [], 0
    for match in pattern.matches(text):
        parts += [text[end : match.start()], pattern.repair(match)]
        end = match.end()
    return "".join([*parts, text[end:]])


def usual_apostrophe(texts: Iterable[str]) -> str:
    """The apostrophe that most texts have; nothing if there is none."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(set(_APOSTROPHE.findall(text)))
    return min(counts, key=lambda c: (-counts[c], c), default="")
