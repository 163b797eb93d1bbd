"""Reads the data of the task's authors, which lie beside the repository and not in it."""

import csv
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from blm.phenomenon import CellName, Value

FOLDER = Path(__file__).resolve().parents[1] / ".." / "shared" / "data" / "published"

needs_published_data = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="the published data are not beside the repository (../shared)"
)

csv.field_size_limit(sys.maxsize)


def rows(name: str) -> Iterator[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t")


def agreement_item(template: str) -> dict[CellName, Value]:
    """The item of a template such as `Prefix Subj_pl P1_sg Conj2_pl V_pl`."""
    item: dict[CellName, Value] = {
        CellName("pp2", "presence"): "absent",
        CellName("pp3", "presence"): "absent",
    }
    for token in template.split():
        name, _, number = token.partition("_")
        if name in ("Prefix", "ROC") or number == "None":
            continue
        thing = {"Subj": "subj", "P1": "pp1", "P2": "pp2", "Conj2": "pp2", "P3": "pp3", "V": "verb"}
        item[CellName(thing[name], "number")] = number
        if name in ("P1", "P2"):
            item[CellName(thing[name], "link")] = "embedded"
        if name == "Conj2":
            item[CellName("pp2", "link")] = "coordinated"
        if thing[name] in ("pp2", "pp3"):
            item[CellName(thing[name], "presence")] = "present"
    return item
