# ruff: noqa: E402 - nothing is imported before it is known that torch is there
from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is missing: pip install 'blm[neural]'")

import toy

from blm.baselines import REFERENCES, reference_scores
from blm.encode import Encoded, read_examples, read_splits
from blm.encode.split import sample, with_splits


def test_reads_lines(tmp_path: Path) -> None:
    found = toy.records(5)
    toy.write(tmp_path, found)
    (example, *_) = read_examples(tmp_path)
    assert example.solution == found[0]["candidates"][found[0]["answer"]]["text"]
    assert example.context == tuple(item["text"] for item in found[0]["context"])
    wrong = next(choice for choice in example.choices if choice.label == "AE")
    assert (wrong.rules, wrong.families) == (("agree",), ("external",))


def test_reads_splits_of_names_and_of_records(tmp_path: Path) -> None:
    for name, number in (("train", 3), ("dev", 1), ("test-00000-of-00001", 2)):
        lines = "".join(json.dumps(r) + "\n" for r in toy.records(number))
        (tmp_path / f"{name}.jsonl").write_text(lines)
    sizes = {name: len(part) for name, part in read_splits(tmp_path).items()}
    assert sizes == {"train": 3, "dev": 1, "test": 2}
    marked = [r | {"split": s} for r, s in zip(toy.records(2), ("validation", "test"), strict=True)]
    folder = toy.write(tmp_path / "marked", marked)
    assert {k: len(v) for k, v in read_splits(folder).items()} == {"dev": 1, "test": 1}


def test_says_what_is_no_problem(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="holds no problems"):
        read_splits(tmp_path)
    toy.write(tmp_path, [{"id": "x", "context": [], "candidates": []}])
    with pytest.raises(ValueError, match=r"problems.jsonl:1: this is no problem: no 'answer'"):
        read_splits(tmp_path)


@pytest.mark.parametrize("type_", ["I", "II", "III"])
def test_reads_what_generate_writes(tmp_path: Path, type_: str) -> None:
    blm = pytest.importorskip("blm")
    from blm.dataset.plan import Options
    from blm.dataset.write import write_dataset
    from blm.resources import shipped
    from blm.variation import LexicalType

    grammar = blm.load(shipped("grammars") / "agreement" / "en.blm")
    split = {} if type_ == "II" else {"train": 50, "dev": 25, "test": 25}
    for form in ("jsonl", "parquet"):
        options = Options(type=LexicalType(type_), sample=40, split=split, formats=(form,))
        write_dataset(grammar, options, tmp_path / form)
    lines, columns = read_splits(tmp_path / "jsonl"), read_splits(tmp_path / "parquet")
    assert lines == columns
    assert sum(len(part) for part in lines.values()) == 40
    assert set(lines) == (set(split) or {"all"})
    assert {example.type for part in lines.values() for example in part} == {type_}


@pytest.mark.parametrize("by", ["answer", "seed", "problem"])
def test_splits_share_nothing(by: str) -> None:
    problems = tuple(toy.examples(200))
    parts = with_splits({"all": problems}, by=by, seed=1)
    assert sum(map(len, parts.values())) == 200
    keys = {"answer": lambda e: e.solution, "seed": lambda e: e.seeds, "problem": lambda e: e.id}
    kept = [{keys[by](example) for example in part} for part in parts.values()]
    assert not kept[0] & kept[2]
    assert not kept[0] & kept[1]
    assert all(abs(len(parts[name]) - n) < 30 for name, n in {"train": 160, "dev": 20}.items())
    assert parts == with_splits({"all": problems}, by=by, seed=1)


def test_a_larger_sample_holds_a_smaller_one() -> None:
    problems = toy.examples(30)
    small, large = sample(problems, 5, seed=1), sample(problems, 20, seed=1)
    assert large[:5] == small
    with pytest.raises(ValueError, match="31 problems of 30"):
        sample(problems, 31, seed=1)


def test_references_by_hand() -> None:
    table = np.array([[1, 0], [0, 1], [-1, 0], [0.9, 0.1], [0.5, 0.5]], dtype=np.float32)
    data = Encoded(
        table=table,
        context=np.array([[0, 0], [1, 1]]),
        candidates=np.array([[0, 1, 3], [2, 4, 0]]),
        mask=np.array([[True, True, True], [True, True, False]]),
        answer=np.array([2, 1]),
    )
    chosen = {n: reference_scores(n, data, data).argmax(1).tolist() for n in REFERENCES}
    assert chosen["nearest-context"] == [0, 1]
    assert chosen["nearest-candidates"] == [2, 0]
    scores = reference_scores("nearest-candidates", data, data)
    cosine = 0.9 / float(np.hypot(0.9, 0.1))
    assert scores[0, 0] == pytest.approx((0 + cosine) / 2, abs=1e-6)
    assert np.isneginf(scores[1, 2])
    assert reference_scores("most-frequent", data, data)[0].tolist() == [0, 1, 1]
