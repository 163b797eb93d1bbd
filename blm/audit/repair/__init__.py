"""Writes a corrected copy of a data set, where the correction is certain."""

from blm.audit.repair.copy import Change, Left, Repaired, refuse, repair

__all__ = ["Change", "Left", "Repaired", "refuse", "repair"]
