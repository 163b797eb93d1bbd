"""Which language sentences are in, by the words that every text has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from blm.audit.writing.pattern import words

FUNCTION_WORDS = {
    "fr": words(
        "le la les l du des de d un une et est sont dans sur avec par que qui ont a au aux"
    ),
    "it": words(
        "il lo la i gli le l del della dei degli delle di un una e è sono con nel per che si"
    ),
    "en": words("the a an of and is are was were with by to in on onto into that has have from"),
    "de": words("der die das den dem des ein eine und ist sind mit von im auf zu wurde wurden"),
    "es": words("el la los las del de un una y es son con por en que se ha han al"),
    "ro": words("și este sunt cu de pe la un o în din care a au că lui"),
}
"""Function words by language; to guess by, not to understand."""

_LEAST_SHARE = 0.12
_LEAST_LEAD = 1.25
_SAMPLE = 3000


def guess(texts: Iterable[str]) -> str:
    """The language of sentences; nothing where none stands out.

    >>> guess(["L’ordinateur avec le programme est en panne."])
    'fr'
    """
    counts: Counter[str] = Counter()
    total = 0
    for number, text in enumerate(texts):
        if number >= _SAMPLE:
            break
        found = re.findall(r"[^\W\d_]+", text.lower())
        total += len(found)
        counts.update(lang for w in found for lang, known in FUNCTION_WORDS.items() if w in known)
    ranked = counts.most_common(2)
    if not ranked or ranked[0][1] < _LEAST_SHARE * total:
        return ""
    lead = ranked[0][1] / ranked[1][1] if len(ranked) > 1 else _LEAST_LEAD
    return ranked[0][0] if lead >= _LEAST_LEAD else ""
