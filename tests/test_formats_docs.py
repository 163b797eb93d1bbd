"""The examples of docs/datasets.md run, and its tables are complete."""

import re
from pathlib import Path

import pytest
from making import EVERY, FRENCH, make

from blm.dataset.fields import CANDIDATE, RECORD

pytestmark = pytest.mark.filterwarnings("default")

DOCUMENT = (Path(__file__).parent.parent / "docs" / "datasets.md").read_text(encoding="utf-8")


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
    pytest.importorskip("datasets")
    pytest.importorskip("mlcroissant")
    split = {"train": 80, "dev": 10, "test": 10}
    make(tmp_path / "data", FRENCH, formats=EVERY, split=split, limit=50)
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"^```python\n(.*?)^```$", DOCUMENT, re.DOTALL | re.MULTILINE)
    assert len(examples) == 7
    names: dict = {}
    for example in examples:
        exec(example, names)


def test_every_field_and_format_is_in_the_tables() -> None:
    named = set(re.findall(r"`([\w-]+)`", DOCUMENT))
    assert named >= {one.name for one in (*RECORD, *CANDIDATE)}
    assert named >= set(EVERY)
