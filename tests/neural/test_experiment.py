# ruff: noqa: E402 - nothing is imported before it is known that torch is there
from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is missing: pip install 'blm[neural]'")

import toy

from blm.encode.data import example_of
from blm.experiment import ExperimentConfig, read_config, read_results
from blm.experiment.results import Setting, predictions
from blm.experiment.run import run_experiment
from blm.report import write_report

pytest.importorskip("matplotlib", reason="matplotlib is missing: pip install 'blm[neural]'")

TOML = """
networks = ["ffnn"]
references = ["chance", "nearest-context"]
seeds = [1, 2]
sizes = [0, 20]
equal = true
across_languages = true
encoders = [{{ name = "{model}", standardise = true }}]
[train]
epochs = 2
[[data]]
path = "xx"
[[data]]
path = "yy"
"""


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory, tiny_bert: Path) -> ExperimentConfig:
    folder = tmp_path_factory.mktemp("experiment")
    toy.write(folder / "xx", toy.records(60, language="xx"))
    toy.write(folder / "yy", toy.records(40, seed=1, language="yy", type_="II"))
    path = folder / "toy.toml"
    path.write_text(TOML.format(model=tiny_bert))
    return read_config(path)


@pytest.fixture(scope="module")
def output(config: ExperimentConfig, tmp_path_factory: pytest.TempPathFactory) -> Path:
    cache = tmp_path_factory.mktemp("cache")
    return run_experiment(config, tmp_path_factory.mktemp("out"), cache=cache)


def test_a_row_a_prediction(output: Path) -> None:
    rows = read_results(output)
    learned = [row for row in rows if row.kind == "network"]
    # Two training sets, three sizes, two seeds, and the test problems of both data sets.
    tests = {name: len({r.problem for r in rows if r.test == name}) for name in ("xx", "yy")}
    assert len(learned) == 2 * 3 * 2 * sum(tests.values())
    whole = {r.train: r.train_size for r in learned if r.size == "all"}
    equal = {(r.train, r.train_size) for r in learned if r.size == "equal"}
    assert equal == {(name, min(whole.values())) for name in ("xx", "yy")}
    assert {(r.train_language, r.test_language) for r in learned} >= {("xx", "yy"), ("yy", "xx")}
    for row in rows:
        assert row.chosen == int(np.argmax(row.scores))
        assert row.label == row.labels[row.chosen]
        assert row.correct == (row.label == "correct") == (not row.rules)
    with (output / "results.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == len(rows)


def test_finished_runs_are_kept(config: ExperimentConfig, output: Path, tmp_path: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in (output / "runs").iterdir()}
    gone = sorted(before)[0]
    content = gone.read_bytes()
    gone.unlink()
    run_experiment(config, output, cache=tmp_path)
    assert gone.read_bytes() == content
    after = {path: path.stat().st_mtime_ns for path in (output / "runs").iterdir()}
    assert {p: t for p, t in after.items() if p != gone} == {
        p: t for p, t in before.items() if p != gone
    }


def test_other_settings_are_other_runs(config: ExperimentConfig, output: Path) -> None:
    before = set((output / "runs").iterdir())
    changed = replace(config, train=replace(config.train, epochs=1), seeds=(1,), sizes=(0,))
    run_experiment(changed, output, cache=output / "cache")
    assert len(set((output / "runs").iterdir()) - before) == 2 * 2
    run_experiment(config, output, cache=output / "cache")


def test_report(output: Path) -> None:
    page = write_report(output)
    text = page.read_text()
    assert text.count("<svg") == len(list(page.parent.glob("*.svg"))) >= 6
    assert "F1 on each test set" in text
    assert "src=" not in text
    tables = (page.parent / "report.md").read_text()
    assert "### Errors by lexical seed" in tables
    assert "external (E)" in tables
    again = {path.name: path.read_bytes() for path in page.parent.iterdir()}
    write_report(output)
    assert {path.name: path.read_bytes() for path in page.parent.iterdir()} == again


def test_language_models_answer_too(config: ExperimentConfig, tmp_path: Path) -> None:
    """Zero and two shots of an untrained GPT-2, in the table and the report."""
    from blm.experiment.config import SolverChoice

    model = toy.write_gpt(tmp_path / "tiny-gpt")
    choice = SolverChoice(name=str(model), shots=(0, 2), mean=True, limit=3)
    only = replace(config, solvers=(choice,), networks=(), references=(), seeds=(1,))
    rows = read_results(run_experiment(only, tmp_path / "out", cache=tmp_path / "cache"))
    assert {row.solver for row in rows} == {"tiny-gpt 0-shot", "tiny-gpt 2-shot"}
    assert {(row.kind, row.encoder, row.train_size) for row in rows} == {
        ("language model", "", 0),
        ("language model", "", 2),
    }
    tests = {name: {row.problem for row in rows if row.test == name} for name in ("xx", "yy")}
    assert all(1 <= len(problems) <= 3 for problems in tests.values())
    assert len(rows) == 2 * sum(map(len, tests.values()))
    assert "tiny-gpt 2-shot" in write_report(tmp_path / "out").read_text()


def test_commands(tmp_path: Path, tiny_bert: Path) -> None:
    """What the command line calls."""
    from blm.experiment.commands import encode_data, quick_config, train_encoder_on

    data = toy.write(tmp_path / "xx", toy.records(20))
    told = encode_data([data], encoder=str(tiny_bert), cache=tmp_path / "cache")
    assert told["encoded"] == told["distinct"] < told["sentences"]
    assert encode_data([data], encoder=str(tiny_bert), cache=tmp_path / "cache")["encoded"] == 0
    report = train_encoder_on([data], tmp_path / "mine", hidden=16, layers=1, heads=2, steps=3)
    assert report.sentences == told["distinct"]
    quick = quick_config([data, tmp_path / "yy"], networks=("cnn",), seeds=(7,), epochs=3)
    assert [source.name for source in quick.data] == ["xx", "yy"]
    assert quick.train.epochs == 3


def test_ties() -> None:
    """The first of tied candidates is chosen; F1 counts all of them as picks."""
    from blm.report.stats import accuracy, estimate, f1

    problems = [example_of(record) for record in toy.records(2)]
    setting = Setting(
        encoder="e", encoder_kind="given", solver="s", kind="network", train="t",
        train_language="", train_type="", train_size=1, size="all", seed=1,
    )  # fmt: skip
    scores = np.zeros((2, 4), dtype=np.float32)
    scores[1, problems[1].answer] = 1
    rows = predictions(setting, "t", problems, scores)
    assert (rows[0].ties, rows[0].among) == (len(problems[0].choices), True)
    assert f1(rows) == pytest.approx(2 * 2 / (3 + 1 + 2))
    assert accuracy(rows) in (0.5, 1.0)
    two = estimate([*rows, *(replace(row, seed=2, among=False, ties=1) for row in rows)])
    assert (two.runs, two.mean) == (2, pytest.approx(f1(rows) / 2))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("networks = ['rnn']\n[[data]]\npath='x'", "1:13: error: there is no network 'rnn'"),
        (
            "epochs = 3\n[[data]]\npath='x'",
            "the experiment has no field 'epochs'\n  epochs.*\n.*\n  help: it is a field of train",
        ),
        ("[train]\nepoch = 3\n[[data]]\npath='x'", "train has no field 'epoch'"),
        ("[[data]]\nname='x'", "data set 'x' needs either a path or a grammar"),
        ("[[data]]\npath='x'\n[[data]]\npath='x'", "'x' stands there twice"),
        (
            "[[data]]\ngrammar='x'\nsplit=[1]",
            "'x': split is train, dev and test, or train and test",
        ),
        ("encoders=[{reads='dev'}]\n[[data]]\npath='x'", "reads is one of train, all, not 'dev'"),
        ("encoders=[{train={steps=0}}]\n[[data]]\npath='x'", "steps is at least 1"),
        ("[train]\nhidden = 0\n[[data]]\npath='x'", "hidden is at least 1"),
        ("", "an experiment needs data"),
        ("x =", "toy.toml:1:4: error: this is not TOML"),
    ],
)
def test_mistakes_in_a_file(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "x").mkdir()
    path = tmp_path / "toy.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match=message):
        read_config(path)


def test_seeds_of_a_kind_are_held_out(tmp_path: Path) -> None:
    """Two shares are train and test, as in `blm generate`; dev is then taken from train."""
    from blm.experiment.config import Source
    from blm.experiment.sources import read_sources

    grammar = Path(__file__).parents[2] / "grammars" / "agreement" / "fr.blm"
    kinds = [
        Source(name=type_, grammar=grammar, type=type_, sample=40, split=(75, 25), split_by="kind")
        for type_ in ("I", "II", "III")
    ]
    parts, _ = read_sources(ExperimentConfig(name="held out", data=tuple(kinds)), tmp_path)
    seen = {
        seed for p in parts.values() for k in ("train", "dev") for e in p[k] for seed in e.seeds
    }
    held = {seed for p in parts.values() for e in p["test"] for seed in e.seeds}
    assert len(held) == 10
    assert seen.isdisjoint(held)
    assert [len(part["test"]) for part in parts.values()] == [10, 10, 10]


def test_shipped_experiments() -> None:
    folder = Path(__file__).parents[2] / "experiments"
    for path in folder.glob("*.toml"):
        config = read_config(path)
        assert all(s.grammar is None or s.grammar.exists() for s in config.data)
