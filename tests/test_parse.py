"""Text to syntax tree: what parses, what does not, and where it says so."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
import trees
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from blm import syntax as s
from blm.diagnostics import Diagnostic, GrammarError, Severity, Source, Span, limited
from blm.entries import reserved_words
from blm.files import check_text, diagnose, load, load_file
from blm.parse import parse
from blm.resources import shipped
from blm.show import show

GRAMMARS = sorted(shipped("grammars").glob("*/*.blm"))
SMALL = """phenomenon small
objects
  subj : number {sg, pl}
matrix 4
  number : subj.number alternates
answers
  correct
"""


def parsed(text: str) -> s.File:
    tree, diagnostics = parse(Source("test.blm", text))
    assert [d.render() for d in diagnostics] == []
    return tree


def problems(text: str) -> list[Diagnostic]:
    return check_text(Source("test.blm", text))[1]


# --- laws ----------


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(trees.files)
def test_parsing_what_is_printed_gives_the_tree(tree: s.File) -> None:
    assert parsed(show(tree)) == tree


@pytest.mark.parametrize("path", GRAMMARS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_printing_keeps_the_tree_of_shipped_grammars(path: Path) -> None:
    tree = parsed(path.read_text(encoding="utf-8"))
    assert parsed(show(tree)) == tree


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_any_text_gives_a_tree_and_diagnostics_within_it(text: str) -> None:
    for diagnostic in problems(text):
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text)
        assert diagnostic.render()


WORDS = [
    *'(){}[]:;,.?|@_-\n"#',
    *("\n  ", "\n    ", " of ", " or ", " 1: ", "objects", "matrix 8", "phrases", "answers"),
    *trees.NAMES,
    *sorted(reserved_words()),
]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(WORDS)))
def test_any_words_give_a_tree_and_diagnostics(words: list[str]) -> None:
    problems(" ".join(words))


# --- what is read ----------


def test_an_entry_goes_on_where_lines_are_indented_deeper_or_close_a_bracket() -> None:
    one = SMALL.replace("alternates", "alternates every 2")
    two = SMALL.replace("alternates", "# what follows\n\n      alternates\n    every 2")
    assert parsed(one) == parsed(two)
    assert parsed(SMALL) == parsed(SMALL.replace("{sg, pl}", "{\n      sg,\n      pl\n  }"))


def test_line_breaks_tabs_and_byte_order_marks_make_no_difference(tmp_path: Path) -> None:
    path = tmp_path / "small.blm"
    expected = None
    for data in (
        SMALL.encode(),
        SMALL.replace("\n", "\r\n").encode(),
        SMALL.replace("\n", "\r").encode(),
        SMALL.encode("utf-8-sig"),
        SMALL.replace("  ", "\t").encode(),
        SMALL.replace("  ", "\N{NO-BREAK SPACE}" * 2).encode(),
    ):
        path.write_bytes(data)
        expected = expected or load_file(path)
        assert load_file(path) == expected
    assert parsed(SMALL.replace("\n", "\r\n")) == parsed(SMALL)


def test_names_compare_in_normal_form_c() -> None:
    composed, decomposed = "\N{LATIN SMALL LETTER E WITH ACUTE}", "e\N{COMBINING ACUTE ACCENT}"
    text = SMALL.replace("subj.number", f"{decomposed}t.number").replace("subj", f"{composed}t")
    assert problems(text) == []
    assert problems(SMALL.replace("subj", "हिन्दी").replace("number", "לשון")) == []


def test_words_of_longer_keywords_are_free_for_names() -> None:
    assert problems(SMALL.replace("sg", "none").replace("pl", "one")) == []
    assert reserved_words().isdisjoint({"none", "any", "all", "one", "row", "items", "of", "x"})
    assert {"is", "from", "present", "breaks"} <= reserved_words()


def test_conditions_bind_not_before_and_before_or_before_if() -> None:
    text = "phenomenon p\nexternal\n  r : if not a is b and c is d or e is f then g is h\n"
    (rules,) = (x for x in parsed(text).sections if isinstance(x, s.Rules))
    (clause,) = rules.entries[0].body if isinstance(rules.entries[0].body, tuple) else ()
    assert isinstance(clause, s.ConditionClause)
    assert isinstance(clause.condition, s.Implies)
    premise = clause.condition.premise
    assert isinstance(premise, s.Or)
    assert isinstance(premise.conditions[0], s.And)
    assert isinstance(premise.conditions[0].conditions[0], s.Not)


def test_spans_hold_the_text_of_their_nodes() -> None:
    tree = parsed(SMALL)
    matrix = next(x for x in tree.sections if isinstance(x, s.Matrix))
    (rule,) = matrix.entries
    assert isinstance(rule, s.Rule)
    assert isinstance(rule.body, tuple)
    assert rule.span.text == "number : subj.number alternates"
    assert rule.body[0].span.text == "subj.number alternates"
    assert str(rule.name.span) == "test.blm:5:3"


# --- what is refused ----------


def test_every_mistake_of_a_file_is_reported() -> None:
    text = (
        SMALL.replace("sg, pl}", "sg, pl")
        .replace("alternates", "alternate")
        .replace("correct", "correct\n  A breaks number where subj.number is")
    )
    found = problems(text)
    assert [(d.code, d.span.line) for d in found] == [
        ("unclosed-bracket", 3),
        ("unknown-operator", 5),
        ("syntax", 8),
    ]
    assert found[1].help == "did you mean 'alternates'?"


def test_rendering_points_at_the_place_after_tabs_and_wide_letters() -> None:
    text = SMALL.replace("  number : subj.number", '\tnumber "語 é" : subj.numbr')
    (found,) = problems(text)
    lines = found.render().splitlines()
    assert lines[0] == "test.blm:5:22: error: 'numbr' is not an attribute of subj"
    assert lines[1] == '  \tnumber "語 é" : subj.numbr alternates'
    assert lines[2] == "  \t" + " " * (lines[1].index("numbr") - 2) + "^^^^^"  # 語 is wide
    assert lines[3] == "  help: did you mean 'number'?"


def test_positions_in_files_with_windows_line_breaks(tmp_path: Path) -> None:
    path = tmp_path / "small.blm"
    path.write_bytes(SMALL.replace("sg,", "sg, sg,").replace("\n", "\r\n").encode())
    with pytest.raises(GrammarError) as caught:
        load_file(path)
    (found,) = caught.value.diagnostics
    assert (found.span.line, found.span.column) == (3, 22)
    assert "\r" not in found.render()
    (found,) = problems(path.read_bytes().decode())
    assert (found.span.line, found.span.column) == (3, 22)


def test_a_message_at_the_end_of_an_entry_points_behind_it() -> None:
    (found,) = problems(SMALL.replace("alternates", "alternates every   # twice"))
    assert (found.span.line, found.span.column) == (5, 40)
    assert found.span.text == ""


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "missing-section"),
        ("\n# nothing\n", "missing-section"),
        ("\0", "unexpected-character"),
        ("phenomenon \0 x", "unexpected-character"),
        ("  \n \n", "missing-section"),
        ("}", "unmatched-bracket"),
        ("phenomenon", "syntax"),
        ("phenomenon x y", "syntax"),
        ("matrix 8 8", "syntax"),
        ("matrix 99999999999999999999999999999999999", "number-too-large"),
        ("'", "unexpected-character"),
        ('"', "unclosed-text"),
        ("\N{ZERO WIDTH SPACE}", "unexpected-character"),
        ("of", "syntax"),
    ],
)
def test_odd_files_get_a_diagnostic(text: str, code: str) -> None:
    assert code in {d.code for d in problems(text)}


@pytest.mark.parametrize("opening", ["(", "not ", "not (", "if a is b then ", "any of {"])
def test_no_depth_of_nesting_is_too_much_for_the_parser(opening: str) -> None:
    closing = {"(": ")", "not (": ")", "any of {": "}"}.get(opening, "")
    text = f"phenomenon p\nexternal\n  a : {opening * 20_000}subj.number is sg{closing * 20_000}\n"
    codes = {d.code for d in problems(text + SMALL.partition("\n")[2])}
    assert codes <= ({"too-deep"} if opening != "(" else set())


def test_a_large_file_is_read_in_reasonable_time() -> None:
    rules = "".join(f"  r{i} : subj.number alternates over items 1..4\n" for i in range(3000))
    assert problems(SMALL.replace("answers", f"{rules}answers")) == []
    many = problems(SMALL.replace("answers", f"{rules.replace('number', 'nmber')}answers"))
    assert len(many) == 200


# --- files ----------


def refusal(path: str | os.PathLike[str]) -> Diagnostic:
    grammar, (found,) = diagnose(path)
    assert grammar is None
    return found


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert "it is a folder" in refusal(tmp_path).message
    assert "no such file" in refusal(tmp_path / "nowhere.blm").message
    assert "null" in refusal("a\0b").message
    assert refusal("x" * 5000).code == "unreadable-file"
    big = tmp_path / "big.blm"
    big.write_bytes(b"#" * 2_000_001)
    assert "more than 2000000 bytes" in refusal(big).message
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.blm")
        assert "it is not a file" in refusal(tmp_path / "pipe.blm").message


def test_a_file_in_another_encoding_is_refused_at_the_place(tmp_path: Path) -> None:
    path = tmp_path / "latin.blm"
    path.write_bytes(SMALL.replace("sg", "\N{LATIN SMALL LETTER E WITH ACUTE}t").encode("latin-1"))
    found = refusal(path)
    assert (found.code, found.span.line, found.span.column) == ("not-utf8", 3, 18)
    assert "0xe9" in found.message


def test_a_language_file_finds_its_phenomenon_beside_it(tmp_path: Path) -> None:
    (tmp_path / "small.blm").write_text(SMALL)
    language = tmp_path / "fr.blm"
    language.write_text('language fr\nof "small.blm"\nsentences\n  main : "x"\n')
    loaded = load(language)
    assert loaded.warnings == ()
    (tmp_path / "small.blm").write_text(SMALL.replace("correct", "corect"))
    grammar, found = diagnose(language)
    assert grammar is None
    assert [d.span.source.path for d in found] == [str(tmp_path / "small.blm")]


def test_a_long_line_is_shown_around_the_mistake() -> None:
    source = Source("long.blm", f"{'x' * 5000}wrong{'y' * 5000}\n")
    _, line, carets, *_ = Diagnostic("c", "m", Span(source, 5000, 5005)).render().split("\n")
    assert len(line) < 350
    assert line.startswith("  …xxx")
    assert line.endswith("yyy…")
    assert line[carets.index("^") : carets.rindex("^") + 1] == "wrong"


def test_a_line_does_nothing_to_the_terminal() -> None:
    source = Source("esc.blm", "\x1b[31mred\x00\twrong")
    _, line, carets, *_ = Diagnostic("c", "m", Span(source, 10, 15)).render().split("\n")
    assert line == "  \N{REPLACEMENT CHARACTER}[31mred\N{REPLACEMENT CHARACTER}\twrong"
    assert carets == "  " + " " * 9 + "\t^^^^^"
    told = Diagnostic("c", "no '\x1b]0;a\x07'", Span(source, 0, 1), "\x9b1m?").render()
    assert "no '\N{REPLACEMENT CHARACTER}]0;a\N{REPLACEMENT CHARACTER}'" in told
    assert told.endswith("help: \N{REPLACEMENT CHARACTER}1m?")


def test_of_very_many_messages_some_are_kept() -> None:
    """Errors before warnings, of each file as many; those that are kept in their order."""
    one, other = Source("one.csv", "x"), Source("other.csv", "x")

    def made(source: Source, number: int, severity: Severity) -> list[Diagnostic]:
        at = Span(source, 0, 1)
        return [Diagnostic("c", f"{severity} {k}", at, severity=severity) for k in range(number)]

    few = made(other, 3, Severity.WARNING)
    assert limited(few) == few
    assert limited([]) == []
    many = [*made(one, 250, Severity.WARNING), *few, *made(one, 150, Severity.ERROR)]
    kept = limited(many)
    assert [d for d in many if d in kept] == kept[:-1]
    assert Counter((d.span.source.path, d.severity) for d in kept[:-1]) == {
        ("one.csv", Severity.ERROR): 150,
        ("one.csv", Severity.WARNING): 50,
        ("other.csv", Severity.WARNING): 3,
    }
    assert kept[-1].message == "200 more messages about this file are not shown"
