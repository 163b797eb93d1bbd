"""The compiled reader of models: built on demand, with the user's C compiler.

It does what `blm.solve.marks.Reader` does, some ten times faster.  Where there is no compiler,
or where this clingo lets no C in, there is none, and nothing else changes.
"""

from __future__ import annotations

import ctypes
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from blm.layout import Codes
from blm.resources import cache_folder
from blm.solve.marks import Mark
from blm.whole import whole

SWITCH = "BLM_READER"
"""Set this variable of the environment to `python` to do without the compiled reader."""

_SOURCE = Path(__file__).with_name("reader.c")


class Structure(ctypes.Structure):
    """`blm_reader_t` of reader.c."""

    _fields_ = (
        *((name, ctypes.c_size_t) for name in ("width", "marks", "most", "count", "capacity")),
        *((name, ctypes.c_void_p) for name in ("literal", "column", "code", "rows", "is_true")),
    )


class CompiledReader:
    """Collects a row of codes for each model of one part, shape (count, columns of the part).

    `callback` and `data` are addresses to give to clingo: of a C function and its argument.
    It stops the search after `most` + 1 rows. `is_true` is the address of
    `clingo_model_is_true`.
    """

    def __init__(self, library: ctypes.CDLL, part: Sequence[Mark], most: int, is_true: int) -> None:
        places = {column: k for k, column in enumerate(sorted({m.column for m in part}))}
        marks = sorted(part, key=lambda m: (m.column, m.code))
        self._library = library
        self._width = len(places)
        self._arrays = (
            np.array([m.literal for m in marks], dtype=np.int32),
            np.array([places[m.column] for m in marks], dtype=np.int32),
            np.array([m.code for m in marks], dtype=np.int16),
        )
        pointers = [array.ctypes.data for array in self._arrays]
        self._structure = Structure(len(places), len(marks), most, 0, 0, *pointers, None, is_true)
        self.callback = ctypes.cast(library.blm_read, ctypes.c_void_p).value
        self.data = ctypes.addressof(self._structure)

    @property
    def count(self) -> int:
        """The rows so far."""
        return int(self._structure.count)

    def take(self) -> Codes:
        """The rows, once the search is over; a second time there are none."""
        count = self.count
        rows: Codes = np.empty((count, self._width), dtype=np.int16)
        if count:
            ctypes.memmove(rows.ctypes.data, self._structure.rows, rows.nbytes)
        self._library.blm_free(ctypes.byref(self._structure))
        self._structure.count = self._structure.capacity = 0
        return rows


def ready() -> ctypes.CDLL | None:
    """The compiled code, if it was built before; None if it was not, or must not be used."""
    if os.environ.get(SWITCH) == "python":
        return None
    path = _place()
    known: ctypes.CDLL | None = _load(path) if path is not None and _is_whole(path) else None
    return known


@cache
def build() -> ctypes.CDLL | None:
    """The compiled code, built now if need be; None where it cannot be had."""
    if os.environ.get(SWITCH) == "python":
        return None
    compiler = _compiler()
    if (known := ready()) is not None or compiler is None:
        return known
    path = _place() or Path(tempfile.mkdtemp(prefix="blm-")) / "reader.so"
    try:
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            made = Path(folder) / path.name
            command = [*compiler, "-O2", "-shared", "-fPIC", str(_SOURCE), "-o", str(made)]
            subprocess.run(command, check=True, capture_output=True, timeout=60)
            made.replace(path)
        with whole(_seal(path)) as part:
            part.write_text(_digest(path), encoding="ascii")
    except (OSError, subprocess.SubprocessError):
        return None
    made_now: ctypes.CDLL | None = _load(path)
    return made_now


def _is_whole(path: Path) -> bool:
    """Whether compiled code is what the compiler made: a damaged library may end the process."""
    try:
        return _seal(path).read_text(encoding="ascii") == _digest(path)
    except (OSError, ValueError):
        return False


def _seal(path: Path) -> Path:
    return path.with_suffix(".sha256")


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def _compiler() -> list[str] | None:
    try:
        named = shlex.split(os.environ.get("CC", ""))
    except ValueError:  # a quotation mark is not closed
        named = []
    for command in (named, ["cc"], ["gcc"], ["clang"]):
        if command and shutil.which(command[0]):
            return command
    return None


def _place() -> Path | None:
    """Where the compiled code is kept for this user; None if nowhere.

    Another version of the source, of the machine or of the system has another name.
    """
    folder = cache_folder()
    if folder is None:
        return None
    told = repr((_SOURCE.read_bytes(), *os.uname()[::4]))
    return folder / f"reader-{sha256(told.encode()).hexdigest()[:16]}.so"


@cache
def _load(path: Path) -> Any:
    try:
        library = ctypes.CDLL(str(path))
        library.blm_free.argtypes = [ctypes.POINTER(Structure)]
        library.blm_free.restype = None
        return library if library.blm_read else None
    except (OSError, AttributeError):
        return None
