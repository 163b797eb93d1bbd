"""Proposes words for a slot: what a masked language model would say in place of each seed's own."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Protocol

from blm.augment.journal import Journal
from blm.augment.options import AugmentError, Options, Progress, Proposed
from blm.augment.saying import Parts, Reader, Reading, Said
from blm.augment.table import (
    DECISION,
    DIFFERENCE,
    ORIGINAL,
    SCORE,
    SEED,
    SLOT,
    WORD,
    Row,
    merge_review,
    read_review,
    sentence_column,
)
from blm.augment.target import Target, make_target
from blm.encode.encoder import DEFAULT
from blm.grammar import Grammar, load
from blm.version import __version__
from blm.words import Seed, Word

_DIGITS = 3
"""Of scores; nothing finer is the same on every machine."""


class Model(Protocol):
    """What is asked of a masked language model; `blm.augment.model.MaskedModel` is one."""

    @property
    def digest(self) -> str:
        """Another one proposes other words."""

    def fill(self, contexts: Sequence[Parts], *, k: int, masks: int) -> list[tuple[str, ...]]:
        """The best fillers of each context, of one to `masks` word pieces."""

    def scores(self, texts: Sequence[str]) -> list[tuple[float, int]]:
        """The pseudo-log-likelihood of each text, and the number of its tokens."""

    def unknown(self, text: str) -> int:
        """The number of tokens without a piece of their own."""


@dataclass(frozen=True, slots=True)
class _Sentences:
    """A word in each reading of a seed."""

    word: Word
    said: tuple[Said, ...]


def propose(
    grammar: Grammar | str | Path,
    slot: str,
    review: Path,
    *,
    model: Model | str = DEFAULT,
    options: Options | None = None,
    forms: Path | None = None,
    only: Sequence[str] = (),
    device: str = "auto",
    progress: Progress = lambda _done, _total: None,
) -> Proposed:
    """Write proposals for the slot of each seed to the table `review`; existing rows stay.

    `forms` is a table of more words with their forms, in the columns of the category's own;
    `only` names the seeds that are asked about. An interrupted run is continued when it is
    started again in the same way, and ends in the same bytes.

    Raises GrammarError for mistakes in a grammar or table, AugmentError for a slot or model that
    does not serve, and where no filler is left.
    """
    options = options or Options()
    grammar = grammar if isinstance(grammar, Grammar) else load(grammar)
    target = make_target(grammar, slot, forms, options.same)
    reader = Reader(grammar, slot)
    asked = {seed: reader.readings(seed) for seed in target.seeds(only)}
    columns = _columns(target, asked.values())
    if review.exists():
        read_review(review)  # a table that cannot be read is told before the work, not after
    review.parent.mkdir(parents=True, exist_ok=True)
    asker = _Asker(target, reader, options, _loaded(model, device, options))
    journal = Journal(review, _task(asker, forms))
    for done, (seed, readings) in enumerate(asked.items()):
        progress(done, len(asked))
        if seed.name not in journal.found:
            journal.add(asker.entry(seed, readings))
    progress(len(asked), len(asked))
    entries = [journal.found[seed.name] for seed in asked]
    rows: list[Row] = [row for entry in entries for row in entry["rows"]]
    added = merge_review(review, columns, rows) if rows else 0
    journal.close()
    return _report(review, entries, len(rows), added)


def _columns(target: Target, asked: Iterable[Sequence[Reading]]) -> list[str]:
    """The columns of the table; AugmentError where no sentence says the slot."""
    said = {reading.features for readings in asked for reading in readings}
    if not said:
        raise AugmentError(f"no correct sentence says a word in the slot '{target.slot}'")
    declared = [form for form in target.category.forms if form in said]
    declared += sorted(said - set(declared), key=sorted)
    sentences = [sentence_column(features) for features in declared]
    return [SEED, SLOT, WORD, *sentences, SCORE, ORIGINAL, DIFFERENCE, DECISION]


def _loaded(model: Model | str, device: str, options: Options) -> Model:
    if not isinstance(model, str):
        return model
    from importlib.util import find_spec

    if find_spec("torch") is None or find_spec("transformers") is None:
        raise AugmentError(
            "torch and transformers are not installed\n  to get them: pip install 'blm[neural]'\n"
            "without them: blm augment accept"
        )
    from blm.augment.model import MaskedModel

    return MaskedModel.load(model, device=device, batch=options.batch)


def _task(asker: _Asker, forms: Path | None) -> dict[str, Any]:
    """All that fixes what is found for a seed."""
    files = [*asker.target.grammar.files(), *([forms] if forms else [])]
    return {
        "blm": __version__,
        "grammar": [hashlib.sha256(path.read_bytes()).hexdigest() for path in files],
        "slot": asker.target.slot,
        "model": asker.model.digest,
        "options": asdict(asker.options),
    }


def _report(
    review: Path, entries: Sequence[Mapping[str, Any]], proposals: int, added: int
) -> Proposed:
    total = {name: sum(entry[name] for entry in entries) for name in ("fillers", "known", "near")}
    if not proposals:
        raise AugmentError(
            f"no proposals: the lexicon knows {total['known']} of {total['fillers']} fillers for "
            f"{len(entries)} seeds as words that are new there; none is within the margin\n"
            "  try a larger k or margin, a table with the forms of more words, or another model"
        )
    return Proposed(
        review=review,
        seeds=len(entries),
        without=tuple(entry["seed"] for entry in entries if not entry["rows"]),
        proposals=proposals,
        added=added,
        **total,
    )


@dataclass(frozen=True)
class _Asker:
    """Asks a model about the slot of a seed."""

    target: Target
    reader: Reader
    options: Options
    model: Model

    def entry(self, seed: Seed, readings: Sequence[Reading]) -> dict[str, Any]:
        """The proposals for a seed as rows, and how many words were left at each step."""
        fillers = self._fillers(seed, readings)
        own = self._sentences(seed, readings, seed.words[self.target.slot])
        words = self._usable(seed, readings, fillers)
        scores = self._scores([own, *words]) if own and words else [0.0]
        original, *others = scores
        near = [
            (score, word)
            for score, word in zip(others, words, strict=False)
            if round(score - original, _DIGITS) >= -self.options.margin
        ]
        near.sort(key=lambda pair: (-pair[0], pair[1].word.key))
        return {
            "seed": seed.name,
            "fillers": len(dict.fromkeys(text for texts in fillers for text in texts)),
            "known": len(words),
            "near": len(near),
            "rows": [
                self._row(seed, readings, word, score, original)
                for score, word in near[: self.options.best]
            ],
        }

    def _fillers(self, seed: Seed, readings: Sequence[Reading]) -> list[tuple[str, ...]]:
        """The fillers of each reading, whatever agrees with the noun."""
        own = seed.words[self.target.slot]
        assert isinstance(own, Word)
        alike = (own, *(w for w in self.target.stand_ins if self._alike(w, own)))
        contexts = [
            self.reader.contexts(reading, seed, alike, self.options.window) for reading in readings
        ]
        flat = [context for some in contexts for context in some]
        found = iter(self.model.fill(flat, k=self.options.k, masks=self.options.masks))
        return [
            tuple(dict.fromkeys(text for _ in some for text in next(found))) for some in contexts
        ]

    def _alike(self, word: Word, own: Word) -> bool:
        """Whether a word has the features of the seed's own that were asked for."""
        return all(word.features.get(f) == own.features.get(f) for f in self.options.same)

    def _usable(
        self, seed: Seed, readings: Sequence[Reading], fillers: Sequence[Sequence[str]]
    ) -> list[_Sentences]:
        """The words with one of these forms that the sentences can be said with."""
        own = seed.words[self.target.slot]
        assert isinstance(own, Word)
        taken = {*self.target.taken(seed), own}
        forms = {form for texts in fillers for text in texts for form in _writings(text)}
        words = {w: None for form in sorted(forms) for w in self.target.index.get(form, ())}
        found = []
        for word in sorted(words, key=lambda w: w.key):
            if word not in taken and self._alike(word, own):
                sentences = self._sentences(seed, readings, word)
                if (
                    sentences
                    and self._proposed(sentences, fillers)
                    and self._spelt(sentences, seed)
                ):
                    found.append(sentences)
        return found

    def _sentences(
        self, seed: Seed, readings: Sequence[Reading], word: Word | str
    ) -> _Sentences | None:
        """The word in each reading; None where one cannot be said with it."""
        assert isinstance(word, Word)
        said = [self.reader.say(reading, seed.words, word) for reading in readings]
        sound = tuple(one for one in said if one is not None)
        return _Sentences(word, sound) if sound and len(sound) == len(said) else None

    def _proposed(self, sentences: _Sentences, fillers: Sequence[Sequence[str]]) -> bool:
        """Whether the model proposed the form that one of the readings has."""
        return any(
            said.noun in texts or (said.parts[0] == "" and _small(said.noun) in texts)
            for said, texts in zip(sentences.said, fillers, strict=True)
        )

    def _spelt(self, sentences: _Sentences, seed: Seed) -> bool:
        """Whether the model knows the pieces of the word in each of its forms."""
        return all(self.model.unknown(said.noun) == 0 for said in sentences.said)

    def _scores(self, words: Sequence[_Sentences]) -> list[float]:
        """The mean score of the sentences of each word."""
        texts = [said.heard(self.options.window) for one in words for said in one.said]
        found = iter(self.model.scores(texts))
        return [fmean(self._score(*next(found)) for _ in one.said) for one in words]

    def _score(self, likelihood: float, tokens: int) -> float:
        return likelihood / max(tokens, 1) if self.options.score == "token" else likelihood

    def _row(
        self,
        seed: Seed,
        readings: Sequence[Reading],
        found: _Sentences,
        score: float,
        original: float,
    ) -> Row:
        pairs = zip(readings, found.said, strict=True)
        return {
            SEED: seed.name,
            SLOT: self.target.slot,
            WORD: found.word.key,
            **{sentence_column(reading.features): said.text for reading, said in pairs},
            SCORE: _number(score),
            ORIGINAL: _number(original),
            DIFFERENCE: _number(score - original),
            DECISION: "",
        }


def _writings(text: str) -> tuple[str, ...]:
    """A filler as it may stand in the lexicon: as it is, and without a capital."""
    return (text, _small(text))


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]


def _number(value: float) -> str:
    return f"{round(value, _DIGITS) + 0.0:.{_DIGITS}f}"
