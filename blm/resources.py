"""Finds the encodings, grammars and lexicons that ship with blm.

In a checkout they lie beside the package (`asp/`, `grammars/`); a wheel carries them
inside it (`blm/asp/`, `blm/grammars/`).
"""

from __future__ import annotations

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def shipped(folder: str) -> Path:
    """The shipped folder of this name, `asp` or `grammars`; FileNotFoundError if there is none."""
    for root in (PACKAGE, PACKAGE.parent):
        if (root / folder).is_dir():
            return root / folder
    raise FileNotFoundError(f"blm is installed without its folder {folder!r}")


def cache_place() -> Path:
    """Where this user's caches lie: `$XDG_CACHE_HOME/blm`, or `~/.cache/blm`."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # which the XDG specification says to ignore
        base = os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "blm"


def cache_folder() -> Path | None:
    """That folder, for what is run when it is found there; None if it is not the user's alone."""
    if not hasattr(os, "getuid"):
        return None
    folder = cache_place()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.stat()
    except OSError:
        return None
    mine = status.st_uid == os.getuid() and not status.st_mode & 0o022
    return folder if mine and os.access(folder, os.W_OK) else None


def encoding(name: str) -> str:
    """The text of the encoding `asp/NAME.lp`."""
    return (shipped("asp") / f"{name}.lp").read_text(encoding="utf-8")


def grammar_path(path: str | Path) -> Path:
    """The path itself or, where there is nothing, the shipped grammar of that name.

    `agreement/fr.blm` is `grammars/agreement/fr.blm` wherever blm is installed.
    """
    given = Path(path)
    if given.exists() or given.is_absolute():
        return given
    beside = shipped("grammars") / given
    return beside if beside.is_file() else given


def shipped_grammars() -> tuple[Path, ...]:
    """The grammars that ship with blm, by their path from `grammars/`."""
    folder = shipped("grammars")
    return tuple(sorted(path.relative_to(folder) for path in folder.rglob("*.blm")))
