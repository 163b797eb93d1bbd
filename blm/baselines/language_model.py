"""Causal language models as solvers: the likelihood of each candidate after the context.

The prompt is the context, a sentence a line, so that the model needs no instruction; with shots,
solved problems come first, each followed by an empty line.  A candidate is scored by the sum or
the mean of the log-likelihoods of its tokens, in nats: a sum favours short candidates, a mean
long ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from blm.encode.data import Example
from blm.encode.encoder import FloatArray
from blm.encode.huggingface import load_model
from blm.train.device import pick_device


class LanguageModel:
    """A causal language model in Hugging Face format."""

    def __init__(
        self, model: Any, tokenizer: Any, *, device: str = "auto", batch: int = 16
    ) -> None:
        self.device = pick_device(device)
        self._model = model.to(self.device).eval()
        self._tokenizer = tokenizer
        self._batch = batch

    @classmethod
    def load(cls, name: str, *, device: str = "auto", batch: int = 16) -> LanguageModel:
        """A model from a folder, the local cache or the hub. MissingModel if there is none."""
        model, tokenizer = load_model(name, "AutoModelForCausalLM")
        return cls(model, tokenizer, device=device, batch=batch)

    def scores(
        self,
        examples: Sequence[Example],
        *,
        shots: Sequence[Example] = (),
        mean: bool = False,
        progress: Callable[[int, int], None] = lambda _done, _total: None,
    ) -> FloatArray:
        """The score of each candidate: (problems, candidates), -inf where there is none.

        ValueError where a problem is too long for the model.
        """
        most = max((len(example.choices) for example in examples), default=0)
        found = np.full((len(examples), most), -np.inf, dtype=np.float32)
        for number, example in enumerate(examples):
            start = prompt(example, shots)
            texts = [choice.text for choice in example.choices]
            found[number, : len(texts)] = self.likelihoods(start, texts, mean=mean)
            progress(number + 1, len(examples))
        return found

    def likelihoods(self, start: str, texts: Sequence[str], *, mean: bool = False) -> FloatArray:
        """The log-likelihood of each text after `start`: (texts,), in nats."""
        before = self._tokenizer(start, add_special_tokens=False)["input_ids"]
        first = self._tokenizer.bos_token_id
        prefix = [*([first] if first is not None else []), *before]
        if not prefix:
            raise ValueError("there is nothing before the candidates")
        rows = [self._tokenizer(text, add_special_tokens=False)["input_ids"] for text in texts]
        self._check_length(len(prefix) + max(map(len, rows)))
        found = np.zeros(len(rows), dtype=np.float32)
        order = sorted(range(len(rows)), key=lambda k: len(rows[k]))
        for at in range(0, len(order), self._batch):
            part = order[at : at + self._batch]
            sums = self._sums(prefix, [rows[k] for k in part])
            lengths = np.array([max(len(rows[k]), 1) for k in part])
            found[part] = sums / lengths if mean else sums
        return found

    def _check_length(self, tokens: int) -> None:
        longest = getattr(self._model.config, "max_position_embeddings", None)
        if longest is not None and tokens > longest:
            raise ValueError(
                f"a problem has {tokens} tokens, the model reads {longest}: use fewer shots"
            )

    @torch.inference_mode()
    def _sums(self, prefix: Sequence[int], rows: Sequence[Sequence[int]]) -> FloatArray:
        """The summed log-likelihood of each row of tokens after the prefix: (rows,)."""
        whole = [torch.tensor([*prefix, *row], dtype=torch.long) for row in rows]
        tokens = torch.nn.utils.rnn.pad_sequence(whole, batch_first=True).to(self.device)
        lengths = torch.tensor([len(row) for row in whole], device=self.device)
        places = torch.arange(tokens.shape[1], device=self.device)
        there = places < lengths.unsqueeze(1)  # (rows, tokens)
        logits = self._model(input_ids=tokens, attention_mask=there.long()).logits[:, :-1]
        logs = logits.float().log_softmax(-1).gather(2, tokens[:, 1:].unsqueeze(2)).squeeze(2)
        asked: Tensor = there[:, 1:] & (places[1:] >= len(prefix))
        sums: FloatArray = torch.where(asked, logs, 0.0).sum(1).cpu().numpy()
        return sums


def prompt(example: Example, shots: Sequence[Example] = ()) -> str:
    """What stands before a candidate: solved problems, then the context, a sentence a line.

    Nothing but the order of the sentences says what is asked for.
    """
    solved = ["\n".join((*shot.context, shot.solution)) + "\n\n" for shot in shots]
    return "".join(solved) + "\n".join(example.context) + "\n"
