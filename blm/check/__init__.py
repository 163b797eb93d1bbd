"""Syntax to meaning: every name resolved, every mistake reported."""

from blm.check.abstract import check_phenomenon

__all__ = ["check_phenomenon"]
