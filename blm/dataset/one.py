"""One problem by its number, made alone."""

from __future__ import annotations

import re
from dataclasses import replace

from blm.dataset.plan import WHOLE, Options, make_plan
from blm.dataset.records import Records
from blm.grammar import Grammar
from blm.problem import Problem
from blm.variation import LexicalType

_ID = re.compile(r"(?:(?P<language>\w+)-(?P<type>III-own|III|II|I)-)?(?P<number>[0-9]{1,1000})")


def one_problem(
    grammar: Grammar, options: Options, identifier: str | int, part: str | None = None
) -> Problem:
    """The problem of an id (`fr-III-271`) or of a number from 0, as a data set has it.

    An id says its lexical type; all else that fixes a problem is in `options`. `part` is the
    split that it belongs to, if there are splits. ValueError where there is no such problem.
    """
    found = _ID.fullmatch(str(identifier))
    if found is None:
        told = str(identifier)[:40]
        raise ValueError(f"'{told}' is no id of a problem, such as fr-III-271 or 271")
    if found["language"] not in (None, grammar.concrete.language):
        raise ValueError(f"'{identifier}' is not of the language '{grammar.concrete.language}'")
    if found["type"] is not None:
        options = replace(options, type=LexicalType(found["type"]))
    spaces = make_plan(grammar, options).spaces
    name = part or next(iter(spaces))
    if name not in spaces:
        splits = "there are no splits" if WHOLE in spaces else f"splits are {', '.join(spaces)}"
        raise ValueError(f"there is no split '{name}': {splits}")
    try:
        batch = spaces[name].batch([int(found["number"])])
    except IndexError as error:
        raise ValueError(str(error)) from None
    return next(Records(spaces[name]).objects(batch))
