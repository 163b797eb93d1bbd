"""Small data sets for the tests of the audit."""

import csv
import json
from pathlib import Path

from blm.audit import Finding, Report, audit

CONTEXT = ["Le chat dort.", "Les chats dorment.", "Le chien mange."]


def answer(text, label="Wrong", right=False, template=""):
    return {"text": text, "label": label, "right": right, "template": template}


def problem(number=0, *, context=None, answers=None):
    """A sound problem; every number gives other sentences."""
    n = WORDS[number]
    return {
        "context": context or [f"{sentence[:-1]} avec le {n}." for sentence in CONTEXT],
        "answers": answers
        or [
            answer(f"Le chien mange le {n}.", "WN"),
            answer(f"Les chiens mangent le {n}.", "Correct", True),
            answer(f"Les chiens mange ce {n}.", "AE"),
        ],
    }


WORDS = [
    a + b + c for a in "bdfglmp" for b in ("a", "o", "ou", "i") for c in ("teau", "ron", "lin")
]


def problems(count=20):
    """Problems whose right answer stands in each place equally often."""
    made = []
    for number in range(count):
        one = problem(number)
        one["answers"].insert(number % 3, one["answers"].pop(1))
        made.append(one)
    return made


def write_table(path, rows, *, delimiter="\t", templates=False, values=True, labels=True):
    """The authors' layout."""
    items, places = len(rows[0]["context"]), max(len(r["answers"]) for r in rows)
    header = ["", *(f"Sent_{k}" for k in range(1, items + 1))]
    names = [("Answer", "text")]
    names += [("Answer_label", "label")] * labels + [("Answer_value", "right")] * values
    names += [("Answer_template", "template")] * templates
    header += [f"{name}_{k}" for name, _ in names for k in range(1, places + 1)]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(header)
        for number, row in enumerate(rows):
            cells = [str(number), *row["context"]]
            for _, key in names:
                listed = [str(a[key]) for a in row["answers"]]
                cells += listed + [""] * (places - len(listed))
            writer.writerow(cells)
    return path


def record(row, **more):
    """A problem as our JSON Lines have it."""
    right = [a["right"] for a in row["answers"]]
    return {
        "language": "fr",
        "context": [{"text": text} for text in row["context"]],
        "candidates": [
            {"text": a["text"], "label": a["label"], "correct": a["right"]} for a in row["answers"]
        ],
        "answer": right.index(True) if True in right else None,
        **more,
    }


def write_jsonl(path, records):
    lines = (json.dumps(r, ensure_ascii=False) for r in records)
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def audit_rows(folder: Path, rows, **options) -> Report:
    """The audit of a table of these problems."""
    return audit(write_table(folder / "table.csv", rows), language="fr", **options)


def only(report: Report, code: str) -> Finding:
    """The one finding of a kind."""
    found = report.of(code)
    assert len(found) == 1, [f.code for f in report.findings]
    return found[0]
