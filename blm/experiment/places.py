"""Where the keys of a TOML document stand in its text; `tomllib` reads it, but tells no places.

`read_toml` gives the document, or says where the text is no TOML. `Places` knows no more of TOML
than where keys, tables and entries of lists begin and end, and never fails: of a text that is no
TOML it has what stands before the place that it cannot read.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from typing import Any

from blm.diagnostics import Diagnostic, Source, Span

Where = tuple[str | int, ...]
"""The way to a value of a document: keys, and numbers of entries from 0. () is the whole."""

_Key = tuple[str, int, int]
"""A key, and where it begins and ends."""

_BLANK = re.compile(r"[ \t]*+")
_SPACE = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+")
_BETWEEN = re.compile(r"(?:[ \t\r\n,]++|#[^\n]*+)*+")
_OPENING = re.compile(r"\[\[?")
_EQUALS = re.compile(r"=[ \t]*+")
_KEY = re.compile(r"""[A-Za-z0-9_-]++|"(?:[^"\\\n]|\\[^\n])*+"|'[^'\n]*+'""")
_SCALAR = re.compile(
    r'''"""(?:[^"\\]|\\.|"(?!""))*+"{3,5}|\'\'\'(?:[^']|'(?!\'\'))*+'{3,5}'''
    r"""|"(?:[^"\\\n]|\\[^\n])*+"|'[^'\n]*+'|[^\s"',#\[\]{}](?:[^\n"',#\[\]{}]*[^\s"',#\[\]{}])?""",
    re.DOTALL,
)
_CLOSING = {"[": "]", "{": "}"}
_COORDINATES = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_CLOSE = "a text ends on the line where it begins: close its quotes"
_HELPS = {
    "Invalid value": 'a text stands in quotes, as in name = "agreement"',
    "Illegal character '\\n'": _CLOSE,
    "Found invalid character '\\n'": _CLOSE,
}


@dataclass(slots=True)
class _Place:
    """Where something stands, and what stands in it."""

    start: int
    end: int
    below: dict[str | int, _Place] = field(default_factory=dict)
    header: str = ""
    """How its header opens. `[[` is for an array of tables: another header means the last one."""


class Places:
    """The places of the keys, tables and entries of a text in TOML."""

    def __init__(self, source: Source) -> None:
        self._source = source
        scan = _Scan(source.text)
        scan.run()
        self._root = scan.root
        self.repeated = tuple(Span(source, place.start, place.end) for place in scan.repeated)
        """The first key or table that stands there twice: its first place, and the second."""

    def span(self, where: Where) -> Span:
        """The place of a value: its key, its header, or itself, if it is an entry of a list.

        Where there is no such thing, the place of the nearest that it would stand in.
        """
        place = self._root
        for step in where:
            if step not in place.below:
                break
            place = place.below[step]
        return Span(self._source, place.start, place.end)


def read_toml(source: Source) -> tuple[dict[str, Any], Diagnostic | None]:
    """The document of a text, or why it is none."""
    try:
        return tomllib.loads(source.text), None
    except RecursionError:
        message = "lists and tables are nested too deeply to be read"
        return {}, Diagnostic("too-deep", message, Span(source, 0, 0))
    except tomllib.TOMLDecodeError as error:
        return {}, _no_toml(source, str(error))
    except ValueError:  # Python reads no number of more than 4300 digits
        message = "a number has too many digits to be read"
        return {}, Diagnostic("number-too-large", message, Span(source, 0, 0))


def _no_toml(source: Source, told: str) -> Diagnostic:
    """What tomllib says of a text, at the place that it names at the end of its message."""
    found = _COORDINATES.search(told)
    what = told[: found.start()] if found else told
    span = _span_of(source, found)
    repeated = Places(source).repeated
    if repeated and repeated[1].start <= span.start:  # nothing else is wrong before that place
        first, again = repeated
        message = f"{again.text} stands here for the second time"
        return Diagnostic("duplicate-key", message, again, f"the first one is on line {first.line}")
    if what == "Invalid value" and not span.text.strip("\n#"):
        what = "a value is missing"
    message = f"this is not TOML: {what[:1].lower()}{what[1:]}"
    return Diagnostic("not-toml", message, span, _HELPS.get(what, ""))


def _span_of(source: Source, found: re.Match[str] | None) -> Span:
    if found is None:
        return Span(source, 0, 0)
    if found[1] is None:  # the end: behind the last thing that stands there
        end = len(source.text.rstrip())
        return Span(source, end, end)
    start = source.starts[int(found[1]) - 1] + int(found[2]) - 1
    return Span(source, start, start + 1)


class _Lost(Exception):
    """The text goes on with something that is no TOML."""


class _Scan:
    """Walks through a text once, without recursion, and plants what it meets below `root`."""

    def __init__(self, text: str) -> None:
        self.root = _Place(0, 0)
        self.repeated: tuple[_Place, ...] = ()
        self._text = text
        self._at = 0

    def run(self) -> None:
        """Walk to the end, or to what is no TOML."""
        table = self.root
        try:
            while self._take(_SPACE) and self._at < len(self._text):
                if self._text.startswith("[", self._at):
                    table = self._header()
                else:
                    self._value(self._key(table))
        except _Lost:
            return

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str]:
        found = pattern.match(self._text, self._at)
        if found is None:
            raise _Lost
        self._at = found.end()
        return found

    def _pass(self, text: str) -> bool:
        """Go on behind a text if it comes next."""
        if not self._text.startswith(text, self._at):
            return False
        self._at += len(text)
        return True

    def _header(self) -> _Place:
        """`[a.b]` or `[[a.b]]`: the table of the lines below."""
        start = self._at
        opening = self._take(_OPENING)[0]
        *above, (name, begin, end) = self._keys()
        if not self._pass("]" * len(opening)):
            raise _Lost
        place = self._inside(self.root, above).below.setdefault(name, _Place(begin, end))
        if opening == "[[":
            return self._entry(place, start)
        self._refuse_again(place if place.header else None, _Place(begin, end))
        place.start, place.end = begin, end  # it may have been named by a header of a part of it
        place.header = opening
        return place

    def _entry(self, place: _Place, start: int) -> _Place:
        """One more table of an array, with the header from `start` to here."""
        if place.below and place.header != "[[":
            raise _Lost
        place.header = "[["
        place.below[len(place.below)] = entry = _Place(start, self._at)
        return entry

    def _refuse_again(self, first: _Place | None, again: _Place) -> None:
        if first is not None:
            self.repeated = (first, again)
            raise _Lost

    def _key(self, table: _Place) -> _Place:
        """`a.b =`: the place of the last key."""
        *above, (name, begin, end) = self._keys()
        self._take(_EQUALS)
        table = self._inside(table, above)
        place = _Place(begin, end)
        self._refuse_again(table.below.get(name), place)
        table.below[name] = place
        return place

    def _keys(self) -> list[_Key]:
        """One key, or several with dots between them."""
        found: list[_Key] = []
        while not found or self._pass("."):
            self._take(_BLANK)
            key = self._take(_KEY)
            self._take(_BLANK)
            found.append((_name(key[0]), key.start(), key.end()))
        return found

    def _inside(self, table: _Place, keys: list[_Key]) -> _Place:
        """The table that keys lead to; what was not named before is named here."""
        for name, begin, end in keys:
            table = table.below.setdefault(name, _Place(begin, end))
            if table.header == "[[":
                table = table.below[len(table.below) - 1]
        return table

    def _value(self, place: _Place) -> None:
        """Walk over the value of a key, and over all that is nested in it."""
        nested = self._begin(place)
        while nested:
            place, closing = nested[-1]
            self._take(_BETWEEN)
            if self._pass(closing):
                nested.pop()
                if self._text[place.start] in _CLOSING:  # an entry of a list, and no key
                    place.end = self._at
            elif closing == "}":
                nested += self._begin(self._key(place))
            else:
                entry = _Place(self._at, self._at)
                nested += self._begin(entry)
                entry.end = self._at
                place.below[len(place.below)] = entry

    def _begin(self, place: _Place) -> list[tuple[_Place, str]]:
        """Walk over a value that nests nothing; else into it: then it is to be closed."""
        bracket = self._text[self._at : self._at + 1]
        if bracket not in _CLOSING:
            self._take(_SCALAR)
            return []
        self._at += 1
        return [(place, _CLOSING[bracket])]


def _name(written: str) -> str:
    """What a key says: quotes and escapes are not part of it."""
    if written[0] not in "\"'":
        return written
    if written[0] == "'" or "\\" not in written:
        return written[1:-1]
    try:
        return str(tomllib.loads(f"key = {written}")["key"])
    except tomllib.TOMLDecodeError:
        raise _Lost from None
