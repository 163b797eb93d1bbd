"""Reads data sets of several layouts into one table. A new layout is an entry of `READERS`."""

from blm.audit.readers.folder import READERS, read_table

__all__ = ["READERS", "read_table"]
