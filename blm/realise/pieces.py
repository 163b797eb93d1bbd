"""Pieces of sentences: tokens written together, with the places of the phrases in them.

Most pieces look the same whatever stands beside them, so their text is made once.  A piece
that ends in a reactive word (`de`, `que`), or is followed by one that leans on it (a comma, a
suffix), is merged with its neighbour before it is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from msgspec import Struct

from blm.realise.frames import Inner
from blm.realise.language import Language
from blm.realise.tokens import Token


class Piece(Struct, frozen=True, eq=False):
    """Tokens and the phrases among them; `inner` counts tokens.

    `text` ends with the space before the next piece; `places` are the phrases with offsets in
    it.  `open` says that the last token may change before another piece, `leans` that the
    first one may change what stands before it, `joined` that it is part of a word form.
    """

    tokens: tuple[Token, ...]
    inner: tuple[Inner, ...]
    text: str
    places: tuple[tuple[str, int, int], ...]
    open: bool
    leans: bool
    joined: bool


def piece(
    language: Language, tokens: Sequence[Token], inner: Sequence[Inner], joined: bool
) -> Piece:
    """The piece of these tokens; `joined` pieces are parts of a word form, without spaces."""
    texts = language.written(tokens)
    if joined:
        texts = [text.rstrip() for text in texts]
    said = tuple(place for place in inner if place.end > place.start)
    return Piece(
        tuple(tokens),
        said,
        "".join(texts),
        tuple(_places(texts, said)),
        bool(tokens) and (joined or language.is_reactive(tokens[-1])),
        bool(tokens) and language.leans(tokens[0]),
        joined,
    )


def _places(texts: Sequence[str], inner: Sequence[Inner]) -> list[tuple[str, int, int]]:
    """Where phrases stand in the text, without the space after them."""
    offsets = list(accumulate(map(len, texts), initial=0))
    places: list[tuple[str, int, int]] = []
    for place in inner:
        start, end = offsets[place.start], offsets[place.end]
        spaces = "".join(texts[place.start : place.end])
        places.append((place.phrase, start, end - len(spaces) + len(spaces.rstrip())))
    return places


def merged(language: Language, pieces: Sequence[Piece]) -> Piece:
    """One piece for several that stand side by side."""
    tokens: list[Token] = []
    inner: list[Inner] = []
    for one in pieces:
        base = len(tokens)
        inner += [Inner(i.phrase, base + i.start, base + i.end) for i in one.inner]
        tokens += one.tokens
    return piece(language, tokens, inner, any(one.joined for one in pieces))
