"""A small BERT of one's own: masked language modelling on given sentences, in minutes on two cores.

What `train_encoder` writes is a folder in Hugging Face format: `load_encoder(folder)` reads it like
any other model, `transformers.pipeline("fill-mask", folder)` fills masks with it, and
sentence-transformers reads it too.  Masking follows Devlin et al. (2019): 15 % of the tokens, of
which 80 % become [MASK], 10 % another token, 10 % stay.
"""

from __future__ import annotations

import json
import math
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from blm.encode.huggingface import quiet
from blm.encode.mlm_config import EncoderConfig
from blm.encode.store import distinct
from blm.encode.tokenizer import SPECIAL, build_tokenizer
from blm.train.device import pick_device

__all__ = ["EncoderConfig", "EncoderReport", "mask_tokens", "train_encoder"]

_IGNORED = -100


@dataclass(frozen=True, slots=True)
class EncoderReport:
    """What training gave, on sentences held out: loss in nats and accuracy per masked token."""

    sentences: int
    tokens: int
    """Size of the vocabulary."""
    parameters: int
    loss: float
    accuracy: float
    course: tuple[tuple[int, float], ...] = field(default=())
    """(step, mean training loss since the last entry)"""


def train_encoder(
    sentences: Sequence[str],
    folder: Path,
    config: EncoderConfig | None = None,
    *,
    force: bool = False,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> EncoderReport:
    """Train on the distinct sentences and write a model to `folder`, whole or not at all.

    ValueError where there are too few sentences or training diverges; FileExistsError where the
    folder is not empty and `force` is not set, or holds something that is no model.
    """
    config = config or EncoderConfig()
    texts = distinct(text for text in sentences if text.strip())
    if len(texts) < 10:
        raise ValueError(f"{len(texts)} distinct sentences are too few to learn from")
    if folder.exists() and any(folder.iterdir()):
        if not (folder / "config.json").is_file():
            raise FileExistsError(f"{folder} holds something that is no model; name a new folder")
        if not force:
            raise FileExistsError(f"{folder} is not empty; use --force to replace it")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(config.seed)
        tokenizer = build_tokenizer(
            texts, config.vocabulary, kind=config.tokenizer, longest=config.longest
        )
        model = _model(len(tokenizer), config).to(pick_device(config.device))
        rows = _tokens(tokenizer, texts)
        course, test = _train(model, rows, config, progress)
        loss, accuracy = _evaluate(model, test, config)
    if not math.isfinite(loss):
        raise ValueError(f"training diverged, as its rate of {config.rate:g} is too high")
    report = EncoderReport(
        sentences=len(texts),
        tokens=len(tokenizer),
        parameters=sum(p.numel() for p in model.parameters()),
        loss=loss,
        accuracy=accuracy,
        course=tuple(course),
    )
    _write(folder, model, tokenizer, config, report)
    return report


def _model(tokens: int, config: EncoderConfig) -> Any:
    from transformers import BertConfig, BertForMaskedLM

    return BertForMaskedLM(
        BertConfig(
            vocab_size=tokens,
            hidden_size=config.hidden,
            num_hidden_layers=config.layers,
            num_attention_heads=config.heads,
            intermediate_size=4 * config.hidden,
            max_position_embeddings=config.longest,
            pad_token_id=0,
        )
    )


def _tokens(tokenizer: Any, texts: Sequence[str]) -> list[Tensor]:
    """Token numbers, one tensor (tokens,) a sentence."""
    found = tokenizer(list(texts), truncation=True)["input_ids"]
    return [torch.tensor(row, dtype=torch.long) for row in found]


# --- training --------------------------------------------------------------------------------


def _train(
    model: Any,
    rows: Sequence[Tensor],
    config: EncoderConfig,
    progress: Callable[[int, int], None],
) -> tuple[list[tuple[int, float]], list[Tensor]]:
    """Train; returns the course of the loss and the sentences held out."""
    order = torch.randperm(len(rows)).tolist()
    held_out = max(1, round(config.held_out * len(rows)))
    test = [rows[k] for k in order[:held_out]]
    train = [rows[k] for k in order[held_out:]]
    optimiser = torch.optim.AdamW(model.parameters(), lr=config.rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, config.rate, total_steps=config.steps, pct_start=0.1, anneal_strategy="linear"
    )
    model.train()
    course: list[tuple[int, float]] = []
    total, every = 0.0, max(1, config.steps // 20)
    for step, batch in zip(range(1, config.steps + 1), _batches(train, config.batch), strict=False):
        loss = _loss(model, batch, config)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        total += float(loss.detach())
        if step % every == 0:
            course.append((step, total / every))
            total = 0.0
        progress(step, config.steps)
    return course, test


def _batches(rows: Sequence[Tensor], size: int) -> Iterator[list[Tensor]]:
    """Endless batches of like length, in a new order each time round."""
    while True:
        noise = torch.rand(len(rows)).tolist()
        order = sorted(range(len(rows)), key=lambda k: len(rows[k]) + 2 * noise[k])
        batches = [order[start : start + size] for start in range(0, len(order), size)]
        for k in torch.randperm(len(batches)).tolist():
            yield [rows[row] for row in batches[k]]


def _loss(model: Any, batch: Sequence[Tensor], config: EncoderConfig) -> Tensor:
    """The mean loss per masked token: ()."""
    logits, labels = _predict(model, batch, config)
    return functional.cross_entropy(logits, labels)


def _predict(model: Any, batch: Sequence[Tensor], config: EncoderConfig) -> tuple[Tensor, Tensor]:
    """Mask a batch; logits (masked, vocabulary) and true tokens (masked,) of the masked places."""
    device = model.device
    tokens = torch.nn.utils.rnn.pad_sequence(list(batch), batch_first=True).to(device)
    seen, labels = mask_tokens(tokens, model.config.vocab_size, config.masked)
    states = model.bert(input_ids=seen, attention_mask=(tokens != 0).long()).last_hidden_state
    chosen = labels != _IGNORED
    return model.cls(states[chosen]), labels[chosen]


def mask_tokens(tokens: Tensor, vocabulary: int, share: float) -> tuple[Tensor, Tensor]:
    """Masked input and labels (-100 where nothing is asked): (batch, tokens) each.

    At least one token of each sentence is masked.
    """
    ordinary = tokens >= len(SPECIAL)
    noise = torch.rand(tokens.shape, device=tokens.device).masked_fill(~ordinary, 2.0)
    chosen = (noise < share) | (noise == noise.min(1, keepdim=True).values) & ordinary
    labels = tokens.masked_fill(~chosen, _IGNORED)
    fate = torch.rand(tokens.shape, device=tokens.device)
    others = torch.randint(len(SPECIAL), vocabulary, tokens.shape, device=tokens.device)
    seen = torch.where(chosen & (fate < 0.8), SPECIAL.index("[MASK]"), tokens)
    return torch.where(chosen & (fate >= 0.9), others, seen), labels


@torch.inference_mode()
def _evaluate(model: Any, rows: Sequence[Tensor], config: EncoderConfig) -> tuple[float, float]:
    """Loss and accuracy per masked token."""
    model.eval()
    loss = hits = count = 0.0
    for start in range(0, len(rows), config.batch):
        logits, labels = _predict(model, rows[start : start + config.batch], config)
        loss += float(functional.cross_entropy(logits, labels, reduction="sum"))
        hits += float((logits.argmax(1) == labels).sum())
        count += len(labels)
    return loss / max(count, 1), hits / max(count, 1)


# --- files -----------------------------------------------------------------------------------


def _write(
    folder: Path, model: Any, tokenizer: Any, config: EncoderConfig, report: EncoderReport
) -> None:
    """The model in Hugging Face format, with the pooling that sentence-transformers reads."""
    part = folder.with_name(f".{folder.name}.{os.getpid()}.part")
    try:
        with quiet():
            model.cpu().save_pretrained(part)
            tokenizer.save_pretrained(part)
        pooling = {
            "word_embedding_dimension": config.hidden,
            "pooling_mode_cls_token": config.pooling == "cls",
            "pooling_mode_mean_tokens": config.pooling == "mean",
        }
        modules = [
            {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
            {
                "idx": 1,
                "name": "1",
                "path": "1_Pooling",
                "type": "sentence_transformers.models.Pooling",
            },
        ]
        (part / "1_Pooling").mkdir()
        _dump(part / "1_Pooling" / "config.json", pooling)
        _dump(part / "modules.json", modules)
        _dump(part / "blm.json", {"config": asdict(config), "report": asdict(report)})
        if folder.exists():
            shutil.rmtree(folder)
        os.replace(part, folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _dump(path: Path, document: Any) -> None:
    path.write_text(json.dumps(document, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
