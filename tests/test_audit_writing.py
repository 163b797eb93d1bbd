"""Patterns of writing: what they find, what they leave alone, what they put in its place."""

import pytest
from auditing import audit_rows, only, problems

from blm.audit.repair.fixer import Fixer, usual_apostrophe
from blm.audit.writing import PATTERNS
from blm.audit.writing.language import guess
from blm.realise import REALISERS

WRONG = {
    "fr": [
        ("space-before-stop", "Le chat dort .", "Le chat dort."),
        ("space-before-stop", "Le chat , lui, dort.", "Le chat, lui, dort."),
        ("space-after-apostrophe", "L’ eau dort.", "L’eau dort."),
        ("space-after-apostrophe", "L' eau dort.", "L'eau dort."),
        ("double-space", "Le  chat dort.", "Le chat dort."),
        ("outer-space", " Le chat dort. ", "Le chat dort."),
        ("doubled-word", "Le chat chat dort.", None),
        ("doubled-word", "Le le chat dort.", None),
        ("broken-encoding", "Le caf\ufffd est là.", None),
        ("broken-encoding", "Le cafÃ© est là.", None),
        ("not-contracted", "Le récit de les souffrances.", "Le récit des souffrances."),
        ("not-contracted", "Le toit de le château.", "Le toit du château."),
        ("not-contracted", "Le toit de le hôtel.", "Le toit de l’hôtel."),
        ("not-contracted", "De les gens parlent à les voisins.", "Des gens parlent aux voisins."),
        ("not-contracted", "Il va à le théâtre.", "Il va au théâtre."),
        ("not-elided", "Il dit que il dort.", "Il dit qu’il dort."),
        ("not-elided", "Le chat se endort.", "Le chat s’endort."),
        ("not-elided", "La eau de la île.", "L’eau de l’île."),
        ("not-elided", "Le homme dort.", "L’homme dort."),
        ("not-elided", "Il sait si ils dorment.", "Il sait s’ils dorment."),
        ("wrong-elision", "L’chat dort.", None),
        ("malformed-plural", "Les tempss passent.", "Les temps passent."),
        ("malformed-plural", "Les prixs montent.", "Les prix montent."),
        ("malformed-plural", "Les châteaus dorment.", "Les châteaux dorment."),
        ("malformed-plural", "Les journals dorment.", None),
        ("doubled-suffix", "Le consommateureur dort.", "Le consommateur dort."),
        ("article-number", "Le livre sur les effet dort.", None),
    ],
    "it": [
        ("wrong-article", "Gli ragazzi dormono.", "I ragazzi dormono."),
        ("wrong-article", "I studenti dormono.", "Gli studenti dormono."),
        ("wrong-article", "I amici e i zii.", "Gli amici e gli zii."),
        ("wrong-article", "Il libro dei studenti.", "Il libro degli studenti."),
        ("wrong-article", "La casa degli ragazzi.", "La casa dei ragazzi."),
        ("wrong-article", "Il studente con un zaino.", "Lo studente con uno zaino."),
        ("wrong-article", "Il amico dorme.", None),
        ("wrong-article", "La porta dello castello.", "La porta del castello."),
        ("not-contracted", "La porta di il castello.", "La porta del castello."),
        ("not-contracted", "I fiori in la casa.", "I fiori nella casa."),
        ("article-number", "I macchina dormono.", None),
        ("article-number", "Il vasi dormono.", None),
    ],
    "en": [
        ("wrong-article", "A apple fell.", "An apple fell."),
        ("wrong-article", "It was an university.", "It was a university."),
        ("wrong-article", "It was a hour.", "It was an hour."),
        ("malformed-plural", "The mouses sleep.", "The mice sleep."),
        ("malformed-plural", "The citys sleep.", "The cities sleep."),
        ("malformed-past", "They buyed it.", None),
        ("doubled-word", "They can can load it.", None),
        ("space-before-stop", "Do they sleep ?", "Do they sleep?"),
        ("space-after-apostrophe", "The cat' s tail.", "The cat's tail."),
    ],
}

RIGHT = {
    "fr": [
        "L’eau de l’île dort.", "Il a envie de le voir et de les prendre.", "Nous nous levons.",
        "Le héros et la onzième heure.", "Le yaourt de la une.", "Le stress du boss.",
        "Les festivals et les bals.", "Le saule pleureur.", "Que fait-il ? Il dort ; voilà !",
        "Va-t-il à l’école de Anne ?", "Il est dans les quatre coins.", "Le oui de la hache.",
        "Elle pense à les revoir.", "Les gens sur les bancs parlent aux voisins.",
        "Il a dit d’abord que c’est l’heure.", "Le prix de 3.5 est là.",
        "Il compte sur les Dupont.",
    ],
    "it": [
        "Gli piace il mare.", "Gli dei e i loro amici.", "I video e i cinema.",
        "Il brindisi è finito.",
        "Lo studente e gli zii.", "Gli amici degli uomini.", "La vedi ora.",
        "Il taxi della crisi.", "Così così.", "Nel gioco del tennis.", "L’amico di Il Moro.",
    ],
    "en": [
        "An hour and a university.", "The boys' toys.", "He had had it.", "A European and a user.",
        "An MRI.", "The boys and the days.", "We say that A and B differ.", "It cost 3.5.",
    ],
}  # fmt: skip


def found(text: str, language: str) -> set[str]:
    return {p.code for p in PATTERNS if p.holds_for(language) and any(p.matches(text))}


def examples():
    for language, entries in WRONG.items():
        for entry in entries:
            yield language, *entry


@pytest.mark.parametrize(("language", "code", "text", "repaired"), list(examples()))
def test_malformed_writing_is_found_and_repaired(language, code, text, repaired) -> None:
    assert code in found(text, language)
    fixer = Fixer(language, usual_apostrophe([text]))
    fixed = fixer.fix(text)
    if repaired is None:
        assert fixed == text or code not in fixer.counts
    else:
        assert fixed.replace("'", "’") == repaired.replace("'", "’")
        assert fixer.counts[code] == 1
        assert not found(fixed, language)


@pytest.mark.parametrize(
    ("language", "text"), [(lang, text) for lang, texts in RIGHT.items() for text in texts]
)
def test_good_writing_is_left_alone(language, text) -> None:
    assert found(text, language) == set()
    assert Fixer(language, usual_apostrophe([text])).fix(text) == text


def test_patterns_belong_to_known_languages() -> None:
    named = {language for p in PATTERNS for language in p.languages}
    assert named <= {*REALISERS, "ro", "de", "es"}


def test_two_apostrophes_in_one_file(tmp_path) -> None:
    rows = problems(20)
    for row in rows[:15]:
        row["context"][0] = f"{row['context'][0][:-1]} d’ici."
    assert not audit_rows(tmp_path, rows).of("two-apostrophes")
    rows[17]["context"][0] = "Il l'a vu."
    finding = only(audit_rows(tmp_path, rows), "two-apostrophes")
    assert (finding.count, finding.examples[0].row) == (1, 18)


def test_counts_are_of_sentences_and_forms_of_occurrences(tmp_path) -> None:
    rows = problems(20)
    rows[2]["context"][1] = "La vie de les chats et de les chiens."
    rows[3]["context"][1] = "La vie de les chats."
    finding = only(audit_rows(tmp_path, rows), "not-contracted")
    assert (finding.count, finding.of, finding.measures["rows"]) == (2, 120, 2)
    assert finding.measures["forms"] == {"de les chats": 2, "de les chiens": 1}
    assert [(e.row, e.column) for e in finding.examples] == [(3, "Sent_2"), (3, "Sent_2")]


def test_the_language_is_guessed_or_left_open() -> None:
    assert guess(["Le chat est dans la maison de ma mère.", "Les chats sont là."]) == "fr"
    assert guess(["Il gatto è nella casa di mia madre.", "I gatti sono con il cane."]) == "it"
    assert guess(["The cat is in the house of my mother."]) == "en"
    assert guess(["yazıldı", "açtırdı"]) == ""
    assert guess([]) == ""
