# ruff: noqa: E402 - nothing is imported before it is known that torch is there
from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="torch is missing: pip install 'blm[neural]'")

from blm.baselines.loss import max_margin, scores_of


def test_by_hand() -> None:
    """Cosines of (2, 0) to four candidates are 1, 0, -1, 0.6; the second is right."""
    prediction = torch.tensor([[2.0, 0.0]])
    candidates = torch.tensor([[[5.0, 0.0], [0.0, 1.0], [-3.0, 0.0], [3.0, 4.0]]])
    scores = scores_of(prediction, candidates)
    assert scores.tolist()[0] == pytest.approx([1.0, 0.0, -1.0, 0.6])
    everything = torch.ones(1, 4, dtype=torch.bool)
    # [1 - 0 + 1] + [1 - 0 - 1] + [1 - 0 + 0.6]
    assert max_margin(scores, torch.tensor([1]), everything).item() == pytest.approx(3.6)
    without_last = torch.tensor([[True, True, True, False]])
    assert max_margin(scores, torch.tensor([1]), without_last).item() == pytest.approx(2.0)


def test_dot_product() -> None:
    scores = scores_of(torch.tensor([[2.0, 1.0]]), torch.tensor([[[5.0, 0.0], [0.0, 1.0]]]), "dot")
    assert scores.tolist() == [[10.0, 1.0]]


def test_equals_the_plain_loop() -> None:
    torch.manual_seed(0)
    prediction, candidates = torch.randn(20, 8), torch.randn(20, 6, 8)
    answer = torch.randint(0, 3, (20,))
    mask = torch.arange(6) < torch.randint(3, 7, (20, 1))
    total = 0.0
    for row in range(20):
        cosine = torch.nn.functional.cosine_similarity(prediction[row], candidates[row], dim=-1)
        for place in range(6):
            if mask[row, place] and place != answer[row]:
                total += max(0.0, float(1 - cosine[answer[row]] + cosine[place]))
    found = max_margin(scores_of(prediction, candidates), answer, mask)
    assert found.item() == pytest.approx(total / 20, rel=1e-5)


def test_what_is_masked_has_no_gradient() -> None:
    candidates = torch.randn(3, 4, 8, requires_grad=True)
    mask = torch.tensor([[True, True, True, False]] * 3)
    max_margin(scores_of(torch.randn(3, 8), candidates), torch.tensor([0, 1, 2]), mask).backward()
    assert candidates.grad is not None
    assert float(candidates.grad[:, 3].abs().sum()) == 0
    assert float(candidates.grad[:, :3].abs().sum()) > 0
