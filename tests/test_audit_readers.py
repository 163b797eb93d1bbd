"""Readers: the layouts there are, and files that are none, which give a message."""

import csv
import json
import os
import random
from contextlib import suppress

import pytest
from auditing import problems, record, write_jsonl, write_table

from blm.audit import AuditError, Severity, audit
from blm.audit.command import audit as command
from blm.audit.readers.folder import split_of


def comparable(report):
    """The findings without what depends on the layout."""
    return sorted((f.code, f.count, f.of, str(f.severity)) for f in report.findings)


def write_split(folder, rows):
    folder.mkdir(parents=True)
    answers = [row["answers"] for row in rows]
    files = {
        "x.json": [row["context"] for row in rows],
        "y.json": [[a["text"] for a in listed] for listed in answers],
        "labels.json": [[a["label"] for a in listed] for listed in answers],
        "truth_bool.json": [[str(a["right"]) for a in listed] for listed in answers],
    }
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return folder


def test_every_layout_gives_the_same_findings(tmp_path) -> None:
    rows = problems(20)
    rows[3]["context"][1] = "La vie de les chats ."
    paths = [
        write_table(tmp_path / "tab.csv", rows),
        write_table(tmp_path / "comma.csv", rows, delimiter=","),
        write_table(tmp_path / "semicolon.tsv", rows, delimiter=";"),
        write_jsonl(tmp_path / "ours.jsonl", [record(row) for row in rows]),
        write_split(tmp_path / "split", rows),
    ]
    old = tmp_path / "old_mac.csv"  # lines end with a carriage return alone
    old.write_bytes(paths[0].read_bytes().replace(b"\r\n", b"\r"))
    reports = [comparable(audit(path, language="fr")) for path in [*paths, old]]
    assert all(report == reports[0] for report in reports)
    assert any(code == "not-contracted" for code, *_ in reports[0])


def test_parquet(tmp_path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [record(row) for row in problems(20)]
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "a.parquet")
    other = write_jsonl(tmp_path / "a.jsonl", rows)
    assert comparable(audit(tmp_path / "a.parquet")) == comparable(audit(other))
    (tmp_path / "b.parquet").write_bytes(b"PAR1 nonsense")
    with pytest.raises(AuditError, match="no Parquet file"):
        audit(tmp_path / "b.parquet")


def test_a_split_file_stands_for_its_folder(tmp_path) -> None:
    folder = write_split(tmp_path / "test" / "sentences", problems(20))
    assert audit(folder / "x.json").files[0].problems == 20
    assert audit(tmp_path).files[0].split == "test"
    (folder / "truth_bool.json").unlink()
    assert audit(folder, language="fr").count(Severity.ERROR) == 0  # the labels say what is right
    (folder / "labels.json").write_text("[[]]", encoding="utf-8")
    assert audit(folder).of("ragged-row")[0].count == 2


def test_answer_alone_says_what_is_right(tmp_path) -> None:
    rows = [record(row) for row in problems(20)]
    for row in rows:
        row["candidates"] = [c["text"] for c in row["candidates"]]
        row["context"] = [c["text"] for c in row["context"]]
    assert not audit(write_jsonl(tmp_path / "a.jsonl", rows)).of("right-answers")


@pytest.mark.parametrize(
    ("name", "split"),
    [("train.csv", "train"), ("a/dev/x.json", "dev"), ("validation-0.jsonl", "dev"),
     ("type_I/datasets/test/sentences", "test"), ("contest.csv", ""), ("problems.csv", "")],
)  # fmt: skip
def test_splits_by_name(name, split) -> None:
    assert split_of(name) == split


# --- what is no data set ----------------------------------------------------------------------

DEEP = "[" * 100_000 + "]" * 100_000

BAD = {
    "empty.csv": b"",
    "blank.csv": b"\n \n",
    "binary.csv": bytes(range(256)) * 40,
    "nul.csv": b"Sent_1\tAnswer_1\na\0b\tc\n",
    "latin.csv": "Sent_1\tAnswer_1\nété\tété\n".encode("latin-1"),
    "utf16.csv": "Sent_1\tAnswer_1\na\tb\n".encode("utf-16"),
    "columns.csv": b"a\tb\n1\t2\n",
    "no_answers.csv": b"Sent_1\tSent_2\n1\t2\n",
    "quote.csv": b'Sent_1\tAnswer_1\n"open\tb\n',
    "field.csv": b"Sent_1\tAnswer_1\n" + b"x" * 200_000 + b"\tb\n",
    "wide.csv": "\t".join(f"Answer_{k}" for k in range(1, 5000)).encode() + b"\tSent_1\n1\n",
    "name.txt": b"Sent_1\tAnswer_1\na\tb\n",
    "broken.jsonl": b'{"context": [\n',
    "scalar.jsonl": b"1\n",
    "lists.jsonl": b'{"context": 1, "candidates": []}\n',
    "text.jsonl": b'{"context": [{"text": 1}], "candidates": []}\n',
    "deep.jsonl": DEEP.encode(),
    "digits.jsonl": b'{"context": ' + b"9" * 5000 + b"}\n",
    "deep.json": DEEP.encode(),
    "object.json": b"{}",
    "none.parquet": b"nothing",
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_data_set_is_said(tmp_path, name) -> None:
    path = tmp_path / name
    path.write_bytes(BAD[name])
    with pytest.raises(AuditError) as caught:
        audit(path)
    message = str(caught.value)
    assert str(path) in message
    assert len(message) < 1000
    assert "\n" not in message


def test_a_quotation_mark_that_is_not_closed_is_told_where_its_row_begins(tmp_path) -> None:
    path = write_table(tmp_path / "a.csv", problems(5))
    lines = path.read_bytes().split(b"\r\n")
    lines[3] = b'"' + lines[3]
    path.write_bytes(b"\r\n".join(lines))
    with pytest.raises(AuditError, match=r"a\.csv:4: .* in this row is not closed"):
        audit(path)


@pytest.mark.parametrize("limit", [131_072, 10**9])
def test_a_cell_as_large_as_a_book_is_told(tmp_path, limit) -> None:
    """Whatever limit another library has set for the csv module."""
    path = write_table(tmp_path / "a.csv", problems(5))
    path.write_bytes(path.read_bytes() + b"x" * 200_000 + b"\r\n")
    before = csv.field_size_limit(limit)
    try:
        with pytest.raises(AuditError, match=r"a\.csv:7: .*: a cell of over 100,000 characters"):
            audit(path)
    finally:
        csv.field_size_limit(before)


def test_folders_without_data_and_paths_without_file(tmp_path) -> None:
    for path in (tmp_path, tmp_path / "nothing", tmp_path / ("x" * 300), "a\0b"):
        with pytest.raises(AuditError):
            audit(path)
    (tmp_path / "manifest.json").write_text("[]", encoding="utf-8")
    with pytest.raises(AuditError, match="no manifest"):
        audit(tmp_path)
    (tmp_path / "manifest.json").write_text('{"files": {"../a.csv": 1}}', encoding="utf-8")
    with pytest.raises(AuditError, match="lists no file"):
        audit(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_no_file(tmp_path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(AuditError, match="this is no file"):
        audit(tmp_path / "pipe.csv")


def test_what_a_folder_holds_beside_is_named_with_the_reason(tmp_path) -> None:
    write_table(tmp_path / "good.csv", problems(20))
    (tmp_path / "bad.csv").write_bytes(BAD["binary.csv"])
    assert audit(tmp_path).skipped == (("bad.csv", "byte 1 is NUL: this is no text file"),)


def mutations():
    """Tables, lines and lists with bytes changed, cut out, doubled or put in."""
    pick = random.Random(7)
    for number in range(120):
        yield number, pick.choice(["csv", "jsonl", "split"]), pick.random()


@pytest.mark.parametrize(("number", "layout", "seed"), list(mutations()))
def test_mutated_files_give_a_report_or_a_message(tmp_path, number, layout, seed) -> None:
    pick = random.Random(seed)
    rows = problems(6)
    if layout == "csv":
        path = target = write_table(tmp_path / "a.csv", rows, templates=True)
    elif layout == "jsonl":
        path = target = write_jsonl(tmp_path / "a.jsonl", [record(row) for row in rows])
    else:
        path = write_split(tmp_path / "a", rows)
        target = path / pick.choice(["x.json", "y.json", "labels.json", "truth_bool.json"])
    data = bytearray(target.read_bytes())
    for _ in range(pick.choice([1, 2, 10])):
        start = pick.randrange(len(data) or 1)
        end = min(len(data), start + pick.choice([1, 5, 60]))
        noise = [
            b"",
            bytes(data[start:end]) * 2,
            b'"',
            b"\t",
            b"\n",
            b"[]",
            b"null",
            b"\\u0000",
            b"\xff",
        ]
        data[start:end] = pick.choice(noise)
    target.write_bytes(data)
    with suppress(AuditError):  # and no other exception
        json.dumps(audit(path).to_json())


@pytest.mark.parametrize(
    "values",
    [
        {"correct": 1}, {"label": {"a": 1}}, {"item": [1]}, {"item": {"a": {"b": [1]}}},
        {"edits": {"a": 1}}, {"edits": list(range(2000))}, {"broken": [1, None]}, {"repeats": "x"},
        {"repeats": 10**30}, {"text": None}, {"text": ""}, {"text": "\ud800"}, {"text": "a\nb  c"},
    ],
)  # fmt: skip
def test_strange_values_in_records(tmp_path, values) -> None:
    rows = [record(row) for row in problems(6)]
    for row in rows:
        row["candidates"][0] |= values
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    json.dumps(audit(path).to_json(), ensure_ascii=False).encode()


def test_a_manifest_of_strange_names(tmp_path) -> None:
    write_jsonl(tmp_path / "problems.jsonl", [record(row) for row in problems(20)])
    names = ["problems.jsonl", "x" * 5000, "a\0b.jsonl", "/etc/passwd", "..", "croissant.json"]
    (tmp_path / "croissant.json").write_text("{}", encoding="utf-8")
    manifest = {"files": dict.fromkeys(names, 1), "problems": "many", "options": []}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    report = audit(tmp_path)
    assert [file.file for file in report.files] == ["problems.jsonl"]
    assert report.of("checksum")[0].count == 4


def test_a_terminal_gets_lines_that_fit_and_no_control_characters(tmp_path) -> None:
    from io import StringIO

    from rich.console import Console

    from blm.audit.view import print_report

    rows = problems(20)
    rows[0]["context"][0] = "La vie de les chats \x1b[2J " + "et plus " * 40
    out = StringIO()
    console = Console(file=out, force_terminal=True, no_color=True, width=80, highlight=False)
    print_report(audit(write_table(tmp_path / "a.csv", rows), language="fr"), console)
    assert "[2J" not in out.getvalue().replace("\ufffd[2J", "")
    assert "a preposition not joined with its article" in out.getvalue()


# --- the command --------------------------------------------------------------------------------


def test_the_command_prints_one_document(tmp_path, capsys) -> None:
    rows = problems(20)
    assert command(write_table(tmp_path / "a.csv", rows), language="fr", as_json=True) == 0
    assert json.loads(capsys.readouterr().out)["errors"] == 0
    rows[0]["context"][0] = "La vie de les chats."
    path = write_table(tmp_path / "a.csv", rows)
    assert command(path, language="fr", as_json=True) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["errors"] == 1
    example = document["findings"][0]["examples"][0]
    assert (example["row"], example["column"]) == (1, "Sent_1")


def test_the_command_speaks_to_people(tmp_path, capsys) -> None:
    rows = problems(20)
    rows[0]["context"][0] = "La vie de les chats."
    path = write_table(tmp_path / "a.csv", rows)
    assert command(path, language="fr") == 1
    out = capsys.readouterr().out
    assert "1 of 120 sentences  a preposition not joined with its article  [not-contracted]" in out
    assert "row 1, Sent_1: La vie de les chats. [de les chats]" in out
    assert len(out.splitlines()) < 25
    assert command(path, language="fr", full=True, repair=tmp_path / "b.csv") == 0
    out = capsys.readouterr().out
    assert "corrected not-contracted: 1 sentence in a.csv" in out


def test_templates_of_ones_own(tmp_path) -> None:
    path = tmp_path / "scheme.json"
    path.write_text('{"name": "mine", "phenomenon": "agreement", "tokens": []}', encoding="utf-8")
    with pytest.raises(AuditError, match="no scheme of templates"):
        command(write_table(tmp_path / "a.csv", problems(3)), templates=path)
