"""Turkish: suffixes that take their sounds from the word before them.

Suffixes are written with archiphonemes (Göksel & Kerslake, *Turkish: A Comprehensive Grammar*,
chapters 2, 3 and 8): `A` is a or e; `I` is ı, i, u or ü; `D` is d or t; `C` is c or ç; `K` is
k, or ğ before a vowel.  A letter in parentheses is said only where it keeps two vowels or two
consonants apart: `-(y)A`, `-(I)n`.  A literal that starts with a hyphen is such a suffix:
`"-DI"`, `"-lAr"`.

A word of the lexicon may say with the feature `causative` or `passive` which suffix it takes
(`-It`, `-Ir`, `-Ar`), with `harmony` (`front`, `back`) that it takes the vowels of the other
kind (saat-ler), and with `voicing` that its final stop is voiced before a vowel (git-, gid-er).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from blm.realise.language import CLOSING, Language, by_name
from blm.realise.tokens import FunctionWord, Group, Token

_VOWELS = frozenset("aıoueiöüâîû")
_FRONT = frozenset("eiöüî")
_ROUND = frozenset("ouöüû")
_VOICELESS = frozenset("çfhkpsşt")
_VOICED = {"ç": "c", "k": "ğ", "p": "b", "t": "d"}
_SUFFIX = re.compile(r"-(?:\w|\(\w\))+")
_SYMBOL = re.compile(r"\(\w\)|\w")
_HIGH = {(False, False): "ı", (True, False): "i", (False, True): "u", (True, True): "ü"}
"""High vowels by (front, round)."""

HARMONY = Group("harmony", frozenset({"harmonic", "disharmonic"}), "harmonic")
"""`past[disharmonic]` takes front vowels after back ones and back vowels after front ones."""

_SUFFIXES: Mapping[str, str] = {
    "past": "-DI",
    "evidential": "-mIş",
    "future": "-(y)AcAK",
    "progressive": "-Iyor",
    "negative": "-mA",
    "plural": "-lAr",
    "causative": "-DIr",
    "passive": "-Il",
    "reflexive": "-(I)n",
    "reciprocal": "-(I)ş",
}


def _suffix(name: str, shape: str) -> FunctionWord:
    return FunctionWord(name, "suffix", ((frozenset(), shape),), (HARMONY,))


class Turkish(Language):
    """Turkish: suffixes such as `past`, `past[disharmonic]`, `causative`, `passive`."""

    functions = by_name(*(_suffix(name, shape) for name, shape in _SUFFIXES.items()))

    def written(self, tokens: Sequence[Token]) -> list[str]:
        """Each suffix joined to what stands before it, which may change its last letter."""
        texts: list[str] = []
        first = 0  # the token that the suffixes follow
        for index, token in enumerate(tokens):
            if not (is_suffix(token) and texts):
                first = index
                texts += super().written([token])
                if index and texts[index][0] in CLOSING:
                    texts[index - 1] = texts[index - 1].rstrip()
                continue
            stem = "".join(texts[first:]).rstrip()
            kept, ending = join(stem, tokens[index - 1], token)
            last = max(place for place, text in enumerate(texts) if text)
            if kept != stem:
                texts[last] = texts[last].rstrip()[:-1] + kept[len(stem) - 1 :] + " "
            if ending:
                texts[last] = texts[last].rstrip()
            texts.append(ending and ending + " ")
        return texts

    def leans(self, token: Token) -> bool:
        """A suffix leans on its stem."""
        return is_suffix(token) or super().leans(token)

    def upper(self, letter: str) -> str:
        """The capital of i is İ, that of ı is I."""
        return "İ" if letter == "i" else super().upper(letter)

    def lower(self, text: str) -> str:
        """`text` in lower case, in which I is ı and İ is i."""
        return super().lower(text.replace("I", "ı").replace("İ", "i"))


def is_suffix(token: Token) -> bool:
    """Whether `token` is a suffix: `-DI`, not a dash."""
    return token.kind in ("suffix", "literal") and _SUFFIX.fullmatch(token.form) is not None


def join(stem: str, before: Token, suffix: Token) -> tuple[str, str]:
    """What is left of `stem`, whose last token is `before`, and what `suffix` becomes.

    >>> join("git", Token("git", "word", frozenset({"voicing=voiced"})), Token("-Iyor", "literal"))
    ('gid', 'iyor')
    """
    front = {"harmony=front": True, "harmony=back": False}
    lexical = next((front[f] for f in before.features if f in front), None)
    if "disharmonic" in suffix.features:
        lexical = not (_last_vowel(stem) in _FRONT if lexical is None else lexical)
    kept, ending = attach(stem, suffix_shape(suffix, before, stem), front=lexical)
    voiced = (is_suffix(before) and before.form[-1] == "K") or any(
        feature.startswith("voicing=") for feature in before.features
    )
    if voiced and ending[:1] in _VOWELS:
        kept = kept[:-1] + _VOICED.get(kept[-1], kept[-1])
    return kept, ending


def suffix_shape(suffix: Token, before: Token, stem: str) -> str:
    """The archiphonemes of a suffix after `stem`, whose last token is `before`.

    The causative is -t after a vowel, l or r in words of several syllables, else -DIr; the
    passive is -n after a vowel, -In after l, else -Il (Göksel & Kerslake, 8.2.1); unless the
    word `before` says otherwise.
    """
    for name in ("causative", "passive"):
        if f"function={name}" in suffix.features:
            return _lexical(name, before) or _VOICES[name](stem)
    return suffix.form


def _lexical(name: str, word: Token) -> str | None:
    """The suffix that `word` itself asks for."""
    return next((f.partition("=")[2] for f in word.features if f.startswith(f"{name}=")), None)


def _causative(stem: str) -> str:
    syllables = sum(letter in _VOWELS for letter in stem)
    return "-t" if syllables > 1 and (stem[-1] in _VOWELS or stem[-1] in "lr") else "-DIr"


def _passive(stem: str) -> str:
    if stem[-1] in _VOWELS:
        return "-n"
    return "-In" if stem[-1] == "l" else "-Il"


_VOICES = {"causative": _causative, "passive": _passive}


def attach(stem: str, suffix: str, *, front: bool | None = None) -> tuple[str, str]:
    """What is left of `stem`, and the sounds of `suffix` after it.

    `front` overrides the harmony of the first vowel of the suffix.

    >>> attach("kes", "-DI"), attach("söyle", "-Iyor"), attach("yaz", "-DI", front=True)
    (('kes', 'ti'), ('söyl', 'üyor'), ('yaz', 'di'))
    """
    heard = stem
    symbols = _SYMBOL.findall(suffix)
    if symbols[:1] == ["I"] and stem[-1] in _VOWELS:  # two vowels do not meet
        if suffix.startswith("-Iyor"):
            stem = stem[:-1]
            heard = stem if _last_vowel(stem) else heard
        else:
            symbols = symbols[1:]
    ending = ""
    for symbol in symbols:
        sound = _sound(symbol.strip("()"), heard, front)
        if symbol[0] == "(" and (sound in _VOWELS) == (heard[-1:] in _VOWELS):
            continue
        if sound in _VOWELS:
            front = None
        heard += sound
        ending += sound
    return stem, ending


def _sound(symbol: str, heard: str, front: bool | None) -> str:
    """The sound of an archiphoneme after what was heard; any other letter is itself."""
    vowel = _last_vowel(heard)
    if front is None:
        front = vowel in _FRONT
    match symbol:
        case "A":
            return "e" if front else "a"
        case "I":
            return _HIGH[front, vowel in _ROUND]
        case "D":
            return "t" if heard[-1:] in _VOICELESS else "d"
        case "C":
            return "ç" if heard[-1:] in _VOICELESS else "c"
        case _:
            return symbol.lower()


def _last_vowel(text: str) -> str:
    return next((letter for letter in reversed(text) if letter in _VOWELS), "")
