from functools import cache
from pathlib import Path

import pytest
from sandhi import say

from blm.concrete import Concrete
from blm.files import load_file
from blm.lexicon import load_lexicon
from blm.phenomenon import ABSENT, PRESENCE, PRESENT, CellName, Value
from blm.realise import realise
from blm.realise.romanian import Romanian
from blm.words import Lexicon

AGREEMENT = Path(__file__).parents[1] / "grammars" / "agreement" / "ro.blm"


@cache
def grammar() -> tuple[Concrete, Lexicon]:
    concrete = load_file(AGREEMENT)
    assert isinstance(concrete, Concrete)
    lexicon, problems = load_lexicon(concrete)
    assert lexicon is not None, problems
    return concrete, lexicon


def item(text: str) -> dict[CellName, Value]:
    """`pl: sg, -, -: pl` is subj: pp1, pp2, pp3: verb; `+sg` is a coordinated attractor."""
    subject, attractors, verb = text.split(": ")
    cells: dict[CellName, Value] = {
        CellName("subj", "number"): subject,
        CellName("verb", "number"): verb,
    }
    for name, value in zip(("pp1", "pp2", "pp3"), attractors.split(", "), strict=True):
        if name != "pp1":
            cells[CellName(name, PRESENCE)] = ABSENT if value == "-" else PRESENT
        if value != "-":
            cells[CellName(name, "number")] = value.lstrip("+")
            link = "coordinated" if value.startswith("+") else "embedded"
            if name != "pp3":
                cells[CellName(name, "link")] = link
    return cells


@pytest.mark.parametrize(
    ("elements", "expected"),
    [
        (("[indef m sg]", "vecin"), "un vecin"),
        (("[indef f sg]", "masă"), "o masă"),
        (("[indef n sg]", "ceas"), "un ceas"),
        (("[indef n pl]", "ceasuri"), "niște ceasuri"),
        # neuter: masculine in the singular, feminine in the plural
        (("[this m sg]", "vecin"), "acest vecin"),
        (("[this m pl]", "vecini"), "acești vecini"),
        (("[this n sg]", "ceas"), "acest ceas"),
        (("[this n pl]", "ceasuri"), "aceste ceasuri"),
        (("[this f sg]", "masă"), "această masă"),
        (("[this f pl]", "mese"), "aceste mese"),
        # the article of genitives agrees with what is possessed
        (("un prieten", "[al m sg]", "vecinului"), "un prieten al vecinului"),
        (("o cheie", "[al f sg]", "casei"), "o cheie a casei"),
        (("niște prieteni", "[al m pl]", "vecinului"), "niște prieteni ai vecinului"),
        (("niște ceasuri", "[al n pl]", "vecinului"), "niște ceasuri ale vecinului"),
        (("[be pl]", "obosiți"), "sunt obosiți"),
        (("[fi past sg]", "obosit"), "era obosit"),
        (("[have perfect sg]", "plecat"), "a plecat"),
        (("[avea perfect pl]", "plecat"), "au plecat"),
        (("[have sg]", "o cheie"), "are o cheie"),
    ],
)
def test_function_words(elements: tuple[str, ...], expected: str) -> None:
    assert say(Romanian(), *elements) == expected


@pytest.mark.parametrize(
    ("subject", "said", "expected"),
    [
        # `cu` keeps the article; the second attractor is a genitive
        ("server", "sg: sg, -, -: sg", "Serverul cu programul este stricat."),
        ("server", "pl: sg, -, -: pl", "Serverele cu programul sunt stricate."),
        (
            "server",
            "pl: pl, sg, -: pl",
            "Serverele cu programele experimentului sunt stricate.",
        ),
        (
            "server",
            "sg: sg, pl, sg: sg",
            "Serverul cu programul experimentelor din laborator este stricat.",
        ),
        # other prepositions keep it only before a noun that is modified
        ("imprimantă", "sg: sg, -, -: sg", "Imprimanta de pe masă este nouă."),
        ("imprimantă", "pl: pl, -, -: pl", "Imprimantele de pe mese sunt noi."),
        ("imprimantă", "sg: sg, sg, -: sg", "Imprimanta de pe masa secretarei este nouă."),
        ("imprimantă", "sg: sg, -, sg: sg", "Imprimanta de pe masa din birou este nouă."),
        ("imprimantă", "pl: pl, +sg, -: pl", "Imprimantele de pe mese și secretara sunt noi."),
        ("imprimantă", "pl: +sg, -, -: pl", "Imprimantele și masa sunt noi."),
        # and some take the genitive
        ("dronă", "sg: sg, -, -: sg", "Drona din fața ferestrei atrage atenția."),
        ("dronă", "pl: sg, sg, -: pl", "Dronele din fața ferestrei vecinului atrag atenția."),
        # masculine, feminine and neuter agreement
        ("student", "pl: pl, -, -: pl", "Studenții de lângă statui sunt obosiți."),
        ("prietenă", "pl: sg, -, -: pl", "Prietenele cu pălăria sunt celebre."),
        ("telefon", "sg: sg, -, -: sg", "Telefonul din apartament este al unchiului."),
        ("telefon", "pl: sg, -, -: sg", "Telefoanele din apartament este al unchiului."),
        ("telefon", "pl: sg, -, -: pl", "Telefoanele din apartament sunt ale unchiului."),
        # endings of their own: fratele, băieții, surorile
        ("frate", "sg: sg, -, -: sg", "Fratele cu cheia este supărat."),
        ("băiat", "pl: sg, -, -: pl", "Băieții de la fereastră râd."),
        ("soră", "pl: sg, -, -: pl", "Surorile de pe scenă sunt din Cluj."),
    ],
)
def test_agreement(subject: str, said: str, expected: str) -> None:
    concrete, lexicon = grammar()
    (seed,) = (s for s in lexicon.seeds if getattr(s.words["subject"], "key", "") == subject)
    assert str(realise(concrete, lexicon, "main", item(said), seed)) == expected


def test_letters_have_commas_below() -> None:
    """ș and ț, in every table; a cedilla in what people write is read as a comma."""
    for table in AGREEMENT.parent.glob("ro.*"):
        assert not set("şţŞŢ") & set(table.read_text(encoding="utf-8")), table.name
    assert Romanian().fold("Studenţii şi uşa.") == "studenții și ușa"
