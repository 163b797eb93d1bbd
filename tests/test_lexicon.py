import os
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small import TABLES, load, write

from blm.concrete import Concrete
from blm.diagnostics import MOST_DIAGNOSTICS, Diagnostic
from blm.files import load_file
from blm.lexicon import load_lexicon
from blm.lexicon.tables import FIELD_LIMIT
from blm.words import FormError, Word

NOUNS, VERBS, SEEDS = TABLES["nouns.csv"], TABLES["verbs.csv"], TABLES["seeds.csv"]


def mistakes(folder: Path, **changes: str) -> list[Diagnostic]:
    concrete = load_file(write(folder, **changes))
    assert isinstance(concrete, Concrete)
    lexicon, problems = load_lexicon(concrete)
    assert (lexicon is None) == bool(problems)
    return problems


# --- what is read ---------------------------------------------------------------------------


def test_words_and_seeds(tmp_path: Path) -> None:
    _, lexicon = load(write(tmp_path))
    noun = lexicon.word("noun", "haricot")
    assert dict(noun.features) == {"gender": "m", "onset": "aspirated"}
    assert noun.form(frozenset({"pl"})) == "haricots"
    assert lexicon.seed("b").words["subject"] is lexicon.word("noun", "table")
    assert lexicon.seed("b").words["prep1"] == "de"
    assert [seed.name for seed in lexicon.seeds] == ["a", "b", "c"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\N{BYTE ORDER MARK}"])
def test_what_spreadsheets_write(tmp_path: Path, delimiter: str, newline: str, mark: str) -> None:
    path = write(tmp_path)
    expected = load(path)[1]
    for name, text in TABLES.items():
        other = mark + text.replace(",", delimiter).replace("\n", newline)
        (tmp_path / name).write_bytes(other.encode())
    assert load(path)[1] == expected


def test_quotes_spaces_and_accents(tmp_path: Path) -> None:
    decomposed = "e\N{COMBINING ACUTE ACCENT}"
    seeds = (
        f'seed,subject,prep1,noun1,verb,prefix,# English\na, table ,"au  del{decomposed}, de",'
        + ('table,tomber,"l\'autre ""jour"" que",a remark\n')
    )
    _, lexicon = load(write(tmp_path, seeds=seeds))
    assert lexicon.seed("a").words["prep1"] == "au delé, de"
    assert lexicon.seed("a").words["prefix"] == 'l’autre "jour" que'


def test_seeds_without_names_are_named_by_their_line(tmp_path: Path) -> None:
    seeds = "\n".join(line.partition(",")[2] for line in SEEDS.splitlines())
    _, lexicon = load(write(tmp_path, seeds=seeds))
    assert [seed.name for seed in lexicon.seeds] == ["seeds:2", "seeds:3", "seeds:4"]


def test_a_lexicon_pickles(tmp_path: Path) -> None:
    _, lexicon = load(write(tmp_path))
    assert pickle.loads(pickle.dumps(lexicon)) == lexicon


def test_words_are_immutable() -> None:
    word = Word("chat", "noun", {"gender": "m"}, ())
    with pytest.raises(TypeError):
        word.features["gender"] = "f"  # type: ignore[index]


# --- forms ----------------------------------------------------------------------------------


def word(**forms: str) -> Word:
    return Word("w", "verb", {}, tuple((frozenset(k.split("_")), v) for k, v in forms.items()))


def test_the_most_specific_form_wins() -> None:
    verb = word(sg="vient", pl="viennent", pl_f="sont venues")
    assert verb.form(frozenset({"pl", "f"})) == "sont venues"
    assert verb.form(frozenset({"pl", "m"})) == "viennent"


def test_a_tie_is_an_error_unless_the_forms_are_equal() -> None:
    wanted = frozenset({"pl", "f"})
    assert word(pl="x", f="x").form(wanted) == "x"
    with pytest.raises(FormError, match=r"several forms for f\.pl: x, y"):
        word(pl="x", f="y").form(wanted)


def test_no_form() -> None:
    with pytest.raises(FormError, match=r"no form for f\.pl"):
        word(sg="x").form(frozenset({"pl", "f"}))


# --- mistakes -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "table", "old", "new", "place"),
    [
        ("unknown-column", "nouns", "gender", "gendre", (1, 6)),
        ("missing-column", "nouns", "gender", "# gender", (1, 1)),
        ("missing-column", "verbs", "f.pl", "# f.pl", (1, 1)),
        ("duplicate-column", "verbs", "f.pl", "m.pl", (1, 14)),
        ("missing-column", "nouns", "word", "#", (1, 1)),
        ("feature-value", "nouns", "table,f", "table,F", (4, 7)),
        ("empty-feature", "nouns", "table,f", "table,", (4, 7)),
        ("duplicate-word", "nouns", "table,f", "haricot,f", (4, 1)),
        ("empty-key", "nouns", "table,f", ",f", (4, 1)),
        ("missing-form", "verbs", "sont tombés,", ",", (2, 14)),
        ("missing-form", "nouns", "haricots", "", (3, 29)),
        ("unknown-word", "seeds", "a,ordinateur", "a,ordinatuer", (2, 3)),
        ("empty-slot", "seeds", "avec", "", (2, 14)),
        ("duplicate-seed", "seeds", "\nb", "\na", (3, 1)),
        ("duplicate-seed", "seeds", "\nc", "\nd,table,de,haricot,tomber,Jean dit que\nc", (4, 1)),
        ("table-width", "seeds", "Il faut que", "Il faut, que", (4, 40)),
        ("table-width", "seeds", ",Il faut que", "", (4, 24)),
        ("table-quote", "seeds", "avec", '"avec', (2, 14)),
        ("table-control", "seeds", "avec", "a\0vec", (2, 14)),
        ("table-break", "seeds", "avec", '"\na\nvec"', (3, 2)),
        ("table-field", "seeds", "avec", "a" * (FIELD_LIMIT + 1), (2, 14)),
    ],
)
def test_a_mistake_is_shown_at_its_cell(
    tmp_path: Path, code: str, table: str, old: str, new: str, place: tuple[int, int]
) -> None:
    text = TABLES[f"{table}.csv"]
    assert old in text
    found = mistakes(tmp_path, **{table: text.replace(old, new, 1)})
    here = [problem for problem in found if problem.code == code]
    assert here, [problem.render() for problem in found]
    assert here[0].span.source.path.endswith(f"{table}.csv")
    assert (here[0].span.line, here[0].span.column) == place
    assert here[0].render()


def test_a_message_names_row_and_column(tmp_path: Path) -> None:
    (problem,) = mistakes(tmp_path, nouns=NOUNS.replace("haricots", ""))
    assert "row 'haricot', column 'pl'" in problem.message
    assert "fr.blm:" in problem.help


def test_a_near_word_is_proposed(tmp_path: Path) -> None:
    found = mistakes(tmp_path, seeds=SEEDS.replace("a,ordinateur", "a,ordinatuer"))
    assert [problem.help for problem in found] == ["did you mean 'ordinateur'?"]


def test_all_mistakes_at_once(tmp_path: Path) -> None:
    found = mistakes(
        tmp_path,
        nouns=NOUNS.replace("table,f", "table,x").replace("haricots", ""),
        verbs=VERBS.replace("sont tombées", ""),
        seeds=SEEDS.replace("avec", "").replace("tomber,Il", "tombre,Il"),
    )
    assert {problem.code for problem in found} >= {"feature-value", "unknown-word", "empty-slot"}


def test_a_table_that_is_wrong_throughout_does_not_flood(tmp_path: Path) -> None:
    header, *rows = SEEDS.splitlines()
    wide = ",".join([header, *(f"x{k}" for k in range(5000))])
    found = mistakes(tmp_path, seeds="\n".join([wide, *(row + "," * 5000 for row in rows)]))
    assert len([d for d in found if d.code == "unknown-column"]) == MOST_DIAGNOSTICS
    assert found[-1].message == "4,800 more messages about this file are not shown"
    assert len("".join(d.render() for d in found)) < 200_000
    again = mistakes(tmp_path, seeds="\n".join([header, *rows * 1000]))
    assert len(again) == MOST_DIAGNOSTICS + 1


@pytest.mark.parametrize("spoil", [lambda t: t.encode("utf-16"), lambda t: b"\0" + t.encode()])
def test_a_table_that_cannot_be_read_is_the_only_mistake(
    tmp_path: Path, spoil: Callable[[str], bytes]
) -> None:
    """Not the words that are then missed everywhere."""
    path = write(tmp_path)
    (tmp_path / "nouns.csv").write_bytes(spoil(NOUNS))
    concrete = load_file(path)
    assert isinstance(concrete, Concrete)
    _, found = load_lexicon(concrete)
    assert found
    assert {d.code for d in found}.isdisjoint({"unknown-word", "no-feature"})
    assert len(found) <= 2


def test_a_table_without_rows_leaves_every_word_unknown(tmp_path: Path) -> None:
    found = mistakes(tmp_path, nouns=NOUNS.splitlines()[0] + "\n")
    assert {d.code for d in found} >= {"unknown-word"}


def test_an_ambiguous_form_is_found_before_any_sentence(tmp_path: Path) -> None:
    path = write(tmp_path, verbs="word,pl,sg,m,f\ntomber,a,b,c,c\n")
    path.write_text(path.read_text("utf-8").replace("sg, pl.m, pl.f", "sg, pl, m, f"), "utf-8")
    concrete = load_file(path)
    assert isinstance(concrete, Concrete)
    lexicon, found = load_lexicon(concrete)
    assert lexicon is None
    assert {problem.code for problem in found} == {"ambiguous-form"}


def test_an_article_without_gender_is_shown_in_the_grammar(tmp_path: Path) -> None:
    path = write(tmp_path)
    text = path.read_text("utf-8").replace("def subject[subj.number]", "def prep1 verb[sg]")
    path.write_text(text, "utf-8")
    concrete = load_file(path)
    assert isinstance(concrete, Concrete)
    _, (problem,) = load_lexicon(concrete)
    assert problem.code == "function-form"
    assert problem.span.text == "def"


def test_an_unknown_function_word(tmp_path: Path) -> None:
    path = write(tmp_path)
    path.write_text(path.read_text("utf-8").replace("subj : def", "subj : dfe"), "utf-8")
    concrete = load_file(path)
    assert isinstance(concrete, Concrete)
    _, (problem,) = load_lexicon(concrete)
    assert (problem.code, problem.help) == ("unknown-function", "did you mean 'def'?")


# --- files that are no tables -----------------------------------------------------------------


def missing(path: Path) -> None:
    path.unlink()


def directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def latin(path: Path) -> None:
    path.write_bytes("word,gender\nété,m\n".encode("latin-1"))


def empty(path: Path) -> None:
    path.write_bytes(b"")


def blank(path: Path) -> None:
    path.write_bytes(b"\n \n,,\n")


def wide(path: Path) -> None:
    path.write_bytes("word,gender\n".encode("utf-16"))


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (missing, "table-missing"),
        (directory, "table-unreadable"),
        (pipe, "table-unreadable"),
        (latin, "table-encoding"),
        (wide, "table-encoding"),
        (empty, "table-empty"),
        (blank, "table-empty"),
    ],
)
@pytest.mark.parametrize("name", ["nouns.csv", "seeds.csv"])
def test_a_file_that_is_no_table(tmp_path: Path, spoil: object, code: str, name: str) -> None:
    concrete = load_file(write(tmp_path))
    assert isinstance(concrete, Concrete)
    spoil(tmp_path / name)  # type: ignore[operator]
    lexicon, found = load_lexicon(concrete)
    assert lexicon is None
    (problem,) = [problem for problem in found if problem.code == code]
    assert problem.span.source.path.endswith("fr.blm")
    assert name in problem.message


# --- laws -------------------------------------------------------------------------------------

SPOILERS = [
    "",
    ",",
    ";",
    "\t",
    '"',
    '""',
    "\n",
    "\r",
    "\0",
    "’",
    "é",
    "\N{BYTE ORDER MARK}",
    "x.y",
    "a",
]


@pytest.fixture(scope="module")
def concrete(tmp_path_factory: pytest.TempPathFactory) -> Concrete:
    loaded = load_file(write(tmp_path_factory.mktemp("mutated")))
    assert isinstance(loaded, Concrete)
    return loaded


def check_bytes(concrete: Concrete, name: str, raw: bytes) -> None:
    """Read the grammar with other bytes in one table; they may only give diagnostics."""
    path = Path(concrete.seed_tables[0].path).with_name(name)
    path.write_bytes(raw)
    try:
        lexicon, found = load_lexicon(concrete)
    finally:
        path.write_text(TABLES[name], "utf-8")
    assert (lexicon is None) == bool(found)
    for problem in found:
        assert problem.render()


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_no_mutation_makes_the_loader_raise(concrete: Concrete, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(TABLES)))
    text = TABLES[name]
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 12)))
        text = text[:start] + data.draw(st.sampled_from(SPOILERS)) + text[end:]
    check_bytes(concrete, name, text.encode())


@settings(max_examples=200, deadline=None)
@given(name=st.sampled_from(sorted(TABLES)), raw=st.binary(max_size=200))
def test_no_bytes_make_the_loader_raise(concrete: Concrete, name: str, raw: bytes) -> None:
    check_bytes(concrete, name, raw)
