# ruff: noqa: E402 - nothing is imported before it is known that torch is there
from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="torch is missing: pip install 'blm[neural]'")

from blm.baselines import NETWORKS
from blm.baselines.networks import (
    CNN,
    FFNN,
    AuthorsFFNN,
    Baseline,
    build_network,
    parameters,
)
from blm.baselines.vae import square


def test_paper_sizes() -> None:
    """7 x 768: 23.75 million weights of the FFNN, layer by layer."""
    network = FFNN(7, 768)
    assert network.first.weight.shape == (2688, 5376)
    assert network.second.weight.shape == (2688, 2688)
    assert network.last.weight.shape == (768, 2688)
    assert parameters(network) == 5376 * 2688 + 2688 + 2688 * 2688 + 2688 + 2688 * 768 + 768
    assert parameters(network) == 23_746_560


def test_paper_convolutions() -> None:
    network = CNN(7, 768)
    image = torch.zeros(2, 1, 7, 768)
    shapes = []
    for convolution in network.convolutions:
        image = convolution(image)
        shapes.append(tuple(image.shape[1:]))
    assert shapes == [(4, 5, 766), (8, 3, 764), (16, 1, 762)]
    assert network.last.weight.shape == (768, 16 * 762)
    assert parameters(network) == 40 + 296 + 1168 + 16 * 762 * 768 + 768 == 9_365_728


def test_a_network_says_what_it_predicts() -> None:
    with pytest.raises(TypeError, match="abstract"):
        Baseline()  # type: ignore[abstract]


def test_authors_variant() -> None:
    network = AuthorsFFNN(7, 768)
    assert network.first.weight.shape == (1536, 5376)
    assert network.scoring == "dot"
    assert bool((network(torch.randn(3, 7, 768)) >= 0).all())


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize(("items", "width"), [(7, 32), (3, 32), (9, 24), (1, 16)])
def test_any_context_and_width(name: str, items: int, width: int) -> None:
    if name == "vae" and items == 1:
        pytest.skip("one sentence has no rivals in its context")
    network = build_network(name, items, width)
    context, candidates = torch.randn(5, items, width), torch.randn(5, 4, width)
    assert network.score(context, candidates).shape == (5, 4)
    loss = network.loss(context, candidates, torch.zeros(5, dtype=torch.long), torch.ones(5, 4) > 0)
    assert loss.shape == ()
    assert bool(torch.isfinite(loss))
    loss.backward()
    assert all(p.grad is not None for p in network.parameters())


def test_seeds_give_weights() -> None:
    one, same, other = (build_network("ffnn", 3, 8, seed=seed) for seed in (1, 1, 2))
    assert torch.equal(one.first.weight, same.first.weight)
    assert not torch.equal(one.first.weight, other.first.weight)


def test_unknown_network() -> None:
    with pytest.raises(ValueError, match="use one of: ffnn, cnn"):
        build_network("rnn", 7, 8)


def test_images() -> None:
    assert (square(768), square(384), square(7)) == ((32, 24), (24, 16), (7, 1))
