"""Fragments files become grammars that say the same sentences."""

import csv
import os
from collections import Counter
from collections.abc import Iterable
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from published import FOLDER, agreement_item, needs_published_data, rows

import blm
from blm.diagnostics import GrammarError, Severity
from blm.grammar import Grammar
from blm.importing import Imported, ImportRefusedError, import_fragments
from blm.importing.columns import understand
from blm.phenomenon import CellName
from blm.realise import languages

FRENCH = """\
Prefix1;np-s;np-p;pp1-s;pp1-p;Conj1sg;Conj1pl;pp2-s;pp2-p;Conj2sg;Conj2pl;P3sg;P3pl;ROC;vp-s;vp-p;.
Léa dit que ;Le  moulin ;Les moulins ;du hameau;des hameaux;et le hameau;et les hameaux;\
près de l’ étang;près des étangs;et l' étang;et les étangs;de la forêt;des forêts;\
dont Léa s’ approche;tourne;tournent;.
Luc croit que;L’ horloge;Les horloges;de la tour;des tours;et la tour;et les tours;\
de l’ église;des églises;et l’ église;et les églises;au centre;aux centres;que Luc voit;\
sonne;sonnent;.
"""
ENGLISH = """\
NP_sg\tNP_pl\tPP1_sg\tPP1_pl\tCoord1_sg\tCoord1_pl\tPP2_sg\tPP2_pl\tCoord2_sg\tCoord2_pl\t\
PP3_sg\tPP3_pl\tVP_sg\tVP_pl\tPrefix\tRC
The key\tThe keys\tto the shed\tto the sheds\tand the shed\tand the sheds\tbehind the house\t\
behind the houses\tand the house\tand the houses\tnear the lake\tnear the lakes\tis lost\t\
are lost\tAnn says that\tthat Ann made
"""
ITALIAN = """\
prefix,subj sg,subj pl,p1 sg,p1 pl,conj1 sg,conj1 pl,p2 sg,p2 pl,conj2 sg,conj2 pl,p3 sg,p3 pl,\
roc,v sg,v pl
Ada dice che,Lo specchio,Gli specchi,nell' atrio,negli atri,e l’atrio,e gli atri,della scuola,\
delle scuole,e la scuola,e le scuole,sul colle,sui colli,che Ada pulisce,brilla,brillano
"""
ROMANIAN = """\
Prefix;np-s;np-p;pp1-s;pp1-p;Conj1sg;Conj1pl;pp2-s;pp2-p;Conj2sg;Conj2pl;P3sg;P3pl;ROC;vp-s;vp-p
Ana spune că;Cheia;Cheile;de la dulap;de la dulapuri;și dulapul;și dulapurile;din cameră;\
din camere;și camera;și camerele;de la han;de la hanuri;pe care Ana o caută;este veche;sunt vechi
"""
TEXTS = {"fr": FRENCH, "en": ENGLISH, "it": ITALIAN, "ro": ROMANIAN}
NOMINAL = ("subject", "attractor1", "coordinated1", "attractor2", "coordinated2", "attractor3")


def run(folder: Path, text: str | bytes, code: str = "fr", **options: bool) -> Imported:
    path = folder / "pieces.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return import_fragments(path, folder / "out", language=code, **options)


def codes(found: Iterable) -> Counter[str]:
    return Counter(diagnostic.code for diagnostic in found)


def table(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text("utf-8").splitlines()))


def expected(text: str) -> set[str]:
    """Every sentence of the fragments in a main, completive and relative clause, by hand."""
    header, *body = csv.reader(text.splitlines(), delimiter=max(";,\t", key=text.count))
    columns = {understand(name): place for place, name in enumerate(header)}
    found = set()
    for row in body:
        cell = {
            f"{column.chunk}{column.number}": row[place]
            for column, place in columns.items()
            if column is not None
        }
        second = [
            "",
            *(f"{cell[f'{c}2{n}']}" for c in ("attractor", "coordinated") for n in NUMBERS),
        ]
        first = [cell[f"{c}1{n}"] for c in ("attractor", "coordinated") for n in NUMBERS]
        third = ["", cell["attractor3sg"], cell["attractor3pl"]]
        for s, one, two, three, v in product(NUMBERS, first, second, third, NUMBERS):
            np, vp = f"{cell[f'subject{s}']} {one} {two} {three}", cell[f"verb{v}"]
            found.add(f"{np} {vp}")
            found.add(f"{cell['prefix']} {np} {vp}")
            found.add(f"{np} {cell['relative']} {vp}")
    return found


NUMBERS = ("sg", "pl")


# --- what is imported ----------------------------------------------------------


@pytest.mark.parametrize("code", TEXTS)
def test_the_grammar_says_exactly_the_sentences_of_the_fragments(code: str, tmp_path: Path) -> None:
    if code not in languages():
        pytest.skip(f"no module for the language {code}")
    imported = run(tmp_path, TEXTS[code], code)
    grammar = blm.load(imported.grammar)
    assert grammar.warnings == ()
    fold = grammar.speaker.language.fold
    said = {
        fold(grammar.speaker.say(clause.name, item, seed.words).text)
        for clause in grammar.concrete.clauses
        for item in items(grammar)
        for seed in grammar.lexicon.seeds
    }
    assert said == {fold(text) for text in expected(TEXTS[code])}


def items(grammar: Grammar) -> list[dict]:
    from blm.universe import Universe

    return list(Universe(grammar.phenomenon).items())


@pytest.mark.parametrize("code", ["fr", "en", "it"])
def test_phrases_are_split_where_the_language_understands_them(code: str, tmp_path: Path) -> None:
    imported = run(tmp_path, TEXTS[code], code)
    assert imported.split == NOMINAL
    assert imported.fixed == ("verb", "prefix", "relative")
    assert set(codes(imported.diagnostics)) <= {"gender-unknown"}


def test_the_tables_hold_prepositions_and_nouns(tmp_path: Path) -> None:
    run(tmp_path, FRENCH)
    nouns = table(tmp_path / "out" / "fr.nouns.csv")
    assert nouns[0] == {"word": "moulin", "sg": "moulin", "pl": "moulins", "gender": "m"}
    seeds = table(tmp_path / "out" / "fr.seeds.csv")
    assert [seed["seed"] for seed in seeds] == ["pieces.csv:2", "pieces.csv:3"]
    first, second = seeds
    assert (first["prep1"], first["noun1"], first["prep2"]) == ("de", "hameau", "près de")
    assert (second["subject"], second["prep3"], second["noun3"]) == ("horloge", "à", "centre")
    assert '"et" def noun1[pp1.number]' in (tmp_path / "out" / "fr.blm").read_text("utf-8")


def test_a_gender_that_no_row_shows_is_reported(tmp_path: Path) -> None:
    imported = run(tmp_path, FRENCH)
    doubtful = [d.message for d in imported.diagnostics if d.code == "gender-unknown"]
    assert ["étang" in doubtful[0], "horloge" in doubtful[1], "église" in doubtful[2]] == [True] * 3
    assert len(doubtful) == 3  # they are always elided


def test_a_noun_that_does_not_elide_against_the_rules_gets_an_onset(tmp_path: Path) -> None:
    imported = run(tmp_path, FRENCH.replace("L’ horloge", "La horloge"))
    assert "subject" in imported.split
    assert "onset? {aspirated}" in imported.grammar.read_text("utf-8")


@pytest.mark.parametrize(
    ("old", "new", "code", "place"),
    [
        ("des hameaux;et", "de les hameaux;et", "uncontracted", (2, "pp1-p")),
        ("près de l’ étang", "près de étang", "uncontracted", (2, "pp2-s")),
        ("et les hameaux", "et le hameaux", "article-number", (2, "Conj1pl")),
        ("et les hameaux", "et les villages", "other-noun", (2, "Conj1pl")),
        ("aux centres", "aux centre", "invariable-noun", (3, "P3pl")),
        ("aux centres", "au centre", "no-number", (3, "P3pl")),
        ("sonnent", "sonne", "no-number", (3, "vp-p")),
        ("et les tours", "Et les tours", "capital", (3, "Conj1pl")),
    ],
)
def test_what_looks_wrong_is_kept_and_reported(
    old: str, new: str, code: str, place: tuple[int, str], tmp_path: Path
) -> None:
    assert old in FRENCH
    text = FRENCH.replace(old, new)
    imported = run(tmp_path, text)
    (found,) = [d for d in imported.diagnostics if d.code == code]
    line, column = place
    assert found.severity is Severity.WARNING
    assert found.message.startswith(f"row {line}, column '{column}': '{new.split(';')[0]}")
    assert found.span.line == line
    assert imported.seeds == 2


def test_a_malformed_phrase_is_kept_as_it_stands(tmp_path: Path) -> None:
    imported = run(tmp_path, FRENCH.replace("des hameaux;et", "de les hameaux;et"))
    assert set(imported.fixed) >= {"attractor1", "coordinated1"}
    assert {"not-split", "fixed-phrases"} <= set(codes(imported.diagnostics))
    grammar = blm.load(imported.grammar)
    assert grammar.recogniser.recognise("Le moulin de les hameaux tourne .")
    assert not grammar.recogniser.recognise("Le moulin des hameaux tourne .")


def test_only_split_leaves_out_rows_with_fixed_phrases(tmp_path: Path) -> None:
    text = FRENCH.replace("des hameaux;et", "de les hameaux;et")
    imported = run(tmp_path, text, only_split=True)
    assert imported.seeds == 1
    assert imported.split == NOMINAL
    assert codes(imported.diagnostics)["not-split"] == 1


# --- columns ----------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "chunk", "number"),
    [
        ("np-s", "subject", "sg"),
        ("NP pl", "subject", "pl"),
        ("pp1-p", "attractor1", "pl"),
        ("P3sg", "attractor3", "sg"),
        ("Conj2pl", "coordinated2", "pl"),
        ("sg_V", "verb", "sg"),
        ("Prefix1", "prefix", ""),
        ("ROC", "relative", ""),
        ("Préfixe", "prefix", ""),
    ],
)
def test_names_of_columns(header: str, chunk: str, number: str) -> None:
    column = understand(header)
    assert column is not None
    assert (str(column.chunk), column.number) == (chunk, number)


@pytest.mark.parametrize(
    "header", ["", ".", "np", "np3-s", "pp0-s", "Prefix2", "1", "comment", "pp1-x"]
)
def test_names_that_are_not_understood(header: str) -> None:
    assert understand(header) is None


@settings(max_examples=300, deadline=None)
@given(header=st.text(max_size=30))
def test_any_text_may_name_a_column(header: str) -> None:
    understand(header)


def test_columns_without_a_place_are_named(tmp_path: Path) -> None:
    lines = FRENCH.replace(";.", "").splitlines()
    more = [f"{lines[0]};Conj3sg;Conj3pl;source;np-s;pp4-s"]
    more += [f"{line};et la forêt;et les forêts;x;y;z" for line in lines[1:]]
    found = codes(run(tmp_path, "\n".join(more)).diagnostics)
    del found["gender-unknown"]
    assert found == {"no-place": 1, "unknown-column": 1, "repeated-column": 1, "half-column": 1}


def test_columns_that_may_be_missing(tmp_path: Path) -> None:
    header = "np-s,np-p,pp1-s,pp1-p,vp-s,vp-p"
    imported = run(tmp_path, f"{header}\nLe mur,Les murs,du fond,des fonds,brille,brillent\n")
    assert codes(imported.diagnostics) == {"missing-column": 4}
    assert [c.name for c in blm.load(imported.grammar).concrete.clauses] == ["main"]


def test_columns_that_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(GrammarError) as error:
        run(tmp_path, "np-s,np-p,pp2-s,pp2-p\nLe mur,Les murs,du fond,des fonds\n")
    wrong = [d.message for d in error.value.diagnostics if d.severity is Severity.ERROR]
    assert wrong == ["no columns pp1-s and pp1-p", "no columns vp-s and vp-p"]
    assert not (tmp_path / "out").exists()


def test_a_phenomenon_without_these_objects(tmp_path: Path) -> None:
    (tmp_path / "pieces.csv").write_text(FRENCH, encoding="utf-8")
    of = Path(__file__).parents[1] / "grammars" / "spray_load" / "spray_load.blm"
    with pytest.raises(GrammarError) as error:
        import_fragments(tmp_path / "pieces.csv", tmp_path / "out", language="fr", of=of)
    assert codes(error.value.diagnostics)["unfit-phenomenon"] >= 1


# --- rows ----------------------------------------------------------


def test_rows_that_cannot_be_used_are_left_out(tmp_path: Path) -> None:
    lines = FRENCH.splitlines()
    text = "\r\n".join([*lines, lines[1], lines[2].replace("sonne;", ";"), "Le pont;Les ponts", ""])
    imported = run(tmp_path, text)
    assert imported.seeds == 2
    found = codes(imported.diagnostics)
    assert (found["repeated-row"], found["empty-cell"], found["table-width"]) == (1, 1, 1)
    assert all(d.severity is Severity.WARNING for d in imported.diagnostics)


# --- files ----------------------------------------------------------


def test_files_that_are_there_are_not_replaced_without_force(tmp_path: Path) -> None:
    first = run(tmp_path, FRENCH)
    before = {path: path.read_bytes() for path in first.files}
    assert run(tmp_path, FRENCH).files == first.files  # the same again changes nothing
    changed = FRENCH.replace("moulin", "pont")
    with pytest.raises(ImportRefusedError, match="--force"):
        run(tmp_path, changed)
    assert {path: path.read_bytes() for path in first.files} == before
    assert "pont" in run(tmp_path, changed, force=True).files[1].read_text("utf-8")
    assert sorted(os.listdir(tmp_path)) == ["out", "pieces.csv"]


def test_no_path_of_this_machine_is_written(tmp_path: Path) -> None:
    for path in run(tmp_path, FRENCH).files:
        assert str(tmp_path) not in path.read_text("utf-8")


def test_a_target_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(ImportRefusedError, match="no folder"):
        run(tmp_path, FRENCH)
    assert (tmp_path / "out").read_text() == "mine"


def test_a_language_without_a_module(tmp_path: Path) -> None:
    with pytest.raises(ImportRefusedError, match=r"known: .*fr"):
        run(tmp_path, FRENCH, "../xx")


# --- hostile input ----------------------------------------------------------

HOSTILE = {
    "empty": b"",
    "blank": b"\n\n ; ;\r\n",
    "binary": bytes(range(256)) * 40,
    "utf-16": FRENCH.encode("utf-16"),
    "latin-1": FRENCH.encode("cp1252"),
    "header only": FRENCH.splitlines()[0].encode(),
    "no header": FRENCH.partition("\n")[2].encode(),
    "huge cell": FRENCH.partition("\n")[0].encode() + b"\n" + b"x" * 2_000_000 + b";y",
    "huge header": b"x" * 200_000 + b"\nnp-s;np-p",
    "nul": FRENCH.replace("moulin", "mou\0lin").replace("horloge", "\0").encode(),
    "one column": b"np-s\nLe mur\n",
    "quotes": b'"np-s;np-p\n"""";"',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_give_messages(name: str, tmp_path: Path) -> None:
    with pytest.raises(GrammarError) as error:
        run(tmp_path, HOSTILE[name])
    assert any(d.severity is Severity.ERROR for d in error.value.diagnostics)
    assert all(d.render() for d in error.value.diagnostics)
    assert os.listdir(tmp_path) == ["pieces.csv"]


@pytest.mark.parametrize("name", ["", ".", "missing.csv", "a\0b", "x" * 5000])
def test_paths_that_are_no_file(name: str, tmp_path: Path) -> None:
    with pytest.raises(GrammarError):
        import_fragments(os.path.join(tmp_path, name), tmp_path / "out", language="fr")


HEADER = FRENCH.partition("\n")[0].removesuffix(";.")
CELLS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(["le", "de le a", "et", "l’", "’", "...", "(", ",", '"', "du\ta", "Le x", "à"]),
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(table=st.lists(st.lists(CELLS, min_size=14, max_size=17), min_size=1, max_size=3))
def test_any_cells(table: list[list[str]], tmp_path_factory: pytest.TempPathFactory) -> None:
    body = "\n".join(";".join(row) for row in table)
    folder = tmp_path_factory.mktemp("any")
    for code in ("fr", "it"):
        found = tried(folder, f"{HEADER}\n{body}".encode("utf-8", "replace"), code)
        if isinstance(found, Imported):
            blm.load(found.grammar)
        else:
            assert {d.code for d in found.diagnostics} & {"no-rows", "table-encoding"}


def tried(folder: Path, text: bytes, code: str) -> Imported | GrammarError:
    try:
        return run(folder, text, code, force=True)
    except GrammarError as error:
        return error


# --- the published data ----------------------------------------------------------

CAUSES: dict[str, int] = {}
DISTINCT = 1264


@needs_published_data
def test_the_published_sentences_are_recognised(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = FOLDER / "agreement_fr" / "fragments.csv"
    grammar = blm.load(import_fragments(source, tmp_path / "fr", language="fr").grammar)
    templates = published_sentences("agreement_fr/type_i.csv")
    causes = Counter(
        cause
        for text, items in templates.items()
        if (cause := unrecognised(grammar, text, items)) is not None
    )
    rate = 1 - causes.total() / len(templates)
    with capsys.disabled():
        print(f"\ntype I: {len(templates)} distinct sentences, {rate:.2%} recognised")
        for cause, count in causes.most_common():
            print(f"  {count:4} not: {cause}")
    assert len(templates) == DISTINCT
    assert causes == CAUSES
    assert rate >= 0.95


def published_sentences(name: str) -> dict[str, set[str]]:
    """Every distinct sentence, contexts and answers, with its templates."""
    found: dict[str, set[str]] = {}
    for row in rows(name):
        for kind, count in (("Sent", 7), ("Answer", 8)):
            for k in range(1, count + 1):
                found.setdefault(row[f"{kind}_{k}"], set()).add(row[f"{kind}_template_{k}"])
    return found


def unrecognised(grammar: Grammar, text: str, templates: set[str]) -> str | None:
    """Why a sentence is not read as the items of all its templates; None if it is."""
    read = grammar.recogniser.recognise
    known = [reading.item for reading in read(text)]
    if all(agreement_item(template) in known for template in templates):
        return None
    if known:
        return "read as another item"
    if "- " in text and read(text.replace("- ", "-")):
        return "a space after a hyphen"
    return "words that no seed has"


@needs_published_data
def test_the_published_fragments_and_what_is_wrong_with_them(tmp_path: Path) -> None:
    imported = import_fragments(
        FOLDER / "agreement_fr" / "fragments.csv", tmp_path / "fr", language="fr"
    )
    assert imported.seeds == 32
    assert imported.split == ("subject", "attractor2")
    found = codes(imported.diagnostics)
    assert found == {
        "gender-unknown": 18,
        "not-split": 12,
        "invariable-noun": 8,
        "fixed-phrases": 4,
        "uncontracted": 2,
        "no-place": 1,
        "other-noun": 1,
        "capital": 1,
    }


@needs_published_data
def test_of_the_published_fragments_20_rows_can_be_split(tmp_path: Path) -> None:
    imported = import_fragments(
        FOLDER / "agreement_fr" / "fragments.csv", tmp_path / "fr", language="fr", only_split=True
    )
    assert imported.seeds == 20
    assert imported.split == NOMINAL
    verb = CellName("verb", "number")
    assert {r[verb] for r in items(blm.load(imported.grammar))} == {"sg", "pl"}
