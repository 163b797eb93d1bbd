"""Every kind of finding: a table that has the fault, and one that has not."""

import json
import random
from pathlib import Path

import pytest
from auditing import answer, audit_rows, only, problem, problems, record, write_jsonl, write_table

from blm.audit import Severity, audit
from blm.audit.checks import KINDS
from blm.audit.statistics import binomial_tail, chi_squared, chi_squared_tail, wilson
from blm.pipeline import load


def codes(report) -> set[str]:
    return {f.code for f in report.findings if f.severity is not Severity.NOTE}


def test_a_sound_table_has_no_error(tmp_path) -> None:
    rows = problems(21)
    assert audit_rows(tmp_path, rows).count(Severity.ERROR) == 0


def test_duplicate_answers_with_their_labels(tmp_path) -> None:
    rows = problems(20)
    rows[4]["answers"] += [answer("Un chat.", "AE_N1"), answer("Un chat .", "AE_N2")]
    finding = only(audit_rows(tmp_path, rows), "duplicate-answers")
    assert (finding.count, finding.of, finding.severity) == (1, 20, Severity.ERROR)
    assert finding.measures["pairs"] == {"AE_N1 = AE_N2": 1}
    assert (finding.examples[0].row, finding.examples[0].column) == (5, "Answer_4 = Answer_5")


def test_distractor_is_the_right_answer(tmp_path) -> None:
    rows = problems(20)
    right = next(a for a in rows[2]["answers"] if a["right"])
    rows[2]["answers"].append(answer(right["text"], "AE"))
    report = audit_rows(tmp_path, rows)
    finding = only(report, "distractor-is-correct")
    assert (finding.count, finding.examples[0].row) == (1, 3)
    assert not report.of("duplicate-answers")


def test_distractor_in_the_context_is_an_error_or_where_declared_a_note(tmp_path) -> None:
    rows = problems(20)
    rows[0]["answers"].append(answer(rows[0]["context"][1], "WN1"))
    finding = only(audit_rows(tmp_path, rows), "distractor-in-context")
    assert (finding.count, finding.of, finding.severity) == (1, 41, Severity.ERROR)
    assert finding.examples[0].text.endswith("[WN1] = Sent_2")
    records = [record(row) for row in rows]
    for candidate in records[0]["candidates"]:
        candidate["repeats"] = None
    declared = audit(write_jsonl(tmp_path / "a.jsonl", records))
    assert only(declared, "distractor-in-context").severity is Severity.NOTE


def test_right_answer_in_the_context_is_a_note(tmp_path) -> None:
    rows = problems(20)
    right = next(a for a in rows[0]["answers"] if a["right"])
    rows[0]["context"][0] = right["text"]
    finding = only(audit_rows(tmp_path, rows), "correct-in-context")
    assert (finding.count, finding.severity) == (1, Severity.NOTE)


@pytest.mark.parametrize(
    "marks", [[False, False, False], [True, True, False], ["maybe", True, False]]
)
def test_rows_without_exactly_one_right_answer(tmp_path, marks) -> None:
    rows = problems(20)
    for one, mark in zip(rows[6]["answers"], marks, strict=True):
        one["right"] = mark
    finding = only(audit_rows(tmp_path, rows), "right-answers")
    assert (finding.count, finding.examples[0].row) == (1, 7)


def test_label_and_mark_contradict_each_other(tmp_path) -> None:
    rows = problems(20)
    for one in rows[1]["answers"]:
        one["label"] = "AE" if one["right"] else "True"
    finding = only(audit_rows(tmp_path, rows), "contradictory-marks")
    assert (finding.count, finding.of) == (3, 60)
    records = [record(row) for row in problems(20)]
    records[3]["answer"] = (records[3]["answer"] + 1) % 3
    other = audit(write_jsonl(tmp_path / "a.jsonl", records))
    assert only(other, "contradictory-marks").examples[0].row == 4


# --- the table itself ---------------------------------------------------------------------------


def edit_header(path, old, new):
    path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    return path


def test_doubled_and_missing_columns(tmp_path) -> None:
    path = write_table(tmp_path / "t.csv", problems(20))
    doubled = audit(edit_header(path, "Answer_3\t", "Answer_2\t"), language="fr")
    assert only(doubled, "doubled-column").detail == "Answer_2 stands twice in the header"
    path = write_table(tmp_path / "u.csv", problems(20))
    missing = audit(edit_header(path, "Answer_label_2", "Note"), language="fr")
    assert only(missing, "missing-column").detail == "Answer_label_k lacks 2"
    bare = write_table(tmp_path / "v.csv", problems(20), values=False)
    assert audit(bare, language="fr").count(Severity.ERROR) == 0  # the labels say what is right


def test_columns_go_by_name_whatever_their_order_and_separator(tmp_path) -> None:
    path = write_table(tmp_path / "t.csv", problems(20), delimiter=",")
    lines = [line.split(",") for line in path.read_text(encoding="utf-8").splitlines()]
    order = list(range(len(lines[0])))
    random.Random(1).shuffle(order)
    text = "\n".join(",".join(line[k] for k in order) for line in lines)
    shuffled = tmp_path / "s.csv"
    shuffled.write_text("\ufeff" + text.replace("Answer_value_", "ANSWER VALUE "), encoding="utf-8")
    one, other = audit(path, language="fr"), audit(shuffled, language="fr")
    assert [f.to_json() | {"file": ""} for f in one.findings if not f.examples] == [
        f.to_json() | {"file": ""} for f in other.findings if not f.examples
    ]
    assert other.files[0].layout == "comma-separated"


def test_ragged_rows_and_empty_cells(tmp_path) -> None:
    path = write_table(tmp_path / "t.csv", problems(20))
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[3] += "\tmore"
    cells = lines[5].split("\t")
    cells[2] = " "
    cells[6] = ""
    lines[5] = "\t".join(cells)
    path.write_text("\n".join(lines), encoding="utf-8")
    report = audit(path, language="fr")
    assert only(report, "ragged-row").examples[0].row == 3
    empty = only(report, "empty-cell")
    assert {(e.row, e.column) for e in empty.examples} == {(5, "Sent_2"), (5, "Answer_3")}


def test_fewer_answers_in_a_row_are_no_empty_cells(tmp_path) -> None:
    rows = problems(20)
    rows[3]["answers"] = [a for a in rows[3]["answers"] if a["label"] != "WN"]
    assert not audit_rows(tmp_path, rows).of("empty-cell")


def test_constant_columns(tmp_path) -> None:
    rows = problems(20)
    for row in rows:
        row["answers"].append(answer("Toujours le même.", "X"))
    finding = only(audit_rows(tmp_path, rows), "constant-column")
    assert finding.measures["columns"] == ["Answer_4"]
    assert not audit_rows(tmp_path, problems(20)).of("constant-column")


def test_the_same_problem_twice(tmp_path) -> None:
    rows = [*problems(20), problems(20)[7]]
    finding = only(audit_rows(tmp_path, rows), "same-problem")
    assert (finding.count, finding.examples[0].row) == (1, 21)
    assert finding.examples[0].text == "the same as row 8"


def test_a_table_without_rows(tmp_path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("Sent_1\tAnswer_1\tAnswer_value_1\n", encoding="utf-8")
    assert only(audit(path), "no-problems").severity is Severity.ERROR


# --- position and context-blind solvers ---------------------------------------------------------


def test_position_bias(tmp_path) -> None:
    rows = [problem(number) for number in range(30)]
    finding = only(audit_rows(tmp_path, rows), "position-bias")
    assert finding.severity is Severity.ERROR
    assert finding.measures["counts"] == [0, 30, 0]
    assert finding.measures["chi_squared"] == pytest.approx(60)
    fair = only(audit_rows(tmp_path, problems(30)), "position-bias")
    assert fair.severity is Severity.NOTE


def test_few_rows_are_tested_exactly(tmp_path) -> None:
    finding = only(audit_rows(tmp_path, [problem(n) for n in range(4)]), "position-bias")
    assert finding.measures["p"] == pytest.approx(3 * (1 / 3) ** 4)
    assert finding.severity is Severity.NOTE
    assert finding.measures["test"].startswith("binomial")


def blind_rows(count, balanced):
    rows = []
    for number in range(count):
        n = problem(number)["context"][0].split()[-1]
        texts = [f"le {a} {n} {b} bien ici" for a in ("petit", "grand") for b in ("dort", "court")]
        texts = texts if balanced else [texts[0], texts[1], texts[2], texts[0] + " toujours"]
        answers = [answer(t, "W", template=t) for t in texts]
        answers[0] |= {"right": True, "label": "True"}
        for _ in range(number % 4):
            answers.append(answers.pop(0))
        rows.append(problem(number, answers=answers))
    return rows


@pytest.mark.parametrize("code", ["blind-words", "blind-edits", "blind-features"])
def test_the_answer_nearest_to_the_others(tmp_path, code) -> None:
    biased = write_table(tmp_path / "a.csv", blind_rows(60, False), templates=True)
    finding = only(audit(biased, language="fr"), code)
    assert finding.severity is Severity.ERROR
    assert finding.measures["accuracy"] == 1
    assert finding.measures["low"] == pytest.approx(0.9398, abs=1e-4)
    balanced = write_table(tmp_path / "b.csv", blind_rows(60, True), templates=True)
    fair = only(audit(balanced, language="fr"), code)
    assert fair.measures["accuracy"] == pytest.approx(0.25)
    assert fair.severity is Severity.NOTE


def test_a_sentence_that_is_right_everywhere(tmp_path) -> None:
    rows = problems(30)
    for row in rows:
        for one in row["answers"]:
            if one["right"]:
                one["text"] = "Toujours juste."
    assert only(audit_rows(tmp_path, rows), "blind-frequency").measures["accuracy"] == 1
    fair = only(audit_rows(tmp_path, problems(30)), "blind-frequency")
    assert fair.measures["accuracy"] == pytest.approx(1 / 3)


def test_what_is_declared_is_a_warning(tmp_path) -> None:
    rows = [record(row) for row in blind_rows(60, False)]
    write_jsonl(tmp_path / "problems.jsonl", rows)
    manifest = {"problems": 60, "options": {"answers": "named"}, "files": {"problems.jsonl": {}}}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    assert only(audit(tmp_path), "blind-words").severity is Severity.WARNING
    manifest["options"]["answers"] = "balanced"
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    assert only(audit(tmp_path), "blind-words").severity is Severity.ERROR


# --- labels and rules ---------------------------------------------------------------------------

ITEM = "subj.number={} pp1.number={} pp1.link=embedded {} verb.number={}"
CONTEXT_ITEMS = [
    ("sg", "sg", "", "sg"), ("pl", "sg", "", "pl"), ("sg", "pl", "", "sg"), ("pl", "pl", "", "pl"),
    ("sg", "sg", "sg", "sg"), ("pl", "sg", "sg", "pl"), ("sg", "pl", "sg", "sg"),
]  # fmt: skip


def item(subj, pp1, pp2, verb):
    second = f"pp2.number={pp2} pp2.link=embedded" if pp2 else "pp2=absent"
    return ITEM.format(subj, pp1, second, verb)


def labelled(label, cells):
    """One problem of the agreement matrix with one wrong answer."""
    return {
        "context": [{"text": f"S {k}.", "item": item(*c)} for k, c in enumerate(CONTEXT_ITEMS)],
        "candidates": [
            {"text": "R.", "item": item("pl", "pl", "sg", "pl"), "label": "x", "correct": True},
            {"text": "W.", "item": item(*cells), "label": label, "correct": False},
        ],
    }


@pytest.fixture(scope="module")
def agreement():
    return load("grammars/agreement/agreement.blm")


@pytest.mark.parametrize(
    ("label", "cells", "fault"),
    [
        ("AE_P2", ("pl", "pl", "sg", "sg"), ""),
        ("WN1", ("pl", "sg", "sg", "pl"), ""),
        ("first", ("pl", "sg", "sg", "pl"), ""),
        ("WN1", ("pl", "pl", "pl", "pl"), "label-rules"),
        ("correct", ("pl", "pl", "pl", "pl"), "label-rules"),
        ("nonsense", ("pl", "pl", "pl", "pl"), "unknown-label"),
        ("first+second", ("pl", "sg", "pl", "pl"), "several-edits"),
    ],
)
def test_labels_against_broken_rules(tmp_path, agreement, label, cells, fault) -> None:
    one = labelled(label, cells)
    one["candidates"][0]["label"] = "correct"
    report = audit(write_jsonl(tmp_path / "a.jsonl", [one]), grammar=agreement)
    wanted = {"label-rules", "unknown-label", "several-edits", "no-matrix", "not-read"}
    assert {f.code for f in report.findings} & wanted == ({fault} if fault else set())


def test_contexts_and_items_that_the_grammar_does_not_have(tmp_path, agreement) -> None:
    strange, unread = labelled("WN1", CONTEXT_ITEMS[0]), labelled("WN1", CONTEXT_ITEMS[0])
    strange["context"][1], strange["context"][2] = strange["context"][2], strange["context"][1]
    unread["context"][3]["item"] = "subj.number=dual"
    path = write_jsonl(tmp_path / "a.jsonl", [strange, unread])
    report = audit(path, grammar=agreement)
    assert only(report, "no-matrix").examples[0].row == 1
    assert only(report, "not-read").examples[0].row == 2


def test_rules_listed_as_broken_against_the_marks(tmp_path) -> None:
    rows = [record(row) for row in problems(20)]
    for row in rows:
        for candidate in row["candidates"]:
            candidate["broken"] = [] if candidate["correct"] else [{"rule": "agree"}]
    path = write_jsonl(tmp_path / "a.jsonl", rows)
    assert not audit(path).of("label-rules")
    rows[0]["candidates"][1]["broken"] = []
    rows[0]["candidates"][0]["broken"] = [{"rule": "agree"}]
    assert only(audit(write_jsonl(path, rows)), "label-rules").count == 2


def test_sentences_are_recognised_where_there_are_no_items(tmp_path) -> None:
    grammar = load("grammars/agreement/fr.blm")
    matrix = grammar.matrix("m1")
    wrong = grammar.distractors(matrix)[0]
    seed = grammar.seeds(matrix)[0].name

    def say(it):
        return grammar.say(it, seed=seed)

    one = {
        "context": [say(it) for it in matrix.context],
        "answers": [
            answer(say(matrix.solution), "True", True),
            answer(say(wrong.item), wrong.label),
        ],
    }
    report = audit_rows(tmp_path, [one], grammar=grammar)
    assert not {"label-rules", "no-matrix", "not-read"} & {f.code for f in report.findings}
    one["answers"][1]["label"] = "Coord" if wrong.label != "Coord" else "WN1"
    assert only(audit_rows(tmp_path, [one], grammar=grammar), "label-rules").count == 1
    one["context"][0] = "Une phrase inconnue."
    assert only(audit_rows(tmp_path, [one], grammar=grammar), "not-read").count == 1


# --- several files ------------------------------------------------------------------------------


def test_leaks_between_splits(tmp_path) -> None:
    rows = problems(20)
    write_table(tmp_path / "train.csv", rows[:15])
    write_table(tmp_path / "test.csv", rows[15:])
    assert not codes(audit(tmp_path, language="fr")) & {"leak-answer", "leak-context"}
    rows[16]["context"][2] = rows[3]["context"][2]
    right = next(a for a in rows[17]["answers"] if a["right"])
    right["text"] = next(a for a in rows[5]["answers"] if a["right"])["text"]
    write_table(tmp_path / "test.csv", rows[15:])
    report = audit(tmp_path, language="fr")
    context, leaked = only(report, "leak-context"), only(report, "leak-answer")
    assert (context.file, context.count, context.of) == ("test.csv", 1, 15)
    assert (context.examples[0].row, context.examples[0].column) == (2, "Sent_3")
    assert (leaked.count, leaked.of, leaked.examples[0].row) == (1, 5, 3)


def test_counts_and_checksums_of_a_manifest(tmp_path) -> None:
    write_jsonl(tmp_path / "problems.jsonl", [record(row) for row in problems(20)])
    manifest = {
        "problems": 21,
        "files": {"problems.jsonl": {"sha256": "0" * 64}, "../x.jsonl": {}, "gone.jsonl": {}},
    }
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    report = audit(tmp_path)
    assert only(report, "wrong-count").detail.startswith("the manifest states 21")
    assert only(report, "checksum").count == 3


# --- numbers ------------------------------------------------------------------------------------


def test_statistics_against_published_tables() -> None:
    # Abramowitz & Stegun, table 26.8: the 5 % and 0.1 % points
    for degrees, point in [(1, 3.84146), (2, 5.99146), (5, 11.0705), (8, 15.5073), (30, 43.7730)]:
        assert chi_squared_tail(point, degrees) == pytest.approx(0.05, abs=1e-5)
    for degrees, point in [(1, 10.828), (4, 18.467), (7, 24.322)]:
        assert chi_squared_tail(point, degrees) == pytest.approx(0.001, abs=1e-6)
    assert chi_squared([10, 20], [15, 15]) == pytest.approx(10 / 3)
    assert chi_squared_tail(0, 3) == chi_squared_tail(5, 0) == 1
    # Wilson: Newcombe (1998), 81 of 263
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert wilson(0, 0) == (0, 1)
    assert binomial_tail(5, 10, 0.5) == pytest.approx(638 / 1024)
    assert (binomial_tail(0, 9, 0.3), binomial_tail(2, 2, 1.0), binomial_tail(1, 2, 0.0)) == (
        1,
        1,
        0,
    )


def test_every_kind_is_documented() -> None:
    text = Path("docs/audit.md").read_text(encoding="utf-8")
    assert [code for code in KINDS if f"`{code}`" not in text] == []
