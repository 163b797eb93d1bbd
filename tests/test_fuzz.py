"""Damaged grammars give diagnostics or a meaning, never an exception."""

from fuzz_grammars import mutants


def test_damaged_grammars_are_read_without_exceptions() -> None:
    met = mutants(300, seed=1)
    assert met["fine"] > 10
    assert len(met) > 30
