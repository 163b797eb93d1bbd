import pytest
from sandhi import say

from blm.realise.english import English

AN = """apple egg island orange umbrella hour honest honour heir heiress undergraduate urn usher
    unimportant uninvited unidentified onerous utter MRI FBI X-ray 8 11 18 80 18th élite urgent"""
A = """dog house horse hotel university unit unicorn uniform unique united unimodal European ewe
    eucalyptus one once-only user useful usual unanimous uranium utopia ukulele UFO UN NATO 1 12 110
    1800 yard herd hero history ubiquitous urinal uterus year"""


@pytest.mark.parametrize("word", AN.split())
def test_an(word: str) -> None:
    assert say(English(), "[indef sg]", word) == f"an {word}"


@pytest.mark.parametrize("word", A.split())
def test_a(word: str) -> None:
    assert say(English(), "[indef sg]", word) == f"a {word}"


@pytest.mark.parametrize(
    ("elements", "expected"),
    [
        (("[indef pl]", "dogs"), "dogs"),
        (("[def pl]", "dogs"), "the dogs"),
        (("[this pl]", "hours"), "these hours"),
        (("[that]", "hour"), "that hour"),
        (("[indef]", "old", "house"), "an old house"),
        (("[indef]", "<herb onset=vowel>"), "an herb"),
        (("[indef]", "<ache onset=consonant>"), "a ache"),
        (("such", "a", "hour"), "such an hour"),
        (("it", "[be past pl]", "[be ing]", "loaded"), "it were being loaded"),
        (("[have]", "[be participle]"), "has been"),
        (("I", "[be 1]", "[do ing]", "it"), "I am doing it"),
        (("the students'", "books"), "the students’ books"),
    ],
)
def test_sandhi(elements: tuple[str, ...], expected: str) -> None:
    assert say(English(), *elements) == expected
