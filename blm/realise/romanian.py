"""Romanian: the definite article is an ending, so it stands in the table of nouns, not here.

Facts after Guțu Romalo (ed.), *Gramatica limbii române*, I (the article; agreement).  A neuter noun
agrees as a masculine in the singular and as a feminine in the plural: *un ceas nou, niște ceasuri
noi*.  So of each function word the forms without gender are those that neuters take.

Neighbouring words do not change each other in writing; this module is only words, and the letters
that old keyboards lack.  grammars/agreement/ro.blm says which form a noun has after a preposition.
"""

from __future__ import annotations

from blm.realise.language import Language, by_name
from blm.realise.tokens import NUMBER, FunctionWord, Group, auxiliary, paradigm, table

_GENDER = Group("gender", frozenset({"m", "f", "n"}), None)

_COMMAS = str.maketrans("şţ", "șț")
"""A cedilla, which old keyboards and many texts have, for the comma below."""

_TENSES = {
    "be": paradigm(
        present="sunt ești este suntem sunteți sunt",
        past="eram erai era eram erați erau",
        infinitive="fi",
        participle="fost",
    ),
    "have": paradigm(
        present="am ai are avem aveți au",
        past="aveam aveai avea aveam aveați aveau",
        perfect="am ai a am ați au",  # before a participle: a plecat, au plecat
        infinitive="avea",
        participle="avut",
    ),
}


def _determiner(name: str, singular: str, feminine: str, plural: str, men: str) -> FunctionWord:
    """`singular` and `plural` are what neuters take."""
    forms = table(sg=singular, f_sg=feminine, pl=plural, m_pl=men)
    return FunctionWord(name, "determiner", forms, (_GENDER, NUMBER), agrees=True)


class Romanian(Language):
    """Romanian: `indef`, `this`; `al`, the article of genitives; `be` or `fi`, `have` or `avea`.

    `al` agrees with what is possessed, which stands before it, so its features are written:
    `al[subj.number, subject.gender]`.  Right after a definite noun there is none: *cheia casei*,
    but *o cheie a casei*.
    """

    functions = by_name(
        _determiner("indef", "un", "o", "niște", "niște"),
        _determiner("this", "acest", "această", "aceste", "acești"),
        FunctionWord(
            "al", "determiner", table(sg="al", f_sg="a", pl="ale", m_pl="ai"), (_GENDER, NUMBER)
        ),
        *(auxiliary(name, _TENSES["be"]) for name in ("be", "fi")),
        *(auxiliary(name, _TENSES["have"]) for name in ("have", "avea")),
    )

    def lower(self, text: str) -> str:
        """`text` in lower case, with commas for cedillas, so that both are read alike."""
        return super().lower(text).translate(_COMMAS)
