"""Looks through the document of an experiment before anything is made of it: every mistake at once.

What a field may hold is read off the dataclasses of `blm.experiment.config`; the few ranges that
types do not tell stand here.
"""

from __future__ import annotations

import math
import os
import re
import reprlib
from collections.abc import Callable, Iterator, Mapping
from datetime import date, time
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from blm.answers import Answers
from blm.diagnostics import did_you_mean
from blm.experiment.places import Where
from blm.variation import LexicalType

Kinds = Mapping[str, type]
"""The dataclass of each table of the document: `data`, `encoders`, `encoders.train`, ..."""

_NAMES = ("encoders", "solvers")
"""Lists in which a name may stand for a table that says nothing else."""

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxlong = _SHORT.maxother = 100  # more than is shown

_TOO_LARGE = 2**63
"""TOML promises whole numbers below this one, and so does torch for seeds."""

_BRACKETS = "a list stands in brackets: [...]"

Test = Callable[[Any], bool]

_POSITIVE: tuple[Test, str] = (lambda n: n >= 1, "is at least 1")
_NOT_NEGATIVE: tuple[Test, str] = (lambda n: n >= 0, "is not negative")
_ABOVE_ZERO: tuple[Test, str] = (lambda n: n > 0, "is above 0")
_SHARE: tuple[Test, str] = (lambda n: 0 < n < 1, "is a share, above 0 and below 1")

_RANGES: Mapping[str, tuple[Test, str]] = {
    **dict.fromkeys(("sample", "threads", "test_limit", "limit", "hidden"), _POSITIVE),
    **dict.fromkeys(("epochs", "batch", "patience", "split"), _POSITIVE),
    **dict.fromkeys(("sizes", "seeds", "seed", "split_seed", "shots"), _NOT_NEGATIVE),
    **dict.fromkeys(("vocabulary", "layers", "heads", "longest", "steps"), _POSITIVE),
    **dict.fromkeys(("dev", "test", "masked", "held_out"), _SHARE),
    "rate": _ABOVE_ZERO,
    "type": (lambda word: word in set(LexicalType), f"is one of {', '.join(LexicalType)}"),
    "answers": (lambda word: word in set(Answers), f"is one of {', '.join(Answers)}"),
}
"""What the values of a field must be, beside their type; of a list, each."""

_GENERATED = ("type", "sample", "split", "split_by", "answers", "seed")
"""Fields of a data set that say how it is generated."""


class Mistake(Struct, frozen=True):
    """Something wrong with an experiment, and the value that it is about."""

    code: str
    where: Where
    message: str
    help: str = ""
    first: Where | None = None
    """Of what stands there twice: the first."""

    def __str__(self) -> str:
        return f"{self.message}; {self.help}" if self.help else self.message


def mistakes(
    document: Mapping[str, Any], whole: type, kinds: Kinds, base: Path
) -> Iterator[Mistake]:
    """What is wrong with a document; paths are from `base`."""
    own = {key: value for key, value in document.items() if key not in kinds}
    yield from _of_table(own, whole, (), {"": whole, **kinds})
    for key, value in document.items():
        if key in kinds:
            yield from _of_tables(key, value, {"": whole, **kinds}, base)
    dev, test = document.get("dev", 0.1), document.get("test", 0.1)
    if _is_share(dev) and _is_share(test) and dev + test >= 1:
        message = "dev and test leave nothing to train on: together they are below 1"
        yield Mistake("nothing-to-train", ("test" if "test" in document else "dev",), message)
    if document.get("seeds") == []:
        yield Mistake("no-seeds", ("seeds",), "seeds is empty: there would be no run")


def _of_tables(key: str, value: Any, kinds: Kinds, base: Path) -> Iterator[Mistake]:
    """What is wrong with the table of a key, or with those of its list."""
    if key == "train":
        yield from _of_entry(key, (key,), value, kinds, base)
    elif isinstance(value, list):
        for number, entry in enumerate(value):
            yield from _of_entry(key, (key, number), entry, kinds, base)
    else:
        help_ = f"write [[{key}]] above each" if isinstance(value, Mapping) else _BRACKETS
        yield Mistake("wrong-type", (key,), f"{key} is a list, not {_shown(value)}", help_)


def _of_entry(key: str, where: Where, entry: Any, kinds: Kinds, base: Path) -> Iterator[Mistake]:
    """What is wrong with one table, and with the one inside it."""
    if isinstance(entry, str) and key in _NAMES:
        return
    if not isinstance(entry, Mapping):
        yield Mistake("wrong-type", where, f"{_told_at(where)} is a table, not {_shown(entry)}")
        return
    look = _of_settings if key == "train" else _of_table
    yield from look(entry, kinds[key], where, kinds)
    inner = entry.get("train")
    if f"{key}.train" in kinds and isinstance(inner, Mapping):
        yield from _of_settings(inner, kinds[f"{key}.train"], (*where, "train"), kinds)
    if key == "data":
        yield from _of_source(entry, where, base)
    if key == "solvers" and "name" not in entry:
        message = f"{_told_at(where)} names no language model"
        yield Mistake("no-name", where, message, 'write name = "..."')


def _of_settings(
    table: Mapping[str, Any], kind: type, where: Where, kinds: Kinds
) -> Iterator[Mistake]:
    """As `_of_table`; the class itself says which of its values do not go together."""
    sound = True
    for mistake in _of_table(table, kind, where, kinds):
        sound = False
        yield mistake
    if not sound:
        return
    try:
        kind(**table)
    except ValueError as error:
        spoken_of = [word for word in re.findall(r"\w+", str(error)) if word in table]
        yield Mistake("wrong-value", (*where, *spoken_of[:1]), f"{_told_at(where)}: {error}")


def _of_table(
    table: Mapping[str, Any], kind: type, where: Where, kinds: Kinds
) -> Iterator[Mistake]:
    hints = _hints(kind)
    for key, value in table.items():
        if key in hints:
            yield from _of_value(value, hints[key], (*where, key))
            continue
        message = f"{_told_at(where) or 'the experiment'} has no field {_shown(key)}"
        help_ = _owner(key, kinds) or did_you_mean(key, hints)
        yield Mistake("unknown-field", (*where, key), message, help_)


def _owner(key: str, kinds: Kinds) -> str:
    """What to do with a field of another table: what stands below a header is of its table."""
    owner = next((name for name, kind in kinds.items() if key in _hints(kind)), None)
    if owner == "":
        return "it is a field of the experiment: write it above the first [table]"
    return f"it is a field of {owner}" if owner else ""


@cache
def _hints(kind: type) -> dict[str, Any]:
    """The fields of a dataclass, and what each may hold."""
    return get_type_hints(kind)


def _of_value(value: Any, hint: Any, where: Where) -> Iterator[Mistake]:
    """What is wrong with the value of a field; in a list, with the first entry that is wrong."""
    inside = _misfit(value, hint)
    if inside is not None:
        message = f"{_told_at(where)} is {_told(hint)}, not {_shown(value)}"
        bare = get_origin(hint) is tuple and not isinstance(value, list)
        yield Mistake("wrong-type", (*where, *inside), message, _BRACKETS if bare else "")
    elif where[-1] in _RANGES:
        test, told = _RANGES[str(where[-1])]
        if (inside := _first_not(test, value)) is not None:
            message = f"{_told_at(where)} {told}, not {_shown(value)}"
            yield Mistake("wrong-value", (*where, *inside), message)


def _of_source(entry: Mapping[str, Any], where: Where, base: Path) -> Iterator[Mistake]:
    for key in ("path", "grammar"):
        if isinstance(entry.get(key), str) and not os.path.exists(base / entry[key]):
            message = f"{_told_at(where)}.{key}: there is no {base / entry[key]}"
            help_ = "" if os.path.isabs(entry[key]) else "a path starts at the folder of this file"
            yield Mistake("missing-file", (*where, key), message, help_)
    idle = [key for key in entry if key in _GENERATED]
    if "path" in entry and "grammar" not in entry and idle:
        message = f"{_told_at(where)}: a data set with a path is as it is"
        yield Mistake("idle-field", (*where, idle[0]), message, f"leave out {', '.join(idle)}")


def _misfit(value: Any, hint: Any) -> Where | None:
    """The way from a field to what cannot be what its hint says; None if all can."""
    if get_origin(hint) is tuple and isinstance(value, list):
        return _first_not(lambda one: _fits(one, get_args(hint)[0]), value)
    return None if _fits(value, hint) else ()


def _first_not(test: Test, value: Any) -> Where | None:
    """The way from a field to the value, or the entry of its list, that fails a test."""
    if not isinstance(value, list):
        return None if test(value) else ()
    return next(((number,) for number, one in enumerate(value) if not test(one)), None)


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
        return _fits(value, int) or (isinstance(value, float) and math.isfinite(value))
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) < _TOO_LARGE
    return isinstance(value, str) if hint is Path else isinstance(value, hint)


def _is_share(value: Any) -> bool:
    return _fits(value, float) and _SHARE[0](value)


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


def _told_at(where: Where) -> str:
    """How messages call a value: `train.rate`, or `data[2].path`, counted from 1."""
    steps = (f"[{step + 1}]" if isinstance(step, int) else f".{step}" for step in where)
    return "".join(steps).removeprefix(".")


def _shown(value: Any) -> str:
    """A value in a message, as TOML writes it or, if that is long, its beginning."""
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, date | time):
        return str(value)
    try:
        text = _SHORT.repr(value)
    except ValueError:  # Python writes no number of more than 4300 digits
        return "a number of so many digits"
    return text if len(text) <= 40 else f"{text[:39]}…"
