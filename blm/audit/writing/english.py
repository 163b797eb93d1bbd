"""English: a or an, and plurals and past tenses that should be irregular.

Facts after Quirk et al., *A Comprehensive Grammar of the English Language* (5.11 articles,
5.81-5.93 irregular plurals, 3.11-3.20 irregular verbs).  Onsets are those of the realiser.
"""

from __future__ import annotations

from blm.audit.writing.pattern import Match, Pattern, like, pattern, words

ARTICLE = "wrong-article"
PLURAL = "malformed-plural"
PAST = "malformed-past"

_PLURALS = {
    "mouses": "mice", "gooses": "geese", "tooths": "teeth", "womans": "women",
    "childs": "children", "childrens": "children", "mices": "mice", "geeses": "geese",
    "teeths": "teeth", "feets": "feet", "sheeps": "sheep", "deers": "deer", "oxes": "oxen",
    "wifes": "wives", "shelfs": "shelves", "thiefs": "thieves", "halfs": "halves",
    "loafs": "loaves", "calfs": "calves", "policemans": "policemen", "firemans": "firemen",
    "fishermans": "fishermen", "informations": "information", "furnitures": "furniture",
}  # fmt: skip
_PASTS = {
    "buyed": "bought", "catched": "caught", "teached": "taught", "thinked": "thought",
    "bringed": "brought", "goed": "went", "drived": "drove", "writed": "wrote", "eated": "ate",
    "taked": "took", "maked": "made", "gived": "gave", "breaked": "broke", "choosed": "chose",
    "speaked": "spoke", "stealed": "stole", "sweared": "swore", "throwed": "threw",
    "drawed": "drew", "flied": "flew", "growed": "grew", "knowed": "knew", "blowed": "blew",
    "sended": "sent", "builded": "built", "selled": "sold", "telled": "told", "sitted": "sat",
    "runned": "ran", "swimmed": "swam", "drinked": "drank", "falled": "fell", "feeled": "felt",
    "keeped": "kept", "sleeped": "slept", "leaved": "left", "losed": "lost", "sayed": "said",
    "spreaded": "spread", "hitted": "hit", "putted": "put", "cutted": "cut", "stringed": "strung",
}  # fmt: skip
_PLAIN_YS = words("stys flys whys drys bys frys skys spys trys")


def _starts_with_vowel(word: str) -> bool:
    from blm.realise.english import starts_with_vowel
    from blm.realise.tokens import Token

    return starts_with_vowel(Token(word, "word"))


def _is_right(match: Match) -> bool:
    """Whether the article fits; single letters and capitals after `a` are left alone."""
    after = match["after"]
    inside = match.start() > 0 and match.string[match.start() - 1] == " "
    letter = inside and match["article"] == "A"  # A and B
    if letter or len(after) == 1 or after.isupper():
        return True
    return _starts_with_vowel(after) == (match["article"].lower() == "an")


def _exchange(match: Match) -> str:
    article = match["article"]
    return f"{like(article, 'a' if article.lower() == 'an' else 'an')} {match['after']}"


PATTERNS: tuple[Pattern, ...] = (
    pattern(ARTICLE, r"(?<![-'’.&])\b(?P<article>an?) (?P<after>[^\W\d_]+)", "en",
            allowed=_is_right, repair=_exchange),
    pattern(PLURAL, rf"\b(?:{'|'.join(_PLURALS)})\b", "en",
            repair=lambda m: like(m[0], _PLURALS[m[0].lower()]), within_word=True),
    pattern(PLURAL, r"\b(?P<stem>[a-z]+[^\W\d_aeiouy])ys\b", "en", case=True,
            allowed=lambda m: m[0] in _PLAIN_YS, repair=lambda m: m["stem"] + "ies",
            within_word=True),
    pattern(PAST, rf"\b(?:{'|'.join(_PASTS)})\b", "en", within_word=True),
)  # fmt: skip
