"""The section `objects`: objects, their cells, and when a cell exists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from blm import syntax as s
from blm.check.circles import find_circle
from blm.check.conditions import Conditions
from blm.check.names import Domains, DomainValues, Names, resolve_domain
from blm.check.report import Report
from blm.phenomenon import ABSENT, PRESENCE, PRESENT, Cell, CellName, Object, cells_of


def check_objects(entries: Sequence[s.ObjectEntry], domains: Domains, report: Report) -> Names:
    """The objects and cells of a phenomenon, conditions resolved."""
    bare = _collect(entries, domains, report)
    names = Names(bare.objects, dict(_conditioned(entries, bare, report)))
    _report_circle(names, report)
    return names


def _conditioned(
    entries: Sequence[s.ObjectEntry], bare: Names, report: Report
) -> Iterator[tuple[CellName, Cell | None]]:
    """Every cell, with its condition if it has one."""
    yield from bare.cells.items()
    conditions = Conditions(bare, report)
    for entry in entries:
        for attribute in entry.attributes:
            if attribute.condition is None:
                continue
            condition = conditions.resolve(attribute.condition)
            for declared in entry.objects:
                name = CellName(declared.name.text, attribute.name.text)
                if cell := bare.cells.get(name):
                    yield name, replace(cell, condition=condition) if condition else None


def _report_circle(names: Names, report: Report) -> None:
    """Report a cell that exists only if it has a certain value, directly or in a circle."""
    needs = {
        name: cells_of(cell.condition)
        for name, cell in names.cells.items()
        if cell and cell.condition
    }
    circle = find_circle(needs)
    if circle and (first := names.cells[circle[0]]):
        message = f"whether {circle[0]} exists depends on {circle[0]} itself"
        way = " -> ".join(map(str, [*circle, circle[0]]))
        report.error("circular-condition", message, first.span, f"the conditions are: {way}")


def _collect(entries: Sequence[s.ObjectEntry], domains: Domains, report: Report) -> Names:

    objects: dict[str, Object] = {}
    cells: dict[CellName, Cell | None] = {}
    for entry in entries:
        attributes = _attributes(entry, domains, report)
        for declared in entry.objects:
            name = declared.name.text
            if name in objects:
                report.duplicate("object", name, declared.name, objects[name].span)
                continue
            if not attributes and not declared.optional:
                _report_empty_object(declared, report)
            span = declared.name.span
            objects[name] = Object(name, declared.optional, tuple(attributes), span)
            cells |= _cells_of(objects[name], attributes)
    return Names(objects, cells)


def _report_empty_object(declared: s.DeclaredObject, report: Report) -> None:
    name = declared.name.text
    report.error(
        "empty-object",
        f"nothing about {name} can vary: it has no attributes and is not optional",
        declared,
        f"write '{name} : attribute {{value, value}}', or '{name}?' if it may be absent",
    )


_Attributes = Mapping[str, tuple[s.Attribute, DomainValues | None]]


def _attributes(entry: s.ObjectEntry, domains: Domains, report: Report) -> _Attributes:
    found: dict[str, tuple[s.Attribute, DomainValues | None]] = {}
    for attribute in entry.attributes:
        name = attribute.name.text
        domain = resolve_domain(attribute.domain or attribute.name, domains, report)
        if name == PRESENCE:
            message = f"'{PRESENCE}' is reserved: it names whether an object is there"
            report.error("reserved-word", message, attribute.name)
        elif name in found:
            report.duplicate("attribute", name, attribute.name, found[name][0].span)
        found.setdefault(name, (attribute, domain))
    return found


def _cells_of(owner: Object, attributes: _Attributes) -> dict[CellName, Cell | None]:
    cells: dict[CellName, Cell | None] = {}
    if owner.optional:
        presence = CellName(owner.name, PRESENCE)
        cells[presence] = Cell(presence, (ABSENT, PRESENT), False, None, owner.span)
    for attribute, (node, domain) in attributes.items():
        name = CellName(owner.name, attribute)
        cells[name] = (
            Cell(name, domain.values, domain.ordered, None, node.name.span) if domain else None
        )
    return cells
