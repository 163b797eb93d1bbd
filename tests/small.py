"""A small French grammar in files, for tests of words, sentences and recognition."""

from pathlib import Path

from blm.concrete import Concrete
from blm.files import load_file
from blm.lexicon import load_lexicon
from blm.words import Lexicon

PHENOMENON = """\
phenomenon small "small"

objects
  subj : number {sg, pl}, mood {calm, wild}
  pp1? : number {sg, pl}, link {embedded, coordinated}
  verb : number {sg, pl}

possible
  one "a coordination is plural" : if pp1.link is coordinated then pp1.number is pl

external
  agree : subj.number matches verb.number

matrix 2
  subject : subj.number alternates every 1

answers
  correct
  AE breaks agree
"""

CONCRETE = """\
language fr "français"
of "small.blm"

words
  noun "nouns.csv" : gender {m, f}, onset? {aspirated}; forms sg, pl
  verb "verbs.csv" : forms sg, pl.m, pl.f

seeds
  slots subject : noun, prep1 : text, noun1 : noun, verb : verb, prefix : text
  table "seeds.csv"

phrases
  subj : def subject[subj.number]
  inner : def noun1[pp1.number]
  pp1  : prep1 inner where pp1.link is embedded
       | "et" inner where pp1.link is coordinated
  verb : verb[verb.number, subject.gender]

sentences
  main "main" : subj pp1 verb
  completive "completive" : prefix subj pp1 verb
"""

TABLES = {
    "nouns.csv": """\
word,gender,onset,sg,pl
ordinateur,m,,ordinateur,ordinateurs
haricot,m,aspirated,haricot,haricots
table,f,,table,tables
""",
    "verbs.csv": """\
word,sg,pl.m,f.pl
tomber,tombe,sont tombés,sont tombées
""",
    "seeds.csv": """\
seed,subject,prep1,noun1,verb,prefix
a,ordinateur,avec,table,tomber,Jean dit que
b,table,de,haricot,tomber,Jean dit que
c,haricot,à,ordinateur,tomber,Il faut que
""",
}


def write(folder: Path, **changes: str) -> Path:
    """The grammar in `folder`; `changes` replace tables: `nouns="word,..."`."""
    texts = {"small.blm": PHENOMENON, "fr.blm": CONCRETE, **TABLES}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    for name, text in changes.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return folder / "fr.blm"


def load(path: Path) -> tuple[Concrete, Lexicon]:
    concrete = load_file(path)
    assert isinstance(concrete, Concrete)
    lexicon, problems = load_lexicon(concrete)
    assert lexicon is not None, "\n".join(problem.render() for problem in problems)
    return concrete, lexicon
