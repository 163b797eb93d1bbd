"""Data sets for tests of formats: small ones, and one whose words and titles are hostile."""

from pathlib import Path

import small

from blm.dataset.plan import Options
from blm.dataset.write import Progress, write_dataset
from blm.grammar import Grammar, load
from blm.problem import Json
from blm.realise import Sentence, Speaker
from blm.words import Lexicon, Seed

GRAMMARS = Path(__file__).parent.parent / "grammars"
FRENCH = GRAMMARS / "agreement" / "fr.blm"
SPRAY = GRAMMARS / "spray_load" / "en.blm"

EVERY = ("jsonl", "csv", "parquet", "json", "lm-eval")

HOSTILE = (
    "dit \"oui\" et 'non'\tpuis\nva",
    "</style><script>alert(1)</script><!-- & | ` $x$ {{ 7 * 7 }} {% raw %}",
    "אמר \u202e שלום \\ \u2028 \U0001f426",
)
"""Quotes, tabs, newlines; markup and templates; right to left, beyond the first plane."""

TITLE = "<script>alert('t')</script> | # {{x}} - : \u05d0"


def make(
    folder: Path,
    grammar: Grammar | Path = FRENCH,
    *,
    workers: int = 1,
    force: bool = False,
    progress: Progress = lambda _done, _total: None,
    cluster: str | None = None,
    **options,
) -> Json:
    """Write a data set; its manifest."""
    if isinstance(grammar, Path):
        grammar = load(grammar)
    written = {"workers": workers, "force": force, "progress": progress, "cluster": cluster}
    return write_dataset(grammar, Options(**options), folder, **written)


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a folder, hidden ones too."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def hostile(folder: Path) -> Grammar:
    """A grammar with hostile words, rules, labels and titles.

    Tables cannot hold such words, as cells are trimmed and normalised: they are put in later,
    and what a realiser would tidy away stands at the end of each sentence.
    """
    path = small.write(folder)
    phenomenon = folder / "small.blm"
    text = phenomenon.read_text(encoding="utf-8").replace('"small"', f'"{TITLE}"')
    text = text.replace("agree :", f'agree "{TITLE}" :').replace(
        "AE breaks", f'AE "{TITLE}" breaks'
    )
    phenomenon.write_text(text, encoding="utf-8")
    grammar = load(path)
    seeds = tuple(
        Seed(f"{seed.name} {TITLE}", {**seed.words, "prep1": words, "prefix": words})
        for seed, words in zip(grammar.lexicon.seeds, HOSTILE, strict=True)
    )
    made = Grammar(grammar.phenomenon, grammar.concrete, Lexicon(grammar.lexicon.words, seeds))
    made.__dict__["speaker"] = Loud(made.speaker)
    return made


class Loud:
    """Says more than it should."""

    def __init__(self, speaker: Speaker) -> None:
        self._speaker = speaker

    def say(self, *what) -> Sentence:
        sentence = self._speaker.say(*what)
        return Sentence(f"{sentence.text} {' '.join(HOSTILE)}", sentence.phrases)


def said(record: Json) -> tuple[list[str], list[str]]:
    """The sentences of a record: the context, the candidates."""
    return [s["text"] for s in record["context"]], [c["text"] for c in record["candidates"]]
