import pytest
from sandhi import say

from blm.realise.french import French
from blm.words import FormError

DEF_M, DEF_F, DEF_PL = "[def m sg]", "[def f sg]", "[def m pl]"


@pytest.mark.parametrize(
    ("elements", "expected"),
    [
        # elision before vowels and mute h
        ((DEF_M, "ordinateur"), "l’ordinateur"),
        ((DEF_F, "eau"), "l’eau"),
        ((DEF_F, "île"), "l’île"),
        ((DEF_F, "œuvre"), "l’œuvre"),
        ((DEF_M, "homme"), "l’homme"),
        ((DEF_F, "huître"), "l’huître"),
        ((DEF_M, "Yonnais"), "le Yonnais"),
        ((DEF_PL, "hommes"), "les hommes"),
        (("[indef f sg]", "eau"), "une eau"),
        (("Jean suppose que", DEF_M, "ami"), "Jean suppose que l’ami"),
        (("Jean suppose que", "il dort"), "Jean suppose qu’il dort"),
        (("dont je ai parlé",), "dont j’ai parlé"),
        (("parce que", "elle ne est pas là"), "parce qu’elle n’est pas là"),
        (("lorsque", "on se ennuie"), "lorsqu’on s’ennuie"),
        (("jusque", "ici"), "jusqu’ici"),
        (("si", "il vient"), "s’il vient"),
        (("si", "ils viennent"), "s’ils viennent"),
        (("si", "elle vient"), "si elle vient"),
        # no elision: aspirated h, onze, oui, y before a vowel
        ((DEF_M, "haricot"), "le haricot"),
        ((DEF_F, "haine"), "la haine"),
        ((DEF_M, "héros"), "le héros"),
        ((DEF_F, "héroïne"), "l’héroïne"),
        ((DEF_M, "hibou"), "le hibou"),
        ((DEF_M, "onzième"), "le onzième"),
        ((DEF_M, "oui"), "le oui"),
        ((DEF_M, "yaourt"), "le yaourt"),
        (("de", "[def m pl]", "yeux"), "des yeux"),
        (("beaucoup de", "yeux"), "beaucoup d’yeux"),
        # the lexicon has the last word
        ((DEF_M, "<huron onset=aspirated>"), "le huron"),
        ((DEF_F, "<hyène onset=mute>"), "l’hyène"),
        ((DEF_M, "<haltère onset=mute>"), "l’haltère"),
        # contraction, with articles only, and not before an elided one
        (("de", DEF_M, "programme"), "du programme"),
        (("de", DEF_M, "homme"), "de l’homme"),
        (("de", DEF_F, "table"), "de la table"),
        (("de", DEF_F, "école"), "de l’école"),
        (("de", DEF_PL, "hommes"), "des hommes"),
        (("de", DEF_M, "hibou"), "du hibou"),
        (("à", DEF_M, "bal"), "au bal"),
        (("à", DEF_M, "<hérisson onset=aspirated>"), "au hérisson"),
        (("à", DEF_M, "hôtel"), "à l’hôtel"),
        (("à", DEF_PL, "amis"), "aux amis"),
        (("à côté de", DEF_PL, "ponts"), "à côté des ponts"),
        (("jusqu'à", DEF_M, "pont"), "jusqu’au pont"),
        (("avec", DEF_M, "programme"), "avec le programme"),
        (("de le voir",), "de le voir"),
        (("à les entendre",), "à les entendre"),
        (("de", "le programme"), "du programme"),
        # articles and `de`
        (("de", "[indef m pl]", "livres"), "de livres"),
        (("de", "[indef m pl]", "amis"), "d’amis"),
        (("de", "[indef m sg]", "ami"), "d’un ami"),
        (("avec", "[indef m pl]", "amis"), "avec des amis"),
        # demonstratives and possessives
        (("[this m sg]", "ami"), "cet ami"),
        (("[this m sg]", "héros"), "ce héros"),
        (("[this f sg]", "amie"), "cette amie"),
        (("ce", "est vrai"), "c’est vrai"),
        (("ma", "amie"), "mon amie"),
        (("ma", "table"), "ma table"),
        (("sa", "<harpe onset=aspirated>"), "sa harpe"),
        # apostrophes of the author
        (("aujourd'hui",), "aujourd’hui"),
        (("d'", "accord"), "d’accord"),
        # punctuation
        (("oui", ",", "dit-il"), "oui, dit-il"),
        # auxiliaries
        (("elle", "[be sg]", "là"), "elle est là"),
        (("elles", "[être past pl]", "là"), "elles étaient là"),
        (("[avoir 1 pl]",), "avons"),
    ],
)
def test_sandhi(elements: tuple[str, ...], expected: str) -> None:
    assert say(French(), *elements) == expected


def test_an_article_needs_a_gender() -> None:
    with pytest.raises(FormError, match="needs the gender of a noun") as error:
        say(French(), "[def sg]", "table")
    assert error.value.code == "function-form"


def test_an_article_knows_no_tense() -> None:
    with pytest.raises(FormError, match="not inflected for past"):
        say(French(), "[def past]", "table")
