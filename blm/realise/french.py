"""French: elision, aspirated h, contraction of articles.

Facts after Grevisse & Goosse, *Le bon usage* (elision and disjunction; contracted articles).
A word of the lexicon overrides the lists here with the feature `onset`: `aspirated` forbids
elision before it, `mute` demands it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from blm.realise.language import Language, by_name, following, preceding
from blm.realise.tokens import GENDER, NUMBER, FunctionWord, Token, auxiliary, paradigm, table
from blm.text import without_accents

_ELIDING = frozenset({"le", "la", "de", "que", "ne", "se", "je", "me", "te", "ce"}) | frozenset(
    {"jusque", "lorsque", "puisque", "quoique"}
)
_ELIDED = frozenset(form[:-1] + "’" for form in _ELIDING) | {"s’"}
_CONTRACTED = {
    ("de", "le"): "du",
    ("de", "les"): "des",
    ("à", "le"): "au",
    ("à", "les"): "aux",
    ("jusqu’à", "le"): "jusqu’au",
    ("jusqu’à", "les"): "jusqu’aux",
}
_PREPOSITIONS = frozenset(preposition for preposition, _ in _CONTRACTED)
_FEMININE = {"ma": "mon", "ta": "ton", "sa": "son"}
_ETRE_AFTER_CE = frozenset(["est", "était", "étaient", "en", "eût"])
_PERSONS_AFTER_SI = frozenset({"il", "ils"})

_ASPIRATED = re.compile(
    r"(?:hach|hagard|haie|haillon|hain|haï|hais|hait|hâl|halos?$|halls?$|halles?$|haltes?$|halet|"
    r"hamac|hammam|hamburger|hameau|hamster|hanch|hand|hangar|hanneton|hant|happ|harangu|haras|"
    r"harc|hard|harem|hareng|hargn|haricot|harnais|harnach|harp|hasard|hât|hauss|haut|havre|"
    r"heaume|hérau|hériss|herni|héron|héros$|herse|hêtre|heurt|hibou|hic$|hideu|hiérarch|hippie|"
    r"hiss|hoch|hockey|holland|homard|hongr|hont|hoquet|hors|hotte|hou[a-x]|hublot|huche|huée|huer|"
    r"huguenot|huit|hul|hun$|huns$|hupp|hurl|hussard|hutt)"
)
_UNLINKED = re.compile(r"(?:onz|oui$|ouistiti|uhlan|y(?!eux$|euse|onne$)[aeiou])")


_TENSES = {
    "be": paradigm(
        present="suis es est sommes êtes sont",
        past="étais étais était étions étiez étaient",
        future="serai seras sera serons serez seront",
        infinitive="être",
        participle="été",
    ),
    "have": paradigm(
        present="ai as a avons avez ont",
        past="avais avais avait avions aviez avaient",
        future="aurai auras aura aurons aurez auront",
        infinitive="avoir",
        participle="eu",
    ),
}


def _article(name: str, m: str, f: str, plural: str) -> FunctionWord:
    forms = table(m_sg=m, f_sg=f, pl=plural)
    return FunctionWord(name, "determiner", forms, (GENDER, NUMBER), agrees=True)


class French(Language):
    """French: `def`, `indef`, `this`; `be` or `être`, `have` or `avoir`."""

    functions = by_name(
        _article("def", "le", "la", "les"),
        _article("indef", "un", "une", "des"),
        _article("this", "ce", "cette", "ces"),
        *(auxiliary(name, _TENSES["be"]) for name in ("be", "être")),
        *(auxiliary(name, _TENSES["have"]) for name in ("have", "avoir")),
    )
    reactive: ClassVar = (
        _ELIDING | _ELIDED | _PREPOSITIONS | _FEMININE.keys() | {"si", "les", "des"}
    )

    def shape(self, tokens: Sequence[Token], index: int) -> str:
        """Contraction first, then elision: `de le` is `du`, but `de le eau` is `de l’eau`."""
        token, after = tokens[index], following(tokens, index)
        if token.form in _ELIDED:  # the author wrote the apostrophe
            return token.form
        if _absorbed(tokens, index):
            return ""
        if after is None:
            return token.form + " "
        if _contracts(tokens, index):
            return _CONTRACTED[token.form, after.form] + " "
        if _absorbed(tokens, index + 1):
            after = following(tokens, index + 1)
        return _before(token, after) if after else token.form + " "


def _before(token: Token, after: Token) -> str:
    """`token` before `after`, where neither is contracted."""
    form = token.form
    if form == "si":
        return "s’" if after.form in _PERSONS_AFTER_SI else "si "
    if form == "ce":
        if token.kind != "determiner" and after.form in _ETRE_AFTER_CE:
            return "c’"
        return "cet " if starts_with_vowel(after) else "ce "
    if not starts_with_vowel(after):
        return form + " "
    if form in _FEMININE:
        return _FEMININE[form] + " "
    return form[:-1] + "’" if form in _ELIDING else form + " "


def _is_article(tokens: Sequence[Token], index: int) -> bool:
    """An article, not a clitic: `de le voir` keeps its `le` if the author wrote both together."""
    return tokens[index].kind == "determiner" or tokens[index].opens


def _contracts(tokens: Sequence[Token], index: int) -> bool:
    """Whether the preposition at `index` contracts with the article after it."""
    if index + 1 >= len(tokens):
        return False
    article, noun = tokens[index + 1], following(tokens, index + 1)
    return (
        (tokens[index].form, article.form) in _CONTRACTED
        and _is_article(tokens, index + 1)
        and not (article.form == "le" and noun is not None and starts_with_vowel(noun))
    )


def _absorbed(tokens: Sequence[Token], index: int) -> bool:
    """Whether the token at `index` vanishes: `le` of `du`, `des` (plural of `un`) after `de`."""
    before = preceding(tokens, index)
    if before is None or before.form not in _PREPOSITIONS:
        return False
    indefinite = tokens[index].form == "des" and "function=indef" in tokens[index].features
    return (before.form == "de" and indefinite) or _contracts(tokens, index - 1)


def starts_with_vowel(token: Token) -> bool:
    """Whether words elide before `token`: a vowel or mute h, by the lexicon or by the lists.

    >>> [starts_with_vowel(Token(form, "word")) for form in ("eau", "homme", "haricot", "onze")]
    [True, True, False, False]
    """
    if "onset=aspirated" in token.features:
        return False
    if "onset=mute" in token.features:
        return True
    form = token.form.lower()
    return (
        without_accents(form[:1]) in set("aeiouyhœæ")
        and not _ASPIRATED.match(form)
        and not _UNLINKED.match(form)
    )
