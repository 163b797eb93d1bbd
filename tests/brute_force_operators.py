"""Operators, for the brute force: can some choice of the free parameters explain a sequence?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from typing import Any

from msgspec.structs import asdict

from blm import phenomenon as p
from blm.phenomenon import ABSENT, Value


@cache
def fits(operator: p.Operator, values: tuple[Value, ...], domain: tuple[Value, ...]) -> bool:
    """Whether values follow an operator, all of whose terms are values by now.

    A sequence that is too short for a whole group or period fits where it could be continued;
    one without items breaks nothing.
    """
    if not values:
        return True
    match operator:
        case p.Varies():
            return all(values[k] != values[k + 1] for k in range(len(values) - 1))
        case p.Distributes(each):
            groups = [values[k : k + len(each)] for k in range(0, len(values), len(each))]
            whole = len(set(each)) == len(each)
            return all(set(g) <= set(each) and len(set(g)) == len(g) for g in groups) and whole
        case p.Follows(schedule):
            return all(w in (None, v) for w, v in zip(schedule, values, strict=False))
        case _:
            return values in _patterns(operator, len(values), domain)


@cache
def _patterns(
    operator: p.Operator, length: int, domain: tuple[Value, ...]
) -> frozenset[tuple[Value, ...]]:
    """The sequences that an operator makes, one for each choice of its parameters."""
    return frozenset(tuple(s) for s in _each_pattern(operator, length, domain))


def _each_pattern(
    operator: p.Operator, length: int, domain: tuple[Value, ...]
) -> Iterator[list[Value]]:
    anything = (*domain, ABSENT)  # a sequence sees `absent` as one more value
    match operator:
        case p.Alternates(every, start):
            for a, b in product(anything, anything):
                if a != b and start in (None, a):
                    yield [b if (k // every) % 2 else a for k in range(length)]
        case p.Switches(at, before, after):
            for a, b in product(anything, anything):
                if a != b and before in (None, a) and after in (None, b):
                    yield [a if k < at - 1 else b for k in range(length)]
        case p.Progresses(step, every, start):
            for a in anything:
                grown = [_grown(a, step * (k // every), domain) for k in range(length)]
                if start in (None, a) and None not in grown:
                    yield [value for value in grown if value is not None]
        case p.Constant():
            for a in anything:
                yield [a] * length
        case p.Cycles(values, start):
            for phase, first in enumerate(values):
                if start in (None, first):
                    yield [values[(phase + k) % len(values)] for k in range(length)]
        case _:
            raise AssertionError(operator)


def _grown(value: Value, by: int, domain: tuple[Value, ...]) -> Value | None:
    """The value that is greater by a number, or by so many places of the domain."""
    if by == 0:
        return value
    if value not in domain:
        return None
    if all(isinstance(v, int) for v in domain):
        return value + by if value + by in domain else None
    rest = domain[domain.index(value) + by :]
    return rest[0] if rest else None


def value_of(term: p.Term, chosen: Mapping[str, Value]) -> Value:
    """What a term stands for, given the values of the variables."""
    return chosen[term.name] if isinstance(term, p.Variable) else term


@cache
def stated(operator: p.Operator, chosen: tuple[tuple[str, Value], ...]) -> p.Operator:
    """An operator with a value for each variable."""

    def state(part: Any) -> Any:
        if isinstance(part, tuple):
            return tuple(map(state, part))
        return value_of(part, dict(chosen))

    return type(operator)(**{f: state(v) for f, v in asdict(operator).items()})
