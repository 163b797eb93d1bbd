from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small import load, write

from blm.distance import unlike
from blm.phenomenon import CellName
from blm.realise import speaker
from blm.recognise import Reading, Recogniser
from blm.universe import Universe

GRAMMARS = Path(__file__).resolve().parents[1] / "grammars"
SHIPPED = sorted(
    path
    for path in GRAMMARS.glob("*/*.blm")
    if any(line.startswith("language ") for line in path.read_text("utf-8").splitlines())
)


class Bench:
    """A grammar with all that speaks and reads it."""

    def __init__(self, path: Path) -> None:
        self.concrete, self.lexicon = load(path)
        self.items = list(islice(Universe(self.concrete.phenomenon).items(), 5000))
        self.speaker = speaker(self.concrete)
        self.recogniser = Recogniser(self.concrete, self.lexicon)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(write(tmp_path_factory.mktemp("small")))


@pytest.fixture(scope="module", params=SHIPPED, ids=lambda p: f"{p.parent.name}/{p.stem}")
def shipped(request: pytest.FixtureRequest) -> Bench:
    return Bench(request.param)


def test_every_sentence_is_read_as_what_it_says(small: Bench) -> None:
    for seed in small.lexicon.seeds:
        for clause in small.concrete.clauses:
            for item in small.items:
                text = small.speaker.say(clause.name, item, seed.words).text
                assert Reading(clause.name, item, seed.name) in small.recogniser.recognise(text)


def test_readings_say_the_sentence(small: Bench) -> None:
    for item in small.items:
        text = small.speaker.say("main", item, small.lexicon.seeds[0].words).text
        for reading in small.recogniser.recognise(text):
            words = small.lexicon.seed(reading.seed).words
            assert small.speaker.say(reading.clause, reading.item, words).text == text


def test_cells_that_no_phrase_shows_give_several_readings(small: Bench) -> None:
    readings = small.recogniser.recognise("L’ordinateur tombe.")
    assert [reading.item[CellName("subj", "mood")] for reading in readings] == ["calm", "wild"]
    assert len(small.recogniser.recognise("L’ordinateur tombe.", limit=1)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Jean dit que l’ordinateur avec les tables tombe.",
        "jean dit que l'ordinateur avec les tables tombe",
        "  Jean  dit que l’ ordinateur avec les tables tombe .",
        "JEAN DIT QUE LʼORDINATEUR AVEC LES TABLES TOMBE",
        "Jean dit que l`ordinateur avec les tables tombe.",
    ],
)
def test_writings_of_one_sentence(small: Bench, text: str) -> None:
    readings = small.recogniser.recognise(text)
    assert [(r.clause, r.seed) for r in readings] == [("completive", "a")] * 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "L’ordinateur",
        "L’ordinateur tombe tombe",
        "Lordinateur tombe",
        "Le ordinateur tombe",
    ],
)
def test_what_the_grammar_does_not_say(small: Bench, text: str) -> None:
    assert small.recogniser.recognise(text) == ()


def test_contraction_between_phrases_is_read(small: Bench) -> None:
    (reading, _) = small.recogniser.recognise("La table du haricot tombe.")
    assert reading.seed == "b"
    assert small.recogniser.recognise("La table de le haricot tombe.") == ()


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("L’ordinateur avec la tabel tombe.", "L’ordinateur avec la table tombe."),
        ("La table du haricots tombe", "La table du haricot tombe."),
        ("Il faut que haricot tombe", "Il faut que le haricot tombe."),
        ("Les tables des haricots est tombées", "Les tables des haricots sont tombées."),
    ],
)
def test_the_nearest_sentence(small: Bench, text: str, nearest: str) -> None:
    found = small.recogniser.nearest(text)
    assert len(found) == 3
    assert found[0][0] == nearest
    assert found[0][1] in small.recogniser.recognise(nearest)


@settings(max_examples=100, deadline=None)
@given(text=st.text(max_size=40))
def test_any_text_can_be_asked_for(small: Bench, text: str) -> None:
    small.recogniser.recognise(text)
    assert len(small.recogniser.nearest(text, 2)) == 2


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_shipped_grammars_read_what_they_say(shipped: Bench, data: st.DataObject) -> None:
    item = data.draw(st.sampled_from(shipped.items))
    seed = data.draw(st.sampled_from(shipped.lexicon.seeds))
    clause = data.draw(st.sampled_from(shipped.concrete.clauses)).name
    sentence = shipped.speaker.say(clause, item, seed.words)
    assert "  " not in sentence.text
    assert sentence.text == sentence.text.strip()
    assert not set(sentence.text) & set("'`ʼ")
    readings = shipped.recogniser.recognise(sentence.text, limit=10_000)
    assert Reading(clause, item, seed.name) in readings
    (near, *_) = shipped.recogniser.nearest(sentence.text, 1)
    assert near[0] == sentence.text


@given(one=st.text("abc", max_size=6), other=st.text("abc", max_size=6))
def test_unlike_is_a_distance_of_letters(one: str, other: str) -> None:
    assert unlike(one, other) == unlike(other, one)
    assert (unlike(one, other) == 0) == (one == other)
    assert 0 <= unlike(one, other) <= 1
