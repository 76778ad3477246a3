"""Private training of language models: each document counts up to the clipping norm, plus noise."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import nn

from core import catalog
from core.defenses.dp_sgd import DpSgd
from core.games.membership import Membership
from core.networks import private_steps
from core.networks.language import private_next_word
from core.networks.language.next_word import NextWordNetwork, Shape, initial, restored
from core.networks.language.next_word_predictor import NextWordPredictor
from core.networks.language.private_next_word import train_epoch_privately
from core.networks.private_steps import PrivateSteps
from core.networks.states import finished
from core.statistics.privacy import Promise, steps_per_epoch
from core.targets.word_language_model import WordLanguageModel
from core.text.vocabulary import BOUNDARY

LSTM = Shape("lstm", words=12, dimension=8, layers=2, heads=2, length=8, dropout=0.0, softmax="full")
SHAPES = [LSTM, replace(LSTM, body="gpt2")]
NORM = 0.05
FIRST_MOMENT = 0.1
"""Share of the gradient in Adam's first moment after one step."""


def documents(count: int = 6) -> list[NDArray[np.int64]]:
    """Documents that fit into the context with their ends, so that the random stretch is the whole document."""
    rng = np.random.default_rng(1)
    return [rng.integers(2, 12, size=rng.integers(1, 7)) for _ in range(count)]


def one_step(
    shape: Shape,
    texts: list[NDArray[np.int64]],
    noise: float = 0.0,
    rng: Any = None,
    owners: Sequence[NDArray[np.int64]] = (),
) -> dict[str, Any]:
    """Train one step that draws every document, or owner, unless ``rng`` decides otherwise."""
    state, rng = initial(shape, np.random.default_rng(0)), rng or np.random.default_rng(2)
    steps = PrivateSteps(len(owners) or len(texts), 1e-3, NORM, noise, owners)
    return train_epoch_privately(shape, state, texts, steps, rng)


def gradients(state: dict[str, Any]) -> NDArray[np.float64]:
    """Return the gradients of Adam's first step, all parameters in one row."""
    moments = [state[name].ravel() for name in sorted(state) if name.startswith("exp_avg.")]
    return np.concatenate(moments).astype(np.float64) / FIRST_MOMENT


def document_gradient(shape: Shape, text: NDArray[np.int64]) -> dict[str, torch.Tensor]:
    network = restored(shape, initial(shape, np.random.default_rng(0)))
    whole = torch.from_numpy(np.concatenate([[BOUNDARY], text, [BOUNDARY]]))
    loss = nn.functional.cross_entropy(network.output(network(whole[None, :-1]))[0], whole[1:])
    loss.backward()
    return {name: parameter.grad for name, parameter in network.named_parameters() if parameter.grad is not None}


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.body)
def test_a_step_follows_the_sum_of_clipped_gradients(shape: Shape) -> None:
    texts = documents()
    expected: dict[str, torch.Tensor] = {}
    for text in texts:
        each = document_gradient(shape, text)
        length = torch.sqrt(sum((gradient**2).sum() for gradient in each.values()))
        assert length > NORM, "it is clipped"
        for name, gradient in each.items():
            expected[name] = expected.get(name, torch.zeros_like(gradient)) + gradient * NORM / length
    state = one_step(shape, texts)
    for name in ("output.weight", "output.bias"):
        assert state[f"exp_avg.{name}"] / FIRST_MOMENT == pytest.approx(expected[name].numpy(), abs=1e-5)
    total = np.sqrt(sum(float((gradient**2).sum()) for gradient in expected.values()))
    assert np.linalg.norm(gradients(state)) == pytest.approx(total, rel=1e-4)


OWNERS = [np.array([0, 2, 5]), np.array([1]), np.array([3, 4])]
"""Documents of three owners."""


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.body)
def test_a_step_follows_the_sum_over_owners_of_their_clipped_mean_gradients(shape: Shape) -> None:
    texts = documents()
    expected: dict[str, torch.Tensor] = {}
    for owner in OWNERS:
        of_documents = [document_gradient(shape, texts[row]) for row in owner]
        means = {name: torch.stack([each[name] for each in of_documents]).mean(dim=0) for name in of_documents[0]}
        length = torch.sqrt(sum((gradient**2).sum() for gradient in means.values()))
        assert length > NORM, "it is clipped"
        for name, gradient in means.items():
            expected[name] = expected.get(name, torch.zeros_like(gradient)) + gradient * NORM / length
    state = one_step(shape, texts, owners=OWNERS)
    for name in ("output.weight", "output.bias"):
        assert state[f"exp_avg.{name}"] / FIRST_MOMENT == pytest.approx(expected[name].numpy(), abs=1e-5)


@pytest.mark.parametrize("left_out", range(len(OWNERS)))
def test_no_owner_counts_for_more_than_the_clipping_norm(left_out: int) -> None:
    texts, others = documents(), OWNERS[:left_out] + OWNERS[left_out + 1 :]
    whole, rest = gradients(one_step(LSTM, texts, owners=OWNERS)), gradients(one_step(LSTM, texts, owners=others))
    assert 0 < np.linalg.norm(whole - rest) <= NORM * (1 + 1e-4)


def test_of_an_owner_with_many_documents_a_step_reads_some(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = documents()
    of_two = [gradients(one_step(LSTM, texts, owners=[np.array(pair)])) for pair in combinations([0, 2, 5], 2)]
    monkeypatch.setattr(private_steps, "_OF_AN_OWNER", 2)
    some = gradients(one_step(LSTM, texts, owners=[OWNERS[0]]))
    assert min(np.abs(some - pair).max() for pair in of_two) < 1e-6


def test_a_step_that_draws_no_owner_still_adds_its_noise() -> None:
    after = one_step(LSTM, documents(), noise=2.0, rng=NeverDrawn(np.random.PCG64(0)), owners=OWNERS)
    assert gradients(after).std() == pytest.approx(2.0 * NORM, rel=0.1), "nothing but noise"


def test_gradients_in_several_parts_have_the_same_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = documents()
    together = one_step(LSTM, texts, noise=0.5)
    monkeypatch.setattr(private_next_word, "_MEMORY", 1)
    apart = one_step(LSTM, texts, noise=0.5)
    assert gradients(apart) == pytest.approx(gradients(together), abs=1e-5), "noise is added once"
    assert not np.array_equal(gradients(apart), gradients(one_step(LSTM, texts)))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.body)
def test_no_document_counts_for_more_than_the_clipping_norm(shape: Shape) -> None:
    texts = documents()
    whole = gradients(one_step(shape, texts))
    for left_out in range(len(texts)):
        rest = gradients(one_step(shape, texts[:left_out] + texts[left_out + 1 :]))
        assert 0 < np.linalg.norm(whole - rest) <= NORM * (1 + 1e-4)


def test_noise_has_the_requested_size() -> None:
    noise = gradients(one_step(LSTM, documents(), noise=50.0)) - gradients(one_step(LSTM, documents()))
    assert noise.std() == pytest.approx(50.0 * NORM, rel=0.1)
    assert abs(noise.mean()) < 4 * noise.std() / np.sqrt(len(noise))


class NeverDrawn(np.random.Generator):
    """A generator that draws no document."""

    def random(self, *shape: Any, **_: Any) -> Any:
        return np.ones(*shape)


def test_a_step_that_draws_no_document_still_adds_its_noise() -> None:
    after = one_step(LSTM, documents(), noise=2.0, rng=NeverDrawn(np.random.PCG64(0)))
    assert gradients(after).std() == pytest.approx(2.0 * NORM, rel=0.1), "nothing but noise"


def test_even_at_epsilon_a_million_noise_exceeds_the_gradients_of_a_step() -> None:
    """The page says so of the curve of private training."""
    [experiment] = [entry.experiment for entry in catalog.matching("next_word_epsilon_1000000")]
    [private], model, game = experiment.defenses, experiment.model, experiment.game
    assert isinstance(private, DpSgd) and isinstance(model, WordLanguageModel) and isinstance(game, Membership)
    promise = Promise(private.epsilon, private.delta, private.norm, words=())
    steps = model.epochs * steps_per_epoch(game.documents, model.batch)
    fewest = NextWordNetwork(replace(model.shape(1900), softmax="full"))  # of 2,000 entries nearly all are words
    parameters = sum(parameter.numel() for parameter in fewest.parameters())
    assert promise.noise(game.documents, model.batch, steps) * np.sqrt(parameters) > promise.norm * model.batch


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.body)
def test_without_noise_it_learns_a_deterministic_text_and_is_reproducible(shape: Shape) -> None:
    """What the two shapes differ in is the step, which is compared for both above."""
    texts = [(2 + (start + np.arange(15)) % 10).astype(np.int64) for start in range(10)] * 4
    first, again = trained(shape, texts, 6), trained(shape, texts, 2)
    assert all((first[1][name] == again[1][name]).all() for name in first[1])
    assert NextWordPredictor(shape, finished(first[-1])).perplexity(texts) < 2.5, "only the first of ten is uncertain"


def trained(shape: Shape, texts: list[NDArray[np.int64]], epochs: int) -> list[dict[str, Any]]:
    """Return the states after each epoch."""
    states = [initial(shape, np.random.default_rng(0))]
    for number in range(epochs):
        steps = PrivateSteps(batch=5, learning_rate=4e-2, norm=1.0, noise=1e-3)
        states.append(train_epoch_privately(shape, states[-1], texts, steps, np.random.default_rng(number)))
    return states[1:]
