"""A finished data set at a glance: what the files beside the problems are made from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from blm.dataset.plan import Shard
from blm.dataset.tally import Tally
from blm.problem import Json

LICENSE = "cc-by-4.0"
"""The licence of generated data."""

LICENSE_TITLE = "Creative Commons Attribution 4.0 International"
LICENSE_URL = "https://creativecommons.org/licenses/by/4.0/"


@dataclass(frozen=True)
class DataFile:
    """A file of problems: its name in the folder, the format and the split, and its checksum."""

    name: str
    format: str
    split: str
    sha256: str
    bytes: int


@dataclass(frozen=True)
class Part:
    """A split: its counts, and the answers left out, by reason."""

    tally: Tally = field(default_factory=Tally)
    refused: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Summary:
    """All splits with their counts, and all files of problems, in the order of the shards."""

    parts: Mapping[str, Part]
    files: tuple[DataFile, ...]

    @property
    def whole(self) -> Part:
        """All splits together."""
        whole = Part()
        for part in self.parts.values():
            whole.tally.update(part.tally)
            whole.refused.update(part.refused)
        return whole

    def of_format(self, name: str) -> dict[str, list[DataFile]]:
        """The files of a format, by split; nothing if the data set has none."""
        found: dict[str, list[DataFile]] = {}
        for file in self.files:
            if file.format == name:
                found.setdefault(file.split, []).append(file)
        return found

    def loadable(self, name: str) -> dict[str, list[str]]:
        """The names of the files of a format, for the splits that have problems.

        Hugging Face `datasets` (5.2) fails for a whole data set where one split is empty.
        """
        found = self.of_format(name)
        return {s: [f.name for f in found[s]] for s in found if self.parts[s].tally.problems}

    def first_format(self, *names: str) -> str | None:
        """The first of these formats that the data set has."""
        return next((name for name in names if self.of_format(name)), None)


def summarise(notes: Iterable[tuple[Shard, Json]]) -> Summary:
    """Gather the notes of all shards; they come in the order of the shards."""
    parts: dict[str, Part] = {}
    files: list[DataFile] = []
    for shard, note in notes:
        part = parts.setdefault(shard.split, Part())
        part.tally.update(Tally.from_json(note["counts"]))
        part.refused.update(note["refused"])
        files += [DataFile(name, **told) for name, told in note["files"].items()]
    return Summary(parts, tuple(files))
