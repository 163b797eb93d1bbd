"""The audit of the data sets that the shipped grammars make: none of the faults it looks for."""

from pathlib import Path

import pytest

from blm.answers import Answers
from blm.audit import Finding, Severity, audit
from blm.dataset.plan import Options
from blm.dataset.write import write_dataset
from blm.grammar import Grammar, load
from blm.variation import LexicalType

ROOT = Path(__file__).parent.parent
GRAMMARS = sorted(
    str(path.relative_to(ROOT / "grammars"))
    for path in (ROOT / "grammars").glob("*/*.blm")
    if path.read_text(encoding="utf-8").find("\nlanguage ") >= 0
)


def findings(grammar: Grammar, options: Options, folder: Path) -> list[Finding]:
    write_dataset(grammar, options, folder)
    return list(audit(folder).findings)


def serious(found: list[Finding]) -> list[str]:
    """What is no mere note."""
    return [
        f"{f.code}: {f.detail} {[e.text for e in f.examples]}"
        for f in found
        if f.severity is not Severity.NOTE
    ]


@pytest.mark.parametrize("name", GRAMMARS)
def test_named_sets_have_no_fault(name: str, tmp_path: Path) -> None:
    found = findings(load(name), Options(sample=600, seed=5), tmp_path / "set")
    errors = [f for f in found if f.severity is Severity.ERROR]
    assert not errors, serious(errors)


@pytest.mark.parametrize("kind", [LexicalType.I, LexicalType.III])
@pytest.mark.parametrize("name", GRAMMARS)
def test_balanced_sets_hide_the_answer(name: str, kind: LexicalType, tmp_path: Path) -> None:
    grammar = load(name)
    if not grammar.phenomenon.axes:
        with pytest.raises(ValueError, match="declares no axes"):
            write_dataset(grammar, Options(answers=Answers.BALANCED), tmp_path / "none")
        return
    options = Options(type=kind, answers=Answers.BALANCED, sample=1000, seed=5)
    found = findings(grammar, options, tmp_path / "set")
    blind = [f for f in found if f.code.startswith("blind-")]
    assert len(blind) == 4
    for finding in blind:
        assert finding.measures["accuracy"] <= finding.measures["chance"] + 0.05, finding.detail
    assert not serious(found)


@pytest.mark.parametrize("form", ["jsonl", "parquet", "csv", "json"])
def test_every_format_can_be_audited(form: str, tmp_path: Path) -> None:
    options = Options(sample=100, split={"train": 80, "test": 20}, formats=[form])
    found = findings(load("agreement/fr.blm"), options, tmp_path / "set")
    # some problems have five answers, others six: no row is ragged for that
    assert not [f for f in found if f.severity is Severity.ERROR]
    assert sorted(f.of for f in found if f.code == "position-bias") == [20, 80]
