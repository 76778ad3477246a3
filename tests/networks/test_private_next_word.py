"""Private training does what it promises: each document counts up to the norm, all of them the same, plus noise."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import nn

from core import catalog
from core.defenses.dp_sgd import DpSgd
from core.games.membership import Membership
from core.networks import private_next_word
from core.networks.next_word import NextWordNetwork, NextWordPredictor, Shape, initial, restored
from core.networks.private_next_word import train_epoch_privately
from core.networks.states import finished
from core.statistics.privacy import Promise, steps_per_epoch
from core.targets.language_model import LanguageModel
from core.text.vocabulary import BOUNDARY

LSTM = Shape("lstm", words=12, dimension=8, layers=2, heads=2, length=8, dropout=0.0, softmax="full")
SHAPES = [LSTM, replace(LSTM, body="gpt2")]
NORM = 0.05
FIRST_MOMENT = 0.1
"""The share of a gradient that Adam's first step remembers."""


def documents(count: int = 6) -> list[NDArray[np.int64]]:
    """Documents that fit into the context whole, with their ends: the stretch that is read is all of each."""
    rng = np.random.default_rng(1)
    return [rng.integers(2, 12, size=rng.integers(1, 7)) for _ in range(count)]


def one_step(shape: Shape, texts: list[NDArray[np.int64]], noise: float = 0.0, norm: float = NORM) -> dict[str, Any]:
    """Train one step that draws every document."""
    state = initial(shape, np.random.default_rng(0))
    return train_epoch_privately(
        shape, state, texts, batch=len(texts), learning_rate=1e-3, norm=norm, noise=noise, rng=np.random.default_rng(2)
    )


def gradients(state: dict[str, Any]) -> NDArray[np.float64]:
    """Return what Adam was given in its first step, all parameters in one row."""
    moments = [state[name].ravel() for name in sorted(state) if name.startswith("exp_avg.")]
    return np.concatenate(moments).astype(np.float64) / FIRST_MOMENT


def own_gradient(shape: Shape, text: NDArray[np.int64]) -> dict[str, torch.Tensor]:
    network = restored(shape, initial(shape, np.random.default_rng(0)))
    whole = torch.from_numpy(np.concatenate([[BOUNDARY], text, [BOUNDARY]]))
    loss = nn.functional.cross_entropy(network.output(network(whole[None, :-1]))[0], whole[1:])
    loss.backward()
    return {name: parameter.grad for name, parameter in network.named_parameters() if parameter.grad is not None}


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.body)
def test_a_step_follows_the_sum_of_cut_gradients(shape: Shape) -> None:
    texts = documents()
    expected: dict[str, torch.Tensor] = {}
    for text in texts:
        own = own_gradient(shape, text)
        length = torch.sqrt(sum((gradient**2).sum() for gradient in own.values()))
        assert length > NORM, "the norm cuts something"
        for name, gradient in own.items():
            expected[name] = expected.get(name, torch.zeros_like(gradient)) + gradient * NORM / length
    found = one_step(shape, texts)
    for name in ("output.weight", "output.bias"):
        assert found[f"exp_avg.{name}"] / FIRST_MOMENT == pytest.approx(expected[name].numpy(), abs=1e-5)
    total = np.sqrt(sum(float((gradient**2).sum()) for gradient in expected.values()))
    assert np.linalg.norm(gradients(found)) == pytest.approx(total, rel=1e-4)


def test_gradients_that_do_not_fit_into_memory_together_are_summed_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = documents(80)
    together = one_step(LSTM, texts, noise=0.5)
    monkeypatch.setattr(private_next_word, "_MEMORY", 1)
    apart = one_step(LSTM, texts, noise=0.5)
    assert gradients(apart) == pytest.approx(gradients(together), abs=1e-5), "noise is added once"
    assert not np.array_equal(gradients(apart), gradients(one_step(LSTM, texts)))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.body)
def test_no_document_counts_for_more_than_the_norm(shape: Shape) -> None:
    texts = documents()
    whole = gradients(one_step(shape, texts))
    for left_out in range(len(texts)):
        rest = gradients(one_step(shape, texts[:left_out] + texts[left_out + 1 :]))
        assert 0 < np.linalg.norm(whole - rest) <= NORM * (1 + 1e-4)


def test_noise_has_the_size_that_is_asked_for() -> None:
    noise = gradients(one_step(LSTM, documents(), noise=50.0)) - gradients(one_step(LSTM, documents()))
    assert noise.std() == pytest.approx(50.0 * NORM, rel=0.1)
    assert abs(noise.mean()) < 4 * noise.std() / np.sqrt(len(noise))


class NeverDrawn(np.random.Generator):
    """Chance that passes over every document."""

    def random(self, *shape: Any, **_: Any) -> Any:
        return np.ones(*shape)


def test_a_step_that_draws_no_document_adds_its_noise_all_the_same() -> None:
    after = train_epoch_privately(
        LSTM,
        initial(LSTM, np.random.default_rng(0)),
        documents(),
        batch=6,
        learning_rate=1e-3,
        norm=NORM,
        noise=2.0,
        rng=NeverDrawn(np.random.PCG64(0)),
    )
    assert gradients(after).std() == pytest.approx(2.0 * NORM, rel=0.1), "noise, and nothing else"


def test_even_an_epsilon_of_a_million_takes_noise_longer_than_all_gradients_of_a_step() -> None:
    """The page says so of the curve of private training."""
    [experiment] = [entry.experiment for entry in catalog.matching("next_word_epsilon_1000000")]
    [private], model, game = experiment.defenses, experiment.model, experiment.game
    assert isinstance(private, DpSgd) and isinstance(model, LanguageModel) and isinstance(game, Membership)
    promise = Promise(private.epsilon, private.delta, private.norm, words=())
    steps = model.epochs * steps_per_epoch(game.documents, model.batch)
    fewest = NextWordNetwork(replace(model.shape(1900), softmax="full"))  # of 2,000 entries nearly all are words
    parameters = sum(parameter.numel() for parameter in fewest.parameters())
    assert promise.noise(game.documents, model.batch, steps) * np.sqrt(parameters) > promise.norm * model.batch


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.body)
def test_without_noise_it_learns_what_is_certain_and_repeats_itself(shape: Shape) -> None:
    texts = [(2 + (start + np.arange(15)) % 10).astype(np.int64) for start in range(10)] * 4
    states = []
    for _ in range(2):
        state = initial(shape, np.random.default_rng(0))
        for number in range(12):
            state = train_epoch_privately(
                shape,
                state,
                texts,
                batch=5,
                learning_rate=2e-2,
                norm=1.0,
                noise=1e-3,
                rng=np.random.default_rng(number),
            )
        states.append(finished(state))
    assert all((states[0][name] == states[1][name]).all() for name in states[0])
    assert NextWordPredictor(shape, states[0]).perplexity(texts) < 2.5, "the first word of ten alone is uncertain"
