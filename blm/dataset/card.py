"""The data card: README.md with the header that Hugging Face `datasets` reads, and a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from blm.answers import Answers
from blm.dataset.command import command
from blm.dataset.fields import CANDIDATE, CONTEXT, RECORD, Field
from blm.dataset.plan import Plan
from blm.dataset.summary import LICENSE, LICENSE_TITLE, LICENSE_URL, Summary
from blm.dataset.yaml_text import to_yaml
from blm.phenomenon import Family, Phenomenon
from blm.problem import Json
from blm.version import __version__

_FEW = 64
"""Matrices up to which each has a row in the card."""

_LOADABLE = ("parquet", "jsonl", "csv")
"""The formats that `datasets` reads, the best one first."""

_SIZES = ((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M"),
          (10**7, "1M<n<10M"), (10**8, "10M<n<100M"), (10**9, "100M<n<1B"))  # fmt: skip

_TYPES = {
    "I": "the context and all answers share one lexical seed",
    "II": "one slot's word differs from sentence to sentence; the answers share one word",
    "III": "every sentence of the context has its own seed; the answers share one more",
    "III-own": "every sentence of the context and every answer has its own seed",
}

_ANSWERS = {
    Answers.NAMED: "the correct answer, and one candidate for each label that the matrix allows",
    Answers.MINIMAL: "the correct answer, and every minimal distractor",
    Answers.BALANCED: "a cube over the axes of the phenomenon: no candidate stands out by its form",
}


def texts(plan: Plan, summary: Summary) -> dict[str, str]:
    """The card, by the name of its file."""
    header = to_yaml(_header(plan, summary))
    sections = "\n\n".join("\n".join(section) for section in _sections(plan, summary))
    return {"README.md": f"---\n{header}---\n\n{sections}\n"}


# --- the header ----------------------------------------------------------


def _header(plan: Plan, summary: Summary) -> Json:
    header: Json = {
        "pretty_name": _title(plan),
        "license": LICENSE,
        "language": [plan.grammar.concrete.language],
        "task_categories": ["multiple-choice"],
        "size_categories": [_size(sum(plan.sizes.values()))],
        "tags": ["blackbird-language-matrices", "synthetic", "linguistics"],
    }
    config = _config(summary)
    return header | ({"configs": [config]} if config else {})


def _config(summary: Summary) -> Json | None:
    """How `datasets` finds the files: those of one format, as a folder can have no more."""
    name = summary.first_format(*_LOADABLE)
    found = summary.loadable(name) if name else {}
    if not found:
        return None
    files = [{"split": split, "path": _pattern(names)} for split, names in found.items()]
    reading = {"sep": "\t"} if name == "csv" else {}
    return {"config_name": "default", **reading, "data_files": files}


def _pattern(names: Sequence[str]) -> str:
    """A glob pattern for the shards of a split."""
    return names[0] if len(names) == 1 else re.sub(r"\d{5}", "?????", names[0])


def _size(problems: int) -> str:
    return next((name for limit, name in _SIZES if problems < limit), "n>1B")


def _title(plan: Plan) -> str:
    return f"BLM {plan.grammar.phenomenon.title} ({plan.grammar.concrete.title})"


# --- the text ----------------------------------------------------------


def _sections(plan: Plan, summary: Summary) -> Iterator[Iterable[str]]:
    yield _description(plan)
    yield _loading(summary)
    yield ["## Fields", "", *_fields(RECORD)]
    yield ["A sentence of the `context`:", "", *_fields(CONTEXT)]
    yield ["A candidate:", "", *_fields(CANDIDATE)]
    yield _labels(plan.grammar.phenomenon, summary)
    yield _rules(plan.grammar.phenomenon, summary)
    yield _counts(plan, summary)
    yield _refusals(summary)
    yield _making(plan)
    yield _limits(plan, summary)
    yield [
        "## Licence",
        "",
        f"[{LICENSE_TITLE}]({LICENSE_URL}). It is for the generated sentences; whoever publishes "
        "them with words of others must see to it that those allow it.",
    ]


def _description(plan: Plan) -> Iterator[str]:
    grammar, options = plan.grammar, plan.options
    context = grammar.phenomenon.shape.size - 1
    yield f"# {plain(_title(plan))}"
    yield ""
    yield (
        f"Blackbird Language Matrices: the {context} sentences of a context follow hidden rules, "
        "and of the candidates exactly one continues it by all of them. Every other one breaks a "
        "known rule, and says which. The task is due to Merlo et al., *Building structured "
        "synthetic datasets: the case of Blackbird Language Matrices* (CLiC-it 2023)."
    )
    yield ""
    yield f"- Phenomenon: {plain(grammar.phenomenon.title)} (`{grammar.phenomenon.name}`)"
    yield f"- Language: {plain(grammar.concrete.title)} (`{grammar.concrete.language}`)"
    yield f"- Lexical type {options.type}: {_TYPES[options.type]}"
    yield f"- Answer sets, `{options.answers}`: {_ANSWERS[options.answers]}"
    yield f"- Problems: {sum(plan.sizes.values()):,}, of {_possible(plan):,} that there are"
    yield ""
    yield "`preview.html` shows some of them; open it in a browser."


def _possible(plan: Plan) -> int:
    return sum(space.count for space in plan.spaces.values())


def _loading(summary: Summary) -> list[str]:
    """How to load the first format."""
    if summary.first_format(*_LOADABLE):
        code = ["from datasets import load_dataset", "", 'problems = load_dataset("DIR")']
    else:
        folder = summary.files[0].name.partition("/")[0]
        code = ["import json", "", f'context = json.load(open("DIR/{folder}/x.json"))']
    return ["## Loading", "", "`DIR` is this folder.", "", "```python", *code, "```"]


def _fields(fields: Sequence[Field]) -> Iterator[str]:
    return table(
        ("field", "content"),
        ((f"`{one.name}`" + (" (list)" if one.many else ""), one.text) for one in fields),
    )


def _labels(phenomenon: Phenomenon, summary: Summary) -> Iterator[str]:
    """Every label with its text, and how many candidates have it in each split."""
    told = {"correct": "obeys every rule", **{one.name: one.text for one in phenomenon.labels}}
    found = summary.whole.tally.labels
    for name in sorted(found.keys() - told.keys()):
        told[name] = "breaks " + ", ".join(name.split("+"))
    yield "## Labels"
    yield ""
    rows = (
        (f"`{name}`", plain(text), *(part.tally.labels[name] for part in summary.parts.values()))
        for name, text in told.items()
    )
    yield from table(("label", "meaning", *summary.parts), rows)


def _rules(phenomenon: Phenomenon, summary: Summary) -> Iterator[str]:
    """The rules by family, with the wrong answers that break them."""
    broken = summary.whole.tally.rules
    yield "## Rules"
    yield ""
    yield (
        "External rules (E) can be observed in a sentence, internal ones (I) cannot; relational "
        "ones (R) connect the sentences of a matrix."
    )
    yield ""
    rows = (
        (f"`{rule.name}`", f"{family} ({family[0].upper()})", plain(rule.text), broken[rule.name])
        for family in Family
        for rule in phenomenon.rules
        if rule.family is family
    )
    yield from table(("rule", "family", "what it says", "answers that break it"), rows)


def _counts(plan: Plan, summary: Summary) -> Iterator[str]:
    tallies = {name: part.tally for name, part in summary.parts.items()}
    yield "## Counts"
    yield ""
    sizes = ((f"`{n}`", plan.sizes[n], plan.spaces[n].count) for n in plan.sizes)
    yield from table(("split", "problems", "of"), sizes)
    yield ""
    clauses = [clause.name for clause in plan.grammar.concrete.clauses]
    yield from _by_split("clause type", {n: t.clauses for n, t in tallies.items()}, clauses)
    yield ""
    yield from _by_split("number of answers", {n: t.answers for n, t in tallies.items()})
    yield ""
    yield from _by_split("place of the correct answer", {n: t.places for n, t in tallies.items()})
    yield ""
    yield from _by_matrix(plan.grammar.count(), {n: t.matrices for n, t in tallies.items()})


def _by_matrix(there_are: int, counts: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """A table by matrix, or a sentence where all have the same counts or there are many."""
    used = {name for table in counts.values() for name in table}
    rows = {tuple(table.get(name, 0) for table in counts.values()) for name in used}
    if len(rows) == 1:
        each = ", ".join(f"{n:,} in `{name}`" for n, name in zip(*rows, counts, strict=True))
        yield f"Of {there_are:,} matrices, {len(used):,} occur, each with {each}."
    elif 0 < len(used) <= _FEW:
        yield from _by_split("matrix", counts)
    elif used:
        yield f"Of {there_are:,} matrices, {len(used):,} occur."
    else:
        yield f"The phenomenon has {there_are:,} matrices."


def _by_split(
    what: str, counts: Mapping[str, Mapping[str, int]], names: Sequence[str] | None = None
) -> Iterator[str]:
    """A table of counts with a column for each split; names are those that occur, if not given."""
    if names is None:
        found = {name for table in counts.values() for name in table}
        names = sorted(found, key=lambda name: (len(name), name))
    rows = ((f"`{name}`", *(table.get(name, 0) for table in counts.values())) for name in names)
    return table((what, *counts), rows)


def _refusals(summary: Summary) -> Iterator[str]:
    """The answers left out, by reason."""
    yield "## Answers left out"
    yield ""
    refused = sorted(summary.whole.refused.items())
    if not refused:
        yield "None: every label that a matrix allows could be said."
        return
    yield "Places of answer sets that stayed empty, by label and reason:"
    yield ""
    yield from table(("reason", "answers"), ((plain(reason), count) for reason, count in refused))


def _making(plan: Plan) -> Iterator[str]:
    grammar = plan.grammar
    yield "## How it was made"
    yield ""
    yield f"By blm {__version__} with seed {plan.options.seed}, from the grammar"
    yield ""
    yield from table(("file", "SHA-256"), ((f"`{n}`", f"`{h}`") for n, h in plan.hashes().items()))
    told = command(plan)
    if told is not None:
        yield from ("", "```sh", told, "```")
    yield ""
    yield (
        f"The grammar has {grammar.count():,} matrices, {len(grammar.concrete.clauses)} clause "
        f"types and {len(grammar.lexicon.seeds):,} seeds. All options are in `manifest.json`, with "
        "the checksums of the files; the same grammar, options and version give the same bytes."
    )


def _limits(plan: Plan, summary: Summary) -> Iterator[str]:
    whole = summary.whole
    yield "## Limits"
    yield ""
    yield (
        "- The sentences are made, not found: few constructions, and only the words of the "
        "lexicon. They test whether a model has the rules, not how it copes with free text."
    )
    if plan.options.answers is not Answers.BALANCED:
        yield (
            "- Wrong answers differ from the correct one in little, so the correct one may be the "
            "nearest to all others and be found without the context. `--answers balanced` makes "
            "sets without that."
        )
    if repeats := whole.tally.repeats["context"]:
        yield (
            f"- {repeats:,} of {whole.tally.wrong:,} wrong answers have the pattern of a sentence "
            "of the context (field `repeats`); `--exclude-repeats` leaves them out."
        )
    if len(whole.tally.answers) > 1:
        yield "- Answer sets differ in size: chance is to be reckoned problem by problem."
    if len(plan.sizes) == 1:
        yield "- There is one split: train and test on the same file share sentences."


# --- Markdown ----------------------------------------------------------


def plain(text: str) -> str:
    r"""A text as Markdown shows it, on one line; nothing in it is a command.

    >>> plain("a|b <script>")
    'a\\|b \\<script\\>'
    """
    return re.sub(r"([\\`*_{}\[\]<>()#|!~&$])", r"\\\1", " ".join(text.split()))


def table(heading: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """A Markdown table; numbers stand on the right."""
    listed = list(rows)
    first = listed[0] if listed else heading
    yield f"| {' | '.join(heading)} |"
    yield f"| {' | '.join('---:' if isinstance(cell, int) else '---' for cell in first)} |"
    for row in listed:
        cells = (f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row)
        yield f"| {' | '.join(cells)} |"
