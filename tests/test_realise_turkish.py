import pytest
from sandhi import say

from blm.realise.turkish import Turkish


@pytest.mark.parametrize(
    ("elements", "expected"),
    [
        # the past: four vowels, two consonants
        (("yaz", "[past]"), "yazdı"),
        (("kes", "[past]"), "kesti"),
        (("oku", "[past]"), "okudu"),
        (("gör", "[past]"), "gördü"),
        (("aç", "[past]"), "açtı"),
        (("koş", "[past]"), "koştu"),
        (("git", "[past]"), "gitti"),
        (("iste", "[past]"), "istedi"),
        # causative and passive by the shape of the stem
        (("yaz", "[causative]", "[past]"), "yazdırdı"),
        (("çiz", "[causative]", "[past]"), "çizdirdi"),
        (("koş", "[causative]", "[past]"), "koşturdu"),
        (("oku", "[causative]", "[past]"), "okuttu"),
        (("otur", "[causative]", "[past]"), "oturttu"),
        (("gör", "[passive]", "[past]"), "görüldü"),
        (("kes", "[passive]", "[past]"), "kesildi"),
        (("yap", "[passive]", "[past]"), "yapıldı"),
        (("oku", "[passive]", "[past]"), "okundu"),
        (("del", "[passive]", "[past]"), "delindi"),
        (("böl", "[passive]", "[past]"), "bölündü"),
        (("yaz", "[causative]", "[passive]", "[past]"), "yazdırıldı"),
        (("yaz", "[causative]", "[causative]", "[past]"), "yazdırttı"),
        (("oku", "[causative]", "[causative]", "[past]"), "okutturdu"),
        # the lexicon chooses
        (("<iç causative=-Ir>", "[causative]", "[past]"), "içirdi"),
        (("<çık causative=-Ar>", "[causative]", "[past]"), "çıkardı"),
        (("<kork causative=-It>", "[causative]", "[past]"), "korkuttu"),
        (("<kork causative=-It>", "[causative]", "[causative]", "[past]"), "korkutturdu"),
        # disharmonic variants for wrong answers
        (("yaz", "[past disharmonic]"), "yazdi"),
        (("kes", "[past disharmonic]"), "kestı"),
        (("oku", "[past disharmonic]"), "okudü"),
        (("gör", "[past disharmonic]"), "gördu"),
        (("kes", "[causative disharmonic]", "[past]"), "kestırdı"),
        (("çocuk", "[plural disharmonic]"), "çocukler"),
        # other suffixes, also as literals
        (("ev", "-lAr", "-(I)m", "-DA"), "evlerimde"),
        (("araba", "-lAr", "-(I)m", "-DAn"), "arabalarımdan"),
        (("kapı", "-(y)I"), "kapıyı"),
        (("ev", "-(y)A"), "eve"),
        (("araba", "-(s)I"), "arabası"),
        (("ev", "-(s)I"), "evi"),
        (("oku", "[progressive]"), "okuyor"),
        (("söyle", "[progressive]"), "söylüyor"),
        (("başla", "[progressive]", "-lAr"), "başlıyorlar"),
        (("de", "[progressive]"), "diyor"),
        (("yap", "[future]"), "yapacak"),
        (("yap", "[future]", "-(I)m"), "yapacağım"),
        (("gel", "[evidential]"), "gelmiş"),
        (("<git voicing=voiced>", "[progressive]"), "gidiyor"),
        (("<git voicing=voiced>", "[past]"), "gitti"),
        (("<kitap voicing=voiced>", "-(y)I"), "kitabı"),
        (("<saat harmony=front>", "-lAr", "-DA"), "saatlerde"),
        # sentences
        (("çocuk", "mektup", "yaz", "[past]"), "çocuk mektup yazdı"),
        (("Ali", "-", "Ayşe"), "Ali - Ayşe"),
    ],
)
def test_suffixes(elements: tuple[str, ...], expected: str) -> None:
    assert say(Turkish(), *elements) == expected


def test_capitals() -> None:
    turkish = Turkish()
    assert turkish.sentence("ırmak aktı") == "Irmak aktı."
    assert turkish.sentence("iki kişi geldi") == "İki kişi geldi."
    assert turkish.fold("IRMAK  AKTI .") == turkish.fold("Irmak aktı")
    assert turkish.fold("İki") != turkish.fold("ıki")
