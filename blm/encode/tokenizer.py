"""A tokenizer of one's own: pieces of words, or whole words, in Hugging Face format.

The vocabulary is learned here, because the trainers of `tokenizers` break ties by the order of a
hash table, so that two runs give two vocabularies; here equal sentences give equal ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, Literal

Kind = Literal["wordpiece", "word"]
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_INSIDE = "##"
"""What stands before a piece that does not begin a word."""


def build_tokenizer(
    texts: Sequence[str], size: int, *, kind: Kind = "wordpiece", longest: int = 64
) -> Any:
    """A tokenizer of at most about `size` tokens that keeps case and accents.

    `longest` is the longest sentence in tokens. The special tokens are those of BERT.
    """
    import transformers
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    cut, norm = pre_tokenizers.BertPreTokenizer(), normalizers.NFC()
    words = Counter(
        word for text in texts for word, _ in cut.pre_tokenize_str(norm.normalize_str(text))
    )
    room = size - len(SPECIAL)
    learned = pieces(words, room) if kind == "wordpiece" else _frequent(words, room)
    vocabulary = {token: number for number, token in enumerate((*SPECIAL, *learned))}
    model: Any = models.WordPiece if kind == "wordpiece" else models.WordLevel
    tokenizer = Tokenizer(model(vocab=vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = norm
    tokenizer.pre_tokenizer = cut
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B [SEP]",
        special_tokens=[(name, SPECIAL.index(name)) for name in ("[CLS]", "[SEP]")],
    )
    fast: Any = transformers.PreTrainedTokenizerFast
    return fast(
        tokenizer_object=tokenizer,
        model_max_length=longest,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    )


def pieces(words: Counter[str], size: int) -> list[str]:
    """Pieces of words: the letters, then merges of the most frequent pair, first by the alphabet.

    >>> pieces(Counter({"lows": 2, "low": 3, "slow": 1}), 9)
    ['##l', '##o', '##s', '##w', 'l', 's', '##ow', 'low', 'lows']
    """
    spelled = {word: [word[0], *(_INSIDE + letter for letter in word[1:])] for word in words}
    learned = sorted({symbol for symbols in spelled.values() for symbol in symbols})
    counts: Counter[tuple[str, str]] = Counter()
    where: dict[tuple[str, str], set[str]] = {}
    for word, symbols in spelled.items():
        for pair in _pairs(symbols):
            counts[pair] += words[word]
            where.setdefault(pair, set()).add(word)
    while len(learned) < size and counts:
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        merged = best[0] + best[1].removeprefix(_INSIDE)
        learned.append(merged)
        for word in where.pop(best):
            for pair in _pairs(spelled[word]):
                counts[pair] -= words[word]
            spelled[word] = _merge(spelled[word], best, merged)
            for pair in _pairs(spelled[word]):
                counts[pair] += words[word]
                where.setdefault(pair, set()).add(word)
        counts = +counts
    return list(dict.fromkeys(learned))


def _pairs(symbols: Sequence[str]) -> Iterable[tuple[str, str]]:
    return pairwise(symbols)


def _merge(symbols: Sequence[str], pair: tuple[str, str], merged: str) -> list[str]:
    found: list[str] = []
    place = 0
    while place < len(symbols):
        is_pair = tuple(symbols[place : place + 2]) == pair
        found.append(merged if is_pair else symbols[place])
        place += 2 if is_pair else 1
    return found


def _frequent(words: Counter[str], size: int) -> list[str]:
    """The most frequent words, first by the alphabet."""
    return sorted(words, key=lambda word: (-words[word], word))[:size]
