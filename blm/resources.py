"""Finds the encodings, grammars and lexicons that ship with blm.

In a checkout they lie beside the package (`asp/`, `grammars/`); a wheel carries them
inside it (`blm/asp/`, `blm/grammars/`).
"""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def shipped(folder: str) -> Path:
    """The shipped folder of this name, `asp` or `grammars`; FileNotFoundError if there is none."""
    for root in (PACKAGE, PACKAGE.parent):
        if (root / folder).is_dir():
            return root / folder
    raise FileNotFoundError(f"blm is installed without its folder {folder!r}")


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
