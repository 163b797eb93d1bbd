"""Files and folders that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path


class OccupiedError(ValueError):
    """Something else is there, and nothing was written; the text says what to do."""


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A path to write to: it becomes `path` when all went well, and is gone when it did not.

    Its name is drawn, so that two who write the same file do not meet.
    """
    part = path.with_name(f".{path.name}.{secrets.token_hex(8)}.part")
    try:
        yield part
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def publish(
    files: Mapping[str, bytes],
    target: Path,
    *,
    force: bool = False,
    check: Callable[[Path], None] = lambda _folder: None,
) -> tuple[Path, ...]:
    """Write files into the folder `target`, by their paths in it, and give their paths.

    They are written beside it first, and moved when `check` of that folder raises nothing. In a
    folder that is there each file is replaced at once, the last one last. Raises OccupiedError
    where a file of another content is there and `force` is not given.
    """
    _refuse(files, target, force=force)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as held:
        part = Path(held) / "part"
        for name, data in files.items():
            (part / name).parent.mkdir(parents=True, exist_ok=True)
            (part / name).write_bytes(data)
        check(part)
        if not target.exists():
            os.rename(part, target)
        else:
            for name in files:
                (target / name).parent.mkdir(parents=True, exist_ok=True)
                os.replace(part / name, target / name)
    return tuple(target / name for name in files)


def _refuse(files: Mapping[str, bytes], target: Path, *, force: bool) -> None:
    if target.exists() and not target.is_dir():
        raise OccupiedError(f"{target} is there and is no folder; name another")
    for name, data in files.items():
        path = target / name
        if path.is_dir():
            raise OccupiedError(f"{path} is a folder")
        if path.exists() and not force and path.read_bytes() != data:
            raise OccupiedError(f"{path} is there; name a new folder, or use --force to replace it")
