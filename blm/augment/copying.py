"""A copy of a grammar, with more seeds and words."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from blm.augment.options import AugmentError
from blm.augment.table import append_rows, table_bytes
from blm.concrete import Category, Concrete
from blm.diagnostics import Diagnostic, GrammarError
from blm.grammar import Grammar
from blm.phenomenon import Value
from blm.whole import OccupiedError, publish
from blm.words import Seed, Word, key_of

Requirements = tuple[tuple[str, Value], ...]


@dataclass(frozen=True)
class Copy:
    """The files of a grammar by their paths from the folder that holds them all.

    `main` is the file of the language.
    """

    concrete: Concrete
    base: Path
    main: str
    files: dict[str, bytes]

    @classmethod
    def of(cls, grammar: Grammar) -> Copy:
        """The files as they are."""
        concrete, base, files = grammar.concrete, grammar.folder(), grammar.sources()
        return cls(concrete, base, _from(base, concrete.span.source.path), files)

    def add_seeds(self, seeds: Iterable[Seed]) -> None:
        """Put seeds into tables of their own, one for each `where`, and name these."""
        slots = [slot.name for slot in self.concrete.slots]
        groups: dict[Requirements, list[Seed]] = {}
        for seed in seeds:
            groups.setdefault(seed.requires, []).append(seed)
        lines = []
        for requires, group in groups.items():
            name = self._free_name()
            self.files[name] = table_bytes(["seed", *slots], map(_seed_row, group))
            lines.append(f'table "{Path(name).name}"{_where(requires)}')
        self.files[self.main] = _with_entries(self.files[self.main], self.concrete, lines)

    def _free_name(self) -> str:
        """`fr.accepted.csv`, or with a number, beside the grammar."""
        number, stem = 1, self.main.removesuffix(".blm")
        name = f"{stem}.accepted.csv"
        while name in self.files:
            number += 1
            name = f"{stem}.accepted-{number}.csv"
        return name

    def add_words(self, words: Sequence[Word]) -> None:
        """Put words behind those of the tables of their categories."""
        for category in self.concrete.categories:
            own = [word for word in words if word.category == category.name]
            if own and category.path is None:
                message = f"the words of '{category.name}' stand in the grammar, not in a table"
                help_ = f'name a table for them: {category.name} "words.csv" : ...'
                raise GrammarError([Diagnostic("no-table", message, category.span, help_)])
            if own and category.path is not None:
                name = _from(self.base, category.path)
                rows = [_word_row(category, word) for word in own]
                self.files[name] = append_rows(self.files[name], rows)

    def publish(
        self, target: Path, *, force: bool, check: Callable[[Path], None]
    ) -> tuple[Path, ...]:
        """Write the files into a folder, whole or not at all; the grammar is written last.

        They are written beside it first, and moved when `check` of the grammar there raises
        nothing. AugmentError where other files are there and `force` is not given.
        """
        rest = {name: data for name, data in self.files.items() if name != self.main}
        try:
            return publish(
                rest | {self.main: self.files[self.main]},
                target,
                force=force,
                check=lambda folder: check(folder / self.main),
            )
        except OccupiedError as error:
            raise AugmentError(str(error)) from None


def _from(base: Path, path: str) -> str:
    return Path(os.path.relpath(path, base)).as_posix()


def _seed_row(seed: Seed) -> dict[str, str]:
    return {"seed": seed.name, **{slot: key_of(word) for slot, word in seed.words.items()}}


def _where(requires: Requirements) -> str:
    told = " and ".join(f"{name} is {value}" for name, value in requires)
    return f" where {told}" if told else ""


def _word_row(category: Category, word: Word) -> Mapping[str, str]:
    forms = {".".join(sorted(features)): form for features, form in word.forms}
    features = {column.name: word.features.get(column.name, "") for column in category.features}
    return {**forms, **features, "word": word.key}


def _with_entries(data: bytes, concrete: Concrete, lines: Sequence[str]) -> bytes:
    """The text of a grammar with more entries behind the last table or seed of its `seeds`."""
    spans = [table.span for table in concrete.seed_tables]
    spans += [seed.span for seed in concrete.seeds]
    last = max(spans, key=lambda span: span.end)
    text = last.source.text
    start = text.rfind("\n", 0, last.start) + 1
    indent = text[start : last.start]
    if indent.strip():
        message = "there is no room for more seeds: give this entry a line of its own"
        raise GrammarError([Diagnostic("no-room", message, last)])
    end = text.find("\n", last.end)
    end = len(text) if end < 0 else end
    new = text[:end] + "".join(f"\n{indent}{line}" for line in lines) + text[end:]
    return new.replace("\n", "\r\n" if b"\r\n" in data else "\n").encode()
