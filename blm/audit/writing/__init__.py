"""Patterns of malformed writing. A language is a module with `PATTERNS` and an entry here."""

from blm.audit.writing import common, english, french, italian

PATTERNS = (*common.PATTERNS, *french.PATTERNS, *italian.PATTERNS, *english.PATTERNS)

__all__ = ["PATTERNS"]
