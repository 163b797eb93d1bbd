"""Whether every word that some item needs has the form that the item asks for.

Each part of each clause type is said for every combination of values that its cells can
take, with the words of every seed; only combinations that differ are tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat

from blm.concrete import Concrete, Function, Inflected
from blm.diagnostics import Diagnostic, Severity, Span
from blm.lexicon.entries import Entries
from blm.realise import Speaker, Words, speaker
from blm.realise.frames import Frame
from blm.universe import Universe
from blm.words import FormError, Seed, Word


def needed_slots(concrete: Concrete) -> frozenset[str]:
    """The slots that some clause type reads."""
    voice = speaker(concrete)
    parts = (part for clause in concrete.clauses for part in voice.parts(clause.name))
    return frozenset(slot for part in parts for slot in voice.slots(part))


def unsaid_slots(concrete: Concrete, needed: frozenset[str]) -> Iterator[Diagnostic]:
    """A warning for each slot that `vary` or `combine` changes though no sentence reads it."""
    vary, combine = concrete.vary, concrete.combine
    changed = [(slot, combine.span) for slot in combine.slots] if combine else []
    changed += [(vary.slot, vary.span)] if vary else []
    for slot, span in changed:
        if slot not in needed:
            message = f"no sentence says the word in '{slot}', so it changes nothing"
            yield Diagnostic("unsaid-slot", message, span, severity=Severity.WARNING)


def check_forms(concrete: Concrete, entries: Entries, seeds: Sequence[Seed]) -> list[Diagnostic]:
    """Every form that is missing or ambiguous, each reported once."""
    universe, voice = Universe(concrete.phenomenon), speaker(concrete)
    parts = {p.elements: p for c in concrete.clauses for p in voice.parts(c.name)}
    combinations = _Combinations(seeds)
    tried: set[tuple[int, frozenset[str]]] = set()
    found: dict[tuple[str, Span, str], Diagnostic] = {}
    for part in parts.values():
        for item in universe.projections(part.cells):
            frame = voice.frame(part, item)
            for index in range(len(frame.leaves)):
                for problem in _check_leaf(frame, index, voice, entries, combinations, tried):
                    found.setdefault((problem.code, problem.span, problem.message), problem)
    return list(found.values())


def _check_leaf(
    frame: Frame,
    index: int,
    voice: Speaker,
    entries: Entries,
    combinations: _Combinations,
    tried: set[tuple[int, frozenset[str]]],
) -> Iterator[Diagnostic]:
    """What is wrong with a leaf; a form that was `tried` before is not asked for again."""
    leaf = frame.leaves[index]
    if not isinstance(leaf, Inflected | Function):
        return
    try:
        slots = frame.needs(index)
    except FormError as error:
        yield Diagnostic(error.code, str(error), leaf.span, error.help)
        return
    own = frame.slot(leaf.word) if isinstance(leaf, Inflected) else None
    for words in combinations.of(slots):
        try:
            if own is not None and isinstance(word := words[own], Word):
                wanted = frame.wanted(leaf.features, words)
                if (id(word), wanted) not in tried:
                    tried.add((id(word), wanted))
                    word.form(wanted)
            else:
                frame.tokens(index, words, voice.language)
        except FormError as error:
            yield _located(error, frame, leaf, words, entries)
        except KeyError as error:
            help = f"slots are {', '.join(words)}"
            yield Diagnostic("unknown-slot", f"the seeds have no slot {error}", leaf.span, help)


class _Combinations:
    """The different words that the seeds have in some slots; found once for the same slots.

    Words are told apart by identity, which is faster: a lexicon holds each once.
    """

    def __init__(self, seeds: Sequence[Seed]) -> None:
        self._words = [seed.words for seed in seeds]
        self._columns: dict[str, list[object]] = {}
        self._known: dict[tuple[str, ...], tuple[Words, ...]] = {}

    def of(self, slots: tuple[str, ...]) -> tuple[Words, ...]:
        """The words of one seed for each combination of words in `slots`."""
        if slots not in self._known:
            keys = zip(*map(self._column, slots), strict=True) if slots else repeat(())
            found: dict[tuple[object, ...], Words] = {}
            for key, words in zip(keys, self._words, strict=False):
                found.setdefault(key, words)
            self._known[slots] = tuple(found.values())
        return self._known[slots]

    def _column(self, slot: str) -> list[object]:
        if slot not in self._columns:
            held = [words.get(slot) for words in self._words]
            self._columns[slot] = [id(word) if isinstance(word, Word) else word for word in held]
        return self._columns[slot]


def _located(
    error: FormError, frame: Frame, leaf: Inflected | Function, words: Words, entries: Entries
) -> Diagnostic:
    """The message at the word's cell in its table, or at the article in the grammar."""
    if isinstance(leaf, Function):
        return Diagnostic(error.code, str(error), leaf.span, error.help)
    word = words[frame.slot(leaf.word)]
    assert isinstance(word, Word)
    entry = entries[word.category, word.key]
    asked = frame.wanted(leaf.features, words)
    fitting = sorted((f for f in entry.forms if f <= asked), key=len)
    span = entry.forms[fitting[-1]] if fitting else entry.span
    column = f", column '{'.'.join(sorted(fitting[-1]))}'" if fitting else ""
    help = f"{error.help}; {leaf.span} asks for it"
    return Diagnostic(error.code, f"row '{word.key}'{column}: {error}", span, help)
