"""Every format says the same; each reads back as it was written."""

import csv
import hashlib
import json
from pathlib import Path

import pytest
from making import EVERY, FRENCH, GRAMMARS, SPRAY, TITLE, contents, hostile, make, said

from blm.answers import Answers
from blm.dataset import jsonl, parquet
from blm.dataset.fields import CANDIDATE, CONTEXT, RECORD
from blm.dataset.folder import read_manifest
from blm.dataset.formats import check_formats
from blm.pipeline import load
from blm.variation import LexicalType

CASES = {
    "agreement": (FRENCH, {"sample": 300}),
    "agreement III": (FRENCH, {"sample": 100, "type": LexicalType.III_OWN}),
    "agreement minimal": (FRENCH, {"sample": 100, "answers": Answers.MINIMAL}),
    "spray/load": (SPRAY, {"sample": 100}),
    "no space": (GRAMMARS / "voice" / "tr.blm", {"limit": 40}),
}


@pytest.fixture(scope="module", params=CASES, ids=str)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path, options = CASES[request.param]
    made = tmp_path_factory.mktemp("data") / "set"
    make(made, path, formats=EVERY, **options)
    return made


@pytest.fixture
def hostile_folder(tmp_path: Path) -> Path:
    (tmp_path / "grammar").mkdir()
    make(tmp_path / "set", hostile(tmp_path / "grammar"), formats=EVERY)
    return tmp_path / "set"


def records(folder: Path, stem: str = "problems") -> list:
    return list(jsonl.read(folder / f"{stem}.jsonl"))


def rows(folder: Path, stem: str = "problems") -> list[dict[str, str]]:
    with (folder / f"{stem}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def grid(folder: Path, name: str, stem: str = "problems") -> list[list[str]]:
    return json.loads((folder / stem / f"{name}.json").read_text(encoding="utf-8"))


def numbered(row: dict[str, str], name: str) -> list[str]:
    found = [value for key, value in row.items() if key.rpartition("_")[0] == name]
    return [value for value in found if value]


def check_csv(folder: Path) -> None:
    for record, row in zip(records(folder), rows(folder), strict=True):
        assert record["id"].endswith(f"-{row['']}")
        context, answers = said(record)
        assert numbered(row, "Sent") == context
        assert numbered(row, "Answer") == answers
        assert numbered(row, "Answer_label") == [c["label"] for c in record["candidates"]]
        values = [str(c["correct"]) for c in record["candidates"]]
        assert numbered(row, "Answer_value") == values


def check_split_json(folder: Path) -> None:
    names = ("x", "y", "labels", "truth_bool", "x_templates", "y_templates")
    found = zip(records(folder), *(grid(folder, name) for name in names), strict=True)
    for record, context, answers, labels, truth, sentences, templates in found:
        assert (context, answers) == said(record)
        assert labels == [c["label"] for c in record["candidates"]]
        assert truth == [str(c["correct"]) for c in record["candidates"]]
        assert len(sentences) == len(context)
        assert len(templates) == len(answers)
        assert all("=" in template for template in (*sentences, *templates))


def test_csv_equals_jsonl(folder: Path) -> None:
    check_csv(folder)


def test_parquet_equals_jsonl(folder: Path) -> None:
    assert list(parquet.read(folder / "problems.parquet")) == records(folder)


def test_split_json_equals_jsonl(folder: Path) -> None:
    check_split_json(folder)


def test_fields_are_described_in_order(folder: Path) -> None:
    record = records(folder)[0]
    assert [one.name for one in RECORD] == list(record)
    assert [one.name for one in CONTEXT] == list(record["context"][0])
    assert [one.name for one in CANDIDATE] == list(record["candidates"][0])


def test_answer_sets_may_differ_in_size(tmp_path: Path) -> None:
    make(tmp_path / "set", FRENCH, formats=EVERY)
    sizes = {len(row) for row in grid(tmp_path / "set", "y")}
    assert sizes == {5, 6}
    assert {len(row) for row in grid(tmp_path / "set", "labels")} == sizes


def test_hostile_words_survive_every_format(hostile_folder: Path) -> None:
    texts = "".join(text for record in records(hostile_folder) for text in said(record)[1])
    assert all(piece in texts for piece in ("\t", "\n", '"', "<script>", "\u202e", "{{ 7 * 7 }}"))
    check_csv(hostile_folder)
    check_split_json(hostile_folder)
    assert list(parquet.read(hostile_folder / "problems.parquet")) == records(hostile_folder)


def test_a_hostile_title_is_no_markup_in_the_card(hostile_folder: Path) -> None:
    card = (hostile_folder / "README.md").read_text(encoding="utf-8")
    body = card.split("---\n", 2)[2]
    assert "<script" not in body.replace(r"\<script", "")
    assert json.loads((hostile_folder / "croissant.json").read_text(encoding="utf-8"))


def test_the_header_of_the_card_is_yaml(hostile_folder: Path) -> None:
    yaml = pytest.importorskip("yaml")
    header = yaml.safe_load((hostile_folder / "README.md").read_text("utf-8").split("---\n")[1])
    assert header["pretty_name"] == f"BLM {TITLE} (français)"
    assert header["license"] == "cc-by-4.0"
    assert header["task_categories"] == ["multiple-choice"]
    assert header["size_categories"] == ["n<1K"]
    assert header["configs"][0]["data_files"] == [{"split": "problems", "path": "problems.parquet"}]


def test_the_card_counts_what_is_there(tmp_path: Path) -> None:
    manifest = make(tmp_path / "set", FRENCH, split={"train": 80, "test": 20})
    for split, told in manifest["splits"].items():
        found = records(tmp_path / "set", split)
        counts = told["counts"]
        labels = [c["label"] for record in found for c in record["candidates"]]
        assert counts["labels"] == {name: labels.count(name) for name in sorted(set(labels))}
        assert sum(counts["places"].values()) == told["problems"] == len(found)
        assert sum(counts["matrices"].values()) == len(found)
        broken = [b["rule"] for r in found for c in r["candidates"] for b in c["broken"]]
        assert counts["rules"] == {name: broken.count(name) for name in sorted(set(broken))}
    card = (tmp_path / "set" / "README.md").read_text(encoding="utf-8")
    train, test = (manifest["splits"][split]["counts"]["labels"] for split in ("train", "test"))
    row = f"| `WN1` | wrong number of the first attractor | {train['WN1']:,} | {test['WN1']:,} |"
    assert row in card
    assert "blm generate fr.blm --output DIR --type I --format jsonl --split 80:20 --seed 0" in card


def test_every_file_is_listed_with_its_checksum(folder: Path) -> None:
    listed = read_manifest(folder)["files"]
    found = contents(folder)
    assert set(found) == {*listed, "manifest.json"}
    for name, told in listed.items():
        assert told["sha256"] == hashlib.sha256(found[name]).hexdigest()
        assert told["bytes"] == len(found[name])
    assert {told["format"] for told in listed.values()} == {
        *EVERY, "card", "preview", "croissant",
    }  # fmt: skip


def test_an_empty_split_is_written_in_every_format(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    make(folder, FRENCH, formats=EVERY, sample=4, split={"train": 90, "test": 10})
    assert len(records(folder, "train")) == 3
    assert records(folder, "test") == rows(folder, "test") == grid(folder, "x", "test") == []
    assert list(parquet.read(folder / "test.parquet")) == []


def test_a_data_set_without_problems_is_written_in_every_format(tmp_path: Path) -> None:
    make(tmp_path / "set", FRENCH, formats=EVERY, sample=1, split={"train": 50, "test": 50})
    assert "no problem" in (tmp_path / "set" / "preview.html").read_text(encoding="utf-8")
    assert "size_categories" in (tmp_path / "set" / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["xlsx"], "'xlsx' is no format; use jsonl, csv, parquet, json, lm-eval"),
        (["csv", "lm-eval"], "'lm-eval' reads parquet or jsonl: add one of these formats"),
        ([], "name a format for the problems"),
    ],
)
def test_formats_that_do_not_go_together(names: list[str], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        check_formats(names)


def test_pyarrow_is_imported_only_where_it_is_needed() -> None:
    import subprocess
    import sys

    code = "import sys, blm.dataset.write; print('pyarrow' in sys.modules, 'joblib' in sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout == "False False\n"


def test_cells_with_numbers_and_cells_without(tmp_path: Path) -> None:
    grammar = load(GRAMMARS / "raven" / "en.blm")
    make(tmp_path / "set", grammar, formats=["jsonl", "parquet"], limit=3)
    assert any(isinstance(v, int) for cell in grammar.phenomenon.cells for v in cell.domain)
    assert list(parquet.read(tmp_path / "set" / "problems.parquet")) == records(tmp_path / "set")
