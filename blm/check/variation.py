"""The entries of `seeds` that make more of them: `vary` and `combine`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from blm import concrete as c
from blm import syntax as s
from blm.check.report import Report
from blm.diagnostics import Span

Slots = Mapping[str, c.SlotDeclaration]


def check_vary(entries: Iterable[s.SeedsEntry], slots: Slots, report: Report) -> c.Vary | None:
    """The slot that type II varies, if the file has one."""
    found = [entry for entry in entries if isinstance(entry, s.Vary)]
    _check_once("vary", found, report)
    for entry in found:
        _check_slots((entry.slot,), entry.within, slots, report)
    if not found:
        return None
    first = found[0]
    return c.Vary(first.slot.text, _text(first.within), first.span)


def check_combine(
    entries: Iterable[s.SeedsEntry], slots: Slots, report: Report
) -> c.Combine | None:
    """The slots whose words combine freely, if the file has some."""
    found = [entry for entry in entries if isinstance(entry, s.Combine)]
    _check_once("combine", found, report)
    for entry in found:
        _check_slots(entry.slots, entry.within, slots, report)
        if len(entry.slots) == 1:
            message = f"'{entry.slots[0].text}' alone has nothing to combine with"
            report.error("too-few-slots", message, entry.slots[0], "list two slots or more")
    if not found:
        return None
    first = found[0]
    return c.Combine(tuple(n.text for n in first.slots), _text(first.within), first.span)


def _text(name: s.Name | None) -> str | None:
    return name.text if name else None


def _check_slots(
    names: Sequence[s.Name], within: s.Name | None, slots: Slots, report: Report
) -> None:
    listed: dict[str, Span] = {}
    for name in names:
        _check_slot(name, slots, report)
        if name.text in listed:
            report.error("duplicate-slot", f"the slot '{name.text}' is listed twice", name)
        listed.setdefault(name.text, name.span)
    if within:
        _check_slot(within, slots, report)
        if within.text in listed:
            message = f"'{within.text}' is the same within these seeds: it cannot change there"
            help_ = "`within` names another slot: seeds with the same word there go together"
            report.error("within-itself", message, within, help_)


def _check_slot(name: s.Name, slots: Slots, report: Report) -> None:
    if name.text not in slots:
        report.unknown("slot", name.text, slots, name)


def _check_once(word: str, entries: Sequence[s.Vary | s.Combine], report: Report) -> None:
    for entry in entries[1:]:
        message = f"'{word}' stands here a second time; a file has it once"
        help_ = f"the first one is on line {entries[0].span.line}"
        report.error(f"duplicate-{word}", message, entry, help_)
