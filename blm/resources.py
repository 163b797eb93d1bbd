"""Finds the encodings, grammars and lexicons that ship with blm.

In a checkout they lie beside the package (`asp/`, `grammars/`); a wheel carries them
inside it (`blm/asp/`, `blm/grammars/`).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from errno import EEXIST
from pathlib import Path
from tempfile import TemporaryDirectory

PACKAGE = Path(__file__).resolve().parent


def shipped(folder: str) -> Path:
    """The shipped folder of this name, `asp` or `grammars`; FileNotFoundError if there is none."""
    for root in (PACKAGE, PACKAGE.parent):
        if (root / folder).is_dir():
            return root / folder
    raise FileNotFoundError(f"blm is installed without its folder {folder!r}")


def cache_folder() -> Path | None:
    """A folder of this user for what can be made again; None where there can be none.

    What lies there is run, so it must be nobody else's: it is `$XDG_CACHE_HOME/blm`, or
    `~/.cache/blm`, if that is the user's own.
    """
    if not hasattr(os, "getuid"):
        return None
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    folder = Path(base) / "blm"
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


def copy_files(files: Iterable[Path], folder: Path) -> list[Path]:
    """Copy files into a new folder, which appears whole or not at all; their new paths.

    FileExistsError where there is such a folder that is not empty; ValueError where the files
    lie in several folders, as they name each other by their places.
    """
    files = list(files)
    if len({file.resolve().parent for file in files}) > 1:
        raise ValueError("its files lie in several folders; copy them by hand, as they are placed")
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise FileExistsError(EEXIST, "there is something in it already; name a new folder", folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as part:
        whole = Path(part) / "whole"
        whole.mkdir()
        names = [shutil.copyfile(file, whole / file.name).name for file in files]
        whole.replace(folder)
    return [folder / name for name in names]
