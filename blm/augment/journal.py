"""The journal of a run: what was found for each seed, so that an interrupted run goes on."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from blm.whole import whole


class Journal:
    """A file beside the output, a line of JSON for each seed; the first line is the task.

    A journal of another task, or one that cannot be read, is begun anew: it holds nothing that
    cannot be computed again. A last line that was cut off does not count.
    """

    def __init__(self, output: Path, task: Mapping[str, Any]) -> None:
        self.path = output.with_name(f".{output.name}.journal")
        self._task = json.loads(json.dumps(task))
        self.found: dict[str, dict[str, Any]] = {}
        lines = self._sound()
        if lines and lines[0] == self._task:
            self.found = {line["seed"]: line for line in lines[1:]}
        self._write([self._task, *self.found.values()])

    def add(self, entry: Mapping[str, Any]) -> None:
        """Keep what was found for a seed; it is on the disk when this returns."""
        self.found[entry["seed"]] = dict(entry)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(_line(entry))
            file.flush()
            os.fsync(file.fileno())

    def close(self) -> None:
        """Remove the journal: the output is complete."""
        self.path.unlink(missing_ok=True)

    def _sound(self) -> list[Any]:
        """The lines up to the first that is none."""
        try:
            text = self.path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return []
        found: list[Any] = []
        for line in text.splitlines(keepends=True):
            try:
                entry = json.loads(line) if line.endswith("\n") else None
            except json.JSONDecodeError:
                break
            if not isinstance(entry, dict) or (found and "seed" not in entry):
                break
            found.append(entry)
        return found

    def _write(self, entries: list[Any]) -> None:
        with whole(self.path) as part:
            part.write_text("".join(map(_line, entries)), encoding="utf-8")


def _line(entry: Any) -> str:
    return json.dumps(entry, ensure_ascii=False) + "\n"
