"""A cache of sentence vectors on disk: each distinct sentence is encoded once.

One folder for an encoder and its revision, with shards `*.npz` of the digests of the texts and
their vectors.  A shard appears whole or not at all, and its name is that of its content, so that
an interrupted run loses one shard at most and two runs at once do no harm.
"""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from blm.encode.encoder import Encoder, FloatArray
from blm.whole import whole

Progress = Callable[[int, int], None]


def distinct(texts: Iterable[str]) -> list[str]:
    """The texts without repetition, in order of first occurrence."""
    return list(dict.fromkeys(texts))


class VectorStore:
    """The vectors of an encoder, kept in `folder`; with None they are kept in memory only."""

    def __init__(self, folder: Path | None, encoder: Encoder, *, shard: int = 1024) -> None:
        self.encoder = encoder
        self.shard = shard
        self.encoded = 0
        """Sentences that had to be encoded, so far."""
        self._rows: dict[bytes, FloatArray] = {}
        self._folder = None if folder is None else folder / store_name(encoder)
        if self._folder is not None:
            self._open(self._folder)

    @property
    def width(self) -> int:
        """The width of a vector."""
        return self.encoder.width

    def vectors(
        self, texts: Sequence[str], *, progress: Progress = lambda _done, _total: None
    ) -> FloatArray:
        """The vectors of the texts: (texts, width) float32. Encodes what is not stored."""
        keys = [_digest(text) for text in texts]
        missing = {
            key: text for key, text in zip(keys, texts, strict=True) if key not in self._rows
        }
        # Like lengths together: the padding of a batch is work for nothing.
        todo = sorted(missing.items(), key=lambda entry: (len(entry[1]), entry[1]))
        for start in range(0, len(todo), self.shard):
            part = todo[start : start + self.shard]
            vectors = self.encoder.encode([text for _, text in part])
            self._add([key for key, _ in part], vectors)
            self.encoded += len(part)
            progress(min(start + self.shard, len(todo)), len(todo))
        if not keys:
            return np.zeros((0, self.width), dtype=np.float32)
        return np.stack([self._rows[key] for key in keys])

    # --- files ------------------------------------------------------

    def _open(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        about = {"encoder": self.encoder.name, "revision": self.encoder.revision}
        with whole(folder / "encoder.json") as part:
            part.write_text(json.dumps(about | {"width": self.width}), encoding="utf-8")
        for path in sorted(folder.glob("*.npz")):
            try:
                with path.open("rb") as file, np.load(file, allow_pickle=False) as shard:
                    keys, vectors = shard["keys"], shard["vectors"]
            except (OSError, ValueError, KeyError, zipfile.BadZipFile):
                path.unlink(missing_ok=True)  # a copy that was cut off: encode it again
                continue
            for key, vector in zip(keys, vectors, strict=True):
                self._rows[key.tobytes()] = vector

    def _add(self, keys: Sequence[bytes], vectors: FloatArray) -> None:
        if vectors.shape != (len(keys), self.width):
            raise ValueError(f"{self.encoder.name} gave {vectors.shape} for {len(keys)} sentences")
        self._rows.update(zip(keys, vectors, strict=True))
        if self._folder is None:
            return
        name = hashlib.sha256(b"".join(keys)).hexdigest()[:24]
        digests = np.frombuffer(b"".join(keys), dtype=np.uint8).reshape(len(keys), -1)
        with whole(self._folder / f"{name}.npz") as part, part.open("wb") as file:
            np.savez(file, keys=digests, vectors=vectors.astype(np.float32, copy=False))


def store_name(encoder: Encoder) -> str:
    """The name of the folder of an encoder: readable, and its own for each revision."""
    slug = re.sub(r"[^A-Za-z0-9.]+", "-", Path(encoder.name).name or "encoder")
    digest = hashlib.sha256(f"{encoder.name}\n{encoder.revision}".encode()).hexdigest()[:12]
    return f"{slug}-{digest}"


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8")).digest()
