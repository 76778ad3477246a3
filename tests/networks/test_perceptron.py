"""The perceptron predicts what torch predicts, and learns a planted rule."""

from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from core.networks import perceptron
from core.networks.perceptron import Perceptron, Training, batches, moments, train

XOR = (np.tile(np.array([[0, 0], [0, 1], [1, 0], [1, 1]], np.float32), (16, 1)), np.tile([0, 1, 1, 0], 16))


def sample(rows: int = 200, inputs: int = 7) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    rng = np.random.default_rng(0)
    drawn = rng.normal(3, 2, size=(rows, inputs)).astype(np.float32)
    return drawn, rng.integers(4, size=rows)


def finished(training: Training, seed: int = 0, **stops: Any) -> list[Perceptron]:
    inputs, truth = sample()
    return list(train(batches(inputs, truth), inputs, 4, training, np.random.default_rng(seed), **stops))


@pytest.mark.parametrize("settings", [{}, {"batch_norm": True}, {"dropout": 0.3}, {"batch_norm": True, "dropout": 0.3}])
def test_the_frozen_network_predicts_what_torch_predicts(
    settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[torch.nn.Module] = []
    make = perceptron._network

    def remember(*arguments: Any) -> Any:
        built.append(make(*arguments))
        return built[-1]

    monkeypatch.setattr(perceptron, "_network", remember)
    network = finished(Training((9, 5), steps=40, batch=32, learning_rate=0.02, **settings))[-1]
    inputs, _ = sample()
    with torch.no_grad():
        scores = built[0].eval()(torch.from_numpy((inputs - network.center) / network.scale))
    predicted = network.probabilities(inputs)
    np.testing.assert_allclose(predicted, torch.softmax(scores, dim=1).numpy(), atol=2e-6)
    np.testing.assert_allclose(predicted.sum(axis=1), 1, atol=1e-5)
    assert network.hidden(inputs).shape == (200, 5)


def test_it_is_restored_from_its_arrays() -> None:
    network = finished(Training((9, 5), steps=5))[-1]
    again = Perceptron.from_arrays(dict(reversed(network.as_arrays().items())))
    inputs, _ = sample()
    assert np.array_equal(network.probabilities(inputs), again.probabilities(inputs))
    assert all(np.array_equal(array, again.as_arrays()[name]) for name, array in network.as_arrays().items())


def test_a_rule_that_is_not_linear_is_learnt() -> None:
    inputs, truth = XOR
    training = Training((8,), steps=400, batch=32, learning_rate=0.05)
    *_, network = train(batches(inputs, truth), inputs, 2, training, np.random.default_rng(0))
    assert (network.probabilities(inputs).argmax(axis=1) == truth).all()


def test_stops_yield_earlier_networks_and_change_nothing() -> None:
    training = Training((6,), steps=20, batch=16)
    straight = finished(training)
    watched = finished(training, stops=(5, 10, 20))
    assert (len(straight), len(watched)) == (1, 3), "the last step is yielded once"
    for name, array in straight[0].as_arrays().items():
        assert np.array_equal(array, watched[-1].as_arrays()[name])
    assert not np.array_equal(watched[0].layers[0][0], watched[1].layers[0][0])


def test_the_result_depends_on_the_seed_alone() -> None:
    training = Training((6,), steps=10, batch=16, dropout=0.2)
    torch.manual_seed(123)
    one = finished(training)[0]
    torch.rand(7)
    same, other = finished(training)[0], finished(training, seed=1)[0]
    assert np.array_equal(one.layers[0][0], same.layers[0][0])
    assert not np.array_equal(one.layers[0][0], other.layers[0][0])


def test_blocks_change_no_prediction(monkeypatch: pytest.MonkeyPatch) -> None:
    network = finished(Training((6,), steps=5))[0]
    inputs, _ = sample()
    whole = network.probabilities(inputs)
    monkeypatch.setattr(perceptron, "_BLOCK", 64)
    np.testing.assert_allclose(network.probabilities(inputs), whole, atol=1e-6)
    assert network.probabilities(inputs[:0]).shape == (0, 4)


def test_a_constant_input_does_not_dominate_the_others() -> None:
    """A defense may make a coordinate of the victims vary that was constant in training."""
    inputs, truth = XOR
    padded = np.hstack([inputs, np.full((len(inputs), 3), 0.1, np.float32)])
    training = Training((8,), steps=400, batch=32, learning_rate=0.05)
    *_, network = train(batches(padded, truth), padded, 2, training, np.random.default_rng(0))
    padded[:, 2:] += 0.01
    assert (network.probabilities(padded).argmax(axis=1) == truth).all()


def test_moments_are_those_of_the_sample() -> None:
    drawn, _ = sample()
    center, scale = moments(np.hstack([drawn, np.full((200, 1), 0.7, np.float32)]))
    np.testing.assert_allclose(center[:7], drawn.mean(axis=0), rtol=1e-5)
    np.testing.assert_allclose(scale[:7], drawn.std(axis=0), rtol=1e-5)
    assert scale[7] == 1
    assert center.dtype == scale.dtype == np.float32
