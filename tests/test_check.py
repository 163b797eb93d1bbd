"""Syntax to meaning: what each construct becomes."""

from __future__ import annotations

from itertools import product

import pytest
import trees
from hypothesis import HealthCheck, assume, given, settings

from blm import concrete as c
from blm import phenomenon as p
from blm.check import check_phenomenon
from blm.check.circles import find_circle
from blm.check.conditions import Conditions
from blm.check.names import Names
from blm.check.report import Report
from blm.check.triviality import truths
from blm.conditions import domains_of, evaluate
from blm.diagnostics import Source
from blm.files import check_text
from blm.parse import parse
from blm.phenomenon import PRESENCE, CellName, Family
from blm.resources import shipped

WORLD = """phenomenon world "the world"

domains
  roles = {agent, theme, loc}
  degree = {low < mid < high}

objects
  subj : number {sg, pl}, weight {0..9}, role roles, degree
  obj? : number {sg, pl}, case {nom, acc}, prep {right, wrong} when obj.case is acc
  by?

external
  rule "its text" : RULE

matrix SHAPE
  ENTRIES

answers
  correct right
  L "a label" breaks rule where CONDITION
  balanced over subj.number + obj.number, by
"""


def text_of(rule: str, shape: str, entries: str, condition: str) -> str:
    text = WORLD.replace("RULE", rule).replace("SHAPE", shape)
    return text.replace("ENTRIES", entries).replace("CONDITION", condition)


def phenomenon(
    rule: str = "subj.number is sg",
    *,
    shape: str = "8",
    entries: str = "other : subj.number constant",
    condition: str = "subj.number is sg",
) -> p.Phenomenon:
    tree, syntax = parse(Source("world.blm", text_of(rule, shape, entries, condition)))
    found, diagnostics = check_phenomenon(tree)
    assert [d.render() for d in (*syntax, *diagnostics)] == []
    assert found
    return found


def clause(rule: str, *, shape: str = "8") -> p.Clause:
    (only,) = phenomenon(rule, shape=shape).rules[0].clauses
    return only


def cell(name: str) -> CellName:
    thing, _, attribute = name.partition(".")
    return CellName(thing, attribute or PRESENCE)


# --- conditions ----------

SG, ACC = p.Is(cell("subj.number"), "sg"), p.Is(cell("obj.case"), "acc")


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("subj.number is sg", SG),
        ("subj.number is not sg", p.Not(SG)),
        ("subj.role is one of {agent}", p.Is(cell("subj.role"), "agent")),
        (
            "subj.role is one of {agent, loc}",
            p.Or((p.Is(cell("subj.role"), "agent"), p.Is(cell("subj.role"), "loc"))),
        ),
        ("obj is present", p.Is(cell("obj"), "present")),
        ("obj is not present", p.Not(p.Is(cell("obj"), "present"))),
        ("by is absent", p.Is(cell("by"), "absent")),
        ("subj.number matches obj.number", p.Matches(cell("subj.number"), cell("obj.number"))),
        (
            "subj.number differs from obj.number",
            p.Not(p.Matches(cell("subj.number"), cell("obj.number"))),
        ),
        ("subj.weight >= 3", p.Compare(cell("subj.weight"), ">=", 3)),
        ("subj.degree < high", p.Compare(cell("subj.degree"), "<", "high")),
        ("not (subj.number is sg)", p.Not(SG)),
        ("(subj.number is sg and obj.case is acc)", p.And((SG, ACC))),
        ("subj.number is sg or obj.case is acc", p.Or((SG, ACC))),
        ("if subj.number is sg then obj.case is acc", p.Implies(SG, ACC)),
        ("count {subj.number is sg, obj.case is acc} is 1", p.Count((SG, ACC), "=", 1)),
        ("count {subj.number is sg, obj.case is acc} is not 1", p.Count((SG, ACC), "!=", 1)),
        ("count {subj.number is sg, obj.case is acc} <= 1", p.Count((SG, ACC), "<=", 1)),
        ("any of {subj.number is sg, obj.case is acc}", p.Count((SG, ACC), ">=", 1)),
        ("none of {subj.number is sg, obj.case is acc}", p.Count((SG, ACC), "=", 0)),
        ("all of {subj.number is sg, obj.case is acc}", p.Count((SG, ACC), "=", 2)),
        (
            "distinct {subj.number, obj.number}",
            p.Distinct((cell("subj.number"), cell("obj.number"))),
        ),
    ],
)
def test_conditions(text: str, meaning: p.Condition) -> None:
    found = clause(text)
    assert isinstance(found, p.ItemClause)
    assert found.condition == meaning
    (alternative,) = phenomenon(condition=text).labels[0].alternatives
    assert alternative.condition == meaning


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("subj.number changes", p.Changes(cell("subj.number"))),
        ("obj appears", p.Appears("obj")),
        ("obj disappears", p.Disappears("obj")),
    ],
)
def test_edits_in_labels(text: str, meaning: p.Condition) -> None:
    assert phenomenon(condition=text).labels[0].alternatives[0].condition == meaning


# --- operators and scopes ----------


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("alternates", p.Alternates()),
        ("alternates every 2 from pl", p.Alternates(2, "pl")),
        ("switches at 5", p.Switches(5)),
        ("switches at 2 from sg to pl", p.Switches(2, "sg", "pl")),
        ("constant", p.Constant()),
        ("varies", p.Varies()),
        ("distributes {sg, pl}", p.Distributes(("sg", "pl"))),
        ("cycles [sg, pl] from pl", p.Cycles(("sg", "pl"), "pl")),
        (
            "follows [sg, _, pl, _, _, _, _, sg]",
            p.Follows(("sg", None, "pl", None, None, None, None, "sg")),
        ),
    ],
)
def test_operators(text: str, meaning: p.Operator) -> None:
    found = clause(f"subj.number {text}")
    assert isinstance(found, p.SequenceClause)
    assert (found.cell, found.operator, found.scope) == (cell("subj.number"), meaning, None)


def test_progressions_count_by_number_or_by_rank() -> None:
    by_number = clause("subj.weight progresses step 3 every 2 from 0")
    assert isinstance(by_number, p.SequenceClause)
    assert by_number.operator == p.Progresses(3, 2, 0)
    by_rank = clause("subj.degree progresses every 3 from low")
    assert isinstance(by_rank, p.SequenceClause)
    assert by_rank.operator == p.Progresses(1, 3, "low")


def test_absent_is_one_more_value_of_a_cell_that_may_have_none() -> None:
    for name in ("obj.number", "obj.prep"):
        first = clause(f"{name} switches at 5 from absent")
        assert isinstance(first, p.SequenceClause)
        assert first.operator == p.Switches(5, "absent")
    presence = clause("by follows [present, -, _, absent, _, _, _, _]")
    assert isinstance(presence, p.SequenceClause)
    assert isinstance(presence.operator, p.Follows)
    assert presence.operator.schedule[:4] == ("present", "absent", None, "absent")


@pytest.mark.parametrize(
    ("text", "shape", "meaning"),
    [
        ("over items 7, 1..4", "8", p.Positions((1, 2, 3, 4, 7))),
        ("over items where subj.role is agent", "8", p.Where(p.Is(cell("subj.role"), "agent"))),
        ("by row", "3 x 3", p.ByRow()),
        ("by column", "3 x 3", p.ByColumn()),
    ],
)
def test_scopes(text: str, shape: str, meaning: p.Scope) -> None:
    found = clause(f"subj.number constant {text}", shape=shape)
    assert isinstance(found, p.SequenceClause)
    assert found.scope == meaning


def test_operators_by_row_count_the_items_of_a_row() -> None:
    clause("subj.role distributes {agent, theme, loc} by row", shape="3 x 3")
    clause("subj.degree progresses from low by column", shape="3 x 2")


def test_movement() -> None:
    found = clause("obj at 1 becomes by at 8")
    assert isinstance(found, p.MovementClause)
    assert (found.source, found.source_item) == (cell("obj"), 1)
    assert (found.target, found.target_item) == (cell("by"), 8)


# --- rules, pools, matrix, answers ----------


def test_rules_have_the_authors_words_or_their_own_text() -> None:
    entries = "a : subj.number   is sg ;\n      by is absent   # both\n  b : subj.number varies"
    found = phenomenon(entries=entries)
    assert [(r.name, r.family, r.text) for r in found.rules] == [
        ("rule", Family.EXTERNAL, "its text"),
        ("a", Family.RELATIONAL, "subj.number is sg; by is absent"),
        ("b", Family.RELATIONAL, "subj.number varies"),
    ]


def test_a_pool_is_a_rule_for_each_cell_with_the_operators_that_fit() -> None:
    pool = (
        "p : assign {alternates, switches at 5, progresses every 3} to {by, subj.degree} each once"
    )
    found = phenomenon(entries=pool)
    rules = found.rules[1:]
    assert [rule.name for rule in rules] == ["p[by]", "p[subj.degree]"]
    clauses = [clause for rule in rules for clause in rule.clauses]
    two = (p.Alternates(), p.Switches(5))
    assert [c.operators for c in clauses if isinstance(c, p.PooledClause)] == [
        two,
        (*two, p.Progresses(1, 3)),
    ]
    assert all(isinstance(c, p.PooledClause) and c.once and c.pool == "p" for c in clauses)


def test_objects_and_cells_come_in_order_and_presence_first() -> None:
    found = phenomenon()
    assert [str(x.name) for x in found.cells][4:] == [
        "obj",
        "obj.number",
        "obj.case",
        "obj.prep",
        "by",
    ]
    presence, prep = found.cell(cell("obj")), found.cell(cell("obj.prep"))
    assert (presence.domain, presence.condition) == (("absent", "present"), None)
    assert prep.condition == ACC
    assert found.cell(cell("subj.weight")).domain == tuple(range(10))
    assert [x.name for x in found.cells if x.ordered] == [cell("subj.weight"), cell("subj.degree")]
    assert [(o.name, o.optional, o.attributes) for o in found.objects][2] == ("by", True, ())


def test_variables_and_rows() -> None:
    entries = """variables A, B over {sg, pl} distinct
  rows subj.number obj.number by
    2: B - _
    1: A B present
    3: ?"""
    found = phenomenon(shape="3", entries=entries)
    assert [(v.name, v.values) for v in found.variables] == [
        ("A", ("sg", "pl")),
        ("B", ("sg", "pl")),
    ]
    assert found.distinct == (("A", "B"),)
    number, obj = cell("subj.number"), cell("obj.number")
    assert [(row.item, row.entries) for row in found.rows] == [
        (1, ((number, p.Variable("A")), (obj, p.Variable("B")), (cell("by"), "present"))),
        (2, ((number, p.Variable("B")), (obj, "absent"))),
    ]


def test_answers() -> None:
    found = phenomenon()
    assert found.correct == "right"
    assert found.axes == ((cell("subj.number"), cell("obj.number")), (cell("by"),))
    (label,) = found.labels
    assert (label.name, label.text, label.alternatives[0].rules) == ("L", "a label", ("rule",))


def test_shapes() -> None:
    assert phenomenon(shape="3 x 4").shape == p.Shape(3, 4)
    assert phenomenon(shape="3×4").shape == p.Shape(3, 4)
    assert phenomenon(shape="8").shape == p.Shape(1, 8)


# --- what types tell about truth ----------


TINY = """phenomenon tiny
objects
  subj : number {sg, pl}, 3sg {a}
  pp2? : number {sg}, none {sg < pl < all}
matrix 2
  a : subj.number alternates
answers
  correct
"""


@settings(max_examples=500, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    trees.conditions_over(["subj.number", "subj.3sg", "pp2.number", "pp2.none"], ["sg", "pl", "a"])
)
def test_truths_are_a_bound_on_what_conditions_can_be(condition: object) -> None:
    tiny = check_phenomenon(parse(Source("", TINY))[0])[0]
    assert tiny
    names = Names({o.name: o for o in tiny.objects}, {x.name: x for x in tiny.cells})
    meaning = Conditions(names, Report()).resolve(condition)  # type: ignore[arg-type]
    assume(meaning is not None)
    assert meaning
    possible = truths(meaning, names)
    choices = [[(x.name, v) for v in x.domain] for x in tiny.cells]
    for values in product(*choices):
        item = dict(values)
        if item[cell("pp2")] == "absent":
            item = {name: v for name, v in item.items() if name.object != "pp2"}
            item[cell("pp2")] = "absent"
        actual = evaluate(meaning, item, domains=domains_of(tiny))
        assert actual is None or actual in possible


@pytest.mark.parametrize(
    ("references", "circle"),
    [
        ({}, []),
        ({"a": "b", "b": "c"}, []),
        ({"a": "bc", "b": "c", "c": ""}, []),
        ({"a": "a"}, ["a"]),
        ({"a": "b", "b": "cd", "d": "b"}, ["b", "d"]),
        ({str(i): [str(i + 1)] for i in range(50_000)}, []),
    ],
)
def test_circles(references: dict[str, str], circle: list[str]) -> None:
    assert find_circle(references) == circle


# --- languages ----------


def language(text: str, words: frozenset[str] = frozenset({"def", "be"})) -> c.Concrete:
    head = 'language en "English"\nof "agreement.blm"\n'
    path = str(shipped("grammars") / "agreement" / "test.blm")
    found, diagnostics = check_text(Source(path, head + text), languages={"en": words})
    assert [d.render() for d in diagnostics] == []
    assert isinstance(found, c.Concrete)
    return found


WORDS = """words
  noun "nouns.csv" : gender {m, f}, onset? ; forms sg, pl.f
  chat : noun gender=m, sg="chat", f.pl="chats"
  adj  : forms sg
seeds
  slots subject : noun, sg : noun, pl : noun, prep : text, subj : noun
  table "seeds.csv"
  s1 : subject=chat, prep="avec le"
"""


def test_words_and_seeds() -> None:
    found = language(WORDS + 'sentences\n  main "a text" : "x"\n')
    folder = shipped("grammars") / "agreement"
    noun, adj = found.categories
    assert (found.language, found.title) == ("en", "English")
    assert noun.path == str(folder / "nouns.csv")
    assert [(f.name, f.values, f.optional) for f in noun.features] == [
        ("gender", ("m", "f"), False),
        ("onset", (), True),
    ]
    assert noun.forms == (frozenset({"sg"}), frozenset({"pl", "f"}))
    assert (adj.path, adj.features) == (None, ())
    (word,) = found.words
    assert word.columns == (("gender", "m"), ("sg", "chat"), ("f.pl", "chats"))
    assert [(x.name, x.category) for x in found.slots][2:4] == [("pl", "noun"), ("prep", None)]
    assert (found.seed_tables[0].path, found.seed_tables[0].requires) == (
        str(folder / "seeds.csv"),
        (),
    )
    assert found.seeds[0].words == (("subject", "chat"), ("prep", "avec le"))


def test_tables_may_be_limited_to_values_of_variables() -> None:
    text = (
        'language en\nof "spray_load.blm"\nsentences\n  main : "x"\nseeds\n  table "t.csv" where '
    )
    path = str(shipped("grammars") / "spray_load" / "test.blm")
    found, _ = check_text(Source(path, f"{text}A is loc and B is theme"))
    assert isinstance(found, c.Concrete)
    assert found.seed_tables[0].requires == (("A", "loc"), ("B", "theme"))


def test_elements_of_phrases_and_sentences() -> None:
    text = """phrases
  subj : def subj[subj.number, pl, subject.gender] "et" prep other
  other : be[past, @subj.number.gender] @subj.number[sg] where pp2 is absent | "x"
sentences
  main : subj subj[sg] prep
"""
    found = language(WORDS + text)
    number = c.SlotOf(cell("subj.number"))
    subj, other = found.phrases
    elements = subj.realisations[0].elements
    word = elements[1]
    assert isinstance(word, c.Inflected)
    assert word.word == c.Slot("subj")  # a slot before the phrase of the same name
    assert word.features == (
        c.CellFeature(cell("subj.number")),
        c.FixedFeature("pl"),
        c.WordFeature(c.Slot("subject"), "gender"),
    )
    assert isinstance(elements[0], c.Function)
    assert elements[2] == c.Literal("et")
    assert elements[4] == c.PhraseReference("other")
    be, chosen = other.realisations[0].elements
    assert isinstance(be, c.Function)
    assert be.features == (c.FixedFeature("past"), c.WordFeature(number, "gender"))
    assert isinstance(chosen, c.Inflected)
    assert (chosen.word, chosen.features) == (number, (c.FixedFeature("sg"),))
    assert other.realisations[0].condition == p.Is(cell("pp2"), "absent")
    first, second, third = found.clauses[0].elements
    assert first == c.PhraseReference("subj")  # in a sentence the phrase comes first,
    assert isinstance(second, c.Inflected)  # unless there are features
    assert isinstance(third, c.Inflected)


def test_forms_are_joined() -> None:
    found = language(WORDS + "forms\n  form : subject[sg] prep\n")
    assert found.clauses[0].joined


def test_without_a_list_of_languages_any_function_word_is_known() -> None:
    text = 'language xx\nof "agreement.blm"\nsentences\n  main : foo\n'
    path = str(shipped("grammars") / "agreement" / "test.blm")
    assert check_text(Source(path, text))[1] == []
    codes = [d.code for d in check_text(Source(path, text), languages={})[1]]
    assert codes == ["plain-language", "unknown-word"]


def test_a_domain_of_too_many_values_is_refused() -> None:
    values = ", ".join(f"v{number}" for number in range(10_001))
    matrix = "matrix 2\n  r : o.a constant\nanswers\n  correct\n"
    text = f"phenomenon big\nobjects\n  o : a {{{values}}}\n{matrix}"
    found, diagnostics = check_text(Source("big.blm", text))
    assert found is None
    assert [d.code for d in diagnostics] == ["domain-too-large"]
