"""Circles among things that refer to each other."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

_Thing = TypeVar("_Thing", bound=Hashable)


def find_circle(references: Mapping[_Thing, Iterable[_Thing]]) -> list[_Thing]:
    """The first circle of references, each thing once; empty if there is none."""
    done: set[_Thing] = set()
    for start in references:
        path = {start: iter(references[start])}
        while path and start not in done:
            current = next(reversed(path))
            following = next((t for t in path[current] if t not in done), None)
            if following is None:
                done.add(current)
                del path[current]
            elif following in path:
                things = list(path)
                return things[things.index(following) :]
            else:
                path[following] = iter(references.get(following, ()))
    return []
