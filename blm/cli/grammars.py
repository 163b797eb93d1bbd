"""Commands about a grammar: grammars, new, check, compile, matrices, distractors, explain."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from blm.cli.common import (
    AsJson,
    GrammarFile,
    MatrixId,
    Seconds,
    amount,
    complain,
    load_grammar,
    print_json,
    reported,
)

app = typer.Typer()


class Minimise(StrEnum):
    """What a minimal distractor has least of."""

    subset = "subset"
    cardinality = "cardinality"
    edits = "edits"


class Target(StrEnum):
    """Minimal among the candidates that break each rule, or among all."""

    each = "each"
    any = "any"


@app.command("grammars")
def grammars_(as_json: AsJson = False) -> None:
    """List the grammars that ship with blm; each can be named wherever a FILE is asked for."""
    from blm.grammar import load
    from blm.resources import shipped_grammars

    with reported(as_json):
        found = [(path.as_posix(), load(path)) for path in shipped_grammars()]
        listed = [
            {
                "file": path,
                "language": grammar.concrete.title if grammar.has_words else None,
                "phenomenon": grammar.phenomenon.title,
            }
            for path, grammar in found
        ]
        if as_json:
            print_json({"grammars": listed})
            return
        width = max(len(path) for path, _ in found)
        for told in listed:
            language = told["language"] or "without words"
            print(f"{told['file']:{width}}  {told['phenomenon']}, {language}")


@app.command()
def new(
    file: GrammarFile,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder.")],
    force: Annotated[bool, typer.Option("--force", help="Replace files there.")] = False,
) -> None:
    """Begin a grammar of your own: copy one, with the files it uses, to a new folder."""
    from blm.grammar import load
    from blm.whole import publish

    with reported():
        for path in publish(load(file).sources(), folder, force=force):
            print(path)


@app.command()
def check(file: GrammarFile, as_json: AsJson = False, seconds: Seconds = 600.0) -> None:
    """Find the mistakes of a grammar. Exit 1 if there is an error."""
    from blm.diagnostics import GrammarError, Severity
    from blm.grammar import load
    from blm.solve import LimitExceeded, Limits

    try:
        grammar = load(file, limits=Limits(seconds=seconds))
        found = [*grammar.warnings, *grammar.check()]
    except GrammarError as error:
        found = list(error.diagnostics)
    except LimitExceeded as error:
        complain(f"error: {error}")
        if as_json:
            print_json({"error": str(error)})
        raise typer.Exit(1) from None
    errors = sum(d.severity is Severity.ERROR for d in found)
    if as_json:
        print_json({"errors": errors, "diagnostics": [d.to_json() for d in found]})
    else:
        for diagnostic in found:
            print(diagnostic.render())
        warnings = len(found) - errors
        print(f"{file}: {amount(errors, 'error')}, {amount(warnings, 'warning')}")
    raise typer.Exit(1 if errors else 0)


@app.command("compile")
def compile_(
    file: GrammarFile,
    candidates: Annotated[
        bool, typer.Option("--candidates", help="The program of the candidates instead.")
    ] = False,
) -> None:
    """Print the ASP program, to run with clingo alone: a model for each matrix."""
    with reported():
        program = load_grammar(file).program
        sys.stdout.write(program.candidate_text if candidates else program.matrix_text)


@app.command()
def matrices(
    file: GrammarFile,
    count: Annotated[bool, typer.Option("--count", help="Print only how many there are.")] = False,
    limit: Annotated[int | None, typer.Option(min=0, help="At most this many.")] = None,
    as_json: AsJson = False,
    seconds: Seconds = 600.0,
) -> None:
    """Enumerate all matrices, in a fixed order."""
    from blm.problem import matrix_json

    with reported(as_json):
        grammar = load_grammar(file, seconds)
        if count:
            print_json({"count": grammar.count()}) if as_json else print(grammar.count())
            return
        found = grammar.matrices(limit=limit)
        if as_json:
            listed = [matrix_json(grammar.phenomenon, matrix) for matrix in found]
            print_json({"count": grammar.count(), "matrices": listed})
            return
        from blm.render import console, matrix_table

        out = console()
        for matrix in found:
            out.print(matrix_table(grammar.phenomenon, matrix, _first_words(grammar, matrix)))
        if limit is not None and limit < grammar.count():
            out.print(f"{limit} of {grammar.count()} matrices")


def _first_words(grammar: Any, matrix: Any) -> list[str] | None:
    return _words(grammar, matrix, matrix.items)


def _words(grammar: Any, matrix: Any, items: Iterable[Any]) -> list[str] | None:
    """Sentences in the first clause type with the first seed that serves a matrix, if any does."""
    if not (grammar.has_words and grammar.seeds(matrix)):
        return None
    return [grammar.say(item, matrix=matrix) for item in items]


@app.command()
def distractors(
    file: GrammarFile,
    matrix: MatrixId = None,
    minimise: Annotated[Minimise, typer.Option(help="In which sense minimal.")] = Minimise.subset,
    target: Annotated[Target, typer.Option(help="Minimal for each rule, or at all.")] = Target.each,
    as_json: AsJson = False,
    seconds: Seconds = 600.0,
) -> None:
    """List the minimal distractors of one matrix, or of all, and those that labels select."""
    with reported(as_json):
        grammar = load_grammar(file, seconds)
        chosen = grammar.matrices() if matrix is None else [grammar.matrix(matrix)]
        listed = (
            (m, grammar.distractors(m, minimise=minimise.value, target=target.value))
            for m in chosen
        )
        if as_json:
            print_json({"matrices": [_distractors_json(grammar, *pair) for pair in listed]})
            return
        from blm.problem import solution_candidate
        from blm.render import candidate_table, console, matrix_table

        out = console()
        for one, candidates in listed:
            out.print(matrix_table(grammar.phenomenon, one, _first_words(grammar, one)))
            shown = [solution_candidate(one), *candidates]
            words = _words(grammar, one, [c.item for c in shown])
            out.print(candidate_table(grammar.phenomenon, shown, words))


def _distractors_json(grammar: Any, matrix: Any, candidates: Any) -> dict[str, Any]:
    from blm.problem import candidate_json, matrix_json

    documents = [candidate_json(grammar.phenomenon, c) for c in candidates]
    if grammar.has_words and grammar.seeds(matrix):
        for document, candidate in zip(documents, candidates, strict=True):
            document["text"] = grammar.say(candidate.item, matrix=matrix)
    return {**matrix_json(grammar.phenomenon, matrix), "distractors": documents}


@app.command()
def explain(
    file: GrammarFile,
    sentence: Annotated[str | None, typer.Option(help="A sentence of the grammar.")] = None,
    item: Annotated[
        str | None, typer.Option(help='Its cells: "subj.number=pl verb.number=sg ..."')
    ] = None,
    matrix: MatrixId = None,
    as_json: AsJson = False,
    seconds: Seconds = 600.0,
) -> None:
    """Say which rules a sentence or an item breaks, and why; for one matrix or for all."""
    if (sentence is None) == (item is None):
        complain("error: give either --sentence or --item")
        raise typer.Exit(2)
    from blm.grammar import UnknownSentence

    with reported(as_json):
        grammar = load_grammar(file, seconds)
        try:
            replies = grammar.explain(sentence, item=item, matrix=matrix)
        except UnknownSentence as error:
            _unknown_sentence(error, as_json)
            raise typer.Exit(1) from None
        if as_json:
            documents = [_reply_json(grammar, reply) for reply in replies]
            print_json({"sentence": sentence, "replies": documents})
            return
        from blm.render import console, reply_view

        out = console()
        for reply in replies:
            out.print(reply_view(grammar.phenomenon, reply))


def _unknown_sentence(error: Any, as_json: bool) -> None:
    if as_json:
        nearest = [text for text, _ in error.nearest]
        print_json({"sentence": error.sentence, "replies": [], "nearest": nearest})
    complain(f"error: {error}")
    for text, _ in error.nearest:
        complain(f"  near it: {text}")


def _reply_json(grammar: Any, reply: Any) -> dict[str, Any]:
    from blm.explain import Explanation, explanation_json
    from blm.problem import item_json

    phenomenon, verdict = grammar.phenomenon, reply.verdict
    document: dict[str, Any] = {
        "item": item_json(phenomenon, reply.item),
        "readings": [{"clause": r.clause, "seed": r.seed} for r in reply.readings],
    }
    if isinstance(verdict, Explanation):
        return document | {"explanations": [explanation_json(phenomenon, verdict)]}
    return document | {
        "right_in": verdict.right_in,
        "matrices": verdict.matrices,
        "explanations": [explanation_json(phenomenon, e) for e in verdict.explanations],
    }
