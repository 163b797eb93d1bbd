"""Collecting an author's mistakes: each once, without the mistakes that follow from it."""

from __future__ import annotations

from collections.abc import Iterable

from blm.diagnostics import MOST_DIAGNOSTICS, Diagnostic, Severity, Span, did_you_mean
from blm.syntax import Node

# Where the names of each kind are declared: if an entry there cannot be read, a name of that
# kind may well be in it, and is not called unknown.
_DECLARED_IN = {
    "object": {"objects"},
    "attribute": {"objects"},
    "value": {"objects", "domains"},
    "domain": {"domains"},
    "rule": {"external", "internal", "matrix"},
    "variable": {"variables"},
    "row": {"rows"},
    "shape": {"shape"},
    "category": {"words"},
    "feature": {"words"},
    "word": {"words"},
    "slot": {"seeds"},
    "phrase": {"phrases", "seeds"},
}


class Report:
    """The diagnostics of one file, as they are found."""

    def __init__(self, broken: frozenset[str] = frozenset()) -> None:
        self.broken = broken
        self._found: dict[tuple[str, int, str], Diagnostic] = {}

    @property
    def failed(self) -> bool:
        """Whether there is an error."""
        return any(d.severity is Severity.ERROR for d in self._found.values())

    def diagnostics(self) -> list[Diagnostic]:
        """What was found, by position."""
        return sorted(self._found.values(), key=lambda d: (d.span.start, d.code))

    def error(self, code: str, message: str, at: Node | Span, help_: str = "") -> None:
        """Report a mistake at a node."""
        self._add(Diagnostic(code, message, _span(at), help_))

    def warning(self, code: str, message: str, at: Node | Span, help_: str = "") -> None:
        """Report what is legal, but hardly meant."""
        self._add(Diagnostic(code, message, _span(at), help_, Severity.WARNING))

    def unknown(
        self, kind: str, name: str, known: Iterable[str], at: Node | Span, message: str = ""
    ) -> None:
        """Report a name that is not declared, with the name that may be meant."""
        if self.may_be_lost(kind) or len(self._found) >= MOST_DIAGNOSTICS:
            return
        article = "an" if kind[0] in "aeiou" else "a"
        text = message or f"'{name}' is not {article} {kind} of this file"
        self.error(f"unknown-{kind}", text, at, did_you_mean(name, known))

    def may_be_lost(self, kind: str) -> bool:
        """Whether a declaration of this kind may be in an entry that cannot be read."""
        return not self.broken.isdisjoint(_DECLARED_IN.get(kind, ()))

    def duplicate(self, kind: str, name: str, at: Node | Span, first: Span) -> None:
        """Report a second declaration of a name."""
        message = f"the {kind} '{name}' is declared twice"
        self.error(f"duplicate-{kind}", message, at, f"the first one is on line {first.line}")

    def _add(self, diagnostic: Diagnostic) -> None:
        key = (diagnostic.code, diagnostic.span.start, diagnostic.message)
        if len(self._found) < MOST_DIAGNOSTICS:
            self._found.setdefault(key, diagnostic)


def _span(at: Node | Span) -> Span:
    return at if isinstance(at, Span) else at.span
