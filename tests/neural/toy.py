"""Problems and an encoder for tests: agreement in words that no model knows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from blm.encode import Example
from blm.encode.data import example_of
from blm.encode.encoder import FloatArray

WIDTH = 32
_RULES = {"AE": ("agree", "external"), "WN": ("first", "internal"), "WNA": ("length", "relational")}


def records(number: int, *, seed: int = 0, language: str = "xx", type_: str = "I") -> list[Any]:
    """Problems whose items alternate in the subject's and, every two, in the attractor's number."""
    random = Random(seed)
    return [_record(k, random, language, type_) for k in range(number)]


def examples(number: int, *, seed: int = 0) -> list[Example]:
    return [example_of(record) for record in records(number, seed=seed)]


def write(folder: Path, found: Sequence[Any]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(record) + "\n" for record in found)
    (folder / "problems.jsonl").write_text(text, encoding="utf-8")
    return folder


def _record(number: int, random: Random, language: str, type_: str) -> Any:
    words = [f"{slot}{random.randrange(20)}" for slot in ("noun", "other", "verb")]
    start, first = random.randrange(2), random.randrange(2)

    def say(place: int, *, verb: int = 0, other: int = 0, extra: str = "") -> str:
        subject, attractor = (place + start) % 2, (place // 2 + first) % 2
        marks = ["sg", "pl"]
        return (
            f"{words[0]} {marks[subject]} {words[1]} {marks[(attractor + other) % 2]}{extra} "
            f"{words[2]} {marks[(subject + verb) % 2]}"
        )

    candidates = [
        {"text": say(7), "label": "correct", "correct": True, "broken": []},
        _wrong("AE", say(7, verb=1)),
        _wrong("WN", say(7, other=1)),
    ]
    if number % 3:
        candidates.append(_wrong("WNA", say(7, extra=" more")))
    random.shuffle(candidates)
    return {
        "id": f"{language}-{type_}-{number}",
        "phenomenon": "toy",
        "language": language,
        "type": type_,
        "clause": "main",
        "matrix": f"m{1 + 2 * start + first}",
        "seeds": [words[0]],
        "context": [{"text": say(place), "item": {}} for place in range(7)],
        "candidates": candidates,
        "answer": next(k for k, c in enumerate(candidates) if c["label"] == "correct"),
    }


def _wrong(label: str, text: str) -> Any:
    rule, family = _RULES[label]
    return {"text": text, "label": label, "correct": False} | {
        "broken": [{"rule": rule, "family": family}]
    }


class ToyEncoder:
    """A sentence as the sum of fixed random vectors of its words at their places."""

    name = "toy"
    revision = "1"
    width = WIDTH

    def __init__(self) -> None:
        self.seen: list[str] = []

    def encode(self, texts: Sequence[str]) -> FloatArray:
        self.seen += texts
        return np.array([self._vector(text) for text in texts], dtype=np.float32)

    def _vector(self, text: str) -> FloatArray:
        total = np.zeros(WIDTH)
        for place, word in enumerate(text.split()):
            seed = int.from_bytes(hashlib.sha256(f"{place} {word}".encode()).digest()[:4], "big")
            total += np.random.default_rng(seed).normal(size=WIDTH)
        return total.astype(np.float32)


def write_gpt(folder: Path) -> Path:
    """An untrained GPT-2 of few weights, with the words of the toy problems."""
    import torch
    import transformers

    from blm.encode.data import sentences
    from blm.encode.tokenizer import build_tokenizer

    tokenizer = build_tokenizer(list(sentences(examples(30))), 500, longest=300)
    torch.manual_seed(0)
    config = transformers.GPT2Config(
        vocab_size=len(tokenizer),
        n_embd=16,
        n_layer=1,
        n_head=2,
        n_positions=300,
        bos_token_id=None,
        eos_token_id=None,
    )
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
