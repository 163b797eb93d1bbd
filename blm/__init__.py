"""blm: a rule engine for Blackbird Language Matrices.

`load` reads a grammar; everything else hangs on what it returns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from blm.version import __version__

if TYPE_CHECKING:
    from blm.diagnostics import GrammarError
    from blm.pipeline import Grammar, load

__all__ = ["Grammar", "GrammarError", "__version__", "load"]


def __getattr__(name: str) -> Any:
    """Load the chain when it is first used, so that `import blm` costs nothing."""
    if name in ("Grammar", "load"):
        from blm import pipeline

        return getattr(pipeline, name)
    if name == "GrammarError":
        from blm.diagnostics import GrammarError

        return GrammarError
    raise AttributeError(f"module 'blm' has no attribute {name!r}")
