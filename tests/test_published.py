"""The engine against the data of the task's authors."""

from collections import Counter

import pytest
from published import agreement_item, needs_published_data, rows

import blm
from blm.grammar import Grammar

pytestmark = needs_published_data

FILES = ("agreement_fr/type_i.csv", "agreement_fr/type_ii.csv", "agreement_fr/type_iii.csv")

# Seen in the templates themselves: most published answers of three labels break two rules.
FOUND_TYPE_I = {
    ("True", "nothing"): 100,
    ("N1_alter", "first"): 100,
    ("N2_alter", "second"): 100,
    ("agreement_error_N1", "agree"): 96,
    ("agreement_error_N1", "agree+second"): 4,
    ("agreement_error_N2", "agree"): 96,
    ("agreement_error_N2", "agree+second"): 4,
    ("agreement_error_V", "agree"): 2,
    ("agreement_error_V", "agree+second"): 98,
    ("coordination", "embedding"): 2,
    ("coordination", "embedding+second"): 98,
    ("mis_num", "length"): 100,
}
FOUND_TYPES_II_III = {
    ("True", "nothing"): 100,
    ("N1_alter", "first"): 100,
    ("N2_alter", "second"): 100,
    ("agreement_error_N1", "agree"): 100,
    ("agreement_error_N2", "agree"): 100,
    ("agreement_error_V", "agree+second"): 100,
    ("coordination", "embedding+second"): 100,
    ("mis_num", "length"): 100,
}


@pytest.fixture(scope="module")
def agreement() -> Grammar:
    return blm.load("grammars/agreement/agreement.blm")


def matrix_key(items) -> tuple:
    return tuple(frozenset(item.items()) for item in items)


@pytest.mark.parametrize("name", FILES)
def test_every_published_row_is_one_of_the_24_matrices(agreement: Grammar, name: str) -> None:
    known = {matrix_key(matrix.items) for matrix in agreement.matrices()}
    assert len(known) == 24
    strangers = []
    for number, row in enumerate(rows(name), 1):
        templates = [row[f"Sent_template_{k}"] for k in range(1, 8)]
        right = [k for k in range(1, 9) if row[f"Answer_label_{k}"] == "True"]
        templates.append(row[f"Answer_template_{right[0]}"])
        if matrix_key(map(agreement_item, templates)) not in known:
            strangers.append((number, templates))
    assert strangers == []


@pytest.mark.parametrize("name", FILES)
def test_published_labels_and_the_rules_that_their_answers_break(
    agreement: Grammar, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found: Counter[tuple[str, str]] = Counter()
    matrices = {matrix_key(m.items): m for m in agreement.matrices()}
    for row in rows(name):
        context = [agreement_item(row[f"Sent_template_{k}"]) for k in range(1, 8)]
        right = next(k for k in range(1, 9) if row[f"Answer_label_{k}"] == "True")
        solution = agreement_item(row[f"Answer_template_{right}"])
        matrix = matrices[matrix_key([*context, solution])]
        for k in range(1, 9):
            item = agreement_item(row[f"Answer_template_{k}"])
            explanation = agreement.explain(item=item, matrix=matrix)[0].verdict
            broken = "+".join(breach.rule.name for breach in explanation.breaches)
            found[row[f"Answer_label_{k}"], broken or "nothing"] += 1
    with capsys.disabled():
        print(f"\n{name}: published label, rules broken, answers")
        for (label, broken), count in sorted(found.items()):
            print(f"  {label:20} {broken:24} {count:4}")
    assert found == (FOUND_TYPE_I if name.endswith("type_i.csv") else FOUND_TYPES_II_III)
