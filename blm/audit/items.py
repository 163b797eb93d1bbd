"""Items as data sets write them: `subj.number=pl pp3=absent`, or the tokens of a template.

How the tokens of a layout stand for cells is a table, `schemes/*.json`:

    {"name": ..., "phenomenon": "agreement",
     "tokens": {"Subj_sg": "subj.number=sg", "ROC_*": ""},     one token, its cells
     "templates": {"subj verb NounB PNounA": "subj.role=agent ..."},  or a whole template
     "defaults": "pp2=absent pp3=absent",                      where no token says otherwise
     "labels": {"N1_alter": [["first"]]}}                      the rules that a label names
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from blm.audit.errors import AuditError

_DIGITS = re.compile(r"\d+\b")


@dataclass(frozen=True)
class Scheme:
    """How one layout writes items and labels. `labels` lists the sets of rules a label names."""

    name: str
    phenomenon: str
    tokens: Mapping[str, str]
    templates: Mapping[str, str]
    defaults: str
    labels: Mapping[str, tuple[frozenset[str], ...]]

    def item(self, template: str) -> str | None:
        """The item of a template; None where it has a token that the scheme does not know."""
        whole = self.templates.get(_DIGITS.sub("", template)) or self.templates.get(template)
        if whole is not None:
            return whole
        if not self.tokens:
            return None
        cells = parse_cells(self.defaults)
        for token in template.split():
            said = self._token(token)
            if said is None:
                return None
            _add(cells, parse_cells(said))
        return " ".join(f"{name}={value}" for name, value in cells.items())

    def _token(self, token: str) -> str | None:
        if token in self.tokens:
            return self.tokens[token]
        starred = (t for t in self.tokens if t.endswith("*") and token.startswith(t[:-1]))
        best = max(starred, key=len, default=None)
        return None if best is None else self.tokens[best]


def parse_cells(text: str) -> dict[str, str]:
    """The cells of an item's text; words without `=` stand for themselves."""
    return {name: value for name, _, value in (part.partition("=") for part in text.split())}


def _add(cells: dict[str, str], more: Mapping[str, str]) -> None:
    """Add cells; an object that gets a cell is absent no more."""
    for name, value in more.items():
        thing = name.partition(".")[0]
        if thing != name and cells.get(thing) == "absent":
            del cells[thing]
        cells[name] = value


@cache
def cells_of(text: str) -> frozenset[str]:
    """The cells of an item, or the tokens of a template."""
    return frozenset(text.split())


def differing(first: str, second: str) -> list[str]:
    """What differs between two items: cells, or objects that appear or disappear.

    A cell that only one of them has, as the preposition of what is no prepositional phrase,
    follows from another and is not counted.

    >>> differing("a.n=sg b=absent", "a.n=pl b.n=sg b.m=x")
    ['a.n', 'b']
    """
    one, other = parse_cells(first), parse_cells(second)
    names = dict.fromkeys((*one, *other))
    things: dict[str, None] = {}
    for name in names:
        thing = name.partition(".")[0]
        if _there(one, thing) != _there(other, thing):
            things[thing] = None
        elif name in one and name in other and one[name] != other[name]:
            things[name] = None
    return list(things)


def _there(cells: Mapping[str, str], thing: str) -> bool:
    if cells.get(thing) == "absent":
        return False
    return thing in cells or any(name.startswith(f"{thing}.") for name in cells)


def is_item(text: str) -> bool:
    """Whether a text is an item, `cell=value ...`, and no template of tokens."""
    parts = text.split()
    return bool(parts) and all("=" in part for part in parts)


# --- the schemes that are known -----------------------------------------------------------------


@cache
def shipped_schemes() -> tuple[Scheme, ...]:
    """The schemes in `schemes/`, in order of their names."""
    folder = files("blm.audit") / "schemes"
    entries = sorted(
        (e for e in folder.iterdir() if e.name.endswith(".json")), key=lambda e: e.name
    )
    return tuple(_scheme(json.loads(e.read_text(encoding="utf-8")), e.name) for e in entries)


def read_scheme(path: Path) -> Scheme:
    """A scheme of one's own. AuditError where it is none."""
    from blm.audit.readers.source import parse_json, read_text

    return _scheme(parse_json(read_text(path), str(path)), str(path))


def _scheme(document: Any, place: str) -> Scheme:
    try:
        return Scheme(
            name=str(document["name"]),
            phenomenon=str(document["phenomenon"]),
            tokens={str(k): str(v) for k, v in document.get("tokens", {}).items()},
            templates={str(k): str(v) for k, v in document.get("templates", {}).items()},
            defaults=str(document.get("defaults", "")),
            labels={
                str(label).lower(): tuple(frozenset(map(str, names)) for names in sets)
                for label, sets in document.get("labels", {}).items()
            },
        )
    except (AttributeError, KeyError, TypeError) as error:
        raise AuditError(f"{place}: this is no scheme of templates: {error}") from None


def fitting(templates: Iterable[str], schemes: Iterable[Scheme]) -> Scheme | None:
    """The first scheme that reads all templates; None if none does."""
    listed = list(templates)
    for scheme in schemes:
        if all(scheme.item(template) is not None for template in listed):
            return scheme
    return None
