"""The audit of the published data, with exact counts."""

import pytest
from published import FOLDER, needs_published_data

from blm.audit import Report, Severity, audit
from blm.audit.repair import repair
from blm.pipeline import load

pytestmark = needs_published_data

AGREEMENT = [f"agreement_fr/type_{kind}.csv" for kind in ("i", "ii", "iii")]
SPRAY_LOAD = [f"spray_load_alt_atl/type_{kind}.csv" for kind in ("i", "ii", "iii")]


@pytest.fixture(scope="module")
def report() -> Report:
    return audit(FOLDER)


def counts(report: Report, code: str) -> dict[str, tuple[int, int]]:
    return {finding.file: (finding.count, finding.of) for finding in report.of(code)}


def forms(report: Report, code: str, name: str) -> dict[str, int]:
    return next(f.measures["forms"] for f in report.of(code) if f.file == name)


def test_six_files_are_read_and_the_fragments_are_not(report: Report) -> None:
    assert [file.file for file in report.files] == AGREEMENT + SPRAY_LOAD
    assert [file.language for file in report.files] == ["fr"] * 3 + ["en"] * 3
    assert [name for name, _ in report.skipped] == ["agreement_fr/fragments.csv"]


def test_two_agreement_errors_are_the_same_sentence_in_every_row(report: Report) -> None:
    assert counts(report, "duplicate-answers") == dict.fromkeys(AGREEMENT, (100, 100))
    for finding in report.of("duplicate-answers"):
        assert finding.measures["pairs"] == {"agreement_error_N1 = agreement_error_N2": 100}


def test_distractors_that_are_context_sentences(report: Report) -> None:
    found = {AGREEMENT[0]: (104, 700), AGREEMENT[1]: (19, 700)}
    assert counts(report, "distractor-in-context") == found
    first = report.of("distractor-in-context")[0]
    assert first.measures["labels"] == {"N1_alter": 100, "N2_alter": 4}
    assert (first.examples[0].row, first.examples[0].column) == (1, "Answer_5")


def test_the_right_answer_is_always_first(report: Report) -> None:
    assert counts(report, "position-bias") == dict.fromkeys(AGREEMENT + SPRAY_LOAD, (100, 100))
    assert {f.severity for f in report.of("position-bias")} == {Severity.ERROR}
    assert report.of("position-bias")[0].measures["chi_squared"] == 700


def test_the_agreement_files_are_solved_without_the_context(report: Report) -> None:
    for code in ("blind-words", "blind-edits"):
        for finding in report.of(code):
            if finding.file in AGREEMENT:
                assert finding.measures["accuracy"] > 0.9
                assert finding.measures["chance"] == 0.125
                assert finding.severity is Severity.ERROR
    words = {f.file: f.measures["accuracy"] for f in report.of("blind-words")}
    assert [words[name] for name in AGREEMENT] == [1.0, 1.0, 1.0]
    edits = {f.file: f.measures["accuracy"] for f in report.of("blind-edits")}
    assert [edits[name] for name in AGREEMENT] == [0.98, 1.0, 1.0]


def test_uncontracted_and_malformed_french(report: Report) -> None:
    assert counts(report, "not-contracted") == {
        AGREEMENT[0]: (40, 1500),
        AGREEMENT[2]: (22, 1500),
    }
    assert forms(report, "not-contracted", AGREEMENT[0]) == {
        "de les réformes": 20,
        "de les souffrances": 20,
    }
    assert forms(report, "malformed-plural", AGREEMENT[1]) == {
        "tempss": 22,
        "souriss": 8,
        "châteaus": 4,
    }
    assert forms(report, "malformed-plural", AGREEMENT[2])["tempss"] == 18
    assert counts(report, "doubled-suffix") == {AGREEMENT[2]: (1, 1500)}
    assert forms(report, "doubled-suffix", AGREEMENT[2]) == {"consommateureur": 1}
    assert forms(report, "not-elided", AGREEMENT[2]) == {"se était": 1}


def test_spacing(report: Report) -> None:
    assert counts(report, "space-before-stop") == dict.fromkeys(AGREEMENT, (1500, 1500))
    assert counts(report, "space-after-apostrophe") == {
        AGREEMENT[0]: (763, 1500),
        AGREEMENT[1]: (736, 1500),
        AGREEMENT[2]: (789, 1500),
    }


def test_the_doubled_column_and_the_constant_answers(report: Report) -> None:
    assert counts(report, "doubled-column") == dict.fromkeys(SPRAY_LOAD[1:], (1, 17))
    assert counts(report, "constant-column") == dict.fromkeys(SPRAY_LOAD[1:], (3, 17))
    for finding in report.of("constant-column"):
        assert finding.measures["columns"] == ["Answer_8", "Answer_9", "Answer_7 (again)"]


def test_doubled_words(report: Report) -> None:
    assert forms(report, "doubled-word", SPRAY_LOAD[0]) == {"can can": 24}
    assert forms(report, "doubled-word", SPRAY_LOAD[2]) == {"can can": 18, "will will": 8}


def test_labels_against_the_rules_of_the_grammar() -> None:
    report = audit(FOLDER / AGREEMENT[0], grammar=load("grammars/agreement/agreement.blm"))
    finding = report.of("label-rules")[0]
    assert (finding.count, finding.of) == (204, 800)
    assert finding.measures["labels"] == {
        "agreement_error_V breaks agree+second": 98,
        "coordination breaks embedding+second": 98,
        "agreement_error_N1 breaks agree+second": 4,
        "agreement_error_N2 breaks agree+second": 4,
    }
    assert not report.of("no-matrix")
    assert not report.of("not-read")


def test_spray_load_answers_break_what_their_labels_say() -> None:
    report = audit(FOLDER / SPRAY_LOAD[0], grammar=load("grammars/spray_load/en.blm"))
    assert not report.of("label-rules")
    assert not report.of("no-matrix")
    several = report.of("several-edits")[0]
    assert set(several.measures["labels"]) == {"CRNoEmb", "CrSSM1", "CrSSM2", "CrAASSM1"}
    assert several.count == 400


def test_the_repaired_copy_has_no_certain_fault_left(tmp_path) -> None:
    repaired = repair(FOLDER / "agreement_fr", tmp_path / "copy")
    done = {(change.file, change.code): change.count for change in repaired.changes}
    assert done["type_i.csv", "space-before-stop"] == 1500
    assert done["type_i.csv", "not-contracted"] == 40
    assert done["type_iii.csv", "doubled-suffix"] == 1
    left = {entry.code for entry in repaired.left}
    assert not left & {
        "space-before-stop",
        "space-after-apostrophe",
        "not-contracted",
        "not-elided",
    }
    assert not left & {"malformed-plural", "doubled-suffix"}
    assert "duplicate-answers" in left
    fragments = (FOLDER / "agreement_fr" / "fragments.csv").read_bytes()
    assert (tmp_path / "copy" / "fragments.csv").read_bytes() == fragments
