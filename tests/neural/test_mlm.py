# ruff: noqa: E402 - nothing is imported before it is known that torch is there
from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="torch is missing: pip install 'blm[neural]'")

from conftest import SENTENCES

from blm.encode.mlm import EncoderConfig, mask_tokens, train_encoder
from blm.encode.tokenizer import build_tokenizer

transformers = pytest.importorskip("transformers")


def test_fills_masks(tiny_bert: Path) -> None:
    """The number of the verb follows its subject, over what stands between them."""
    fill = transformers.pipeline("fill-mask", str(tiny_bert), device="cpu")
    best = [
        fill(f"the {noun} of the door [MASK] every day.")[0]["token_str"]
        for noun in ("key", "keys")
    ]
    assert best == ["opens", "open"]


def test_masks() -> None:
    torch.manual_seed(0)
    tokens = torch.randint(5, 50, (400, 12))
    tokens[:, 0], tokens[:, -2], tokens[:, -1] = 2, 3, 0
    seen, labels = mask_tokens(tokens, 50, 0.15)
    asked = labels != -100
    assert bool(asked.any(1).all())
    assert not bool(asked[:, [0, -2, -1]].any())
    assert torch.equal(seen[~asked], tokens[~asked])
    assert torch.equal(labels[asked], tokens[asked])
    share = float((seen[asked] == 4).float().mean())
    assert 0.74 < share < 0.86


@pytest.mark.parametrize("kind", ["wordpiece", "word"])
def test_tokenizers_keep_case_and_accents(kind: str) -> None:
    texts = [f"L’été passé, Ève {verb} là-bas." for verb in ("dort", "mange", "rit")] * 4
    tokenizer = build_tokenizer(texts, 200, kind=kind)
    words = tokenizer.convert_ids_to_tokens(tokenizer(texts[0])["input_ids"])
    assert words[0] == "[CLS]"
    assert words[-1] == "[SEP]"
    assert "[UNK]" not in words
    assert "été" in "".join(words).replace("##", "")


def test_same_seed_same_weights(tmp_path: Path) -> None:
    config = EncoderConfig(hidden=16, layers=1, heads=2, steps=5, batch=8)
    for name in ("one", "two"):
        train_encoder(SENTENCES, tmp_path / name, config)
    weights = [(tmp_path / name / "model.safetensors").read_bytes() for name in ("one", "two")]
    assert weights[0] == weights[1]


def test_refuses(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="too few"):
        train_encoder(["one", "one", "two"], tmp_path / "model")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("mine")
    with pytest.raises(FileExistsError, match="that is no model"):
        train_encoder(SENTENCES, tmp_path / "full")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["full"]
