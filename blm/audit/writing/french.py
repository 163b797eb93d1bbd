"""French: contraction, elision, and plurals that were made by adding letters.

Facts after Grevisse & Goosse, *Le bon usage* (elision and disjunction §§ 44-50, contraction
§ 584, plurals in -x and -aux §§ 525-528).  Onsets are those of the realiser.
"""

from __future__ import annotations

import re

from blm.audit.writing.pattern import Match, Pattern, like, pattern, words

CONTRACTION = "not-contracted"
ELISION = "not-elided"
WRONG_ELISION = "wrong-elision"
PLURAL = "malformed-plural"
SUFFIX = "doubled-suffix"
NUMBER = "article-number"

_CONTRACTED = {"de": ("du", "des"), "à": ("au", "aux")}
_INFINITIVE = re.compile(
    r"\w+(?:er|ir|oir)|(?:\w*(?:[aei]n|on|ain|ein|oin|er|or|ou)dre|\w*mettre|\w*battre|\w*prendre|"
    r"(?:re|pour|sur)?(?:suivre|vivre)|\w*aître|(?:re|ré|sou|é|in|dé|trans|pre|pré|inter|contre)?"
    r"(?:lire|dire|rire|écrire|crire)|\w+duire|(?:dé|re|cons)?truire|cuire|croire|boire|\w*faire|"
    r"plaire|taire|\w*clure|\w*rompre|être)"
)
_NOT_INFINITIVES = words("genre gendre cendre ordre désordre cadre")
_LOANS = words(
    "stress express boss business fitness process compass miss mess bass loess gauss pass glass "
    "ness cross class kiss jazz gross guess press topless wireless hostess mess strass schuss "
    "edelweiss reps quartz kibboutz fez merguez gaz"
)
_PLAIN_ALS = words(
    "bals carnavals chacals festivals récitals régals cals avals narvals nopals étals pals finals "
    "natals banals fatals navals cérémonials santals sisals corrals pascals prénatals bancals "
    "locals serials cantals gavials"
)
_MUTE_H = (
    r"h(?:omme|ôtel|ôpit|eure|istoire|erbe|uile|abit|iver|onn|orloge|érit|éroïne|umeur|umain|"
    r"umidité|uître|ypoth|élic|ebdo|armon|erbe|orizon|oraire|ésit|abill)\w*"
)
_VOWEL = r"[aàâeéèêëiîïoôuûùœæ]\w*"
_NUMERALS = words("quatre cinq sept huit neuf onze douze treize quatorze quinze seize vingt trente")
_ELIDING = "de|que|ne|se|je|me|te|le|la|jusque|lorsque|puisque|quoique"
_NO_ELISION = re.compile(r"(?:onz|oui$|ouistiti|uhlan|un$|une$|y(?!eux$)|ï|iod|iaourt|ululement)")


def _before_infinitive(match: Match) -> bool:
    """`de le voir`: the article is a pronoun, and nothing is contracted."""
    after = match["after"].lower()
    return bool(_INFINITIVE.fullmatch(after)) and after not in _NOT_INFINITIVES


def _contract(match: Match) -> str:
    preposition, article = match["prep"], match["article"].lower()
    singular, plural = _CONTRACTED[preposition.lower()]
    if article == "le" and _starts_with_vowel(match["after"]):
        return f"{preposition} l’{match['after']}"
    return f"{like(preposition, singular if article == 'le' else plural)} {match['after']}"


def _starts_with_vowel(word: str) -> bool:
    from blm.realise.french import starts_with_vowel
    from blm.realise.tokens import Token

    return starts_with_vowel(Token(word, "word"))


def _not_elided(match: Match) -> bool:
    """Words before which nothing elides, and names, before which it may not."""
    word, after = match["word"].lower(), match["after"]
    if after[:1].isupper() or (word == "la" and after.lower() in ("une", "onze")):
        return True
    if after.lower() in ("un", "une") and word in ("le", "la", "de"):
        return True  # le un, la une: the numeral; `de un` is written in sums
    plain = after.lower() in ("un", "une")
    return not plain and bool(_NO_ELISION.match(after.lower()))


def _elide(match: Match) -> str:
    return f"{match['word'][:-1]}’{match['after']}"


def _elides_rightly(match: Match) -> bool:
    return len(match["after"]) == 1 or match["after"][:1].isupper()


def _not_singular(match: Match) -> bool:
    """Words without plural ending that may follow `les`: numerals, names, infinitives."""
    after = match["after"]
    return after[:1].isupper() or after in _NUMERALS or _before_infinitive(match)


PATTERNS: tuple[Pattern, ...] = (
    pattern(CONTRACTION, r"\b(?P<prep>de|à) (?P<article>les?) (?P<after>[^\W\d_]+)", "fr",
            allowed=_before_infinitive, repair=_contract),
    pattern(ELISION, rf"(?<![-’'])\b(?P<word>{_ELIDING}) (?P<after>{_VOWEL}|{_MUTE_H})",
            "fr", allowed=_not_elided, repair=_elide),
    pattern(ELISION, r"\bsi (?P<after>ils?)\b", "fr", repair=lambda m: f"{m[0][0]}’{m['after']}"),
    pattern(WRONG_ELISION, r"\b(?:l|d|j|m|t|s|n|qu)['’] ?(?P<after>[bcdfgjklmnpqrstvwxz]\w*)", "fr",
            allowed=_elides_rightly),
    pattern(NUMBER, r"\b(?:(?:avec|dans|sur|sous|chez|contre|vers|par|de) (?:les|mes|ces)|aux) "
            r"(?P<after>[^\W\d_]+[^\W\d_sxz])\b", "fr", allowed=_not_singular),
    pattern(PLURAL, r"\b(?P<stem>[^\W\d_]+s)s\b", "fr", repair=lambda m: m["stem"],
            allowed=lambda m: m[0].lower() in _LOANS or m["stem"].lower().endswith("ss"),
            within_word=True),
    pattern(PLURAL, r"\b(?P<stem>[^\W\d_]{2,}[xz])s\b", "fr", repair=lambda m: m["stem"],
            allowed=lambda m: m[0].lower() in ("quizs", "jazzs"), within_word=True),
    pattern(PLURAL, r"\b(?P<stem>[^\W\d_]*eau)s\b", "fr", repair=lambda m: m["stem"] + "x",
            within_word=True),
    pattern(PLURAL, r"\b[^\W\d_]+als\b", "fr", allowed=lambda m: m[0].lower() in _PLAIN_ALS,
            within_word=True),
    pattern(SUFFIX, r"\b(?P<stem>[^\W\d_]{3,})(?P<end>eur|tion|ité|iste|eau)(?P=end)(?P<s>s?)\b",
            "fr", allowed=lambda m: m[0].lower().rstrip("s") == "pleureur",
            repair=lambda m: m["stem"] + m["end"] + m["s"], within_word=True),
)  # fmt: skip
