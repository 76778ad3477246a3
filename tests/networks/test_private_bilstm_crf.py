"""Private training of the BiLSTM-CRF: each request counts up to the clipping norm, plus noise."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from core.networks.bilstm_crf import Shape, Words, initial, restored, tensors
from core.networks.private_bilstm_crf import train_epoch_privately
from core.networks.private_steps import PrivateSteps
from core.text.request_vocabulary import Encoded

SHAPE = Shape(6, 5, 2, intents=3, tags=4, trainable=False, characters=False, dropout=(0.0, 0.0))
SHAPES = [SHAPE, replace(SHAPE, characters=True)]
WORDS = Words.of([f"w{number}" for number in range(10)], np.random.default_rng(0).normal(size=(10, 6)).astype("f4"))
NORM = 0.05
FIRST_MOMENT = 0.1
"""Share of the gradient in Adam's first moment after one step."""


def requests(count: int = 7) -> Encoded:
    rng = np.random.default_rng(1)
    words = tuple(rng.integers(10, size=rng.integers(1, 5)) for _ in range(count))
    return Encoded.of(words, tuple(rng.integers(4, size=len(row)) for row in words), rng.integers(3, size=count))


def one_step(shape: Shape, training: Encoded, noise: float = 0.0, rng: Any = None) -> dict[str, Any]:
    """Train one step that draws every request, unless ``rng`` decides otherwise."""
    state = initial(shape, WORDS, np.random.default_rng(0))
    steps = PrivateSteps(len(training), 1e-3, NORM, noise)
    return train_epoch_privately(shape, WORDS, state, training, steps, rng or np.random.default_rng(2))[0]


def gradients(state: dict[str, Any]) -> NDArray[np.float64]:
    """Return the gradients of Adam's first step, all parameters in one row."""
    moments = [state[name].ravel() for name in sorted(state) if name.startswith("exp_avg.")]
    return np.concatenate(moments).astype(np.float64) / FIRST_MOMENT


def request_gradient(shape: Shape, training: Encoded, row: int) -> NDArray[np.float64]:
    network = restored(shape, WORDS, initial(shape, WORDS, np.random.default_rng(0)))
    words, intents, tags = tensors(training, np.array([row]))
    network.losses(network.describe(words), intents, tags).sum().backward()
    named = dict(network.named_parameters())
    slopes = [torch.zeros_like(named[name]) if named[name].grad is None else named[name].grad for name in sorted(named)]
    return np.concatenate([slope.numpy().ravel() for slope in slopes]).astype(np.float64)


@pytest.mark.parametrize("shape", SHAPES, ids=["words", "spelt"])
def test_a_step_follows_the_sum_of_clipped_gradients(shape: Shape) -> None:
    training = requests()
    each = [request_gradient(shape, training, row) for row in range(len(training))]
    assert min(np.linalg.norm(gradient) for gradient in each) > NORM, "each is clipped"
    expected = sum(gradient * NORM / np.linalg.norm(gradient) for gradient in each)
    assert gradients(one_step(shape, training)) == pytest.approx(expected, abs=1e-5)


def test_noise_has_the_requested_size() -> None:
    noise = gradients(one_step(SHAPE, requests(), noise=50.0)) - gradients(one_step(SHAPE, requests()))
    assert noise.std() == pytest.approx(50.0 * NORM, rel=0.1)


class NeverDrawn(np.random.Generator):
    """A generator that draws no request."""

    def random(self, *shape: Any, **_: Any) -> Any:
        return np.ones(*shape)


def test_a_step_that_draws_no_request_still_adds_its_noise() -> None:
    after = one_step(SHAPE, requests(), noise=2.0, rng=NeverDrawn(np.random.PCG64(0)))
    assert gradients(after).std() == pytest.approx(2.0 * NORM, rel=0.1), "nothing but noise"


def test_the_state_loads_into_the_usual_network() -> None:
    after = one_step(SHAPE, requests(), noise=1.0)
    network = restored(SHAPE, WORDS, after)
    assert {name for name in after if name.startswith("weight.")} == {f"weight.{name}" for name in network.state_dict()}
    assert all(torch.isfinite(parameter).all() for parameter in network.parameters())
