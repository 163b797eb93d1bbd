"""Italian: articles by the onset and the number of the next word.

Facts after Serianni, *Grammatica italiana* (IV.4-15 articles, IV.76-80 prepositions joined with
them, III.93-120 plurals).
"""

from __future__ import annotations

from blm.audit.writing.pattern import Match, Pattern, like, pattern, words

ARTICLE = "wrong-article"
CONTRACTION = "not-contracted"
NUMBER = "article-number"

_IMPURE = r"(?:s[bcdfghlmnpqrtvz]|z|gn|p[nst]|x)"
_PLAIN = rf"(?!{_IMPURE}|[aeiouàèéìòùhyj])[bcdfgklmnpqrstv]"
_JOINED_GLI = "degli|agli|dagli|negli|sugli|cogli"
_JOINED_LO = "dello|allo|dallo|nello|sullo"
_BEFORE_GLI = {"i": "gli", "dei": "degli", "ai": "agli", "dai": "dagli", "nei": "negli",
               "sui": "sugli", "coi": "cogli"}  # fmt: skip
_BEFORE_LO = {"il": "lo", "un": "uno", "del": "dello", "al": "allo", "dal": "dallo",
              "nel": "nello", "sul": "sullo", "col": "collo"}  # fmt: skip
_TO_PLAIN = {gli: i for i, gli in _BEFORE_GLI.items()} | {lo: il for il, lo in _BEFORE_LO.items()}
_STEMS = {"di": "de", "a": "a", "da": "da", "in": "ne", "su": "su"}
_ENDINGS = {"il": "l", "lo": "llo", "la": "lla", "i": "i", "gli": "gli", "le": "lle"}
_INVARIABLE = words(
    "video euro metro kilo chilo stereo judo casinò loro cinema gorilla koala panda sosia delta "
    "boia vaglia lama puma pigiama coma diploma paria nonnulla eventuali collega"
)
"""Words in -o and -a that stand after a plural article: i video, i cinema, i loro amici."""
_SINGULAR_I = words(
    "brindisi bisturi safari taxi kiwi alibi bikini sci menabò tassì martini brufoli zombi "
    "potpourri lunedì martedì mercoledì giovedì venerdì dì oggi quasi ieri cui più qui pi bonsai"
)
"""Words in -i that stand after a singular article."""


def _exchange(match: Match) -> str:
    article = match["article"]
    table = _BEFORE_GLI | _BEFORE_LO | _TO_PLAIN
    return f"{like(article, table[article.lower()])} {match['after']}"


def _join(match: Match) -> str:
    stem, article = match["prep"], match["article"]
    return f"{like(stem, _STEMS[stem.lower()] + _ENDINGS[article.lower()])} {match['after']}"


def _gods(match: Match) -> bool:
    return match["after"].lower() in ("dei", "dèi")


PATTERNS: tuple[Pattern, ...] = (
    # gli is a pronoun too (gli parla): only before what looks like a plural noun
    pattern(ARTICLE, rf"\b(?P<article>gli) (?P<after>{_PLAIN}\w*i)\b", "it",
            allowed=_gods, repair=_exchange),
    pattern(ARTICLE, rf"\b(?P<article>{_JOINED_GLI}) (?P<after>{_PLAIN}\w*)\b", "it", allowed=_gods,
            repair=_exchange),
    pattern(ARTICLE, rf"\b(?P<article>{'|'.join(_BEFORE_GLI)}) "
            rf"(?P<after>(?:{_IMPURE}|[aeiou])\w+)", "it", repair=_exchange),
    pattern(ARTICLE, rf"\b(?P<article>{'|'.join(_BEFORE_LO)}) (?P<after>{_IMPURE}\w+)", "it",
            repair=_exchange),
    pattern(ARTICLE, rf"\b(?P<article>{_JOINED_LO}) (?P<after>{_PLAIN}\w*)\b", "it",
            repair=_exchange),
    pattern(ARTICLE, rf"\b(?P<article>il|del|dal|nel|sul|{_JOINED_LO}) (?P<after>[aeou]\w+)", "it"),
    pattern(CONTRACTION, r"\b(?P<prep>di|a|da|in|su) (?P<article>il|lo|la|i|gli|le) "
            r"(?P<after>[^\W\d_]+)", "it", case=True, repair=_join,
            allowed=lambda m: m["after"][:1].isupper()),
    pattern(NUMBER, r"\b(?P<article>i|dei|ai|dai|nei|sui|coi) (?P<after>[^\W\d_]{3,}[ao])\b", "it",
            allowed=lambda m: m["after"].lower() in _INVARIABLE),
    pattern(NUMBER, r"\b(?P<article>il|lo|la|del|dello|della|nel|nella|sul|sulla|dal|dalla) "
            r"(?P<after>[^\W\d_]{3,}i)\b", "it", allowed=lambda m: _singular(m)),
)  # fmt: skip


def _singular(match: Match) -> bool:
    """Words in -i that may follow: invariable nouns, feminine ones in -si, and adverbs."""
    after = match["after"].lower()
    article = match["article"].lower()
    clitic = article in ("lo", "la")  # lo vedi
    greek = article.endswith("la") and after.endswith("si")  # della crisi, nella tesi
    return clitic or greek or after in _SINGULAR_I
