"""Shared by all tests."""

import signal
from pathlib import Path

import pytest

import blm
from blm.grammar import Grammar

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Who starts the tests in the background has switched Ctrl-C off, for our processes too.
    signal.signal(signal.SIGINT, signal.default_int_handler)

GRAMMARS = Path(__file__).parent.parent / "grammars"
ABSTRACT = sorted(
    path for path in GRAMMARS.rglob("*.blm") if "\nphenomenon " in path.read_text(encoding="utf-8")
)


@pytest.fixture(params=ABSTRACT, ids=lambda path: path.stem)
def shipped(request: pytest.FixtureRequest) -> Grammar:
    """Each phenomenon that ships with blm."""
    return blm.load(request.param)
