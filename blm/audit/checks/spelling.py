"""Malformed writing, by the patterns of `blm.audit.writing`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from blm.audit.checks.base import Check, Job
from blm.audit.finding import Example, Finding, Kind, Severity
from blm.audit.table import Bools
from blm.audit.writing import PATTERNS, common, english, french, italian
from blm.audit.writing.pattern import Pattern

_S = "sentences"
_ERROR, _WARNING = Severity.ERROR, Severity.WARNING
_EXCEPT = "no repair is certain for these words"

KINDS = (
    Kind(common.SPACE_STOP, "a space before the stop", _WARNING, _S),
    Kind(common.SPACE_APOSTROPHE, "a space after an apostrophe", _WARNING, _S),
    Kind(common.SPACES, "several spaces together", _WARNING, _S),
    Kind(common.OUTER, "spaces before or after the sentence", _WARNING, _S),
    Kind(common.DOUBLED_WORD, "a word stands twice", _ERROR, _S,
         "which of the words is wrong is not certain"),
    Kind(common.ENCODING, "characters of a broken encoding", _ERROR, _S,
         "the lost characters are not in the file"),
    Kind(french.CONTRACTION, "a preposition not joined with its article", _ERROR, _S, _EXCEPT),
    Kind(french.ELISION, "a vowel that should be elided", _ERROR, _S, _EXCEPT),
    Kind(french.WRONG_ELISION, "an elision before a consonant", _ERROR, _S, _EXCEPT),
    Kind(french.PLURAL, "a malformed plural", _ERROR, _S, _EXCEPT),
    Kind(french.SUFFIX, "a doubled ending", _ERROR, _S, _EXCEPT),
    Kind(italian.ARTICLE, "the wrong form of the article", _ERROR, _S, _EXCEPT),
    Kind(italian.NUMBER, "an article and a noun of different number", _WARNING, _S,
         "whether the article or the noun is wrong is not certain"),
    Kind(english.PAST, "a malformed past tense", _ERROR, _S,
         "whether the past tense or the participle is meant is not certain"),
)  # fmt: skip
"""The kinds of findings that patterns belong to."""

APOSTROPHES = Kind("two-apostrophes", "two different apostrophe characters", _WARNING, _S)
_APOSTROPHE = re.compile(r"(?<=\w)['’ʼ`´]")


@dataclass
class _Hits:
    """The sentences that a kind of pattern is found in, by number, and the forms."""

    sentences: dict[int, list[str]]

    def mask(self, size: int) -> Bools:
        """Which texts are hit; one more at the end, for empty cells."""
        mask = np.zeros(size + 1, dtype=bool)
        mask[list(self.sentences)] = True
        return mask


def _search(job: Job, patterns: list[Pattern]) -> _Hits:
    """All matches in all texts of a part: in one pass over the texts joined by line breaks."""
    prose = job.prose
    found: dict[int, list[str]] = {}
    for pattern in patterns:
        if pattern.code == common.OUTER:
            found |= {n: ["spaces"] for n, text in prose.texts() if text != text.strip()}
            continue
        if pattern.within_word and not any(map(pattern.regex.fullmatch, prose.words)):
            continue
        for match in pattern.matches(prose.joined):
            found.setdefault(prose.at(match.start()), []).append(_form(match))
    return _Hits(found)


def _form(match: re.Match[str]) -> str:
    """What is shown of a match: its words, or the words around a space."""
    if match[0].strip(" \t\u00a0'’ʼ´`"):
        return match[0].lower()
    line = match.string
    start = max(line.rfind(" ", 0, match.start()), line.rfind("\n", 0, match.start())) + 1
    ends = [e for e in (line.find(" ", match.end()), line.find("\n", match.end())) if e >= 0]
    return line[start : min(ends, default=len(line))].lower()


def _look_for(kind: Kind) -> Callable[[Job], Iterator[Finding]]:
    """The patterns of one kind, in the language of a part."""

    def look(job: Job) -> Iterator[Finding]:
        patterns = [p for p in PATTERNS if p.code == kind.code and p.holds_for(job.language)]
        hits = _search(job, patterns) if patterns else _Hits({})
        if hits.sentences:
            yield _finding(job, kind, hits)

    return look


def _finding(job: Job, kind: Kind, hits: _Hits) -> Finding:
    part = job.part
    size = len(job.table.strings.texts)
    cells = part.sentences
    standing = np.bincount(cells[cells >= 0], minlength=size)
    hit = hits.mask(size)[cells]
    forms: Counter[str] = Counter()
    for number, words in hits.sentences.items():
        for word in words:
            forms[word] += int(standing[number])
    ranked = sorted(forms.items(), key=lambda entry: (-entry[1], entry[0]))
    rows = int(hit.any(axis=1).sum())
    shown = ", ".join(f"{form} {count}" for form, count in ranked[:6])
    more = f", and {len(ranked) - 6} more forms" if len(ranked) > 6 else ""
    return kind.found(
        part.file,
        hit.sum(),
        (cells >= 0).sum(),
        _examples(job, hits, [form for form, _ in ranked]),
        detail=f"in {rows:,} of {part.rows:,} rows; {shown}{more}",
        measures={"rows": rows, "forms": dict(ranked)},
    )


def _examples(job: Job, hits: _Hits, forms: list[str]) -> list[Example]:
    """The first cell of each of the most frequent forms."""
    cells, names = job.part.sentences, job.part.sentence_names
    found = []
    for form in forms[: job.limit]:
        numbers = [number for number, words in hits.sentences.items() if form in words]
        row, place = np.argwhere(np.isin(cells, numbers))[0]
        text = job.table.text(cells[row, place])
        found.append(job.example(row, names[place], f"{text} [{form}]"))
    return found


def two_apostrophes(job: Job) -> Iterator[Finding]:
    """Sentences with another apostrophe than most of the file has."""
    texts = job.table.strings.texts
    used: dict[str, dict[int, list[str]]] = {}
    cells = job.part.sentences
    numbers, counts = np.unique(cells[cells >= 0], return_counts=True)
    total: Counter[str] = Counter()
    for number, count in zip(numbers.tolist(), counts.tolist(), strict=True):
        for character in set(_APOSTROPHE.findall(texts[number])):
            total[character] += count
            used.setdefault(character, {})[number] = [character]
    if len(used) > 1:
        most = total.most_common(1)[0][0]
        other: dict[int, list[str]] = {}
        for character, where in used.items():
            if character != most:
                other |= where
        yield _finding(job, APOSTROPHES, _Hits(other))


CHECKS = (
    *(Check(kind, _look_for(kind)) for kind in KINDS),
    Check(APOSTROPHES, two_apostrophes),
)
