"""What only the solver can refuse, with the expected message beside the input."""

import pytest

from blm.candidates import CandidateSolver
from blm.diagnostics import Diagnostic, Severity, Source
from blm.files import check_text
from blm.grammar import Grammar
from blm.phenomenon import Phenomenon
from blm.program import compile_phenomenon
from blm.validate import validate

HEAD = """
phenomenon small "a small phenomenon"
objects
  subj : number {sg, pl}
  obj? : number {sg, pl}
  verb : number {sg, pl}
"""

AGREE = "external\n  agree : subj.number matches verb.number\n"
MATRIX = """
matrix 4
  subject : subj.number alternates every 1
  object : obj.number switches at 3
"""
ANSWERS = "answers\n  correct\n  AE breaks agree\n"


def phenomenon(text: str) -> Phenomenon:
    found, diagnostics = check_text(Source("small.blm", text))
    assert isinstance(found, Phenomenon), [d.render() for d in diagnostics]
    return found


def diagnose(text: str) -> list[Diagnostic]:
    return validate(CandidateSolver(compile_phenomenon(phenomenon(text))))


def test_a_sound_grammar_has_no_mistakes() -> None:
    assert diagnose(HEAD + AGREE + MATRIX + ANSWERS) == []


MISTAKES = [
    (
        "never-kept",
        "the rule 'object' can never be kept",
        HEAD
        + AGREE
        + "possible\n  there : obj is present\n"
        + "matrix 4\n  subject : subj.number alternates every 1\n  object : obj is absent\n"
        + ANSWERS,
    ),
    (
        "never-broken",
        "the rule 'object' can never be broken",
        HEAD
        + AGREE
        + "possible\n  there : obj is present\n"
        + "matrix 4\n  subject : subj.number alternates every 1\n  object : obj is present\n"
        + ANSWERS,
    ),
    (
        "contradiction",
        "no matrix obeys these rules together: 'agree', 'subject', 'verbs'",
        HEAD
        + AGREE
        + "matrix 4\n  subject : subj.number alternates every 1\n  verbs : verb.number constant\n"
        + "  object : obj is absent\n"
        + ANSWERS,
    ),
    (
        "impossible-items",
        "no item is possible",
        HEAD
        + AGREE
        + "possible\n  a : subj.number is sg\n  b : subj.number is pl\n"
        + MATRIX
        + ANSWERS,
    ),
    (
        "ambiguous-solution",
        "a context has two solutions: obj",
        HEAD + AGREE + "matrix 4\n  subject : subj.number alternates every 1\n" + ANSWERS,
    ),
    (
        "ambiguous-solution",
        "obj.number may be",
        HEAD.replace("obj? : number {sg, pl}", "obj? : number {sg, pl, dual}")
        + AGREE
        + "matrix 4\n  subject : subj.number alternates every 1\n"
        + "  object : obj.number switches at 4; obj is present\n"
        + ANSWERS,
    ),
    (
        "empty-label",
        "a candidate that breaks 'same' breaks 'agree' too",
        HEAD
        + AGREE
        + "internal\n  same : not (subj.number is pl and verb.number is sg)\n"
        + MATRIX
        + "answers\n  correct\n  Same breaks same\n",
    ),
    (
        "empty-label",
        "no candidate that breaks just that meets the condition",
        HEAD
        + AGREE
        + MATRIX
        + "answers\n  correct\n  AE breaks agree where verb.number matches subj.number\n",
    ),
    (
        "empty-alternative",
        "this alternative of 'AE' selects nothing",
        HEAD
        + AGREE
        + MATRIX
        + "answers\n  correct\n  AE breaks agree, or breaks subject where verb.number is sg and"
        + " subj.number is pl\n",
    ),
    (
        "unbreakable",
        "no answer can break 'start'",
        HEAD + AGREE + MATRIX + "  start : obj is absent over items 1\n" + ANSWERS,
    ),
    (
        "too-few-selected",
        "in some matrix the condition of 'some' selects fewer than 3 items: too few for "
        "'alternates every 2'",
        HEAD
        + AGREE
        + MATRIX
        + "  some : verb.number alternates every 2 over items where obj.number is sg\n"
        + ANSWERS,
    ),
]


@pytest.mark.parametrize(("code", "message", "text"), MISTAKES)
def test_mistakes(code: str, message: str, text: str) -> None:
    found = [d for d in diagnose(text) if d.code == code]
    assert found, [d.render() for d in diagnose(text)]
    assert message in found[0].message
    assert found[0].span.text


SELECTED = "  some : obj.number {} over items where subj.number is pl\n"


@pytest.mark.parametrize(
    ("operator", "enough"),
    [
        ("follows [sg, pl]", True),
        ("follows [_, _, pl]", False),
        ("follows [_, pl, _]", True),
        ("distributes {sg, pl}", True),
        ("cycles [sg, pl]", True),
        ("cycles [sg, pl, absent]", False),
        ("switches at 2", True),
        ("switches at 3", False),
        ("alternates", True),
        ("alternates every 2", False),
        ("constant", True),
    ],
)
def test_an_operator_that_selects_needs_enough_items(operator: str, enough: bool) -> None:
    """Two of the four items have a plural subject."""
    text = (HEAD + AGREE + MATRIX + ANSWERS).replace("switches at 3", "varies over items 1, 3", 1)
    rules = "  subject : subj.number alternates every 1\n"
    found = diagnose(text.replace(rules, rules + SELECTED.format(operator)))
    warned = [d for d in found if d.code == "too-few-selected"]
    assert [d.severity for d in warned] == ([] if enough else [Severity.WARNING])


def test_too_few_items_count_only_in_valid_matrices() -> None:
    rules = "  all : verb.number constant over items where subj.number matches verb.number\n"
    assert diagnose(HEAD + AGREE + MATRIX + rules + ANSWERS)[0].code == "contradiction"
    rules = "  all : obj.number varies over items where subj.number matches verb.number\n"
    found = diagnose(HEAD + AGREE + MATRIX.partition("  object")[0] + rules + ANSWERS)
    assert "too-few-selected" not in {d.code for d in found}


def test_two_solutions_that_rest_on_different_choices_are_shown() -> None:
    text = (
        HEAD.replace("  obj? : number {sg, pl}\n", "")
        + AGREE
        + "matrix 4\n  pool : assign {alternates every 1, constant} to {subj.number}\n"
        + ANSWERS
    )
    grammar = Grammar(phenomenon(text))
    assert [d.code for d in grammar.check() if d.severity is Severity.ERROR] == []
    open_ended = text.replace("alternates every 1,", "switches at 4,")
    codes = [d.code for d in Grammar(phenomenon(open_ended)).check()]
    assert "ambiguous-solution" in codes


def test_every_matrix_of_every_shipped_grammar_has_one_solution(shipped: Grammar) -> None:
    assert [d for d in shipped.check() if d.severity is Severity.ERROR] == []
    layout = shipped.space.layout
    last = layout.item_columns(layout.size)
    solutions: dict[bytes, bytes] = {}
    for start in range(0, shipped.count(), 4096):
        for codes in shipped.space.array(start, start + 4096):
            context = codes[: last.start].tobytes()
            assert solutions.setdefault(context, codes[last].tobytes()) == codes[last].tobytes()


@pytest.mark.parametrize(
    ("axis", "stays"),
    [
        ("subj.number + verb.number", False),
        ("obj.number", True),
        ("obj.number + subj.number", True),
    ],
)
def test_an_axis_on_which_the_correct_answer_stays_hides_nothing(axis: str, stays: bool) -> None:
    fixed = MATRIX.replace("switches at 3", "switches at 3 to pl")
    found = diagnose(HEAD + AGREE + fixed + ANSWERS + f"  balanced over {axis}\n")
    assert [d.code for d in found] == ["lopsided-axis"] * stays
