"""Sentences of a whole grammar; what one language does with its words is in test_realise_*."""

import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sandhi import tokens
from small import load, write

from blm.phenomenon import ABSENT, PRESENCE, PRESENT, CellName, Value
from blm.realise import REALISERS, function_words, language, languages, realise, speaker
from blm.realise.language import Language
from blm.realise.pieces import merged, piece
from blm.universe import Universe
from blm.words import FormError, Word

SUBJECT, VERB = CellName("subj", "number"), CellName("verb", "number")
PP, NUMBER, LINK = (CellName("pp1", name) for name in (PRESENCE, "number", "link"))


def item(
    subject: str, verb: str, number: str = "", link: str = "embedded"
) -> dict[CellName, Value]:
    base: dict[CellName, Value] = {SUBJECT: subject, VERB: verb, CellName("subj", "mood"): "calm"}
    if not number:
        return {**base, PP: ABSENT}
    return {**base, PP: PRESENT, NUMBER: number, LINK: link}


@pytest.mark.parametrize(
    ("seed", "clause", "said", "expected"),
    [
        ("a", "main", item("sg", "sg"), "L’ordinateur tombe."),
        ("a", "main", item("pl", "pl"), "Les ordinateurs sont tombés."),
        ("a", "main", item("pl", "sg"), "Les ordinateurs tombe."),
        ("a", "main", item("sg", "sg", "pl"), "L’ordinateur avec les tables tombe."),
        ("a", "main", item("sg", "sg", "pl", "coordinated"), "L’ordinateur et les tables tombe."),
        ("b", "main", item("pl", "pl", "sg"), "Les tables du haricot sont tombées."),
        ("b", "main", item("sg", "sg", "pl"), "La table des haricots tombe."),
        ("c", "main", item("sg", "sg", "sg"), "Le haricot à l’ordinateur tombe."),
        ("a", "completive", item("sg", "sg"), "Jean dit que l’ordinateur tombe."),
        ("c", "completive", item("pl", "sg"), "Il faut que les haricots tombe."),
    ],
)
def test_sentences(
    tmp_path: Path, seed: str, clause: str, said: dict[CellName, Value], expected: str
) -> None:
    concrete, lexicon = load(write(tmp_path))
    assert str(realise(concrete, lexicon, clause, said, seed)) == expected


def test_phrases_know_where_they_stand(tmp_path: Path) -> None:
    concrete, lexicon = load(write(tmp_path))
    sentence = realise(concrete, lexicon, "completive", item("sg", "sg", "pl"), "a")
    texts = {name: sentence.text[start:end] for name, start, end in sentence.phrases}
    assert texts == {
        "subj": "l’ordinateur",
        "inner": "les tables",
        "pp1": "avec les tables",
        "verb": "tombe",
    }
    assert sentence.span("verb") == (len(sentence.text) - 6, len(sentence.text) - 1)
    assert realise(concrete, lexicon, "main", item("sg", "sg"), "a").span("pp1") is None


def test_a_contraction_belongs_to_the_preposition(tmp_path: Path) -> None:
    concrete, lexicon = load(write(tmp_path))
    sentence = realise(concrete, lexicon, "main", item("sg", "sg", "sg"), "b")
    places = {name: sentence.text[start:end] for name, start, end in sentence.phrases}
    assert places["pp1"] == "du haricot"
    assert places["inner"] == "haricot"


def test_slots_may_hold_words_of_several_seeds(tmp_path: Path) -> None:
    concrete, lexicon = load(write(tmp_path))
    a, c = lexicon.seed("a").words, lexicon.seed("c").words
    mixed = {**a, "noun1": c["subject"], "prep1": "près de"}
    voice = speaker(concrete)
    assert voice.say("main", item("sg", "sg", "sg"), mixed).text == (
        "L’ordinateur près du haricot tombe."
    )
    assert voice.say("main", item("sg", "sg", "sg"), a).text == "L’ordinateur avec la table tombe."


def test_a_word_without_the_form_is_refused(tmp_path: Path) -> None:
    concrete, lexicon = load(write(tmp_path))
    words = {**lexicon.seed("a").words, "subject": Word("sel", "noun", {"gender": "m"}, ())}
    with pytest.raises(FormError, match="'sel' has no form for sg"):
        speaker(concrete).say("main", item("sg", "sg"), words)


def test_what_was_said_before_makes_no_difference(tmp_path: Path) -> None:
    concrete, lexicon = load(write(tmp_path))
    warm = speaker(concrete)
    items = list(Universe(concrete.phenomenon).items())
    for _ in range(2):
        for seed in lexicon.seeds:
            for each in items:
                fresh = realise(concrete, lexicon, "completive", each, seed)
                assert warm.say("completive", each, seed.words) == fresh


def test_a_speaker_pickles(tmp_path: Path) -> None:
    concrete, lexicon = load(write(tmp_path))
    voice = speaker(concrete)
    before = voice.say("main", item("sg", "sg"), lexicon.seeds[0].words)
    again = pickle.loads(pickle.dumps(voice))
    assert again.say("main", item("sg", "sg"), lexicon.seeds[0].words) == before


# --- languages ------------------------------------------------------------------------------


def test_languages_are_registered_once() -> None:
    assert languages() == {code: function_words(code) for code in REALISERS}
    assert all(
        {"def", "indef", "be", "have"} <= function_words(code) for code in ("en", "fr", "it")
    )
    assert {"past", "passive", "causative"} <= function_words("tr")


def test_another_language_has_plain_rules() -> None:
    plain = language("sv")
    assert type(plain) is Language
    assert function_words("sv") == frozenset()
    assert plain.sentence("åsa kommer") == "Åsa kommer."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("élan", "Élan."),
        ("ßoll", "ßoll."),
        ("ça va ?", "Ça va ?"),
        ("etc.", "Etc."),
        ("", ""),
        ("’ndrangheta", "’ndrangheta."),
    ],
)
def test_typography(text: str, expected: str) -> None:
    assert Language().sentence(text) == expected


PIECES = {
    "fr": ["[def m sg]", "[def f sg]", "[indef m pl]", "[this m sg]", "de", "à", "que", "si", "ce",
           "ma", "ami", "haricot", "il", ",", "d'", "<hyène onset=mute>", "le chat", "est"],
    "it": ["[def m sg]", "[def f sg]", "[indef f sg]", "[indef m pl]", "di", "in", "con", "amico",
           "zia", "studente", ",", "dell'", "la casa", "un po'"],
    "en": ["[indef sg]", "[def]", "[be]", "hour", "dog", "user", ",", "such a", "an"],
    "tr": ["yaz", "oku", "[past]", "[past disharmonic]", "[causative]", "-lAr", "[progressive]",
           ",", "<git voicing=voiced>", "-(y)A", "söyle", "-"],
    "ro": ["[indef m sg]", "[al f sg]", "om", ",", "vine"],
    "sv": ["en", "man", ",", "kommer"],
}  # fmt: skip


@pytest.mark.parametrize("code", PIECES)
@given(data=st.data())
def test_pieces_apart_are_written_as_together(code: str, data: st.DataObject) -> None:
    """Neither where phrases end nor how they were kept shows in the text."""
    spoken = language(code)
    elements = data.draw(st.lists(st.sampled_from(PIECES[code]), min_size=1, max_size=7))
    words = [tokens(spoken, element) for element in elements]
    whole = "".join(spoken.written([token for some in words for token in some]))
    pieces = [piece(spoken, some, (), joined=False) for some in words if some]
    text, run = "", pieces[:1]
    for one in pieces[1:]:
        if run[-1].open or one.leans:
            run.append(one)
        else:
            text += merged(spoken, run).text
            run = [one]
    assert text + (merged(spoken, run).text if run else "") == whole
    assert "  " not in whole
    assert " ," not in whole
