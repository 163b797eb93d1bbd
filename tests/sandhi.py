"""Sentences from a short notation, for tests of one language."""

from blm.realise import Language
from blm.realise.tokens import Token, split


def tokens(language: Language, *elements: str) -> list[Token]:
    """`[def m sg]` is a function word, `<haricot onset=aspirated>` a word of the lexicon.

    Anything else is a literal of the grammar, which may have several words.
    """
    found: list[Token] = []
    for element in elements:
        match element[0], element.strip("[]<>").split():
            case "[", [name, *features]:
                found += language.function(name, frozenset(features), ())
            case "<", [form, *features]:
                found += split(form.replace("_", " "), "word", frozenset(features))
            case _:
                found += split(element, "literal")
    return found


def say(language: Language, *elements: str) -> str:
    return "".join(language.written(tokens(language, *elements))).rstrip()
