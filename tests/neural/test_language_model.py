# ruff: noqa: E402 - nothing is imported before it is known that torch is there
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is missing: pip install 'blm[neural]'")

import toy

from blm.baselines.language_model import LanguageModel, prompt

transformers = pytest.importorskip("transformers")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toy.write_gpt(tmp_path_factory.mktemp("gpt") / "tiny")


def test_sums_by_hand(folder: Path) -> None:
    model = LanguageModel.load(str(folder), device="cpu", batch=2)
    texts = ["noun1 sg", "noun2 pl other3 sg verb1 pl", "verb2"]
    found = model.likelihoods("noun1 pl verb2 sg\n", texts)
    gpt = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    start = tokenizer("noun1 pl verb2 sg\n", add_special_tokens=False)["input_ids"]
    lengths = []
    for text, value in zip(texts, found, strict=True):
        row = tokenizer(text, add_special_tokens=False)["input_ids"]
        lengths.append(len(row))
        total = 0.0
        for place in range(len(row)):
            tokens = torch.tensor([[*start, *row[:place]]])
            with torch.inference_mode():
                logs = gpt(tokens).logits[0, -1].log_softmax(-1)
            total += float(logs[row[place]])
        assert value == pytest.approx(total, abs=1e-3)
    means = model.likelihoods("noun1 pl verb2 sg\n", texts, mean=True)
    assert np.allclose(means, found / np.array(lengths), atol=1e-5)


def test_scores(folder: Path) -> None:
    model = LanguageModel.load(str(folder), device="cpu")
    problems = toy.examples(4)
    scores = model.scores(problems[1:], shots=problems[:1])
    assert scores.shape == (3, 4)
    counts = [len(problem.choices) for problem in problems[1:]]
    assert np.isfinite(scores).sum(1).tolist() == counts


def test_prompt() -> None:
    shot, problem = toy.examples(2)
    text = prompt(problem, [shot])
    assert text == "\n".join([*shot.context, shot.solution, "", *problem.context, ""])


def test_too_long(folder: Path) -> None:
    model = LanguageModel.load(str(folder), device="cpu")
    problems = toy.examples(12)
    with pytest.raises(ValueError, match="use fewer shots"):
        model.scores(problems[:1], shots=problems[1:])
