"""What the engine says, in the words of the brute force, and both side by side."""

from __future__ import annotations

from collections.abc import Sequence

from brute_force import BruteForce, Item, Judged, Matrix

from blm.candidates import CandidateSolver, Verdict
from blm.layout import Codes, Layout
from blm.layout import Item as Cells
from blm.phenomenon import Value

MODES = [(t, m) for t in ("each", "any") for m in ("subset", "cardinality", "edits")]


def frozen(item: Cells) -> Item:
    return frozenset(item.items())


def decoded(layout: Layout, codes: Codes) -> Matrix:
    """A matrix with its choices; pooled rules give the number of their operator."""
    places = map(layout.item_columns, range(1, layout.size + 1))
    items = tuple(frozen(layout.decode_item(codes[place])) for place in places)
    chosen = codes[layout.size * layout.width :].tolist()
    values: list[tuple[str, Value]] = [
        (v.name, v.values[code - 1]) for v, code in zip(layout.variables, chosen, strict=False)
    ]
    numbers = zip(layout.pooled, chosen[len(layout.variables) :], strict=True)
    return items, frozenset([*values, *((rule.name, number) for rule, number in numbers)])


def told(layout: Layout, verdict: Verdict) -> Judged:
    """A verdict of the engine."""
    item = frozen(layout.decode_item(verdict.codes))
    broken, edits, fits = map(frozenset, (verdict.broken, verdict.edits, verdict.fits))
    return Judged(item, broken, edits, fits)


def compare_candidates(
    solver: CandidateSolver, oracle: BruteForce, matrices: Sequence[Codes]
) -> None:
    """The same verdict on every item, the same minimal and the same named distractors."""
    layout = solver.layout
    for codes in matrices:
        judged = oracle.judge(decoded(layout, codes))
        for expected in judged:
            verdict, witnesses = solver.judge(codes, dict(expected.item))
            assert told(layout, verdict) == expected
            assert {rule for rule, _ in witnesses} == expected.broken
        for target, minimise in MODES:
            verdicts = solver.minimal(codes, target=target, minimise=minimise)
            found = [told(layout, verdict) for verdict in verdicts]
            assert len(set(found)) == len(found)
            assert set(found) == oracle.minimal(judged, target=target, minimise=minimise)
        named = [told(layout, verdict) for verdict in solver.labelled(codes)]
        assert len(set(named)) == len(named)
        assert set(named) == oracle.labelled(judged)
