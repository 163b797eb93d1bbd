"""The checks, each listed once. A new one is a function and an entry in its module's `CHECKS`."""

from blm.audit.checks import answers, blind, labels, position, shape, spelling, splits
from blm.audit.checks.base import Check, Job, WholeCheck
from blm.audit.finding import Kind

CHECKS: tuple[Check, ...] = (
    *shape.CHECKS,
    *answers.CHECKS,
    *labels.CHECKS,
    *position.CHECKS,
    *blind.CHECKS,
    *spelling.CHECKS,
)
WHOLE_CHECKS: tuple[WholeCheck, ...] = splits.CHECKS

KINDS: dict[str, Kind] = {
    kind.code: kind for kind in [*(c.kind for c in CHECKS), *(c.kind for c in WHOLE_CHECKS)]
}
"""Every kind of finding by its code."""

__all__ = ["CHECKS", "KINDS", "WHOLE_CHECKS", "Check", "Job", "WholeCheck"]
