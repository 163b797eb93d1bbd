"""Spaces too large to list, once a grammar is loaded: counted, one problem made, many drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from common import FRENCH, Clock, Line, Settings, clocked, interleaved

from blm.dataset.plan import WHOLE, Options, make_plan
from blm.pipeline import Grammar, load
from blm.variation import LexicalType

_MOST = 1.0
"""Seconds."""

_FAR = 10**12 - 1


def lines(settings: Settings) -> Iterator[Line]:
    drawn = settings.size(10_000)
    times = interleaved(
        {
            "counted": lambda: _fresh(_count),
            "addressed": lambda: _fresh(_address),
            "drawn": lambda: _fresh(lambda grammar: _draw(grammar, drawn)),
        },
        settings,
    )
    count = _count(load(FRENCH))
    for name, what in (
        ("counted", f"{count:,} problems counted"),
        ("addressed", f"problem {_FAR:,} of them made, the rest not"),
        ("drawn", f"{drawn:,} of them drawn, none twice, by their numbers"),
    ):
        seconds = times.median(name)
        target = name == "counted"
        yield Line(
            "space",
            what,
            seconds,
            "s",
            cpu=times.cpu(name),
            target=f"< {_MOST:g} s" if target else "",
            met=seconds < _MOST if target else None,
            rounds=times.number,
        )


def _fresh(use: Callable[[Grammar], object]) -> Clock:
    """The time of a use of a grammar that was loaded and never used."""
    grammar = load(FRENCH)
    return clocked(lambda: use(grammar))


def _count(grammar: Grammar) -> int:
    return make_plan(grammar, Options(type=LexicalType.III)).spaces[WHOLE].count


def _address(grammar: Grammar) -> None:
    assert grammar.problem(f"fr-III-{_FAR}")["answer"] >= 0


def _draw(grammar: Grammar, number: int) -> None:
    plan = make_plan(grammar, Options(type=LexicalType.III, sample=number))
    assert len(set(plan.numbers(WHOLE, 0, number))) == number
