"""Shared by all tests."""

from pathlib import Path

import pytest

import blm
from blm.grammar import Grammar

GRAMMARS = Path(__file__).parent.parent / "grammars"
ABSTRACT = sorted(
    path for path in GRAMMARS.rglob("*.blm") if "\nphenomenon " in path.read_text(encoding="utf-8")
)


@pytest.fixture(params=ABSTRACT, ids=lambda path: path.stem)
def shipped(request: pytest.FixtureRequest) -> Grammar:
    """Each phenomenon that ships with blm."""
    return blm.load(request.param)
