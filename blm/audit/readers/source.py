"""From a file to its text, or to a message that says why it has none."""

from __future__ import annotations

import json
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from blm.audit.errors import AuditError

LARGEST_FILE = 2_000_000_000
"""Bytes of the largest file that is read into memory."""

_MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16", b"\x00\x00\xfe\xff": "UTF-32"}


def read_bytes(path: Path) -> bytes:
    """The bytes of a regular file. AuditError where it cannot be read."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise AuditError(f"{path}: this is no file")
        if status.st_size > LARGEST_FILE:
            raise AuditError(f"{path}: more than {LARGEST_FILE:,} bytes; audit its parts")
        return path.read_bytes()
    except OSError as error:
        raise AuditError(f"{path}: {error.strerror or error}") from None


def read_text(path: Path) -> str:
    """The text of a UTF-8 file, without a byte order mark. AuditError if it is none."""
    data = read_bytes(path)
    if not data.strip():
        raise AuditError(f"{path}: the file is empty")
    for mark, name in _MARKS.items():
        if data.startswith(mark):
            raise AuditError(f"{path}: this is {name}; save it as UTF-8")
    if (place := data.find(b"\0")) >= 0:
        raise AuditError(f"{path}: byte {place + 1} is NUL: this is no text file")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = data[error.start]
        raise AuditError(
            f"{path}:{line}: byte {byte:#04x} is no UTF-8; save the file as UTF-8"
        ) from None


def parse_json(text: str, place: str) -> Any:
    """A JSON document. AuditError, beginning with `place`, if it is none."""
    with suppress(msgspec.MsgspecError, RecursionError, UnicodeError):
        return msgspec.json.decode(text)  # twice as fast; strict, and says less of a mistake
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise AuditError(f"{place}: this is no JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise AuditError(f"{place}: this JSON is nested too deeply") from None
    except ValueError as error:  # a number of too many digits
        raise AuditError(f"{place}: this JSON cannot be read: {error}") from None
