"""Italian: articles by the onset of the next word, and prepositions joined with them.

Facts after Serianni, *Grammatica italiana*, chapter IV (the article).  A word of the lexicon
overrides the rules here with the feature `onset`: `vowel` (l’hotel), `impure` (lo sbaglio),
`plain` (il whisky).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar, Literal

from blm.realise.language import Language, by_name, following, preceding
from blm.realise.tokens import GENDER, NUMBER, FunctionWord, Token, auxiliary, paradigm, table
from blm.text import without_accents

Onset = Literal["vowel", "impure", "plain"]
"""What articles are chosen by: l’amico, lo studente, il cane."""
_ONSETS: tuple[Onset, ...] = ("vowel", "impure", "plain")

_IMPURE = re.compile(r"(?:s[^aeiou]|z|gn|p[nst]|x|y|i[aeou]|[cf]t|[cmt]n|tm|bd)")
_VOWEL = re.compile(r"h?[aeiou]")

_ARTICLES: dict[str, dict[Onset, str]] = {
    "il": {"plain": "il", "impure": "lo", "vowel": "l’"},
    "i": {"plain": "i", "impure": "gli", "vowel": "gli"},
    "la": {"plain": "la", "impure": "la", "vowel": "l’"},
    "le": {"plain": "le", "impure": "le", "vowel": "le"},
    "un": {"plain": "un", "impure": "uno", "vowel": "un"},
    "una": {"plain": "una", "impure": "una", "vowel": "un’"},
    "dei": {"plain": "dei", "impure": "degli", "vowel": "degli"},
    "delle": {"plain": "delle", "impure": "delle", "vowel": "delle"},
    "questo": {"plain": "questo", "impure": "questo", "vowel": "quest’"},
    "questa": {"plain": "questa", "impure": "questa", "vowel": "quest’"},
}
_STEMS = {"di": "de", "da": "da", "a": "a", "in": "ne", "su": "su"}
_ENDINGS = {
    "il": "l", "lo": "llo", "l’": "ll’", "la": "lla", "i": "i", "gli": "gli", "le": "lle",
}  # fmt: skip
_ELIDED = frozenset({"l’", "un’", "d’", "c’", "quest’", "quell’", "anch’", "com’", "dov’"}) | {
    stem + "ll’" for stem in _STEMS.values()
}
_INDEFINITE_PLURALS = frozenset({"dei", "delle"})

_TENSES = {
    "be": paradigm(
        present="sono sei è siamo siete sono",
        past="ero eri era eravamo eravate erano",
        future="sarò sarai sarà saremo sarete saranno",
        infinitive="essere",
    ),
    "have": paradigm(
        present="ho hai ha abbiamo avete hanno",
        past="avevo avevi aveva avevamo avevate avevano",
        future="avrò avrai avrà avremo avrete avranno",
        infinitive="avere",
        participle="avuto",
    ),
}


def _article(name: str, m: str, f: str, m_pl: str, f_pl: str) -> FunctionWord:
    forms = table(m_sg=m, f_sg=f, m_pl=m_pl, f_pl=f_pl)
    return FunctionWord(name, "determiner", forms, (GENDER, NUMBER), agrees=True)


class Italian(Language):
    """Italian: `def`, `indef`, `this`; `be` or `essere`, `have` or `avere`."""

    functions = by_name(
        _article("def", "il", "la", "i", "le"),
        _article("indef", "un", "una", "dei", "delle"),
        _article("this", "questo", "questa", "questi", "queste"),
        *(auxiliary(name, _TENSES["be"]) for name in ("be", "essere")),
        *(auxiliary(name, _TENSES["have"]) for name in ("have", "avere")),
    )
    reactive: ClassVar = frozenset(_ARTICLES) | frozenset(_STEMS) | _ELIDED | {"lo", "gli"}

    def shape(self, tokens: Sequence[Token], index: int) -> str:
        """The article before its word, melted into the preposition before it."""
        token, after = tokens[index], following(tokens, index)
        if _melts(tokens, index):
            article = _spoken(tokens, index + 1)
            return _spaced(_STEMS[token.form] + _ENDINGS[article])
        if _melts(tokens, index - 1) or _is_dropped(tokens, index):
            return ""
        return _spaced(_spoken(tokens, index)) if after else token.form + " "


def onset(token: Token) -> Onset:
    """How a word begins, for the articles before it.

    >>> [onset(Token(form, "word")) for form in ("amico", "studente", "iena", "cane")]
    ['vowel', 'impure', 'impure', 'plain']
    """
    for kind in _ONSETS:
        if f"onset={kind}" in token.features:
            return kind
    form = without_accents(token.form).lower()
    if _IMPURE.match(form):
        return "impure"
    return "vowel" if _VOWEL.match(form) else "plain"


def _spaced(text: str) -> str:
    return text if text.endswith("’") else text + " "


def _spoken(tokens: Sequence[Token], index: int) -> str:
    """The article at `index` as the word after it demands; other tokens as they are."""
    token, after = tokens[index], following(tokens, index)
    if token.kind != "determiner" or after is None:
        return token.form
    return _ARTICLES.get(token.form, {}).get(onset(after), token.form)


def _melts(tokens: Sequence[Token], index: int) -> bool:
    """Whether the preposition at `index` melts into the definite article after it."""
    if index < 0 or index + 1 >= len(tokens) or tokens[index].form not in _STEMS:
        return False
    article = tokens[index + 1]
    is_article = article.kind == "determiner" or article.opens
    return is_article and _spoken(tokens, index + 1) in _ENDINGS


def _is_dropped(tokens: Sequence[Token], index: int) -> bool:
    """Whether an indefinite plural vanishes: `di` + `dei libri` is `di libri`."""
    before = preceding(tokens, index)
    return (
        before is not None
        and before.form == "di"
        and tokens[index].kind == "determiner"
        and tokens[index].form in _INDEFINITE_PLURALS
    )
