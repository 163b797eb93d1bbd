"""The preview: one HTML page that shows problems as people want to see them.

It needs no network, no script and no fonts of its own.  At each answer stand its label, the
rules it breaks and the words that clash; a family of rules has a colour, a letter and a kind of
line, so that the page says the same in grey.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files

from blm.dataset.html import Html, element, join
from blm.dataset.plan import WHOLE, Plan
from blm.dataset.specimens import Answer, Segment, Specimen, specimens
from blm.dataset.summary import Summary
from blm.explain import Breach
from blm.phenomenon import Family, Phenomenon, Rule
from blm.text import letters
from blm.version import __version__

_FAMILIES = {
    Family.EXTERNAL: "external: can be observed in a sentence",
    Family.INTERNAL: "internal: cannot be observed",
    Family.RELATIONAL: "relational: connects the sentences",
}

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""What a browser may load for the page: nothing."""


def texts(plan: Plan, summary: Summary) -> dict[str, str]:
    """The page, by the name of its file."""
    return {"preview.html": page(plan, specimens(plan))}


def page(plan: Plan, shown: Sequence[Specimen]) -> str:
    """The whole document."""
    style = files("blm.dataset").joinpath("preview.css").read_text(encoding="utf-8")
    title = f"{plan.grammar.phenomenon.title} · {plan.grammar.concrete.title}"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("style", Html(style)),
    )
    body = element(
        "body",
        _header(plan, title, len(shown)),
        _legend(plan.grammar.phenomenon),
        _contents(shown),
        element("main", *(_problem(plan, k, one) for k, one in enumerate(shown, 1))),
        element("footer", f"Made by blm {__version__}. All problems are in the files beside."),
    )
    return "<!doctype html>\n" + element("html", head, "\n", body, lang="en") + "\n"


# --- what stands above ----------------------------------------------------------


def _header(plan: Plan, title: str, shown: int) -> Html:
    total = sum(plan.sizes.values())
    told = f"Lexical type {plan.options.type}, answer sets {plan.options.answers}. "
    amount = f"{shown} of {total:,} problems" if total else "The data set has no problem"
    return element(
        "header",
        element("p", "Blackbird Language Matrices", class_="series"),
        element("h1", title, dir="auto"),
        element("p", told, element("strong", amount), "." if not total else ", chosen to differ."),
        element(
            "p",
            "The numbered sentences follow hidden rules. One of the lettered answers continues "
            "them; each other one breaks the rules named below it, in the words marked.",
            class_="task",
        ),
    )


def _legend(phenomenon: Phenomenon) -> Html:
    """The rules by family, then the labels."""
    families = [
        element(
            "section",
            element("h2", _letter(family), " ", title, class_=family),
            element("dl", *(piece for rule in rules for piece in _rule_entry(rule))),
        )
        for family, title in _FAMILIES.items()
        if (rules := [rule for rule in phenomenon.rules if rule.family is family])
    ]
    labels = [
        piece
        for label in phenomenon.labels
        for piece in (_name("dt", label.name), element("dd", label.text, dir="auto"))
    ]
    if labels:
        heading = element("h2", "Labels of the answers")
        families.append(element("section", heading, element("dl", *labels)))
    return element("aside", *families, class_="legend", aria_label="Rules and labels")


def _rule_entry(rule: Rule) -> tuple[Html, Html]:
    return _name("dt", rule.name), element("dd", rule.text, dir="auto")


def _contents(shown: Sequence[Specimen]) -> Html:
    """Links to the problems, by clause type."""
    groups: dict[str, list[int]] = {}
    for number, specimen in enumerate(shown, 1):
        groups.setdefault(specimen.clause, []).append(number)
    lines = [
        element("p", element("span", clause, dir="auto"), *_links(numbers))
        for clause, numbers in groups.items()
    ]
    return element("nav", *lines, aria_label="Problems")


def _links(numbers: Sequence[int]) -> Iterator[Html]:
    for number in numbers:
        yield join(" ", element("a", str(number), href=f"#p{number}"))


# --- problems ----------------------------------------------------------


def _problem(plan: Plan, place: int, specimen: Specimen) -> Html:
    language = plan.grammar.concrete.language
    context = [element("li", text, dir="auto", lang=language) for text in specimen.context]
    answers = [
        _answer(plan, letter.upper(), answer)
        for letter, answer in zip(letters(), specimen.answers, strict=False)
    ]
    return element(
        "article",
        element("h2", element("a", str(place), href=f"#p{place}"), *_facts(specimen)),
        element(
            "div",
            element("ol", *context, element("li", "?", class_="asked"), class_="context"),
            element("ul", *answers, class_="answers"),
            class_="columns",
        ),
        id=f"p{place}",
    )


def _facts(specimen: Specimen) -> Iterator[Html]:
    split = [] if specimen.split == WHOLE else [specimen.split]
    told = [specimen.matrix, specimen.clause, *split, f"problem {specimen.number}"]
    for fact in told:
        yield join(" ", element("span", fact, dir="auto"))
    yield join(" ", element("small", "words: " + ", ".join(specimen.seeds), dir="auto"))


def _answer(plan: Plan, letter: str, answer: Answer) -> Html:
    language = plan.grammar.concrete.language
    phenomenon = plan.grammar.phenomenon
    sentence = element(
        "p",
        *(_segment(phenomenon, segment) for segment in answer.segments),
        dir="auto",
        lang=language,
        class_="sentence",
    )
    verdict = (
        [element("p", "✓ correct", class_="verdict")]
        if answer.candidate.correct
        else list(_verdict(phenomenon, answer))
    )
    return element(
        "li",
        element("span", letter, class_="letter"),
        element("div", sentence, *verdict),
        class_="correct" if answer.candidate.correct else None,
    )


def _segment(phenomenon: Phenomenon, segment: Segment) -> Html:
    """A piece of a sentence; marked, with the letters of the families, where it clashes."""
    rules = [phenomenon.rule(name) for name in segment.rules]
    if not rules:
        return join(segment.text)
    families = list(dict.fromkeys(rule.family for rule in rules))
    letters = "".join(family[0].upper() for family in families)
    told = "; ".join(f"{rule.name}: {rule.text}" for rule in rules)
    kind = families[0] if len(families) == 1 else "several"
    return element("mark", segment.text, element("sup", letters), class_=kind, title=told)


def _verdict(phenomenon: Phenomenon, answer: Answer) -> Iterator[Html]:
    text = next((label.text for label in phenomenon.labels if label.name == answer.label), "")
    repeats = answer.candidate.repeats
    note = f"as sentence {repeats}" if repeats else ""
    yield element(
        "p",
        _name("b", answer.label, title=text or None),
        *([" ", element("span", text, dir="auto")] if text else []),
        *([" ", element("em", note)] if note else []),
        class_="label",
    )
    yield element("ul", *map(_breach, answer.breaches), class_="breaches")


def _breach(breach: Breach) -> Html:
    rule = breach.rule
    clashes = "; ".join(
        f"{clash.cell} is {clash.actual}" + (f", should be {clash.demand}" if clash.demand else "")
        for clash in breach.clashes
    )
    chip = element(
        "span",
        _letter(rule.family),
        " ",
        _name("span", rule.name),
        class_=f"chip {rule.family}",
        title=f"{rule.family}: {rule.text}",
    )
    return element("li", chip, " ", element("span", clashes, dir="auto"))


def _letter(family: Family) -> Html:
    return element("abbr", family[0].upper(), title=str(family))


def _name(tag: str, name: str, title: str | None = None) -> Html:
    """A name of the author's: names may be written from right to left."""
    return element(tag, element("bdi", name), title=title)
