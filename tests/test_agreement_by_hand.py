"""The agreement phenomenon, counted by hand from the text of design.md (sections 1 and 2).

The oracle is plain Python over its own dicts: it does not know `blm`, clingo or the grammar
file.  An item maps `subj verb pp1 link1 pp2 link2 pp3` to a value; an absent object is None.
"""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from itertools import pairwise, product
from pathlib import Path

import pytest

import blm
from blm.candidates import CandidateSolver, Verdict
from blm.layout import Item
from blm.phenomenon import ABSENT, PRESENCE, PRESENT, CellName
from blm.problem import Matrix, decode_matrix
from blm.program import Program, compile_phenomenon
from blm.solve import MatrixSpace, solve_matrices

AGREEMENT = Path(__file__).parents[1] / "grammars" / "agreement" / "agreement.blm"

# --- the oracle -------------------------------------------------------------------------------

CELLS = ("subj", "verb", "pp1", "link1", "pp2", "link2", "pp3")
NUMBER, LINK = ("sg", "pl"), ("embedded", "coordinated")
RULES = ("agree", "embedding", "first", "subject", "second", "length")

HandItem = tuple[str | None, ...]  # in the order of CELLS
HandMatrix = tuple[HandItem, ...]


def get(item: HandItem, cell: str) -> str | None:
    return item[CELLS.index(cell)]


def all_items() -> list[HandItem]:
    pp2 = [(None, None), *product(NUMBER, LINK)]
    return [
        (subj, verb, pp1, link1, number2, link2, pp3)
        for subj, verb, pp1, link1 in product(NUMBER, NUMBER, NUMBER, LINK)
        for number2, link2 in pp2
        for pp3 in (None, *NUMBER)
    ]


def agrees(item: HandItem) -> bool:
    return get(item, "subj") == get(item, "verb")


def embeds(item: HandItem) -> bool:
    return get(item, "link1") == "embedded" and get(item, "link2") in ("embedded", None)


def alternates(values: list[str | None], every: int) -> bool:
    """Two values take turns, each for `every` items."""
    blocks = [values[k : k + every] for k in range(0, len(values), every)]
    constant = all(len(set(block)) == 1 for block in blocks)
    turns = [block[0] for block in blocks]
    return constant and len(set(turns)) == 2 and all(a != b for a, b in pairwise(turns))


def switches(values: list[str | None], at: int) -> bool:
    before, after = set(values[: at - 1]), set(values[at - 1 :])
    return len(before) == len(after) == 1 and before != after


def broken(items: HandMatrix) -> frozenset[str]:
    """The rules that these eight items break; with a valid context, those of the last one."""

    def column(cell: str) -> list[str | None]:
        return [get(item, cell) for item in items]

    obeyed = {
        "agree": all(map(agrees, items)),
        "embedding": all(map(embeds, items)),
        "first": alternates(column("pp1"), 2),
        "subject": alternates(column("subj"), 1),
        "second": switches(column("pp2"), 5),
        "length": set(column("pp3")) == {None},
    }
    return frozenset(rule for rule in RULES if not obeyed[rule])


@cache
def all_matrices() -> frozenset[HandMatrix]:
    """Rule by rule: the three sequence rules speak of three cells, all else follows."""
    subj = [s for s in product(NUMBER, repeat=8) if alternates(list(s), 1)]
    pp1 = [s for s in product(NUMBER, repeat=8) if alternates(list(s), 2)]
    pp2 = [s for s in product((None, *NUMBER), repeat=8) if switches(list(s), 5)]
    found = frozenset(
        tuple((s[k], s[k], a[k], "embedded", b[k], b[k] and "embedded", None) for k in range(8))
        for s, a, b in product(subj, pp1, pp2)
    )
    assert not any(map(broken, found))
    return found


def edits(candidate: HandItem, correct: HandItem) -> frozenset[str]:
    """Objects that appear or disappear, and other values of what both items have."""
    found = set()
    for cell in CELLS:
        ours, theirs = get(candidate, cell), get(correct, cell)
        presence = cell.replace("link", "pp")
        if ours != theirs:
            found.add(presence if None in (ours, theirs) else f"{cell}:value")
    return frozenset(found)


def label_of(alternative: str, item: HandItem, correct: HandItem) -> bool:
    """The `where` of each alternative of a label, as agreement.blm words it."""
    verb, pp1, pp2, old = (*(get(item, c) for c in ("verb", "pp1", "pp2")), get(correct, "pp2"))
    return {
        "AE_P1": verb == pp1,
        "AE_P2": verb == pp2,
        "AE_0": verb not in (pp1, pp2),
        "WN1": True,
        "WN2": None not in (pp2, old) and pp2 != old,
        "WNA appears": pp2 is not None and old is None,
        "WNA disappears": pp2 is None and old is not None,
        "WNA length": True,
        "Coord second": get(item, "link2") == "coordinated",
        "Coord first": pp2 is None,
    }[alternative]


ALTERNATIVES = {
    "AE_P1": "agree", "AE_P2": "agree", "AE_0": "agree", "WN1": "first", "WN2": "second",
    "WNA appears": "second", "WNA disappears": "second", "WNA length": "length",
    "Coord second": "embedding", "Coord first": "embedding",
}  # fmt: skip
"""What each alternative of a label breaks: just this rule."""


class Judged:
    """What one matrix makes of each of the 240 candidates."""

    def __init__(self, matrix: HandMatrix) -> None:
        self.correct = matrix[-1]
        self.broken = {c: broken((*matrix[:-1], c)) for c in all_items()}
        self.edits = {c: edits(c, self.correct) for c in all_items()}

    def closest(self, candidates: list[HandItem]) -> set[HandItem]:
        fewest = min((len(self.edits[c]) for c in candidates), default=0)
        return {c for c in candidates if len(self.edits[c]) == fewest}

    def minimal(self) -> set[HandItem]:
        """For each rule: the smallest sets that hold it, and of each the fewest edits."""
        found: set[HandItem] = set()
        for rule in RULES:
            sets = {s for s in self.broken.values() if rule in s}
            for least in (s for s in sets if not any(other < s for other in sets)):
                found |= self.closest([c for c, s in self.broken.items() if s == least])
        return found

    def fits(self, alternative: str, candidate: HandItem) -> bool:
        wanted = {ALTERNATIVES[alternative]}
        return self.broken[candidate] == wanted and label_of(alternative, candidate, self.correct)

    def labels(self, candidate: HandItem) -> set[str]:
        return {a.split()[0] for a in ALTERNATIVES if self.fits(a, candidate)}

    def labelled(self) -> set[HandItem]:
        chosen = [[c for c in self.broken if self.fits(a, c)] for a in ALTERNATIVES]
        return set().union(*map(self.closest, chosen))


# --- the engine, in the words of the oracle ---------------------------------------------------

NAMES = {
    "subj": CellName("subj", "number"), "verb": CellName("verb", "number"),
    "pp1": CellName("pp1", "number"), "link1": CellName("pp1", "link"),
    "pp2": CellName("pp2", "number"), "link2": CellName("pp2", "link"),
    "pp3": CellName("pp3", "number"),
}  # fmt: skip


def by_hand(item: Item) -> HandItem:
    return tuple(item.get(NAMES[cell]) for cell in CELLS)


def to_engine(item: HandItem) -> dict[CellName, str]:
    found = {NAMES[c]: value for c, value in zip(CELLS, item, strict=True) if value is not None}
    for name in ("pp2", "pp3"):
        found[CellName(name, PRESENCE)] = ABSENT if get(item, name) is None else PRESENT
    return found


def edit_by_hand(cell: CellName) -> str:
    if cell.attribute == PRESENCE:
        return cell.object
    return next(f"{ours}:value" for ours, theirs in NAMES.items() if theirs == cell)


def told(program: Program, verdict: Verdict) -> tuple[object, ...]:
    item = by_hand(program.layout.decode_item(verdict.codes))
    names = {edit_by_hand(cell) for cell in verdict.edits}
    return item, frozenset(verdict.broken), names, {label for label, _ in verdict.fits}


def expected(judged: Judged, item: HandItem) -> tuple[object, ...]:
    return item, judged.broken[item], judged.edits[item], judged.labels(item)


def in_order(verdicts: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    return sorted(verdicts, key=lambda verdict: str(verdict[0]))


@pytest.fixture(scope="module")
def program() -> Program:
    return compile_phenomenon(blm.load(AGREEMENT).phenomenon)


@pytest.fixture(scope="module")
def space(program: Program) -> MatrixSpace:
    return solve_matrices(program)


@pytest.fixture(scope="module")
def solver(program: Program) -> CandidateSolver:
    return CandidateSolver(program)


def matrices(space: MatrixSpace) -> list[Matrix]:
    return [decode_matrix(space.layout, codes, k) for k, codes in enumerate(space.array())]


# --- both -------------------------------------------------------------------------------------


def test_the_oracle_finds_what_the_design_says() -> None:
    assert len(set(all_items())) == 240
    assert len(all_matrices()) == 24
    assert len({matrix[:-1] for matrix in all_matrices()}) == 24  # one solution per context


def test_the_engine_finds_the_same_matrices(space: MatrixSpace) -> None:
    found = [tuple(map(by_hand, matrix.items)) for matrix in matrices(space)]
    assert len(found) == space.count == 24
    assert set(found) == all_matrices()


def test_every_candidate_of_every_matrix_breaks_the_same_rules(
    program: Program, space: MatrixSpace, solver: CandidateSolver
) -> None:
    for matrix in matrices(space):
        judged = Judged(tuple(map(by_hand, matrix.items)))
        for item in all_items():
            verdict, witnesses = solver.judge(matrix.codes, to_engine(item))
            assert told(program, verdict) == expected(judged, item)
            assert {rule for rule, _ in witnesses} == judged.broken[item]


def test_minimal_distractors_are_the_same(
    program: Program, space: MatrixSpace, solver: CandidateSolver
) -> None:
    for matrix in matrices(space):
        judged = Judged(tuple(map(by_hand, matrix.items)))
        found = [told(program, verdict) for verdict in solver.minimal(matrix.codes)]
        wanted = [expected(judged, item) for item in judged.minimal()]
        assert in_order(found) == in_order(wanted)


def test_named_distractors_are_the_same(
    program: Program, space: MatrixSpace, solver: CandidateSolver
) -> None:
    for matrix in matrices(space):
        judged = Judged(tuple(map(by_hand, matrix.items)))
        found = [told(program, verdict) for verdict in solver.labelled(matrix.codes)]
        wanted = [expected(judged, item) for item in judged.labelled()]
        assert in_order(found) == in_order(wanted)


def test_clingo_alone_finds_24_models(program: Program, tmp_path: Path) -> None:
    path = tmp_path / "agreement.lp"
    path.write_text(program.matrix_text, encoding="utf-8")
    command = [sys.executable, "-m", "clingo", "0", "--quiet", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert "Models       : 24" in done.stdout
    assert done.stderr == ""
