"""The fields of a record, described once: for the data card, the metadata and the documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "number", "truth", "cells"]


@dataclass(frozen=True)
class Field:
    """A field: `many` ones hold a list; `inner` ones are those of its objects."""

    name: str
    kind: Kind
    text: str
    many: bool = False
    inner: tuple[Field, ...] = ()


_ITEM = Field("item", "cells", "the value of each cell, by object; null for an absent object")
_WORDING = Field("wording", "text", "the seed of its words, with the word that replaces one of it")

CONTEXT = (Field("text", "text", "the sentence"), _ITEM, _WORDING)

BROKEN = (
    Field("rule", "text", "the name of the rule"),
    Field("family", "text", "external, internal or relational"),
)

CANDIDATE = (
    Field("text", "text", "the sentence"),
    Field("label", "text", "what is wrong with it, in one word; `correct` for the right answer"),
    _WORDING,
    _ITEM,
    Field("labels", "text", "every label that fits", many=True),
    Field("correct", "truth", "whether it obeys every rule"),
    Field("broken", "text", "the rules it breaks", many=True, inner=BROKEN),
    Field("edits", "text", "the cells in which it differs from the right answer", many=True),
    Field("minimal", "truth", "whether it was found as a minimal distractor"),
    Field("repeats", "number", "the place in the context (from 1) of the same item, or null"),
)

RECORD = (
    Field("id", "text", "language, type and number of the problem"),
    Field("phenomenon", "text", "the name of the phenomenon"),
    Field("language", "text", "the language (ISO 639-1)"),
    Field("type", "text", "the type of lexical variation: I, II, III or III-own"),
    Field("clause", "text", "the clause type of all its sentences"),
    Field("matrix", "text", "the matrix: problems with the same one differ in words only"),
    Field("seeds", "text", "the seeds of its sentences, each once", many=True),
    Field("context", "text", "the sentences that lead to the answer", many=True, inner=CONTEXT),
    Field("candidates", "text", "the answers to choose from, shuffled", many=True, inner=CANDIDATE),
    Field("answer", "number", "the place of the right answer among the candidates, from 0"),
)
