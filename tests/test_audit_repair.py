"""The corrected copy: same layout, only certain corrections, complete or not there."""

import csv
import json

import pytest
from auditing import problems, record, write_jsonl, write_table

from blm.audit import AuditError, audit
from blm.audit.command import audit as look
from blm.audit.repair import repair
from blm.audit.repair.fixer import Fixer


def faulty(count=20):
    rows = problems(count)
    rows[1]["context"][1] = "L’ ami de les chats dort ."
    rows[2]["answers"][0]["text"] = "Les tempss passent."
    rows[4]["context"][0] = "Le chat chat dort."
    return rows


def test_a_table_keeps_its_layout(tmp_path) -> None:
    path = write_table(tmp_path / "a.csv", faulty(), delimiter=",")
    source = path.read_bytes()
    repaired = repair(path, tmp_path / "b.csv", language="fr")
    before = list(csv.reader(source.decode().splitlines()))
    after = list(csv.reader((tmp_path / "b.csv").read_text(encoding="utf-8").splitlines()))
    changed = [
        (row, old, new)
        for row, (one, other) in enumerate(zip(before, after, strict=True))
        for old, new in zip(one, other, strict=True)
        if old != new
    ]
    assert changed == [
        (2, "L’ ami de les chats dort .", "L’ami des chats dort."),
        (3, "Les tempss passent.", "Les temps passent."),
    ]
    assert path.read_bytes() == source
    assert {c.code: c.count for c in repaired.changes} == {
        "malformed-plural": 1,
        "not-contracted": 1,
        "space-after-apostrophe": 1,
        "space-before-stop": 1,
    }
    left = [entry for entry in repaired.left if not entry.code.startswith("blind-")]
    assert [(entry.code, entry.count) for entry in left] == [("doubled-word", 1)]
    assert left[0].why


def test_nothing_but_faults_is_changed(tmp_path) -> None:
    path = write_table(tmp_path / "a.csv", problems(20))
    repaired = repair(path, tmp_path / "b.csv", language="fr")
    assert repaired.changes == ()
    assert (tmp_path / "b.csv").read_bytes() == path.read_bytes()


def test_chunks_and_byte_order_mark_and_line_ends(tmp_path) -> None:
    path = tmp_path / "a.csv"
    lines = [
        "Sent_1\tSent_chunks_1\tNote\tAnswer_1\tAnswer_value_1\tAnswer_2\tAnswer_value_2",
        "L’ eau dort .\t['L’ eau', 'dort', '.']\tL’ eau .\tLe chat .\tTrue\tUn chat.\tFalse",
        "Il dort.\t[broken\tx\tUn.\tTrue\tDeux.\tFalse",
    ]
    path.write_bytes(("\ufeff" + "\r\n".join(lines) + "\r\n").encode())
    repair(path, tmp_path / "b.csv", language="fr")
    fixed = [
        "\ufeff" + lines[0],
        "L’eau dort.\t['L’eau', 'dort', '.']\tL’ eau .\tLe chat.\tTrue\tUn chat.\tFalse",
        lines[2],
    ]
    assert (tmp_path / "b.csv").read_bytes() == ("\r\n".join(fixed) + "\r\n").encode()


def test_our_data_set_keeps_right_checksums(tmp_path) -> None:
    folder = tmp_path / "a"
    folder.mkdir()
    write_jsonl(folder / "problems.jsonl", [record(row) for row in faulty()])
    write_table(folder / "problems.csv", faulty())
    manifest = {"problems": 20, "files": {"problems.jsonl": {}, "problems.csv": {}}}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    repair(folder, tmp_path / "b")
    report = audit(tmp_path / "b")
    assert not report.of("checksum")
    assert not report.of("not-contracted")
    assert not audit(tmp_path / "b" / "problems.csv").of("not-contracted")
    assert json.loads((tmp_path / "b" / "manifest.json").read_text())["repaired"]


def test_lines_without_fault_stay_as_they_are(tmp_path) -> None:
    path = write_jsonl(tmp_path / "a.jsonl", [record(row) for row in faulty()])
    path.write_text(path.read_text(encoding="utf-8").replace('", "', '" ,  "'), encoding="utf-8")
    repair(path, tmp_path / "b.jsonl")
    old = path.read_text(encoding="utf-8").splitlines()
    new = (tmp_path / "b.jsonl").read_text(encoding="utf-8").splitlines()
    assert [k for k, (a, b) in enumerate(zip(old, new, strict=True)) if a != b] == [1, 2]


def test_refusals_leave_nothing_behind(tmp_path, monkeypatch) -> None:
    path = write_table(tmp_path / "a.csv", faulty())
    with pytest.raises(AuditError, match="it exists"):
        repair(path, path)
    with pytest.raises(AuditError, match="there is no folder"):
        repair(path, tmp_path / "no" / "b.csv")
    with pytest.raises(AuditError, match="in the data set itself"):
        repair(tmp_path, tmp_path / "inside")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("blm.audit.repair.copy.os.rename", fail)
    with pytest.raises(AuditError, match="No space left"):
        repair(path, tmp_path / "b.csv", language="fr")
    assert [p.name for p in tmp_path.iterdir()] == ["a.csv"]


def test_a_copy_is_of_the_same_kind(tmp_path) -> None:
    path = write_table(tmp_path / "t.csv", problems(5))
    for name in ("copy", "copy.json", "copy.csvx"):
        with pytest.raises(AuditError, match=r"let its name end in \.csv"):
            repair(path, tmp_path / name)
        with pytest.raises(AuditError, match=r"let its name end in \.csv"):
            look(path, repair=tmp_path / name)
        assert not (tmp_path / name).exists()
    repair(path, tmp_path / "copy.CSV")
    assert (tmp_path / "copy.CSV").exists()


def test_repairing_twice_changes_nothing_more() -> None:
    fixer = Fixer("fr", "’")
    once = fixer.fix(" L' ami de  les tempss dit que il dort .")
    assert once == "L’ami des temps dit qu’il dort."
    assert Fixer("fr", "’").fix(once) == once
