"""Whether `vary subject within kind` gives type II something to vary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from blm.concrete import Vary
from blm.diagnostics import Diagnostic, Severity
from blm.words import Seed, key_of

_NAMED = 5
"""So many kinds are named in one message."""


def check_varied(seeds: Sequence[Seed], vary: Vary | None) -> Iterator[Diagnostic]:
    """A warning if seeds of some kind have one word only in the varied slot."""
    if vary is None:
        return
    found: dict[str, set[str]] = {}
    for seed in seeds:
        kind = key_of(seed.words[vary.within]) if vary.within else ""
        found.setdefault(kind, set()).add(key_of(seed.words[vary.slot]))
    single = [kind for kind, words in found.items() if len(words) == 1]
    if not single:
        return
    where = f" where '{vary.within}' is {_some(single)}" if vary.within else ""
    yield Diagnostic(
        "one-word",
        f"the seeds have one word only in '{vary.slot}'{where}",
        vary.span,
        "type II has no problem there: add seeds, or join small kinds to larger ones",
        Severity.WARNING,
    )


def _some(kinds: Sequence[str]) -> str:
    named = ", ".join(f"'{kind}'" for kind in kinds[:_NAMED])
    more = len(kinds) - _NAMED
    return f"{named} and {more} more" if more > 0 else named
