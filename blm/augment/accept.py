"""Feeds accepted proposals back: a copy of the grammar with a seed for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from blm.augment.copying import Copy
from blm.augment.options import Accepted, AugmentError
from blm.augment.saying import Reader
from blm.augment.table import ACCEPT, REJECT, Judged, read_review, stop_at
from blm.augment.target import read_forms
from blm.concrete import Concrete
from blm.diagnostics import Diagnostic, Severity, did_you_mean
from blm.grammar import Grammar, load
from blm.words import Seed, Text, Word


def accept(
    grammar: Grammar | str | Path,
    review: Path,
    target: Path,
    *,
    forms: Path | None = None,
    force: bool = False,
) -> Accepted:
    """Write a copy of the grammar into the folder `target`, with a seed for each accepted row.

    A new seed is the old one with another word in one slot: type II takes it for a variant of
    the old one. Words that the lexicon lacks are taken from the table `forms`, and added to it.

    Raises GrammarError for mistakes in a grammar or table, AugmentError where nothing is accepted
    or files are there that `force` does not allow to replace.
    """
    grammar = grammar if isinstance(grammar, Grammar) else load(grammar)
    rows = read_review(review)
    feeder = _Feeder(grammar, forms)
    seeds = feeder.seeds(rows)
    stop_at(feeder.problems)
    if not seeds:
        raise AugmentError(_why_none(rows, review))
    copy = Copy.of(grammar)
    copy.add_seeds(seeds)
    copy.add_words(feeder.new_words)
    written = copy.publish(target, force=force, check=lambda path: _check(path, seeds))
    decided = {row.key: row.judgement for row in rows if row.judgement}
    return Accepted(
        grammar=written[-1],
        files=written,
        seeds=len(seeds),
        words=tuple(word.key for word in feeder.new_words),
        rejected=sum(one == REJECT for one in decided.values()),
        undecided=len({row.key for row in rows} - set(decided)),
        diagnostics=(*feeder.warnings, *_not_varied(grammar.concrete, rows)),
    )


def _why_none(rows: Sequence[Judged], review: Path) -> str:
    accepted = sum(row.judgement == ACCEPT for row in rows)
    if accepted:
        return f"{review}: the grammar has all {accepted} accepted proposals already"
    return f"{review}: none of {len(rows)} proposals is accepted; write {ACCEPT} in 'decision'"


def _check(path: Path, seeds: Sequence[Seed]) -> None:
    """Load what was written; GrammarError if it has mistakes."""
    known = {_content(seed) for seed in load(path).lexicon.seeds}
    if not all(_content(seed) in known for seed in seeds):
        raise AugmentError("the grammar names tables by absolute paths: name them from its folder")


def _content(seed: Seed) -> object:
    return tuple(sorted(seed.words.items(), key=lambda pair: pair[0])), seed.requires


def _not_varied(concrete: Concrete, rows: Sequence[Judged]) -> Iterator[Diagnostic]:
    """A warning for each slot of accepted words that type II does not vary."""
    vary = concrete.vary
    slots = dict.fromkeys(row.slot.text for row in rows if row.judgement == ACCEPT)
    for slot in slots:
        if vary is None or vary.slot != slot:
            varied = f"'{vary.slot}'" if vary else "no slot"
            message = f"type II varies {varied}: the words in '{slot}' serve types I and III"
            span = vary.span if vary else concrete.span
            help_ = "" if vary else f"for type II, add `vary {slot}` to the seeds"
            yield Diagnostic("not-varied", message, span, help_, Severity.WARNING)


@dataclass
class _Feeder:
    """Turns rows into seeds; what is wrong goes to `problems`."""

    grammar: Grammar
    forms: Path | None
    problems: list[Diagnostic] = field(default_factory=list)
    warnings: list[Diagnostic] = field(default_factory=list)
    new_words: list[Word] = field(default_factory=list)
    _tables: dict[str, Mapping[str, Word]] = field(default_factory=dict)

    def seeds(self, rows: Sequence[Judged]) -> list[Seed]:
        """A seed for each accepted row, without those that the grammar has."""
        known = {_content(seed): seed.name for seed in self.grammar.lexicon.seeds}
        found: list[Seed] = []
        for row in {row.key: row for row in rows if row.judgement == ACCEPT}.values():
            seed = self._seed(row)
            if seed is None:
                continue
            content = _content(seed)
            if content in known:
                message = f"the seed '{known[content]}' has these words: nothing is added"
                severity = Severity.WARNING
                told = Diagnostic("already-there", message, row.word.span, severity=severity)
                self.warnings.append(told)
            else:
                known[content] = seed.name
                found.append(seed)
        return found

    def _seed(self, row: Judged) -> Seed | None:
        try:
            seed = self.grammar.lexicon.seed(row.seed.text)
        except KeyError:
            names = [seed.name for seed in self.grammar.lexicon.seeds]
            help_ = did_you_mean(row.seed.text, names[:1000]) if len(self.problems) < 50 else ""
            message = f"there is no seed '{row.seed.text}'"
            self.problems.append(Diagnostic("unknown-seed", message, row.seed.span, help_))
            return None
        slots = {slot.name: slot.category for slot in self.grammar.concrete.slots}
        slot = row.slot.text
        if slots.get(slot) is None:
            code, what = (
                ("text-slot", "holds plain text") if slot in slots else ("unknown-slot", "")
            )
            message = f"the slot '{slot}' {what}" if what else f"there is no slot '{slot}'"
            help_ = did_you_mean(slot, [name for name, category in slots.items() if category])
            self.problems.append(Diagnostic(code, message, row.slot.span, help_))
            return None
        word = self._word(str(slots[slot]), row)
        if word is None or not self._sayable(seed, word, row):
            return None
        words: dict[str, Word | Text] = {**seed.words, slot: word}
        return Seed(f"{seed.name} {slot}={word.key}", words, seed.requires)

    def _word(self, category: str, row: Judged) -> Word | None:
        """The word of a row, from the lexicon or the table of forms."""
        key = row.word.text
        try:
            return self.grammar.lexicon.word(category, key)
        except KeyError:
            pass
        word = self._table(category).get(key)
        if word is None:
            message = f"no {category} '{key}'"
            help_ = "add it to the table of words, or name a table that has its forms (--forms)"
            self.problems.append(Diagnostic("unknown-word", message, row.word.span, help_))
        elif word not in self.new_words:
            self.new_words.append(word)
        return word

    def _table(self, category: str) -> Mapping[str, Word]:
        """The words of the table of forms, read as this category."""
        if self.forms is None:
            return {}
        if category not in self._tables:
            concrete = self.grammar.concrete
            declared = next(one for one in concrete.categories if one.name == category)
            words = read_forms(concrete, declared, self.forms)
            self._tables[category] = {word.key: word for word in words}
        return self._tables[category]

    def _sayable(self, seed: Seed, word: Word, row: Judged) -> bool:
        """Whether the word has the forms that sentences of the seed ask for."""
        reader = Reader(self.grammar, row.slot.text)
        for reading in reader.readings(seed):
            if reader.say(reading, seed.words, word) is None:
                form = ".".join(sorted(reading.features))
                message = (
                    f"'{word.key}' cannot stand in '{row.slot.text}' of '{seed.name}' ({form})"
                )
                help_ = "see which forms the sentences ask for: blm check"
                self.problems.append(Diagnostic("missing-form", message, row.word.span, help_))
                return False
        return True
