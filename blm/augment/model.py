"""A masked language model in Hugging Face format: fillers of a mask, scores of sentences."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from blm.augment.options import AugmentError
from blm.augment.saying import Parts
from blm.encode.encoder import MissingModel
from blm.encode.huggingface import load_model
from blm.train.device import pick_device

_HEADS = ("ForMaskedLM", "ForPreTraining", "WithLMHead")
_NO_HUB = (
    "without a hub: blm encoder train makes a masked language model of the sentences of a data\n"
    "  set, in minutes; name its folder in place of the model. It fills masks with the words of\n"
    "  these sentences only"
)


@dataclass(frozen=True, slots=True)
class _Row:
    """Token numbers, and the place that is asked about."""

    tokens: tuple[int, ...]
    place: int


@dataclass(frozen=True, slots=True)
class _Filling:
    """Pieces for the first masks of a context, and the sum of their log-probabilities."""

    context: int
    pieces: tuple[int, ...] = ()
    score: float = 0.0


class MaskedModel:
    """A masked language model with its tokenizer."""

    def __init__(
        self, model: Any, tokenizer: Any, *, name: str, device: str = "auto", batch: int = 32
    ) -> None:
        if tokenizer.mask_token is None:
            raise AugmentError(f"the tokenizer of '{name}' has no mask: take a masked model")
        self.device = pick_device(device)
        self._model = model.to(self.device).eval()
        self._tokenizer = tokenizer
        self._batch = batch
        self.name = name

    @classmethod
    def load(cls, name: str, *, device: str = "auto", batch: int = 32) -> MaskedModel:
        """A model from a folder, the local cache or the hub.

        AugmentError where there is none, or none that was trained to fill masks.
        """
        try:
            model, tokenizer = load_model(name, "AutoModelForMaskedLM")
        except MissingModel as error:
            how = str(error).partition("\nencoders that need no download")[0]
            raise AugmentError(f"{how}\n{_NO_HUB}") from None
        made = getattr(model.config, "architectures", None) or []
        if made and not any(head in one for one in made for head in _HEADS):
            # transformers would fill masks with the random weights of a new layer
            raise AugmentError(
                f"'{name}' is a {made[0]}, which cannot fill masks: take a masked language model"
            )
        return cls(model, tokenizer, name=name, device=device, batch=batch)

    @cached_property
    def digest(self) -> str:
        """A checksum of the weights and the vocabulary: another one proposes other words."""
        digest = hashlib.sha256(repr(sorted(self._tokenizer.get_vocab().items())).encode())
        for key, value in sorted(self._model.state_dict().items()):
            digest.update(key.encode())
            digest.update(value.detach().float().cpu().contiguous().numpy().tobytes())
        return digest.hexdigest()[:16]

    # --- fillers ------------------------------------------------------------------------------

    def fill(self, contexts: Sequence[Parts], *, k: int, masks: int) -> list[tuple[str, ...]]:
        """The best fillers of each context, at most k of one word piece, k of two, and so on.

        Pieces are chosen from left to right, k beginnings being kept.
        """
        found: list[dict[str, None]] = [{} for _ in contexts]
        for size in range(1, masks + 1):
            for filling in self._fillings(contexts, k, size):
                text = self._tokenizer.decode(list(filling.pieces)).strip()
                if text:
                    found[filling.context][text] = None
        return [tuple(texts) for texts in found]

    def _fillings(self, contexts: Sequence[Parts], k: int, size: int) -> list[_Filling]:
        """The k best ways to fill `size` masks in each context, best first."""
        hole = self._tokenizer.mask_token * size
        rows = self._tokens([hole.join(parts) for parts in contexts])
        holes = [_places(row, self._tokenizer.mask_token_id) for row in rows]
        beams = [_Filling(context) for context in range(len(contexts))]
        for step in range(size):
            asked = [
                _Row(_filled(rows[b.context], holes[b.context], b.pieces), holes[b.context][step])
                for b in beams
            ]
            longer: list[list[_Filling]] = [[] for _ in contexts]
            for number, scores, pieces in self._best(asked, k):
                old = beams[number]
                for score, piece in zip(scores, pieces, strict=True):
                    longer[old.context].append(
                        _Filling(old.context, (*old.pieces, piece), old.score + score)
                    )
            beams = [
                one
                for many in longer
                for one in sorted(many, key=lambda f: (-f.score, f.pieces))[:k]
            ]
        return beams

    def _best(self, rows: Sequence[_Row], k: int) -> Iterator[tuple[int, list[float], list[int]]]:
        """For each row its number, and the k best pieces with their scores."""
        special = torch.tensor(self._tokenizer.all_special_ids, device=self.device)

        def top(logs: Tensor, _numbers: Sequence[int]) -> Any:
            logs = logs.index_fill(1, special, -torch.inf)
            best = logs.topk(min(k, logs.shape[1] - len(special)), dim=1)
            return list(zip(best.values.tolist(), best.indices.tolist(), strict=True))

        for number, (scores, pieces) in self._each(rows, top):
            yield number, scores, pieces

    # --- scores -------------------------------------------------------------------------------

    def scores(self, texts: Sequence[str]) -> list[tuple[float, int]]:
        """The pseudo-log-likelihood of each text, in nats, and the number of its tokens.

        Salazar et al. (ACL 2020), section 2: the sum over tokens of the log-probability of each,
        when it alone is masked. Tokens that the tokenizer adds do not count.
        """
        mask = self._tokenizer.mask_token_id
        rows: list[_Row] = []
        asked: list[tuple[int, int]] = []  # (text, true token)
        counts = [0] * len(texts)
        for number, tokens in enumerate(self._tokens(texts)):
            for place in self._ordinary(texts[number]):
                rows.append(_Row((*tokens[:place], mask, *tokens[place + 1 :]), place))
                asked.append((number, tokens[place]))
                counts[number] += 1

        def true(logs: Tensor, numbers: Sequence[int]) -> Any:
            wanted = torch.tensor([asked[k][1] for k in numbers], device=logs.device)
            return logs.gather(1, wanted.unsqueeze(1)).squeeze(1).tolist()

        logs = [0.0] * len(rows)
        for number, log in self._each(rows, true):
            logs[number] = log
        sums = [0.0] * len(texts)
        for (text, _), log in zip(asked, logs, strict=True):
            sums[text] += log
        return list(zip(sums, counts, strict=True))

    def unknown(self, text: str) -> int:
        """The number of tokens for which the model has no piece: its score says nothing then."""
        unknown = self._tokenizer.unk_token_id
        return 0 if unknown is None else self._tokens([text])[0].count(unknown)

    # --- the model ----------------------------------------------------------------------------

    def _tokens(self, texts: Sequence[str]) -> list[tuple[int, ...]]:
        """Token numbers of each text; AugmentError for one that is too long."""
        if not texts:
            return []
        found = [tuple(row) for row in self._tokenizer(list(texts), truncation=False)["input_ids"]]
        for text, row in zip(texts, found, strict=True):
            if len(row) > self._longest:
                raise AugmentError(
                    f"the model reads {self._longest} tokens, a sentence has {len(row)}: "
                    f"limit the window ({text[:60]}...)"
                )
        return found

    @property
    def _longest(self) -> int:
        positions = getattr(self._model.config, "max_position_embeddings", None)
        return int(min(self._tokenizer.model_max_length, positions or 10**9))

    def _ordinary(self, text: str) -> list[int]:
        """The places of the tokens that stand for text."""
        found = self._tokenizer(text, return_special_tokens_mask=True)["special_tokens_mask"]
        return [place for place, special in enumerate(found) if not special]

    def _each(
        self, rows: Sequence[_Row], ask: Callable[[Tensor, Sequence[int]], Any]
    ) -> Iterator[tuple[int, Any]]:
        """What `ask` makes of the log-probabilities (rows, vocabulary) at the places of rows.

        Rows of like length are read together; each result comes with the number of its row.
        """
        order = sorted(range(len(rows)), key=lambda k: len(rows[k].tokens))
        for start in range(0, len(order), self._batch):
            numbers = order[start : start + self._batch]
            with torch.inference_mode():
                found = ask(self._logs([rows[k] for k in numbers]), numbers)
            yield from zip(numbers, found, strict=True)

    def _logs(self, rows: Sequence[_Row]) -> Tensor:
        """The log-probabilities of pieces at the place of each row: (rows, vocabulary)."""
        encoded = {"input_ids": [list(row.tokens) for row in rows]}
        batch = self._tokenizer.pad(encoded, return_tensors="pt")
        batch = {name: value.to(self.device) for name, value in batch.items()}
        logits = self._model(**batch).logits  # (rows, tokens, vocabulary)
        places = torch.tensor([row.place for row in rows], device=self.device)
        chosen = logits[torch.arange(len(rows), device=self.device), places]
        logs: Tensor = chosen.float().log_softmax(-1)
        return logs


def _places(tokens: Sequence[int], token: int) -> list[int]:
    return [place for place, one in enumerate(tokens) if one == token]


def _filled(
    tokens: tuple[int, ...], places: Sequence[int], pieces: Sequence[int]
) -> tuple[int, ...]:
    """The tokens with the first pieces at the first places."""
    found = list(tokens)
    for place, piece in zip(places, pieces, strict=False):
        found[place] = piece
    return tuple(found)
