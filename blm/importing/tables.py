"""The plan as text: a grammar file, tables of words, a table of seeds."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from blm.importing.columns import PL, SG, Chunk, Role
from blm.importing.place import COORDINATED, EMBEDDED, has_link, number_of
from blm.importing.plan import Plan
from blm.importing.split import ARTICLE, Noun
from blm.phenomenon import Phenomenon

_FORMS = (SG, PL)


@dataclass
class _Words:
    """The words of one category, each under a key of its own."""

    rows: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _keys: dict[tuple[str, ...], str] = field(default_factory=dict)

    def key(self, name: str, row: tuple[str, ...]) -> str:
        """The key of a word: its name, numbered if another word has that already."""
        if row not in self._keys:
            key, number = name, 1
            while key in self.rows:
                number += 1
                key = f"{name} ({number})"
            self._keys[row] = key
            self.rows[key] = row
        return self._keys[row]


@dataclass(frozen=True)
class _Slot:
    """A slot of the seeds: its name, its category, and the chunk that fills it."""

    name: str
    category: str
    chunk: Chunk


def make_files(
    plan: Plan, phenomenon: Phenomenon, *, code: str, of: str, title: str, origin: str
) -> dict[str, str]:
    """The text of each file by its name, the grammar last.

    `title` is what people call the language, `of` the file of the phenomenon, `origin` the name
    of the fragments file.
    """
    slots = tuple(_slots(plan))
    words = {slot.category: _Words() for slot in slots}
    seeds = [
        (f"{origin}:{line}", *(_fill(slot, plan, line, words) for slot in slots))
        for line in plan.rows
    ]
    extra = _noun_columns(plan)
    files = {}
    for category, known in words.items():
        if category != "text":
            columns = extra if category == "noun" else ()
            rows = ((key, *row) for key, row in known.rows.items())
            files[f"{code}.{category}s.csv"] = _csv(("word", *_FORMS, *columns), rows)
    files[f"{code}.seeds.csv"] = _csv(("seed", *(slot.name for slot in slots)), seeds)
    lines = _grammar(plan, phenomenon, slots, code=code, of=of, title=title, origin=origin)
    files[f"{code}.blm"] = "\n".join(lines) + "\n"
    return files


def _slots(plan: Plan) -> Iterator[_Slot]:
    for chunk in plan.chunks:
        if chunk not in plan.split:
            yield _Slot(str(chunk), _category(chunk), chunk)
        elif chunk.role is Role.SUBJECT:
            yield _Slot("subject", "noun", chunk)
        elif chunk.role is Role.EMBEDDED:
            yield _Slot(f"prep{chunk.index}", "text", chunk)
            yield _Slot(f"noun{chunk.index}", "noun", chunk)


def _category(chunk: Chunk) -> str:
    match chunk.role:
        case Role.VERB:
            return "verb"
        case Role.PREFIX | Role.RELATIVE:
            return "text"
        case _:
            return "phrase"


def _fill(slot: _Slot, plan: Plan, line: int, words: Mapping[str, _Words]) -> str:
    """What a seed has in a slot: a text, or the key of a word."""
    pair = plan.rows[line][slot.chunk]
    found = plan.nouns.get((line, slot.chunk))
    if slot.category == "text":
        return found.preposition if found else pair.sg.text
    if slot.category == "noun" and found:
        row = (found.noun.sg, found.noun.pl, *_inherent(plan, found.noun))
        return words["noun"].key(found.noun.sg, row)
    return words[slot.category].key(pair.sg.text, (pair.sg.text, pair.pl.text))


def _noun_columns(plan: Plan) -> tuple[str, ...]:
    """The inherent features that the nouns of the plan have."""
    nouns = [split.noun for split in plan.nouns.values()]
    return tuple(n for n in ("gender", "onset") if any(getattr(noun, n) for noun in nouns))


def _inherent(plan: Plan, noun: Noun) -> tuple[str, ...]:
    return tuple(getattr(noun, name) for name in _noun_columns(plan))


def _csv(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()


# --- the grammar ----------------------------------------------------------


def _grammar(
    plan: Plan,
    phenomenon: Phenomenon,
    slots: Sequence[_Slot],
    *,
    code: str,
    of: str,
    title: str,
    origin: str,
) -> Iterator[str]:
    yield f"# Imported from {origin}; seeds are named by its rows."
    yield "#"
    yield "# Slots of the category `noun` have article and preposition beside them, which the"
    yield "# language joins; those of the category `phrase` hold phrases as they stand there."
    yield ""
    yield f'language {code} "{title}"'
    yield f'of "{of}"'
    yield ""
    yield "words"
    for category in dict.fromkeys(slot.category for slot in slots):
        if category != "text":
            features = _features(plan) if category == "noun" else ""
            yield f'  {category} "{code}.{category}s.csv" : {features}forms sg, pl'
    yield ""
    yield "seeds"
    yield "  slots"
    yield ",\n".join(f"    {slot.name} : {slot.category}" for slot in slots)
    yield f'  table "{code}.seeds.csv"'
    yield ""
    yield "phrases"
    yield from _phrases(plan, phenomenon)
    yield ""
    yield "sentences"
    yield from _sentences(plan)


def _features(plan: Plan) -> str:
    """`gender {f, m}, onset? {aspirated}; `."""
    told = []
    for name in _noun_columns(plan):
        values = sorted({getattr(split.noun, name) for split in plan.nouns.values()} - {""})
        mark = "" if name == "gender" else "?"
        told.append(f"{name}{mark} {{{', '.join(values)}}}")
    return f"{', '.join(told)}; " if told else ""


def _phrases(plan: Plan, phenomenon: Phenomenon) -> Iterator[str]:
    """A phrase for each object, with a way to say each of its chunks."""
    ways: dict[str, list[str]] = {}
    for chunk in plan.chunks:
        if chunk.role in (Role.PREFIX, Role.RELATIVE):
            continue
        number = number_of(chunk)
        said = _said(chunk, plan)
        if chunk.index and has_link(phenomenon, chunk.index):
            link = COORDINATED if chunk.role is Role.COORDINATED else EMBEDDED
            said = f"{said} where {number.object}.link is {link}"
        ways.setdefault(number.object, []).append(said)
    for name, said_so in ways.items():
        yield f"  {name} : " + f"\n  {' ' * len(name)} | ".join(said_so)


def _said(chunk: Chunk, plan: Plan) -> str:
    number = number_of(chunk)
    if chunk not in plan.split:
        return f"{chunk}[{number}]"
    noun = "subject" if chunk.role is Role.SUBJECT else f"noun{chunk.index}"
    before = {
        Role.EMBEDDED: f"prep{chunk.index} ",
        Role.COORDINATED: f'"{plan.conjunction}" ',
    }.get(chunk.role, "")
    return f"{before}{ARTICLE} {noun}[{number}]"


def _sentences(plan: Plan) -> Iterator[str]:
    objects = dict.fromkeys(
        number_of(c).object for c in plan.chunks if c.role not in (Role.PREFIX, Role.RELATIVE)
    )
    *nominal, verb = objects
    before = " ".join(nominal)
    yield f'  main       "main clause"       : {before} {verb}'
    if Chunk(Role.PREFIX) in plan.chunks:
        yield f'  completive "completive clause" : prefix {before} {verb}'
    if Chunk(Role.RELATIVE) in plan.chunks:
        yield f'  relative   "relative clause"   : {before} relative {verb}'
