"""Encoders in Hugging Face format: hub models, packaged ones and those `train_encoder` makes."""

from __future__ import annotations

import hashlib
import json
import os
import re
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import torch

from blm.encode.encoder import FloatArray, MissingModel, Pooling
from blm.train.device import pick_device

_FAILURES = (OSError, ValueError, RuntimeError)
"""What transformers raises where it finds no model, or none that it can load."""

_NEEDED = {
    "config.json": r"config\.json",
    "weights": r".*\.safetensors|pytorch_model.*\.bin",
    "tokenizer": r".*(token|vocab|merges).*|.*\.(model|spm|tiktoken)",
}
"""The files without which a folder is no model."""


class HuggingFaceEncoder:
    """A transformer whose last layer is pooled: `cls`, the first token, or `mean`, all of them."""

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        *,
        name: str,
        revision: str,
        pooling: str = "cls",
        normalise: bool = False,
        device: str = "auto",
        batch: int = 64,
    ) -> None:
        self.device = pick_device(device)
        self._model = model.to(self.device).eval()
        self._tokenizer = tokenizer
        self._mean = pooling == "mean"
        self._normalise = normalise
        self._batch = batch
        self.name = name
        self.revision = revision
        self.width = int(model.config.hidden_size)

    @classmethod
    def load(
        cls, name: str, *, pooling: Pooling = "own", device: str = "auto", batch: int = 64
    ) -> HuggingFaceEncoder:
        """A model from a folder, the local cache or the hub. MissingModel if there is none."""
        model, tokenizer = load_model(name, "AutoModel")
        folder = Path(name)
        own, normalise = _own_pooling(folder)
        chosen = own if pooling == "own" else pooling
        short = folder.resolve().name if folder.is_dir() else name
        return cls(
            model,
            tokenizer,
            name=short if chosen == "cls" else f"{short}:{chosen}",
            revision=_checksum(folder) if folder.is_dir() else _commit(model),
            pooling=chosen,
            normalise=normalise and pooling == "own",
            device=device,
            batch=batch,
        )

    @classmethod
    def packaged(
        cls, name: str, *, pooling: Pooling = "own", device: str = "auto", batch: int = 64
    ) -> HuggingFaceEncoder:
        """The model that a package ships; its path plays no part in its name."""
        folder = import_module(name.replace("-", "_")).get_model_path()
        encoder = cls.load(str(folder), pooling=pooling, device=device, batch=batch)
        encoder.name = name if pooling == "own" else f"{name}:{pooling}"
        encoder.revision = version(name)
        return encoder

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """The vectors of texts: (texts, width) float32, in batches of like length."""
        out = np.zeros((len(texts), self.width), dtype=np.float32)
        if not texts:
            return out
        tokens = self._tokenizer(list(texts), truncation=True, max_length=self._longest)[
            "input_ids"
        ]
        order = sorted(range(len(texts)), key=lambda k: len(tokens[k]))
        for start in range(0, len(order), self._batch):
            rows = order[start : start + self._batch]
            out[rows] = self._pooled([tokens[k] for k in rows])
        return out

    @property
    def _longest(self) -> int:
        positions = getattr(self._model.config, "max_position_embeddings", 512)
        return int(min(self._tokenizer.model_max_length, positions))

    @torch.inference_mode()
    def _pooled(self, tokens: Sequence[Sequence[int]]) -> FloatArray:
        """The vectors of sentences given as token numbers: (sentences, width)."""
        batch = self._tokenizer.pad({"input_ids": list(tokens)}, return_tensors="pt")
        batch = {name: value.to(self.device) for name, value in batch.items()}
        states = self._model(**batch).last_hidden_state  # (sentences, tokens, width)
        if self._mean:
            mask = batch["attention_mask"].unsqueeze(-1).to(states.dtype)
            pooled = (states * mask).sum(1) / mask.sum(1)
        else:
            pooled = states[:, 0]
        if self._normalise:
            pooled = torch.nn.functional.normalize(pooled, dim=-1)
        result: FloatArray = pooled.float().cpu().numpy()
        return result


def load_model(name: str, kind: str) -> tuple[Any, Any]:
    """The model of a class of transformers (`AutoModel`, ...) and its tokenizer.

    The local cache is asked first, so that a machine without network does not wait for it.
    MissingModel if there is none.
    """
    import transformers

    local = find_model(name)
    while True:
        try:
            with quiet():
                model = getattr(transformers, kind).from_pretrained(name, local_files_only=local)
                tokenizer = transformers.AutoTokenizer.from_pretrained(name, local_files_only=local)
            return model, tokenizer
        except _FAILURES as error:
            if not local or _is_path(name) or not _hub_answers():
                raise MissingModel({name: _first_line(error)}) from None
        local = False


def find_model(name: str) -> bool:
    """Whether a model is on this machine; else the hub has it. MissingModel if neither.

    Looks for files, and loads no weights.
    """
    if _is_path(name):
        if lacking := _lacking(Path(name)):
            raise MissingModel({name: lacking})
        return True
    with suppress(*_FAILURES):
        if not _lacking(_config_file(name, local=True).parent):
            return True
    if not _hub_answers():
        reason = "it is not in the cache of models, and the hub cannot be reached"
        raise MissingModel({name: reason})
    try:
        _config_file(name, local=False)
    except _FAILURES as error:
        raise MissingModel({name: _first_line(error)}) from None
    return False


def _config_file(name: str, *, local: bool) -> Path:
    """The file with the settings of a model, in the cache; one of `_FAILURES` if there is none."""
    from transformers.utils.hub import cached_file

    with quiet():
        found = cached_file(name, "config.json", local_files_only=local)
    if found is None:
        raise FileNotFoundError("it has no config.json")
    return Path(found)


def _lacking(folder: Path) -> str:
    """Why a folder is no model in Hugging Face format; empty if it is one."""
    if not folder.is_dir():
        return "there is no such folder"
    files = {path.name for path in folder.iterdir() if path.is_file()}
    for what, pattern in _NEEDED.items():
        if not any(re.fullmatch(pattern, name) for name in files):
            return f"the folder has no {what}"
    parts = [_parts(folder / name) for name in files if name.endswith(".index.json")]
    whole = {"model.safetensors", "pytorch_model.bin"} & files or any(p <= files for p in parts)
    return "a part of its weights is missing" if parts and not whole else ""


def _parts(index: Path) -> set[str]:
    """The files that weights are cut into."""
    return set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values())


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n")[0]


def _hub_answers() -> bool:
    """Whether to ask the hub at all: its client retries for half a minute where nothing answers."""
    if any(os.environ.get(name) for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY")):
        return True
    address = urlsplit(os.environ.get("HF_ENDPOINT") or "https://huggingface.co")
    try:
        port = address.port or (443 if address.scheme == "https" else 80)
        socket.create_connection((address.hostname or "", port), timeout=3).close()
    except OSError:
        return False
    return True


def _is_path(name: str) -> bool:
    return Path(name).exists() or name.startswith((".", "/", "~")) or name.count("/") > 1


@contextmanager
def quiet() -> Iterator[None]:
    """Without bars, and without remarks on heads that an encoder has no use for."""
    import transformers

    logging: Any = transformers.utils.logging
    before = logging.get_verbosity()
    bars = logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(before)
        if bars:
            logging.enable_progress_bar()


def _own_pooling(folder: Path) -> tuple[str, bool]:
    """The pooling that a folder asks for, and whether its vectors are normalised."""
    path = folder / "1_Pooling" / "config.json"
    if not path.is_file():
        return "cls", False
    config = json.loads(path.read_text(encoding="utf-8"))
    modules = folder / "modules.json"
    normalise = modules.is_file() and "Normalize" in modules.read_text(encoding="utf-8")
    return ("mean" if config.get("pooling_mode_mean_tokens") else "cls"), normalise


def _checksum(folder: Path) -> str:
    """A revision for a model that has none: the digest of its weights, settings and words."""
    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if path.suffix in (".safetensors", ".bin", ".json", ".txt", ".model"):
            digest.update(path.name.encode())
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:16]


def _commit(model: Any) -> str:
    return str(getattr(model.config, "_commit_hash", None) or "unknown")
