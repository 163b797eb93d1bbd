from itertools import product

import pytest
from small import write

from blm.concrete import Concrete
from blm.files import load_file
from blm.phenomenon import CellName, Phenomenon, Value
from blm.universe import Universe


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Phenomenon:
    concrete = load_file(write(tmp_path_factory.mktemp("small")))
    assert isinstance(concrete, Concrete)
    return concrete.phenomenon


def frozen(item: dict[CellName, Value]) -> frozenset[tuple[str, Value]]:
    return frozenset((str(cell), value) for cell, value in item.items())


def brute_force(phenomenon: Phenomenon) -> set[frozenset[tuple[str, Value]]]:
    """The items of the small phenomenon, written down by its definition."""
    found = set()
    for subject, mood, verb in product(("sg", "pl"), ("calm", "wild"), ("sg", "pl")):
        base = {("subj.number", subject), ("subj.mood", mood), ("verb.number", verb)}
        found.add(frozenset(base | {("pp1", "absent")}))
        for number, link in [("sg", "embedded"), ("pl", "embedded"), ("pl", "coordinated")]:
            pp1 = {("pp1", "present"), ("pp1.number", number), ("pp1.link", link)}
            found.add(frozenset(base | pp1))
    return found


def test_items_are_those_of_the_definition(small: Phenomenon) -> None:
    items = list(Universe(small).items())
    assert {frozen(item) for item in items} == brute_force(small)
    assert len(items) == len(brute_force(small))


def test_items_that_agree_with_some_cells(small: Phenomenon) -> None:
    fixed = {CellName("pp1", "number"): None, CellName("subj", "number"): "pl"}
    items = list(Universe(small).items(fixed))
    assert len(items) == 4
    assert all(item[CellName("pp1", "presence")] == "absent" for item in items)
    assert not list(Universe(small).items({CellName("subj", "number"): "dual"}))


def test_projections_are_those_of_the_items(small: Phenomenon) -> None:
    universe = Universe(small)
    names = [cell.name for cell in small.cells]
    for some in ([], names[:1], names[2:4], names[3:5], names):
        projected = {frozen({c: i[c] for c in some if c in i}) for i in universe.items()}
        found = universe.projections(some)
        assert {frozen(item) for item in found} == projected
        assert len(found) == len(projected)
