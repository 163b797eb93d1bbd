"""Problems a second, written to Parquet with all their labels, against a loop that joins strings.

The loop is what one writes first: phrases in a table, a product of seeds, sentences joined with
spaces, nothing labelled, checked or written.  Both make as many problems of French agreement,
type III, with as many sentences.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice, permutations
from pathlib import Path

from common import FRENCH, Line, Settings, clocked, interleaved

from blm.dataset.folder import read_manifest
from blm.dataset.plan import Options
from blm.dataset.write import write_dataset
from blm.grammar import Grammar, load
from blm.layout import Item
from blm.variation import LexicalType

Key = tuple[str, str]
"""A phrase and how it is said."""

_CLAUSE = "main"
_LEAST = 1.0
"""Times the rate of the loop, in sentences."""


def lines(settings: Settings) -> Iterator[Line]:
    number = settings.size(100_000)
    grammar = load(FRENCH)
    grammar.solver, grammar.space  # noqa: B018  (loading is not measured)
    matrices, tables = patterns(grammar), phrase_tables(grammar)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "set"
        sentences = _sentences(_written(grammar, number, folder))
        said = list(plain(matrices, tables, number))
        mean = sum(len(c) + len(a) for c, a in said) / number
        del said
        times = interleaved(
            {
                "blm": lambda: clocked(lambda: _written(grammar, number, folder)),
                "loop": lambda: clocked(lambda: _exhausted(matrices, tables, number)),
            },
            settings,
        )
    ours, theirs = times.median("blm"), times.median("loop")
    ratio = times.ratio("blm", "loop") * sentences / number / mean
    shared = {"against": "a loop that joins strings", "rounds": times.number}
    yield Line(
        "problems",
        f"{number:,} problems, Parquet",
        number / ours,
        "a second",
        cpu=number / times.cpu("blm"),
        other=number / theirs,
        ratio=times.ratio("blm", "loop"),
        cpu_ratio=times.cpu_ratio("blm", "loop"),
        **shared,
    )
    yield Line(
        "problems",
        f"their sentences, {sentences / number:.1f} a problem",
        sentences / ours,
        "a second",
        cpu=sentences / times.cpu("blm"),
        other=number * mean / theirs,
        ratio=ratio,
        cpu_ratio=times.cpu_ratio("blm", "loop") * sentences / number / mean,
        target=f">= {_LEAST:g} times",
        met=ratio >= _LEAST,
        note=f"the loop has {mean:.1f} a problem",
        **shared,
    )


def _written(grammar: Grammar, number: int, folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    options = Options(type=LexicalType.III, formats=("parquet",), limit=number)
    write_dataset(grammar, options, folder)
    return folder


def _sentences(folder: Path) -> int:
    """How many sentences a data set has."""
    counts = read_manifest(folder)["splits"]["problems"]["counts"]
    answers = sum(int(size) * times for size, times in counts["answers"].items())
    return answers + 7 * sum(counts["clauses"].values())


# --- the loop ----------------------------------------------------------

Pattern = tuple[Sequence[Sequence[Key]], Sequence[Sequence[Key]]]
"""The sentences of a context and of its answers, as keys of phrases."""


def patterns(grammar: Grammar) -> list[Pattern]:
    """The matrices, each with one candidate for each of its labels."""
    found = []
    for matrix in grammar.matrices():
        named = {c.label: c.item for c in grammar.distractors(matrix) if c.labels or c.correct}
        answers = dict.fromkeys([keys(matrix.solution), *map(keys, named.values())])
        found.append((list(map(keys, matrix.context)), list(answers)))
    return found


def keys(item: Item) -> tuple[Key, ...]:
    """The phrases of an item, and how each is said."""
    told: dict[str, list[str]] = {}
    for cell, value in item.items():
        told.setdefault(cell.object, []).append(str(value))
    return tuple((name, " ".join(values)) for name, values in told.items())


def phrase_tables(grammar: Grammar) -> list[dict[Key, str]]:
    """What each seed says for each phrase; nothing for one that is absent."""
    items = dict.fromkeys(
        tuple(item.items())
        for matrix in grammar.matrices()
        for item in (*matrix.items, *(c.item for c in grammar.distractors(matrix)))
    )
    tables = []
    for seed in grammar.lexicon.seeds:
        table: dict[Key, str] = {}
        for cells in items:
            item = dict(cells)
            sentence = grammar.speaker.say(_CLAUSE, item, seed.words)
            for key in keys(item):
                start, end = sentence.span(key[0]) or (0, 0)
                table[key] = sentence.text[start:end]
        tables.append(table)
    return tables


def plain(
    matrices: Sequence[Pattern], tables: Sequence[Mapping[Key, str]], number: int
) -> Iterator[tuple[list[str], list[str]]]:
    """The contexts and answers of so many problems: matrices times choices of seeds."""
    choices = permutations(tables, len(matrices[0][0]) + 1)
    return islice(chain.from_iterable(_of_choice(matrices, c) for c in choices), number)


def _of_choice(
    matrices: Sequence[Pattern], chosen: Sequence[Mapping[Key, str]]
) -> Iterator[tuple[list[str], list[str]]]:
    own = chosen[-1]
    for context, answers in matrices:
        yield (
            [
                " ".join([table[k] for k in item])
                for table, item in zip(chosen, context, strict=False)
            ],
            [" ".join([own[k] for k in item]) for item in answers],
        )


def _exhausted(
    matrices: Sequence[Pattern], tables: Sequence[Mapping[Key, str]], number: int
) -> None:
    for _problem in plain(matrices, tables, number):
        pass
