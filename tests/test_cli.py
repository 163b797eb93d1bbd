"""The commands as users and programs meet them."""

import json
import subprocess
import sys
from pathlib import Path

import clingo
import pytest
from typer.testing import CliRunner, Result

from blm.cli import app

ROOT = Path(__file__).parent.parent
AGREEMENT = "grammars/agreement/agreement.blm"
FRENCH = "grammars/agreement/fr.blm"


@pytest.fixture(autouse=True)
def in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def blm(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def document(*arguments: str) -> dict:
    result = blm(*arguments, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_count_prints_the_number_alone() -> None:
    assert blm("matrices", AGREEMENT, "--count").stdout == "24\n"


def test_the_compiled_program_has_24_models_under_clingo_alone() -> None:
    control = clingo.Control(["0"])
    control.add("base", [], blm("compile", AGREEMENT).stdout)
    control.ground([("base", [])])
    models = []
    control.solve(
        on_model=lambda model: models.append(str(sorted(map(str, model.symbols(shown=True)))))
    )
    assert len(models) == len(set(models)) == 24


def test_every_rule_of_the_compiled_program_names_the_authors_line() -> None:
    text = blm("compile", AGREEMENT).stdout
    source = (ROOT / AGREEMENT).read_text(encoding="utf-8").splitlines()
    for rule in ("agree", "embedding", "first", "subject", "second", "length"):
        comment = next(line for line in text.splitlines() if line.startswith(f"% {rule} ("))
        number = int(comment.rpartition(":")[2].removesuffix("]"))
        assert source[number - 1].strip().startswith(rule)


def test_matrices_as_json_hold_null_for_an_absent_object() -> None:
    found = document("matrices", AGREEMENT, "--limit", "1")
    assert found["count"] == 24
    first = found["matrices"][0]
    assert first["id"] == "m1"
    assert first["items"][0] == {
        "subj": {"number": "sg"},
        "pp1": {"number": "sg", "link": "embedded"},
        "pp2": None,
        "pp3": None,
        "verb": {"number": "sg"},
    }


def test_distractors_of_the_first_matrix() -> None:
    (matrix,) = document("distractors", AGREEMENT, "--matrix", "m1")["matrices"]
    found = {
        (tuple(d["labels"]), tuple(b["rule"] for b in d["broken"])) for d in matrix["distractors"]
    }
    assert found == {
        (("AE_P2",), ("agree",)),
        (("Coord",), ("embedding",)),
        ((), ("embedding",)),
        (("WN1",), ("first",)),
        ((), ("subject",)),
        (("WN2",), ("second",)),
        (("WNA",), ("second",)),
        (("WNA",), ("length",)),
    }


# What the paper prints for AE and WNA beside the first matrix changes more than one attribute:
# all numbers go with the wrong one.
AE_OF_THE_PAPER = (
    "subj.number=pl pp1.number=pl pp1.link=embedded pp2.number=pl pp2.link=embedded verb.number=sg"
)
WNA_OF_THE_PAPER = "subj.number=sg pp1.number=sg pp1.link=embedded verb.number=sg"


@pytest.mark.parametrize(
    ("item", "broken"),
    [(AE_OF_THE_PAPER, ["agree", "second"]), (WNA_OF_THE_PAPER, ["first", "subject", "second"])],
)
def test_the_papers_rows_are_not_minimal(item: str, broken: list[str]) -> None:
    found = document("explain", AGREEMENT, "--item", item, "--matrix", "m1")
    (explanation,) = found["replies"][0]["explanations"]
    assert [b["rule"] for b in explanation["broken"]] == broken
    assert explanation["repairs"]


SENTENCES = {
    "fr": [
        ("main", "Les clés de l'armoire sont rouillées.", "les clés de l’armoire est rouillée"),
        (
            "completive",
            "Le serrurier constate que la clé des armoires est rouillée.",
            "Le serrurier constate que les clés des armoires est rouillée.",
        ),
        (
            "relative",
            "La clé de l’armoire que Louise garde dans un sac est rouillée.",
            "La clé de l’armoire que Louise garde dans un sac sont rouillées.",
        ),
    ],
    "it": [
        (
            "main",
            "Le chiavi della cassaforte sono arrugginite.",
            "Le chiavi della cassaforte è arrugginita.",
        ),
        (
            "completive",
            "Il fabbro dice che la chiave delle casseforti è arrugginita.",
            "Il fabbro dice che la chiave delle casseforti sono arrugginite.",
        ),
        (
            "relative",
            "La chiave della cassaforte che Giulia vuole sostituire è arrugginita.",
            "La chiave della cassaforte che Giulia vuole sostituire sono arrugginite.",
        ),
    ],
    "en": [
        ("main", "The portrait of the women is famous.", "the portrait of the women are famous"),
        (
            "completive",
            "Clara believes that the portraits of the woman are famous.",
            "Clara believes that the portraits of the woman is famous.",
        ),
        (
            "relative",
            "The portrait of the woman that the museum had bought is famous.",
            "The portrait of the woman that the museum had bought are famous.",
        ),
    ],
}


def pairs() -> list[tuple[str, str, str, str]]:
    return [(code, *triple) for code, triples in SENTENCES.items() for triple in triples]


@pytest.mark.parametrize(("code", "clause", "right", "wrong"), pairs())
def test_a_right_and_a_wrong_sentence_are_explained(
    code: str, clause: str, right: str, wrong: str
) -> None:
    path = f"grammars/agreement/{code}.blm"
    good = document("explain", path, "--sentence", right)["replies"][0]
    assert good["right_in"] > 0
    assert clause in {reading["clause"] for reading in good["readings"]}
    bad = document("explain", path, "--sentence", wrong)["replies"][0]
    assert bad["right_in"] == 0
    assert clause in {reading["clause"] for reading in bad["readings"]}
    broken = [[b["rule"] for b in e["broken"]] for e in bad["explanations"]]
    assert broken == [["agree"]]


def test_an_unknown_sentence_gets_the_nearest_known_ones() -> None:
    result = blm("explain", FRENCH, "--sentence", "Les clé de l'armoir sont rouillées.", "--json")
    assert result.exit_code == 1
    assert "Les clés de l’armoire sont rouillées." in json.loads(result.stdout)["nearest"]


def test_mistakes_end_with_exit_code_1_and_positions() -> None:
    result = blm("check", "docs/mistake.blm")
    assert result.exit_code == 1
    assert "docs/mistake.blm:9:16: error: 'nubmer' is not an attribute of subj" in result.stdout
    assert "did you mean 'number'?" in result.stdout
    found = json.loads(blm("check", "docs/mistake.blm", "--json").stdout)
    assert found["errors"] == 3


@pytest.mark.parametrize(
    "arguments",
    [
        ["matrices", "no/such/file.blm"],
        ["matrices", "grammars"],
        ["distractors", AGREEMENT, "--matrix", "m25"],
        ["distractors", AGREEMENT, "--matrix", "first"],
        ["explain", AGREEMENT, "--item", "subj.number=dual"],
        ["explain", AGREEMENT, "--item", "subj.number=sg"],
        ["explain", AGREEMENT, "--sentence", "abstract grammars have no words"],
        ["generate", AGREEMENT, "-o", "never"],
        ["generate", FRENCH, "-o", "README.md"],
        ["generate", FRENCH, "-o", "grammars"],
        ["generate", FRENCH, "-o", "never", "--split", "80-20"],
        ["show", "grammars"],
    ],
)
def test_what_users_get_wrong_is_said_in_one_line(arguments: list[str]) -> None:
    result = blm(*arguments)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "error:" in result.stderr
    assert "Traceback" not in result.stderr
    assert not (ROOT / "never").exists()


def test_no_colours_where_the_output_is_no_terminal() -> None:
    assert "\x1b" not in blm("distractors", FRENCH, "--matrix", "m1").stdout


def test_importing_blm_and_asking_for_help_loads_nothing_heavy() -> None:
    script = (
        "import sys, blm, blm.cli\n"
        "heavy = {'torch', 'clingo', 'lark', 'numpy', 'pyarrow', 'transformers'}\n"
        "assert heavy.isdisjoint(sys.modules), heavy.intersection(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize(
    "arguments",
    [
        ["matrices", "docs/mistake.blm"],
        ["distractors", AGREEMENT, "--matrix", "m77"],
        ["explain", AGREEMENT, "--item", "subj.number=pl"],
        ["generate", FRENCH, "-o", "grammars"],
    ],
)
def test_failures_are_documents_too(arguments: list[str]) -> None:
    result = blm(*arguments, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout).keys() & {"error", "diagnostics"}


def test_an_object_that_goes_or_comes_is_one_repair() -> None:
    item = "subj.number=pl pp1.number=pl pp1.link=embedded verb.number=pl"
    for cells, expected in (
        (f"{item}", {"pp2.number", "pp2.link"}),
        (f"{item} pp2.number=sg pp2.link=embedded pp3.number=sg", {"pp3"}),
    ):
        found = document("explain", AGREEMENT, "--item", cells, "--matrix", "m1")
        (repair,) = found["replies"][0]["explanations"][0]["repairs"]
        assert {change["cell"] for change in repair} == expected


def test_names_without_latin_letters_are_called_by_their_kind(tmp_path: Path) -> None:
    path = tmp_path / "a.blm"
    path.write_text(
        "phenomenon согласование\nobjects\n  субъект : число {ед, мн}\n"
        "matrix 2\n  смена : субъект.число varies\nanswers\n  correct\n",
        encoding="utf-8",
    )
    text = blm("compile", str(path)).stdout
    assert "% value_1 stands for ед" in text
    assert "cell((object_1,attribute_1))" in text
    assert blm("matrices", str(path), "--count").stdout == "2\n"


WORDY = """language fr
of "small.blm"
seeds
  slots noun : text
  s1 : noun="[/x] [bold] chat"
sentences
  main : noun
"""
SMALL = """phenomenon small "[/x]"
objects
  o : number {sg, pl}
external
  e "[/red] rule" : o.number varies
matrix 2
  variables V over {sg, pl}
  m : o.number follows [V, _]
answers
  correct
  "[/y]" breaks e
"""


@pytest.mark.parametrize("served", [True, False])
def test_words_are_no_markup_and_a_matrix_may_have_no_seed(tmp_path: Path, served: bool) -> None:
    (tmp_path / "small.blm").write_text(SMALL.replace('  "[/y]" ', "  wrong "), encoding="utf-8")
    words = WORDY
    if not served:
        (tmp_path / "s.csv").write_text("noun\nchat\n", encoding="utf-8")
        words = WORDY.replace('  s1 : noun="[/x] [bold] chat"\n', '  table "s.csv" where V is pl\n')
    (tmp_path / "fr.blm").write_text(words, encoding="utf-8")
    for command in ("matrices", "distractors"):
        for option in ([], ["--json"]):
            result = blm(command, str(tmp_path / "fr.blm"), *option)
            assert result.exit_code == 0, result.stderr + repr(result.exception)
    result = blm("distractors", str(tmp_path / "fr.blm"))
    assert ("[/x] [bold] chat" in result.stdout) is served


def test_every_shipped_grammar_is_listed_and_can_be_named() -> None:
    listed = document("grammars")["grammars"]
    here = sorted(
        p.relative_to(ROOT / "grammars").as_posix() for p in ROOT.glob("grammars/*/*.blm")
    )
    assert [told["file"] for told in listed] == here
    assert {"file": "agreement/fr.blm", "language": "français"}.items() <= listed[2].items()


def test_a_new_grammar_is_a_whole_copy_and_overwrites_nothing(tmp_path: Path) -> None:
    mine = tmp_path / "my" / "grammar"
    assert blm("new", "agreement/fr.blm", str(mine)).exit_code == 0
    assert blm("matrices", str(mine / "fr.blm"), "--count").stdout == "24\n"
    (mine / "fr.seeds.csv").write_text("mine", encoding="utf-8")
    again = blm("new", "agreement/fr.blm", str(mine))
    assert again.exit_code == 1
    assert "name a new folder" in again.stderr
    assert (mine / "fr.seeds.csv").read_text(encoding="utf-8") == "mine"
    assert [path.name for path in mine.parent.iterdir()] == ["grammar"]


def test_a_file_that_cannot_be_read_shows_no_empty_line() -> None:
    assert blm("check", "nowhere.blm").stdout.splitlines() == [
        "nowhere.blm: error: cannot read nowhere.blm: no such file or directory",
        "nowhere.blm: 1 error, no warnings",
    ]


def test_no_line_of_a_table_ends_in_blanks() -> None:
    lines = blm("distractors", FRENCH, "--matrix", "m1").stdout.splitlines()
    assert len(lines) > 20
    assert all(line == line.rstrip() for line in lines)
