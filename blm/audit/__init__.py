"""Finds the faults of a data set, ours or anyone's.

A file or a folder is read into one table (`readers`), each kind of fault is looked for by one
function (`checks`, `writing`), and what is found is a list of `Finding`.
"""

from blm.audit.errors import AuditError
from blm.audit.finding import Example, Finding, Severity
from blm.audit.report import Report, audit

__all__ = ["AuditError", "Example", "Finding", "Report", "Severity", "audit"]
