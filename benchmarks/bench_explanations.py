"""How long an explanation takes once the grammar is loaded: every distractor of every matrix."""

from __future__ import annotations

from collections.abc import Iterator

from common import FRENCH, Line, Settings, clocked, interleaved

from blm.grammar import Grammar, load
from blm.layout import Item
from blm.problem import Matrix

_MOST = 1.0
"""Milliseconds a candidate."""


def lines(settings: Settings) -> Iterator[Line]:
    grammar = load(FRENCH)
    asked = [
        (matrix, candidate.item)
        for matrix in grammar.matrices()
        for candidate in grammar.distractors(matrix)
    ]
    said = [(matrix, grammar.say(item)) for matrix, item in asked]
    grammar.explain(said[0][1], matrix=said[0][0])  # what is made once
    times = interleaved(
        {
            "items": lambda: clocked(lambda: _items(grammar, asked)),
            "sentences": lambda: clocked(lambda: _sentences(grammar, said)),
        },
        settings,
    )
    for name, what in (("items", "an item"), ("sentences", "a sentence, read and explained")):
        each = times.median(name) / len(asked) * 1000
        yield Line(
            "explanations",
            f"{what} ({len(asked)} of agreement)",
            each,
            "ms",
            cpu=times.cpu(name) / len(asked) * 1000,
            target=f"< {_MOST:g} ms" if name == "items" else "",
            met=each < _MOST if name == "items" else None,
            rounds=times.number,
        )


def _items(grammar: Grammar, asked: list[tuple[Matrix, Item]]) -> None:
    for matrix, item in asked:
        grammar.explain(item=item, matrix=matrix)


def _sentences(grammar: Grammar, said: list[tuple[Matrix, str]]) -> None:
    for matrix, sentence in said:
        grammar.explain(sentence, matrix=matrix)
