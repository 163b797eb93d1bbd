"""What `blm generate` and `blm show` refuse, and with which words."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from blm.audit import audit
from blm.cli import app

FRENCH = "agreement/fr.blm"


def blm(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--split-by verb", "add the shares of its splits"),
        ("--split 80:10:10 --split-by nosuch", "the seeds have no slot 'nosuch'; slots are kind"),
        ("--answers balanced --exclude-repeats", "balanced answer sets are whole"),
        ("--type II", "there are 5,225,472,000 problems: say how many"),
        ("--type III --split 80:10:10 --sample 9", "there are 4 in the split 'dev'"),
        ("--type II --split 80:10:10 --sample 9", "give it a larger share"),
    ],
)
def test_options_that_lead_nowhere(options: str, message: str, tmp_path: Path) -> None:
    result = blm("generate", FRENCH, *options.split(), "-o", tmp_path / "set")
    assert result.exit_code == 1
    assert message in result.stderr
    assert not (tmp_path / "set").exists()


@pytest.mark.parametrize("options", ["--type III --split 60:20:20", "--type II --split 50:50"])
def test_the_splits_of_the_docs_can_be_had(options: str, tmp_path: Path) -> None:
    more = ["--split-by", "kind"] if "II --" in options and "III" not in options else []
    result = blm("generate", FRENCH, *options.split(), *more, "--sample", 50, "-o", tmp_path / "s")
    assert result.exit_code == 0, result.stderr


AMBIGUOUS = """phenomenon small "small"
objects
  a : n {x, y, z}
external
  e : a.n is x or a.n is y
matrix 3
  m : a.n at 1 becomes a.n at 2
answers
  correct
  W breaks e
"""
WORDS = """language xx "any"
of "small.blm"
words
  w : forms x, y, z
    ba: x="ba" y="be" z="bi"
seeds
  slots a : w
  s1 : a=ba
phrases
  a : a[a.n]
sentences
  main "main" : a
"""


def test_no_problems_of_a_grammar_with_an_error(tmp_path: Path) -> None:
    (tmp_path / "small.blm").write_text(AMBIGUOUS, encoding="utf-8")
    (tmp_path / "xx.blm").write_text(WORDS, encoding="utf-8")
    assert blm("check", tmp_path / "xx.blm").exit_code == 1
    result = blm("generate", tmp_path / "xx.blm", "-o", tmp_path / "set")
    assert result.exit_code == 1
    assert "error" in result.stderr
    assert not (tmp_path / "set").exists()


@pytest.mark.parametrize(
    ("manifest", "row"),
    [
        ("[]", None),
        ("null", None),
        ("{}", None),
        ("{", None),
        ('{"files": 5}', None),
        ('{"files": {"x": "zz"}}', None),
        (None, "[]"),
        (None, '{"id": 1}'),
        (None, '{"id": "x", "context": [], "candidates": [{}]}'),
    ],
)
def test_a_damaged_data_set_is_told(manifest: str | None, row: str | None, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    assert blm("generate", FRENCH, "--limit", 3, "-o", folder).exit_code == 0
    if manifest is not None:
        (folder / "manifest.json").write_text(manifest, encoding="utf-8")
    if row is not None:
        (folder / "problems.jsonl").write_text(row + "\n", encoding="utf-8")
    result = blm("show", folder)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"error: {folder}")


def test_a_problem_with_one_answer_is_an_error(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    assert blm("generate", FRENCH, "--limit", 12, "-o", folder).exit_code == 0
    rows = [json.loads(line) for line in (folder / "problems.jsonl").read_text().splitlines()]
    for row in rows[:2]:
        row["candidates"], row["answer"] = [row["candidates"][row["answer"]]], 0
    file = tmp_path / "one.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (finding,) = audit(file).of("one-answer")
    assert (finding.count, finding.of, finding.severity) == (2, 12, "error")


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
def test_no_process_outlives_one_that_is_killed(tmp_path: Path) -> None:
    command = f"""
from pathlib import Path
import blm
grammar = blm.load({FRENCH!r})
grammar.generate(Path({str(tmp_path / "set")!r}), type="III", limit=2_000_000, workers=2)
"""
    with subprocess.Popen([sys.executable, "-c", command]) as process:
        children: list[int] = []
        until = time.monotonic() + 60
        while not children and time.monotonic() < until:
            time.sleep(0.2)
            listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
            children = [pid for pid in map(int, listed.split()) if _is_worker(pid)]
        assert children
        time.sleep(1)
        os.kill(process.pid, signal.SIGKILL)
    until = time.monotonic() + 20
    while any(map(_is_worker, children)) and time.monotonic() < until:
        time.sleep(0.2)
    assert not any(map(_is_worker, children))


def _is_worker(pid: int) -> bool:
    try:
        return b"loky" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
