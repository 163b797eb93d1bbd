"""Looks through the document of an experiment before anything is made of it: every mistake at once.

What a field may hold is read off the dataclasses of `blm.experiment.config`; the few ranges that
types do not tell stand here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from blm.answers import Answers
from blm.variation import LexicalType

Kinds = Mapping[str, type]
"""The dataclass of each table of the document: `data`, `encoders`, `encoders.train`, ..."""

_NAMES = ("encoders", "solvers")
"""Lists in which a name may stand for a table that says nothing else."""

Test = Callable[[Any], bool]

_POSITIVE: tuple[Test, str] = (lambda n: n >= 1, "is at least 1")
_NOT_NEGATIVE: tuple[Test, str] = (lambda n: n >= 0, "is not negative")
_SHARE: tuple[Test, str] = (lambda n: 0 < n < 1, "is a share, above 0 and below 1")

_RANGES: Mapping[str, tuple[Test, str]] = {
    **dict.fromkeys(("sample", "threads", "test_limit", "limit", "hidden"), _POSITIVE),
    **dict.fromkeys(("epochs", "batch", "patience", "split"), _POSITIVE),
    **dict.fromkeys(("sizes", "seeds", "seed", "split_seed", "shots"), _NOT_NEGATIVE),
    **dict.fromkeys(("dev", "test"), _SHARE),
    "type": (lambda word: word in set(LexicalType), f"is one of {', '.join(LexicalType)}"),
    "answers": (lambda word: word in set(Answers), f"is one of {', '.join(Answers)}"),
}
"""What the values of a field must be, beside their type; of a list, each."""

_GENERATED = ("type", "sample", "split", "split_by", "answers", "seed")
"""Fields of a data set that say how it is generated."""


def mistakes(document: Mapping[str, Any], whole: type, kinds: Kinds, base: Path) -> list[str]:
    """What is wrong with a document, each with the name of its field; paths are from `base`."""
    found: list[str] = []
    own = {key: value for key, value in document.items() if key not in kinds}
    found += _of_table(own, whole, "", skip=tuple(kinds))
    for key, value in document.items():
        if key in kinds and key != "train" and not isinstance(value, list):
            found.append(f"{key} is a list, not {_shown(value)}")
        elif key in kinds:
            for where, entry in _entries(key, value):
                found += _of_entry(key, where, entry, kinds, base)
    dev, test = document.get("dev", 0.1), document.get("test", 0.1)
    if _fits(dev, float) and _fits(test, float) and dev + test >= 1:
        found.append("dev and test leave nothing to train on: together they are below 1")
    if document.get("seeds") == []:
        found.append("seeds is empty: there would be no run")
    return found


def _entries(key: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The tables below a key, each with its name: `train`, or `data[2]`, counted from 1."""
    if not isinstance(value, list):
        yield key, value
        return
    for number, entry in enumerate(value, 1):
        yield f"{key}[{number}]", entry


def _of_entry(key: str, where: str, entry: Any, kinds: Kinds, base: Path) -> Iterator[str]:
    """What is wrong with one table, and with the one inside it."""
    if isinstance(entry, str) and key in _NAMES:
        return
    if not isinstance(entry, Mapping):
        yield f"{where} is a table, not {_shown(entry)}"
        return
    yield from _of_table(entry, kinds[key], f"{where}.")
    inner = entry.get("train")
    if f"{key}.train" in kinds and isinstance(inner, Mapping):
        yield from _of_table(inner, kinds[f"{key}.train"], f"{where}.train.")
    if key == "data":
        yield from _of_source(entry, where, base)


def _of_table(
    table: Mapping[str, Any], kind: type, where: str, skip: tuple[str, ...] = ()
) -> Iterator[str]:
    hints = get_type_hints(kind)
    known = [f.name for f in fields(cast(Any, kind)) if f.name not in skip]
    for key, value in table.items():
        if key not in known:
            named = where.rstrip(".") or "the experiment"
            yield f"{named} has no field {key!r}; it has: {', '.join(known)}"
        elif not _fits(value, hints[key]):
            yield f"{where}{key} is {_told(hints[key])}, not {_shown(value)}"
        elif key in _RANGES:
            test, told = _RANGES[key]
            if not all(map(test, value if isinstance(value, list) else [value])):
                yield f"{where}{key} {told}, not {_shown(value)}"


def _of_source(entry: Mapping[str, Any], where: str, base: Path) -> Iterator[str]:
    for key in ("path", "grammar"):
        if isinstance(entry.get(key), str) and not (base / entry[key]).exists():
            yield f"{where}.{key}: there is no {base / entry[key]}"
    idle = [key for key in _GENERATED if key in entry]
    if "path" in entry and "grammar" not in entry and idle:
        yield f"{where}: a data set with a path is as it is; leave out {', '.join(idle)}"


def _fits(value: Any, hint: Any) -> bool:
    """Whether a value of TOML can be what a hint of a type says."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return any(_fits(value, one) for one in get_args(hint) if one is not NoneType)
    if origin is Literal:
        return value in get_args(hint)
    if origin is tuple:
        return isinstance(value, list) and all(_fits(v, get_args(hint)[0]) for v in value)
    if origin is not None:
        return isinstance(value, Mapping)
    if hint is float:
        return isinstance(value, int | float) and _is_number(value)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, str) if hint is Path else isinstance(value, hint)


def _is_number(value: float) -> bool:
    return not isinstance(value, bool) and math.isfinite(value)


def _told(hint: Any) -> str:
    """What a hint asks for, in words."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return _told(next(one for one in get_args(hint) if one is not NoneType))
    if origin is Literal:
        return f"one of {', '.join(map(str, get_args(hint)))}"
    if origin is tuple:
        return f"a list, each {_told(get_args(hint)[0])}"
    words = {int: "a whole number", float: "a number", bool: "true or false"}
    return "a table" if origin is not None else words.get(hint, "a text in quotes")


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
