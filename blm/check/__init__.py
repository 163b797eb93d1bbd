"""Syntax to meaning: every name resolved, every mistake reported."""

from blm.check.abstract import check_phenomenon
from blm.check.concrete import Languages, check_concrete

__all__ = ["Languages", "check_concrete", "check_phenomenon"]
