"""Operators in the words of the language, for people."""

from __future__ import annotations

from typing import assert_never

from blm.phenomenon import (
    Alternates,
    Constant,
    Cycles,
    Distributes,
    Follows,
    Operator,
    Progresses,
    Switches,
    Term,
    Variable,
    Varies,
)


def operator_text(operator: Operator) -> str:
    """An operator as an author writes it.

    >>> operator_text(Alternates(2, "sg"))
    'alternates every 2 from sg'
    """
    match operator:
        case Alternates(every, start):
            return f"alternates every {every}{_option('from', start)}"
        case Switches(at, before, after):
            return f"switches at {at}{_option('from', before)}{_option('to', after)}"
        case Progresses(step, every, start):
            return f"progresses step {step} every {every}{_option('from', start)}"
        case Constant():
            return "constant"
        case Varies():
            return "varies"
        case Distributes(values):
            return f"distributes {{{', '.join(map(_term, values))}}}"
        case Cycles(values, start):
            return f"cycles [{', '.join(map(_term, values))}]{_option('from', start)}"
        case Follows(schedule):
            return f"follows [{', '.join(map(_term, schedule))}]"
        case _:
            assert_never(operator)


def _option(word: str, term: Term | None) -> str:
    return "" if term is None else f" {word} {_term(term)}"


def _term(term: Term | None) -> str:
    match term:
        case None:
            return "_"
        case Variable(name):
            return name
        case _:
            return str(term)
