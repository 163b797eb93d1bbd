"""Whether every word that some item needs has the form that the item asks for.

Each part of each clause type is said for every combination of values that its cells can
take, with the words of every seed; only combinations that differ are tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from blm.concrete import Concrete, Function, Inflected
from blm.diagnostics import Diagnostic, Span
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


def check_forms(concrete: Concrete, entries: Entries, seeds: Sequence[Seed]) -> list[Diagnostic]:
    """Every form that is missing or ambiguous, each reported once."""
    universe, voice = Universe(concrete.phenomenon), speaker(concrete)
    parts = {p.elements: p for c in concrete.clauses for p in voice.parts(c.name)}
    found: dict[tuple[str, Span, str], Diagnostic] = {}
    for part in parts.values():
        for item in universe.projections(part.cells):
            frame = voice.frame(part, item)
            for index in range(len(frame.leaves)):
                for problem in _check_leaf(frame, index, voice, entries, seeds):
                    found.setdefault((problem.code, problem.span, problem.message), problem)
    return list(found.values())


def _check_leaf(
    frame: Frame, index: int, voice: Speaker, entries: Entries, seeds: Sequence[Seed]
) -> Iterator[Diagnostic]:
    leaf = frame.leaves[index]
    if not isinstance(leaf, Inflected | Function):
        return
    try:
        slots = frame.needs(index)
    except FormError as error:
        yield Diagnostic(error.code, str(error), leaf.span, error.help)
        return
    for words in _combinations(slots, seeds):
        try:
            frame.tokens(index, words, voice.language)
        except FormError as error:
            yield _located(error, frame, leaf, words, entries)
        except KeyError as error:
            help = f"slots are {', '.join(seeds[0].words)}"
            yield Diagnostic("unknown-slot", f"the seeds have no slot {error}", leaf.span, help)


def _combinations(slots: Sequence[str], seeds: Sequence[Seed]) -> Iterator[Words]:
    """The words that some seed has together in `slots`, each combination once."""
    tried: set[tuple[Word | str | None, ...]] = set()
    for seed in seeds:
        words = tuple([seed.words.get(slot) for slot in slots])
        if words not in tried:
            tried.add(words)
            yield seed.words


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
