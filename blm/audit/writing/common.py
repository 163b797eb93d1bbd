"""Writing that is wrong in any language: spacing, apostrophes, doubled words, broken encoding."""

from __future__ import annotations

from blm.audit.writing.pattern import Match, Pattern, pattern, words

SPACE_STOP = "space-before-stop"
SPACE_APOSTROPHE = "space-after-apostrophe"
SPACES = "double-space"
OUTER = "outer-space"
DOUBLED_WORD = "doubled-word"
ENCODING = "broken-encoding"

_MAY_DOUBLE = words(
    "nous vous had that bye so very no non si oui très piano pian via man mano così poco"
)
"""Words that stand twice in good sentences: nous nous levons, had had, via via."""


def _may_double(match: Match) -> bool:
    word = match[1]
    name = word[:1].isupper() and match[2][:1].isupper()
    return word.lower() in _MAY_DOUBLE or word.isdigit() or name


PATTERNS: tuple[Pattern, ...] = (
    pattern(SPACE_STOP, r"(?<=\S)[ \t\u00a0]+(?=[.,](?![.\w]))", repair=lambda m: ""),
    pattern(SPACE_STOP, r"(?<=\S)[ \t]+(?=[;:!?])", "en it ro de es tr", repair=lambda m: ""),
    pattern(
        SPACE_APOSTROPHE, r"(?<=[^\W\d_])(['’ʼ´`])[ \t]+(?=\w)", "fr it", repair=lambda m: m[1]
    ),
    pattern(
        SPACE_APOSTROPHE,
        r"(['’ʼ´`])[ \t]+(?=(?:s|t|re|ve|ll|d|m)\b)",
        "en",
        repair=lambda m: m[1],
        allowed=lambda m: _after_s(m),
    ),
    pattern(SPACES, r"(?<=\S)[ \t\u00a0]{2,}(?=\S)", repair=lambda m: " "),
    pattern(OUTER, r"\A\s+|\s+\Z", repair=lambda m: ""),
    pattern(DOUBLED_WORD, r"\b([^\W_]+)[ \t]+(\1)\b(?!['’\-])", allowed=_may_double),
    pattern(ENCODING, r"\ufffd|Ã[\u0080-\u00bf©¨ª«]|â€[™œ\u009d“]"),
)


def _after_s(match: Match) -> bool:
    """`the boys' s...` may be a plural possessive before a word; after another letter it is not."""
    before = match.string[: match.start()]
    return before[-1:].lower() == "s"
