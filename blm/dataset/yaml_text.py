"""Plain data as YAML: mappings, lists, texts, numbers; what a data card or a task needs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

_BARE = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*(/[A-Za-z0-9_.-]+)*")
_WORDS = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}


class Tagged(str):
    """A text that is written as it stands: `!function utils.load`."""

    __slots__ = ()


def to_yaml(value: object) -> str:
    """A document, block style; every text is read back as it was.

    >>> print(to_yaml({"language": ["no"], "license": "cc-by-4.0"}), end="")
    language:
      - "no"
    license: cc-by-4.0
    """
    return "".join(f"{line}\n" for line in _lines(value))


def _lines(value: object) -> list[str]:
    match value:
        case Mapping() if value:
            return [line for key, inner in value.items() for line in _entry(str(key), inner)]
        case list() if value:
            return [line for inner in value for line in _item(_lines(inner))]
        case str():
            return [_text(value)]
        case _:
            return [json.dumps(value)]


def _entry(key: str, value: object) -> list[str]:
    if isinstance(value, str) and _is_block(value):
        return [f"{_text(key)}: |-", *(f"  {line}" if line else "" for line in value.split("\n"))]
    lines = _lines(value)
    if value and isinstance(value, (Mapping, list)):
        return [f"{_text(key)}:", *(f"  {line}" for line in lines)]
    return [f"{_text(key)}: {lines[0]}"]


def _item(lines: list[str]) -> list[str]:
    return [f"- {lines[0]}", *(f"  {line}" for line in lines[1:])]


def _is_block(text: str) -> bool:
    """Whether a text can be a literal block: several printable lines, none of which is odd."""
    lines = text.split("\n")
    whole = bool(lines[0]) and not lines[0].startswith(" ") and bool(lines[-1])
    return len(lines) > 1 and whole and all(line.isprintable() for line in lines)


def _text(text: str) -> str:
    """A text on one line, quoted where it could be read as something else."""
    if isinstance(text, Tagged) or (_BARE.fullmatch(text) and text.lower() not in _WORDS):
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(c if c.isprintable() else _escape(ord(c)) for c in quoted)


def _escape(code: int) -> str:
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
