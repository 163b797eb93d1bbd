"""Every mistake of `tests/mistakes` is reported where its comment says, and nothing else is.

`# E: code` at the end of a line expects an error there, `# W: code` a warning; a part of the
message or of the help may follow in quotes.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from blm.diagnostics import Diagnostic, Severity
from blm.files import diagnose

MISTAKES = Path(__file__).parent / "mistakes"
LANGUAGES = {"fr": frozenset({"def", "indef"}), "en": frozenset({"def", "be"})}
EXPECTED = re.compile(r'# ([EW]): ([\w-]+)(?: "([^"]*)")?')


@pytest.mark.parametrize("path", sorted(MISTAKES.glob("*.blm")), ids=lambda path: path.stem)
def test_reports_each_mistake_where_it_is(path: Path) -> None:
    grammar, found = diagnose(path, languages=LANGUAGES)
    left = list(found)
    missing = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        for kind, code, part in EXPECTED.findall(line):
            match = next((d for d in left if _is(d, number, kind, code, part)), None)
            if match is None:
                missing.append(f"line {number}: {code} {part}")
            else:
                left.remove(match)
    assert (missing, [d.render() for d in left]) == ([], [])
    assert (grammar is None) == any(d.severity is Severity.ERROR for d in found)
    assert found == sorted(found, key=lambda d: d.span.start)


def _is(diagnostic: Diagnostic, line: int, kind: str, code: str, part: str) -> bool:
    severity = Severity.ERROR if kind == "E" else Severity.WARNING
    text = f"{diagnostic.message} {diagnostic.help}"
    return (diagnostic.span.line, diagnostic.code, diagnostic.severity) == (
        line,
        code,
        severity,
    ) and part in text


def test_there_are_many_kinds_of_mistakes() -> None:
    texts = (path.read_text(encoding="utf-8") for path in MISTAKES.glob("*.blm"))
    kinds = Counter(code for text in texts for _, code, _ in EXPECTED.findall(text))
    assert len(kinds) >= 80
