"""Where to compute."""

from __future__ import annotations

import torch


def pick_device(name: str = "auto") -> torch.device:
    """The device of a name; `auto` is CUDA, else MPS, else CPU. ValueError if it is not there."""
    found = {
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
        "cpu": True,
    }
    if name == "auto":
        return torch.device(next(kind for kind, there in found.items() if there))
    kind = name.split(":")[0]
    if not found.get(kind):
        there = ", ".join(kind for kind, is_there in found.items() if is_there)
        raise ValueError(f"there is no device {name!r} here; use auto or one of: {there}")
    return torch.device(name)
