"""Every example of docs/language.md is a grammar without mistakes, and nothing is left out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from blm.diagnostics import Source
from blm.entries import reserved_words
from blm.files import check_text

ROOT = Path(__file__).parent.parent
DOCUMENT = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```blm *(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
BLOCKS = [(match[1], match[2]) for match in FENCE.finditer(DOCUMENT)]
PHENOMENON = BLOCKS[0][1]
LANGUAGE = next(text for kind, text in BLOCKS if not kind and text.startswith("language"))
HEADERS = {"rules": "internal"}
DOMAINS = "domains\n  roles = {agent, theme}\n  phrase = {np, pp}\n"
LANGUAGES = {code: frozenset({"def", "be"}) for code in ("fr", "tr")}


def whole(kind: str, text: str) -> str:
    """A fragment as a part of the phenomenon, or of the language, of the first examples."""
    if not kind:
        complete = "\n" in text.strip()
        return text if complete else PHENOMENON.replace(PHENOMENON.partition("\n")[0], text)
    base = LANGUAGE if kind in ("words", "seeds", "phrases") else PHENOMENON
    header = HEADERS.get(kind, kind)
    entries = "".join(f"  {line}\n" for line in text.splitlines())
    if f"\n{header}" in base:
        return re.sub(rf"(?m)^{header}\b.*\n", lambda m: m[0] + entries, base, count=1)
    before, after = base.split("\nobjects", 1)
    return f"{before}\n{header}\n{entries}\nobjects{after}"


@pytest.mark.parametrize(("kind", "text"), BLOCKS)
def test_examples_are_without_mistakes(kind: str, text: str, tmp_path: Path) -> None:
    (tmp_path / "agreement.blm").write_text(PHENOMENON, encoding="utf-8")
    complete = whole(kind, text)
    if kind == "objects":
        complete = complete.replace("\nobjects", f"\n{DOMAINS}\nobjects", 1)
    grammar, found = check_text(Source(str(tmp_path / "x.blm"), complete), languages=LANGUAGES)
    assert [d.render() for d in found if d.code != "unused-phrase"] == []
    assert grammar


def test_the_reserved_words_are_listed() -> None:
    listed = DOCUMENT.partition("cannot be names:")[2].partition("Two exceptions")[0]
    assert set(re.findall(r"`(\w+)`", listed)) == reserved_words()


def test_every_code_is_listed() -> None:
    sources = [*(ROOT / "blm" / "check").glob("*.py")]
    sources += [
        ROOT / "blm" / f"{n}.py" for n in ("scan", "parse", "entries", "files", "complaints")
    ]
    calls = re.compile(r'(error|warning|_report|Diagnostic|unknown|duplicate)\(\s*"([a-z0-9-]+)"')
    found = {c for path in sources for c in calls.findall(path.read_text(encoding="utf-8"))}
    codes = {f"{f}-{code}" if f in ("unknown", "duplicate") else code for f, code in found}
    assert len(codes) > 60
    assert {code for code in codes if f"`{code}`" not in DOCUMENT} == set()
