"""How far the solver goes, and what is said where it goes no further."""

from __future__ import annotations

from time import monotonic

from msgspec import Struct


class LimitExceeded(Exception):
    """The work asked for is larger than a limit; the text says which, and what can be done."""


class Limits(Struct, frozen=True):
    """How far the solver goes before it gives up with `LimitExceeded`.

    `atoms` bounds an estimate of the ground program, `seconds` grounding and each enumeration,
    `rows` the number of solutions of one connected part of a matrix.
    """

    atoms: int = 3_000_000
    seconds: float = 600.0
    rows: int = 5_000_000


DEFAULT_LIMITS = Limits()

_LESS = "use smaller domains or fewer items"


class Deadline:
    """When something that may take so many seconds must have ended."""

    def __init__(
        self, seconds: float = DEFAULT_LIMITS.seconds, what: str = "solving", less: str = _LESS
    ) -> None:
        self._seconds = seconds
        self._what = what
        self._help = f"{less}, or allow more time (--time-limit)"
        self._end = monotonic() + seconds

    def check(self) -> None:
        """LimitExceeded where the time is over."""
        if monotonic() > self._end:
            raise LimitExceeded(
                f"{self._what} took longer than {self._seconds:g} seconds; {self._help}"
            )

    def left(self) -> float:
        """The seconds that are left. LimitExceeded where there are none."""
        self.check()
        return max(0.0, self._end - monotonic())
