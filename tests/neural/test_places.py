"""Where the keys of a TOML file stand: by hand, and for documents written at random."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blm.diagnostics import Source, Span
from blm.experiment.places import Places, Where, read_toml

Draw = st.DrawFn


def span_of(text: str, *where: str | int) -> Span:
    tomllib.loads(text)
    return Places(Source("e.toml", text)).span(where)


@pytest.mark.parametrize(
    ("text", "where", "line", "column", "found"),
    [
        ("a = 1\nb = 2", ("b",), 2, 1, "b"),
        ("\n  # a = 1\n  a = 1 # a = 2\n", ("a",), 3, 3, "a"),
        ('"a b" = 1', ("a b",), 1, 1, '"a b"'),
        ("'a\"' = 1", ('a"',), 1, 1, "'a\"'"),
        ('"a=\\"#[b]" = 1\n"" = 2', ("",), 2, 1, '""'),
        ('"a=\\"#[b]" = 1\n"" = 2', ('a="#[b]',), 1, 1, '"a=\\"#[b]"'),
        ('x = 0\n"st\\u0061r" = 1', ("star",), 2, 1, '"st\\u0061r"'),
        ('"a.b" = 1\na.b = 2', ("a.b",), 1, 1, '"a.b"'),
        ('"a.b" = 1\na.b = 2', ("a", "b"), 2, 3, "b"),
        ("a . 'b' . c = 1\na.d = 2", ("a",), 1, 1, "a"),
        ("a . 'b' . c = 1\na.d = 2", ("a", "b", "c"), 1, 11, "c"),
        ("a . 'b' . c = 1\na.d = 2", ("a", "d"), 2, 3, "d"),
        ("[a]\nx = 1\n[b]\nx = 2", ("b", "x"), 4, 1, "x"),
        ("[a.b]\nx = 1\n[a]\ny = 2", ("a",), 3, 2, "a"),
        ("[a.b]\nx = 1\n[a]\ny = 2", ("a", "b"), 1, 4, "b"),
        ("x = 1\n  [ a . 'b.c' ] # []\n", ("a", "b.c"), 2, 9, "'b.c'"),
        ("[[a]]\nx = 1\n[[a]]\nx = 2\n", ("a",), 1, 3, "a"),
        ("[[a]]\nx = 1\n[[ a ]]\nx = 2\n", ("a", 1), 3, 1, "[[ a ]]"),
        ("[[a]]\nx = 1\n[[a]]\nx = 2\n", ("a", 1, "x"), 4, 1, "x"),
        ("[[a]]\n[a.b]\nx = 1\n[[a]]\n[a.b]\nx = 2\n", ("a", 1, "b", "x"), 6, 1, "x"),
        ("[[a]]\n[[a.b]]\n[[a.b]]\n[[a]]\n[[a.b]]\n", ("a", 1, "b", 0), 5, 1, "[[a.b]]"),
        ("[[a]]\n[[a.b]]\n[[a.b]]\n[[a]]\n[[a.b]]\n", ("a", 0, "b", 1), 3, 1, "[[a.b]]"),
        ("a = [\"x\", 'y', 3.5]", ("a", 1), 1, 11, "'y'"),
        ('a = [ # "x"\n  "x", # ]\n\n  "y",\n]\nb = 1', ("a", 1), 4, 3, '"y"'),
        ('a = [ # "x"\n  "x", # ]\n\n  "y",\n]\nb = 1', ("b",), 6, 1, "b"),
        ("a = [[1, 2], [3,\n4]]", ("a", 1, 1), 2, 1, "4"),
        ("a = [1979-05-27 07:32:00Z , 1e3]", ("a", 0), 1, 6, "1979-05-27 07:32:00Z"),
        ("a = { b = 1, c.d = [2], 'e' = { f = 3 } }", ("a", "c", "d", 0), 1, 21, "2"),
        ("a = { b = 1, c.d = [2], 'e' = { f = 3 } }", ("a", "e", "f"), 1, 33, "f"),
        ("a = [\n{ b = 1 },\n{ b = 2 } ]", ("a", 1), 3, 1, "{ b = 2 }"),
        ("a = [\n{ b = 1 },\n{ b = 2 } ]", ("a", 1, "b"), 3, 3, "b"),
        ('a = """\nb = 1\n""\\"\n[c]"""\nb = 2', ("b",), 5, 1, "b"),
        ("a = '''\nb = 1\n''\n'''''\nb = 2", ("b",), 5, 1, "b"),
        ('a = """"x"""""\nb = ""\nc = \'\'\'\'\'\'\nd = 1', ("d",), 4, 1, "d"),
        ("a = 1\r\n# x\r\nb = [\r\n1,\r\n2]\r\n", ("b", 1), 5, 1, "2"),
        ("a = 1 \n b = 2", ("b",), 2, 2, "b"),
    ],
)
def test_places(text: str, where: Where, line: int, column: int, found: str) -> None:
    span = span_of(text, *where)
    assert (span.line, span.column, span.text) == (line, column, found)


@pytest.mark.parametrize(
    ("where", "line"),
    [((), 1), (("x",), 1), (("b", "x"), 3), (("c", 0, "x"), 5), (("c", 7), 5), (("d", "e", 2), 7)],
)
def test_what_is_not_there_stands_in_what_is_nearest(where: Where, line: int) -> None:
    text = "# of b\na = 1\n[b]\ny = 1\n[[c]]\ny = 1\n[d.e]\n"
    assert span_of(text, *where).line == line


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("a = 1\nb = ", 2, 4, "this is not TOML: a value is missing"),
        ("a = \nb = 1", 1, 5, "this is not TOML: a value is missing"),
        ("a = 1\nb = x\n", 2, 5, "this is not TOML: invalid value"),
        ("a = [1,\n", 1, 8, "this is not TOML: a value is missing"),
        ('# "\n\na = "x\nb = 1', 3, 7, "this is not TOML: illegal character '\\n'"),
        ('a = """\nx\n\n', 2, 2, "this is not TOML: unterminated string"),
        ("a = 1\n b\n", 2, 3, "this is not TOML: expected '=' after a key in a key/value pair"),
        ("[a\nb = 1", 1, 3, "this is not TOML: expected ']' at the end of a table declaration"),
        ("a = 1\nb = 2\n'a' = 3\n", 3, 1, "'a' stands here for the second time"),
        ("a = {b = 1,\tb = 2}", 1, 13, "b stands here for the second time"),
        ("[a]\n[b]\n [a]\nx = 1", 3, 3, "a stands here for the second time"),
        ("[[a]]\n[a]", 2, 2, "a stands here for the second time"),
        ("a = 1\n\n[b]\na = [\n2]\na = 3", 6, 1, "a stands here for the second time"),
        ("a = 1\n[b]\nx = 1\n[c]\na\n[b]", 5, 2, "this is not TOML: expected '='"),
        ("a = '\0'", 1, 6, "this is not TOML: found invalid character '\\x00'"),
        ("a = 1\r\nb = 1\r\nc = [\r\n", 3, 6, "this is not TOML: "),
        ("a = 1\nb = " + "[" * 100_000, 1, 1, "lists and tables are nested too deeply"),
        ("a = 1\nb = " + "9" * 5000, 1, 1, "a number has too many digits to be read"),
    ],
)
def test_a_text_that_is_no_toml(text: str, line: int, column: int, message: str) -> None:
    document, problem = read_toml(Source("e.toml", text))
    assert document == {}
    assert problem is not None
    assert (problem.span.line, problem.span.column) == (line, column)
    assert problem.message.startswith(message)
    shown = text.split("\n")[line - 1].rstrip("\r").replace("\0", "\N{REPLACEMENT CHARACTER}")
    assert problem.render().splitlines()[1] == f"  {shown}"


def test_of_a_large_text_each_place_is_found() -> None:
    lines = [f'key{n} = ["{"x" * 20}", {n}, {{ a.b = {n} }}]' for n in range(20_000)]
    text = "\n".join(lines)
    assert len(text) > 1_000_000
    places = Places(Source("e.toml", text))
    for n in (0, 9_999, 19_999):
        for where in ((f"key{n}",), (f"key{n}", 1), (f"key{n}", 2, "a", "b")):
            assert places.span(where).line == n + 1
    assert places.span(("key19999", 1)).text == "19999"


@pytest.mark.parametrize("text", ["a = " + "[" * 500_000, "a=" + "{a=" * 200_000, "a." * 300_000])
def test_nesting_is_without_limit(text: str) -> None:
    places = Places(Source("e.toml", text))
    assert places.span(("a",) + (0,) * 10).line == 1


# --- documents written at random ------------------------------------------------------------------


NAMES = "a", "b-1", "", "é", "x.y", 'q"', "it's", "#", "[z]", "c = 1", "\t", "\\", "\U0001f600"


class Writer:
    """Writes a document, and notes where its keys and entries begin and end."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.text = ""
        self.places: dict[Where, tuple[int, int]] = {}

    def some(self, *choices: Any) -> Any:
        return self.draw(st.sampled_from(choices))

    def put(self, text: str) -> None:
        self.text += text

    def note(self, where: Where, written: str) -> None:
        self.places[where] = (len(self.text), len(self.text) + len(written))

    def key(self, where: Where) -> None:
        """The last key of a way, in one of the writings it has; noted where it is new."""
        name = str(where[-1])
        shown = json.dumps(name, ensure_ascii=False)
        escaped = '"' + "".join(f"\\U{ord(letter):08x}" for letter in name) + '"'
        literal = [f"'{name}'"] if name.isprintable() and "'" not in name else []
        plain = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
        written = self.some(shown, escaped, *literal, *([name] if plain else []))
        if where not in self.places:
            self.note(where, written)
        self.put(written)

    def fresh(self, table: Where) -> Where:
        """The way to a key that a table has not."""
        free = [name for name in NAMES if (*table, name) not in self.places]
        return (*table, self.some(*free) if free else f"k{len(self.places)}")

    def pairs(self, table: Where, most: int) -> None:
        for _ in range(self.draw(st.integers(0, most))):
            self.put(self.some("", "  ", "\n", "# a = [\n", "\t"))
            self.pair(table, 2)
            self.put(self.some("\n", " # b = 1\n", "\t\n\n", "\r\n"))

    def pair(self, table: Where, depth: int) -> None:
        """`a = value`, or `a.b = value`, with tables between that are new."""
        where = self.fresh(table)
        self.key(where)
        for _ in range(self.some(0, 0, 1, 2)):
            self.put(self.some(".", " . "))
            where = self.fresh(where)
            self.key(where)
        self.put(self.some("=", " = ", "\t="))
        self.value(where, depth)

    def value(self, where: Where, depth: int) -> None:
        kinds = [self.scalar, self.list, self.table] if depth else [self.scalar]
        self.some(*kinds)(where, depth)

    def scalar(self, where: Where, _depth: int) -> None:
        written = self.some(
            "1", "-1.5e3", "true", "nan", "1979-05-27 07:32:00.5", "07:32:00", "0xff_ff",
            '""', '"a = \\"#"', "'[\\'", '"""\n[a]\nb = "" 1\\\n"""', "'''''x\n''''", '"""x"""""',
        )  # fmt: skip
        if isinstance(where[-1], int):
            self.note(where, written)
        self.put(written)

    def list(self, where: Where, depth: int) -> None:
        start = len(self.text)
        self.put("[")
        number = self.draw(st.integers(0, 3))
        for n in range(number):
            self.put(self.some("", " ", "\n", " # ]\n\t", "\r\n"))
            self.value((*where, n), depth - 1)
            self.put(self.some("", "\n", "# ,\n") + ("," if n < number - 1 else self.some("", ",")))
        self.put(self.some("", " ", "\n", "# [\n") + "]")
        self.entry(where, start)

    def table(self, where: Where, depth: int) -> None:
        start = len(self.text)
        self.put("{")
        for n in range(self.draw(st.integers(0, 3))):
            self.put(", " if n else " ")
            self.pair(where, depth - 1)
        self.put(" }")
        self.entry(where, start)

    def entry(self, where: Where, start: int) -> None:
        if isinstance(where[-1], int):
            self.places[where] = (start, len(self.text))

    def header(self, shown: Where, brackets: str) -> None:
        """A line with a header; `shown` has numbers where it passes through arrays."""
        self.put(self.some("", " ", "\n", "#[a]\n"))
        start = len(self.text)
        self.put(brackets)
        for n, step in enumerate(shown):
            if isinstance(step, str):
                self.put("." if n else "")
                self.key(shown[: n + 1])
        self.put("]" * len(brackets))
        if brackets == "[[":
            count = sum(len(w) == len(shown) + 1 and w[:-1] == shown for w in self.places)
            self.entry((*shown, count), start)
        self.put(self.some("\n", " # [\n", "\r\n"))

    def section(self) -> None:
        where = self.fresh(())
        if self.some(True, False):
            self.tables_of(where)
            return
        inner = self.fresh(where)
        if self.some(True, False):  # the part before the whole
            self.header(inner, "[")
            self.pairs(inner, 2)
            self.places.pop(where)
        self.header(where, "[")
        self.pairs(where, 2)

    def tables_of(self, where: Where) -> None:
        """An array of tables, with a table or an array in each."""
        for n in range(self.draw(st.integers(1, 3))):
            self.header(where, "[[")
            self.pairs((*where, n), 2)
            inner = self.fresh((*where, n))
            match self.some("", "[", "[["):
                case "[":
                    self.header(inner, "[")
                    self.pairs(inner, 1)
                case "[[":
                    self.header(inner, "[[")
                    self.header(inner, "[[")
                    self.pairs((*inner, 1), 1)


@st.composite
def documents(draw: Draw) -> tuple[str, dict[Where, tuple[int, int]]]:
    writer = Writer(draw)
    writer.pairs((), 4)
    for _ in range(draw(st.integers(0, 3))):
        writer.section()
    return writer.text, writer.places


def ways(value: Any, where: Where = ()) -> Iterator[Where]:
    """The way to each value of a document."""
    steps: Any = value.items() if isinstance(value, dict) else ()
    for step, inner in enumerate(value) if isinstance(value, list) else steps:
        yield (*where, step)
        yield from ways(inner, (*where, step))


@settings(deadline=None, max_examples=150)
@given(documents())
def test_every_key_has_the_place_where_it_stands(
    written: tuple[str, dict[Where, tuple[int, int]]],
) -> None:
    text, expected = written
    places = Places(Source("e.toml", text))
    assert places.repeated == ()
    assert set(ways(tomllib.loads(text))) == set(expected)
    for way, (start, end) in expected.items():
        span = places.span(way)
        assert (span.start, span.end) == (start, end), way
        assert span.line == text.count("\n", 0, start) + 1


STEPS = st.lists(st.sampled_from(["a", "b", "", 0, 1, 2]), max_size=4).map(tuple)
PIECES = st.lists(
    st.sampled_from([*"ab=.,[]{}#\"'\\\n\r\t 1\0", '"""', "'''", "[[", "]]", "a = ", "\\u00", "é"])
)


@settings(deadline=None, max_examples=250)
@given(st.one_of(st.text(), PIECES.map("".join), documents().map(lambda d: d[0])), STEPS, st.data())
def test_no_text_is_refused(text: str, where: Where, data: st.DataObject) -> None:
    """Whatever it is; and where tomllib reads it, each of its values has a place of its own."""
    start, end = sorted(data.draw(st.integers(0, len(text))) for _ in range(2))
    source = Source("e.toml", text[:start] + text[end:])
    document, problem = read_toml(source)
    places = Places(source)
    span = places.span(where)
    assert 0 <= span.start <= span.end <= len(source.text)
    if problem is not None:
        assert 0 <= problem.span.start <= len(source.text)
        assert problem.render()
        return
    for way in ways(document):
        assert places.span(way) != places.span(way[:-1])
