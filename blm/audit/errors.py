"""What an audit raises."""

from __future__ import annotations


class AuditError(ValueError):
    """A data set cannot be read, or a repaired copy not be written; the message says why."""
