"""Logs of lm-evaluation-harness as rows; needs no torch.

`lm_eval_log` holds the first three samples that lm_eval 0.4.13 logged of a GPT-2 with random
weights on a French data set of type I.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from blm.cli import app
from blm.experiment import read_results
from blm.experiment.lm_log import add_logs, read_log
from blm.experiment.results import write_results

LOG = next((Path(__file__).parent / "lm_eval_log").glob("samples_*.jsonl"))
TIME = "2026-11-30T07-47-53.721655"


def logged(folder: Path, *, task: str = "blm_agreement_fr_i", shots: int | None = None) -> Path:
    """The log under another task, with the summary beside it if there are shots."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"samples_{task}_{TIME}.jsonl"
    shutil.copy(LOG, path)
    if shots is not None:
        summary = {"model_name": "someone/tiny-gpt", "n-shot": {task: shots}}
        (folder / f"results_{TIME}.json").write_text(json.dumps(summary))
    return path


def test_rows_say_what_lm_eval_said() -> None:
    rows = read_log(LOG)
    samples = [json.loads(line) for line in LOG.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == len(samples) == 3
    for row, sample in zip(rows, samples, strict=True):
        assert row.correct == bool(sample["acc"])
        assert row.scores == pytest.approx([float(r[0]) for r in sample["filtered_resps"]])
        assert row.answer == int(sample["target"])
        assert (row.label == "correct") == (row.rules == ()) == row.correct
        assert (row.kind, row.encoder, row.encoder_kind, row.train) == (
            "language model",
            "",
            "",
            "",
        )
    assert {row.test for row in rows} == {"fr-I"}


def test_the_summary_names_model_and_shots(tmp_path: Path) -> None:
    (row, *_) = read_log(logged(tmp_path, shots=3))
    assert (row.solver, row.train, row.train_size) == ("tiny-gpt 3-shot (lm-eval)", "fr-I", 3)


def test_names_say_it_where_there_is_no_summary(tmp_path: Path) -> None:
    (row, *_) = read_log(logged(tmp_path / "my-gpt", task="blm_agreement_fr_i_3shot"))
    assert row.solver == "my-gpt 3-shot (lm-eval)"


def test_logs_join_the_table_and_stay(tmp_path: Path) -> None:
    out = tmp_path / "out"
    told = add_logs(out, [logged(tmp_path / "logs" / "one", shots=0).parent])
    assert told == {"tiny-gpt 0-shot (lm-eval), fr-I": 3}
    other = read_log(logged(tmp_path / "logs" / "other"))
    write_results(out, other)  # as an experiment that is run again
    assert len(read_results(out)) == 6
    add_logs(out, [tmp_path / "logs" / "one"])
    assert len(read_results(out)) == 6
    assert add_logs(out, []) == {}


def test_the_command_reports_them(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is missing: pip install 'blm[neural]'")
    log = logged(tmp_path / "logs", shots=0)
    arguments = ["report", str(tmp_path / "out"), "--language-model", str(log)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.stderr
    assert "tiny-gpt 0-shot (lm-eval), fr-I: 3 answers" in result.stderr
    text = (tmp_path / "out" / "report" / "report.md").read_text(encoding="utf-8")
    assert "tiny-gpt 0-shot (lm-eval)" in text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda sample: sample.pop("doc"), "no 'doc'"),
        (lambda sample: sample["filtered_resps"].pop(), "scores for"),
        (lambda sample: sample.update(filtered_resps=["a text"]), "could not convert"),
        (lambda sample: sample["doc"].pop("candidates"), "no 'candidates'"),
    ],
)
def test_other_logs_are_refused(tmp_path: Path, change: object, message: str) -> None:
    sample = json.loads(LOG.read_text(encoding="utf-8").splitlines()[0])
    change(sample)  # type: ignore[operator]
    path = tmp_path / "samples_other.jsonl"
    path.write_text(json.dumps(sample), encoding="utf-8")
    with pytest.raises(ValueError, match=f":1: no sample of a task of blm: .*{message}"):
        read_log(path)
    with pytest.raises(FileNotFoundError, match="holds no log of lm_eval"):
        add_logs(tmp_path, [tmp_path / "runs"])
