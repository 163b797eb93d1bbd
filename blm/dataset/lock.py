"""One command at a time in an output folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EROFS, EWOULDBLOCK
from pathlib import Path

LOCK = ".blm.lock"
"""The file that is locked; it is there as long as the folder is held."""


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Hold a folder, which is made if it is not there, against other commands.

    The lock ends with the process, however that ends. A file system without locks holds nothing.
    BlockingIOError where another command holds the folder. A folder that was made for nothing is
    gone at the end.
    """
    made = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        file = _locked(folder / LOCK)
        try:
            yield
        finally:
            if file is not None:
                (folder / LOCK).unlink(missing_ok=True)
                os.close(file)
    finally:
        with suppress(OSError):  # something was written there
            for path in made:
                path.rmdir()


def _locked(path: Path) -> int | None:
    """A file that this process alone has locked; None where nobody can write beside it."""
    while True:
        try:
            file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
        except OSError as error:
            if error.errno in (EACCES, EROFS):
                return None
            raise
        try:
            _lock(file, path.parent)
            if _is_at(file, path):
                return file
        except BaseException:
            os.close(file)
            raise
        os.close(file)  # whoever held it has just removed it


def _lock(file: int, folder: Path) -> None:
    if sys.platform == "win32":
        return
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        told = "another command is writing there; wait until it ends"
        raise BlockingIOError(EWOULDBLOCK, told, str(folder)) from None
    except OSError:  # the file system has no locks
        return


def _is_at(file: int, path: Path) -> bool:
    """Whether a file is still the one of that name."""
    try:
        return os.path.samestat(os.fstat(file), os.stat(path, follow_symlinks=False))
    except FileNotFoundError:
        return False
