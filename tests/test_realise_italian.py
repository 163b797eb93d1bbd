import pytest
from sandhi import say

from blm.realise.italian import Italian

M, F, MP, FP = "[def m sg]", "[def f sg]", "[def m pl]", "[def f pl]"


@pytest.mark.parametrize(
    ("word", "gender", "singular", "plural", "indefinite"),
    [
        ("cane", "m", "il cane", "i cane", "un cane"),
        ("zaino", "m", "lo zaino", "gli zaino", "uno zaino"),
        ("studente", "m", "lo studente", "gli studente", "uno studente"),
        ("sapone", "m", "il sapone", "i sapone", "un sapone"),
        ("sci", "m", "lo sci", "gli sci", "uno sci"),
        ("gnomo", "m", "lo gnomo", "gli gnomo", "uno gnomo"),
        ("psicologo", "m", "lo psicologo", "gli psicologo", "uno psicologo"),
        ("pneumatico", "m", "lo pneumatico", "gli pneumatico", "uno pneumatico"),
        ("xilofono", "m", "lo xilofono", "gli xilofono", "uno xilofono"),
        ("yogurt", "m", "lo yogurt", "gli yogurt", "uno yogurt"),
        ("iato", "m", "lo iato", "gli iato", "uno iato"),
        ("piano", "m", "il piano", "i piano", "un piano"),
        ("amico", "m", "l’amico", "gli amico", "un amico"),
        ("uomo", "m", "l’uomo", "gli uomo", "un uomo"),
        ("hotel", "m", "l’hotel", "gli hotel", "un hotel"),
        ("whisky", "m", "il whisky", "i whisky", "un whisky"),
        ("casa", "f", "la casa", "le casa", "una casa"),
        ("amica", "f", "l’amica", "le amica", "un’amica"),
        ("isola", "f", "l’isola", "le isola", "un’isola"),
        ("iena", "f", "la iena", "le iena", "una iena"),
        ("scuola", "f", "la scuola", "le scuola", "una scuola"),
        ("è", "m", "l’è", "gli è", "un è"),
    ],
)
def test_articles(word: str, gender: str, singular: str, plural: str, indefinite: str) -> None:
    italian = Italian()
    assert say(italian, f"[def {gender} sg]", word) == singular
    assert say(italian, f"[def {gender} pl]", word) == plural
    assert say(italian, f"[indef {gender} sg]", word) == indefinite


@pytest.mark.parametrize(
    ("preposition", "forms"),
    [
        ("di", "del dello dell’ della dei degli delle"),
        ("a", "al allo all’ alla ai agli alle"),
        ("da", "dal dallo dall’ dalla dai dagli dalle"),
        ("in", "nel nello nell’ nella nei negli nelle"),
        ("su", "sul sullo sull’ sulla sui sugli sulle"),
        ("con", "con_il con_lo con_l’ con_la con_i con_gli con_le"),
        ("per", "per_il per_lo per_l’ per_la per_i per_gli per_le"),
    ],
)
def test_articulated_prepositions(preposition: str, forms: str) -> None:
    nouns = [(M, "cane"), (M, "zio"), (M, "amico"), (F, "casa"), (MP, "cani"), (MP, "zii")]
    for (article, noun), form in zip([*nouns, (FP, "case")], forms.split(), strict=True):
        glue = "" if form.endswith("’") else " "
        assert say(Italian(), preposition, article, noun) == form.replace("_", " ") + glue + noun


@pytest.mark.parametrize(
    ("elements", "expected"),
    [
        (("di fronte a", MP, "cinema"), "di fronte ai cinema"),
        (("di", "[indef m sg]", "amico"), "di un amico"),
        (("con", "[indef m pl]", "amici"), "con degli amici"),
        (("di", "[indef f pl]", "amiche"), "di amiche"),
        (("di", "la zia"), "della zia"),
        (("da", "gli amici"), "dagli amici"),
        (("un po'", "di", "pane"), "un po’ di pane"),
        (("[this m sg]", "anno"), "quest’anno"),
        (("[this f sg]", "casa"), "questa casa"),
        (("per non", "lo vedere"), "per non lo vedere"),
        (("dell'", "amico"), "dell’amico"),
        (("c'", "è"), "c’è"),
        ((M, "<whiskey onset=plain>"), "il whiskey"),
        ((M, "<hobbit onset=plain>"), "il hobbit"),
        ((M, "<sbaglio onset=impure>"), "lo sbaglio"),
        (("[essere past pl]", "felici"), "erano felici"),
        (("[have sg]", "fame"), "ha fame"),
    ],
)
def test_sandhi(elements: tuple[str, ...], expected: str) -> None:
    assert say(Italian(), *elements) == expected
