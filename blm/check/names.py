"""Domains, objects and cells: the names that the rest of a phenomenon uses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from blm import syntax as s
from blm.check.report import Report
from blm.diagnostics import Span
from blm.phenomenon import ABSENT, PRESENCE, Cell, CellName, Object, Value


class DomainValues(Struct, frozen=True):
    """The values of a domain, and whether they have an order."""

    values: tuple[Value, ...]
    ordered: bool


Domains = Mapping[str, DomainValues | None]
"""Domains by name; None is a domain with a mistake, about which nothing more is said."""


class Names(Struct, frozen=True):
    """The objects and cells of a phenomenon; a cell that is None has a mistake."""

    objects: Mapping[str, Object]
    cells: Mapping[CellName, Cell | None]

    def cell(self, ref: s.CellRef, report: Report) -> Cell | None:
        """The cell that a reference names; None, and reported, if there is none."""
        owner = self.objects.get(ref.object.text)
        if owner is None:
            report.unknown("object", ref.object.text, self.objects, ref.object)
            return None
        if ref.attribute is None:
            return self._presence(owner, ref, report)
        name = CellName(owner.name, ref.attribute.text)
        if name not in self.cells or name.attribute == PRESENCE:
            message = f"'{ref.attribute.text}' is not an attribute of {owner.name}"
            known = owner.attributes
            report.unknown("attribute", ref.attribute.text, known, ref.attribute, message)
            return None
        return self.cells[name]

    def _presence(self, owner: Object, ref: s.CellRef, report: Report) -> Cell | None:
        if owner.optional:
            return self.cells[CellName(owner.name, PRESENCE)]
        cells = ", ".join(f"{owner.name}.{a}" for a in owner.attributes)
        report.error(
            "not-optional",
            f"{owner.name} is not optional: it is present in every item",
            ref,
            f"name one of its cells ({cells}), or declare it as '{owner.name}?'",
        )
        return None

    def may_be_absent(self, cell: Cell) -> bool:
        """Whether items exist in which a cell has no value (presence always has one)."""
        if cell.name.attribute == PRESENCE:
            return False
        return cell.condition is not None or self.objects[cell.name.object].optional

    def sequence_values(self, cell: Cell) -> tuple[Value, ...]:
        """The values that a sequence sees: those of the domain, and `absent` where possible."""
        return (*cell.domain, ABSENT) if self.may_be_absent(cell) else cell.domain


MOST_VALUES = 10_000
"""Values of a domain: their codes are small integers, and more would not ground in time."""


def values_of(expression: s.ValueSet | s.Range, report: Report) -> DomainValues | None:
    """The values that are written out in a domain."""
    if isinstance(expression, s.Range):
        first, last = expression.first.value, expression.last.value
        if first > last:
            message = f"this range is empty: {first} is more than {last}"
            report.error("empty-range", message, expression)
            return None
        return DomainValues(tuple(range(first, last + 1)), ordered=True)
    if len(expression.values) > MOST_VALUES:
        message = f"this domain has {len(expression.values)} values; at most {MOST_VALUES} can be"
        report.error("domain-too-large", message, expression)
        return None
    seen: dict[Value, Span] = {}
    for value in expression.values:
        if value.value == ABSENT:
            message = f"'{ABSENT}' is reserved: it speaks of the presence of an object"
            help_ = "declare an object that may be absent as 'name?'"
            report.error("reserved-value", message, value, help_)
        elif value.value in seen:
            report.duplicate("value", str(value.value), value, seen[value.value])
        seen.setdefault(value.value, value.span)
    numbers = [value for value in seen if isinstance(value, int)]
    if expression.ordered:
        _check_chain(expression, numbers, len(seen), report)
    return DomainValues(tuple(seen), expression.ordered or len(numbers) == len(seen))


def _check_chain(expression: s.ValueSet, numbers: Sequence[int], size: int, report: Report) -> None:
    """Numbers are ordered as numbers, so a chain of them grows and holds nothing else."""
    if numbers and len(numbers) < size:
        message = "numbers and names do not stand in one order"
        report.error("mixed-order", message, expression, "use names only, or numbers only")
    elif list(numbers) != sorted(numbers):
        chain = " < ".join(map(str, sorted(numbers)))
        message = "numbers are ordered as numbers"
        report.error("order-of-numbers", message, expression, f"write {{{chain}}}")


def resolve_domain(
    expression: s.DomainExpression, domains: Domains, report: Report
) -> DomainValues | None:
    """The values of a domain that is written out or named."""
    if not isinstance(expression, s.Name):
        return values_of(expression, report)
    if expression.text not in domains:
        report.unknown("domain", expression.text, domains, expression)
        return None
    return domains[expression.text]


def collect_domains(entries: Iterable[s.Domain], report: Report) -> Domains:
    """The section `domains`."""
    domains: dict[str, DomainValues | None] = {}
    places: dict[str, Span] = {}
    for entry in entries:
        name = entry.name.text
        values = values_of(entry.values, report)
        if name in domains:
            report.duplicate("domain", name, entry.name, places[name])
        domains.setdefault(name, values)
        places.setdefault(name, entry.name.span)
    return domains
