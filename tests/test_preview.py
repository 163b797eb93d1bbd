"""The preview shows what is wrong, where, and nothing of what it says is markup."""

import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from making import FRENCH, GRAMMARS, SPRAY, hostile, make

from blm.answers import Answers
from blm.dataset.html import element, join
from blm.dataset.plan import Options, Plan, make_plan
from blm.dataset.preview import page
from blm.dataset.specimens import MOST, Specimen, segments, specimens
from blm.pipeline import load
from blm.variation import LexicalType


class Page(HTMLParser):
    """The elements and the text of a page; an error where they are not well nested."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str]] = []
        self.text: dict[str, list[str]] = {}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        for tag in self.open:
            self.text.setdefault(tag, []).append(data)


def plan(path: Path = FRENCH, **options) -> Plan:
    return make_plan(load(path), Options(**options))


@pytest.fixture(scope="module")
def french() -> tuple[Plan, list[Specimen]]:
    made = plan(split={"train": 80, "test": 20})
    return made, specimens(made)


def test_the_problems_are_spread(french: tuple[Plan, list[Specimen]]) -> None:
    shown = french[1]
    assert len(shown) == MOST
    assert len({one.matrix for one in shown}) == 24
    assert set(Counter(one.clause for one in shown).values()) == {8}
    assert {one.split for one in shown} == {"train", "test"}
    assert len({one.seeds for one in shown}) > MOST // 2


def test_they_are_problems_of_the_data_set(tmp_path: Path) -> None:
    from blm.dataset.jsonl import read

    options = {"type": LexicalType.III, "sample": 60}
    make(tmp_path / "set", SPRAY, **options)
    records = {record["id"]: record for record in read(tmp_path / "set" / "problems.jsonl")}
    for one in specimens(plan(SPRAY, **options)):
        record = records[f"en-III-{one.number}"]
        assert [s["text"] for s in record["context"]] == list(one.context)
        texts = ["".join(s.text for s in answer.segments) for answer in one.answers]
        assert [c["text"] for c in record["candidates"]] == texts
        broken = [[b.rule.name for b in answer.breaches] for answer in one.answers]
        assert [[b["rule"] for b in c["broken"]] for c in record["candidates"]] == broken


def test_small_data_sets_are_shown_whole() -> None:
    assert len(specimens(plan(limit=5))) == 5
    assert specimens(plan(sample=1, split={"train": 1, "test": 1})) == []


def test_the_clashing_words_are_marked(french: tuple[Plan, list[Specimen]]) -> None:
    for one in french[1]:
        for answer in one.answers:
            marked = [s for s in answer.segments if s.rules]
            rules = [breach.rule.name for breach in answer.breaches]
            match answer.label:
                case "correct":
                    assert marked == []
                case "AE_P1" | "AE_P2" | "AE_0":
                    assert [s.rules for s in marked] == [("agree",), ("agree",)]
                case "WN1" | "WN2" | "Coord":
                    assert [s.rules for s in marked] == [tuple(rules)]
                case "WNA":
                    assert len(marked) <= 1


def test_pieces_of_a_sentence_that_rules_share() -> None:
    found = segments("abcdef", {"r": [(0, 4)], "s": [(2, 6)], "t": []})
    told = [(one.text, one.rules) for one in found]
    assert told == [("ab", ("r",)), ("cd", ("r", "s")), ("ef", ("s",))]
    assert segments("", {}) == ()


@pytest.mark.parametrize(
    ("path", "options"),
    [
        (SPRAY, {"answers": Answers.BALANCED}),
        (FRENCH, {"answers": Answers.MINIMAL, "type": LexicalType.III_OWN}),
        (GRAMMARS / "voice" / "tr.blm", {}),
    ],
)
def test_the_page_is_well_formed_and_keeps_to_itself(path: Path, options: dict) -> None:
    made = plan(path, sample=500, **options)
    text = page(made, specimens(made, 6))
    found = Page(text)
    assert found.tags["article"] == 6
    assert "script" not in found.tags
    assert not re.search(r"https?://|url\(|@import|<link|<img", text)
    assert all(value.startswith("#p") for name, value in found.attributes if name == "href")
    identifiers = [value for name, value in found.attributes if name == "id"]
    assert len(identifiers) == len(set(identifiers))


def test_a_family_is_said_by_a_letter_too(french: tuple[Plan, list[Specimen]]) -> None:
    found = Page(page(*french))
    assert set(found.text["sup"]) <= {"E", "I", "R", "EI", "ER", "IR", "EIR"}
    assert found.tags["sup"] == found.tags["mark"]
    assert {"E", "I", "R"} <= set(found.text["abbr"])
    assert ("title", "agree: the verb agrees with the subject") in found.attributes


def test_hostile_words_are_text(tmp_path: Path) -> None:
    grammar = hostile(tmp_path)
    made = make_plan(grammar, Options())
    text = page(made, specimens(made))
    found = Page(text)
    assert "script" not in found.tags
    assert found.tags["style"] == 1
    assert "".join(found.text["style"]).count("<") == 0
    said = "".join(found.text["article"])
    assert "</style><script>alert(1)</script><!-- & | ` $x$ {{ 7 * 7 }}" in said
    assert "\U0001f426" in said
    assert not [name for name, _ in found.attributes if name.startswith("on")]


def test_texts_are_escaped_and_markup_is_not() -> None:
    assert (
        element("b", "a<b", element("br"), class_="x", title=None) == '<b class="x">a&lt;b<br></b>'
    )
    assert join("&", element("i", "'")) == "&amp;<i>&#x27;</i>"
