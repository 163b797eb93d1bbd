"""The lexicon of a concrete grammar: its word tables and seed tables, read and checked.

A word table has a column `word` with the key of each word, one column for each declared
feature and one for each declared form (`sg`, `pl.f`).  A seed table has one column for each
slot and, if seeds are to have names, a column `seed`; a seed without is named by its table
and line, `fr.seeds:3`.  A column whose header starts with `#` is a remark.
"""

from __future__ import annotations

from blm.concrete import Concrete
from blm.diagnostics import Diagnostic, Severity, limited
from blm.lexicon.check import check_forms, needed_slots, unsaid_slots
from blm.lexicon.combine import combine_seeds
from blm.lexicon.entries import read_seeds, read_words, unread_categories
from blm.lexicon.vary import check_varied
from blm.words import FormError, Lexicon, Seed, Word


def load_lexicon(concrete: Concrete) -> tuple[Lexicon | None, list[Diagnostic]]:
    """The words and seeds of `concrete`, or None and every mistake of every table.

    Paths of tables are opened as `concrete` has them.  Raises nothing for faulty tables.
    """
    problems: list[Diagnostic] = []
    entries = read_words(concrete, problems)
    needed = needed_slots(concrete)
    unread = unread_categories(concrete, entries, problems)
    rows = read_seeds(concrete, entries, needed | _shared(concrete), unread, problems)
    seeds = combine_seeds(rows, concrete.combine, problems)
    problems += check_varied(seeds, concrete.vary)
    problems += unsaid_slots(concrete, needed)
    if not unread:
        problems += check_forms(concrete, entries, seeds)
    if any(problem.severity is Severity.ERROR for problem in problems):
        return None, limited(problems)
    return Lexicon(tuple(entry.word for entry in entries.values()), seeds), limited(problems)


def _shared(concrete: Concrete) -> frozenset[str]:
    """Slots that every seed fills, as `vary` and `combine` ask for their words."""
    vary, combine = concrete.vary, concrete.combine
    asked = (vary and vary.slot, vary and vary.within, combine and combine.within)
    return frozenset(slot for slot in asked if slot)


__all__ = ["FormError", "Lexicon", "Seed", "Word", "load_lexicon"]
