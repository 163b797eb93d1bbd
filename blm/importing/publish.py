"""Puts files into a folder, whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path


class ImportRefusedError(ValueError):
    """Nothing was written; the message says why."""


def publish(
    files: Mapping[str, str], target: Path, *, force: bool, check: Callable[[Path], None]
) -> tuple[Path, ...]:
    """Write files into the folder `target`, and give their paths.

    They are written beside it first, and moved when `check` of that folder raises nothing.  In
    a folder that is there each file is replaced at once, the last one last.  Raises
    ImportRefusedError where a file of another content is there and `force` is not given.
    """
    _refuse(files, target, force=force)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".import.", dir=target.parent) as held:
        part = Path(held) / "part"
        part.mkdir()
        for name, text in files.items():
            (part / name).write_text(text, encoding="utf-8", newline="")
        check(part)
        if not target.exists():
            os.rename(part, target)
        else:
            for name in files:
                os.replace(part / name, target / name)
    return tuple(target / name for name in files)


def _refuse(files: Mapping[str, str], target: Path, *, force: bool) -> None:
    if target.exists() and not target.is_dir():
        raise ImportRefusedError(f"{target} is there and is no folder; name another")
    for name, text in files.items():
        path = target / name
        if path.is_dir():
            raise ImportRefusedError(f"{path} is a folder")
        if path.exists() and not force and path.read_bytes() != text.encode():
            raise ImportRefusedError(f"{path} is there; use --force to replace it")
