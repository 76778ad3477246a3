"""The dual encoder learns which sentence follows which and embeds each sentence separately."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from core.networks import dual_encoder
from core.networks.dual_encoder import DualEncoder, Shape, embed, initial, restored, train_epoch

BODIES = ("lstm", "transformer")


def shape(body: str) -> Shape:
    return Shape(body, words=42, word_dimension=8, dimension=16, length=12)  # type: ignore[arg-type]


def neighbours() -> tuple[list[np.ndarray], np.ndarray]:
    """Pairs of sentences; the second has the partner of each word of the first, in another order."""
    rng = np.random.default_rng(0)
    sentences = []
    for _ in range(60):
        words = 2 + rng.choice(20, size=int(rng.integers(2, 9)), replace=False)
        sentences += [words, 20 + rng.permutation(words)]
    return sentences, np.stack([np.arange(0, 120, 2), np.arange(1, 120, 2)], axis=1)


def train(shape: Shape, state: dict[str, np.ndarray], epochs: int, strength: float = 0.0) -> dict[str, np.ndarray]:
    for number in range(epochs):
        rng = np.random.default_rng(number)
        settings: dict[str, Any] = {"batch": 30, "learning_rate": 2e-2, "scale": 20.0, "strength": strength}
        state = train_epoch(shape, state, *neighbours(), **settings, rng=rng)
    return state


def trained(body: str, epochs: int) -> dict[str, np.ndarray]:
    return train(shape(body), initial(shape(body), 1), epochs)


def cosines(body: str, state: dict[str, np.ndarray]) -> np.ndarray:
    sentences, pairs = neighbours()
    vectors = embed(restored(shape(body), state).eval(), sentences)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors[pairs[:, 0]] @ vectors[pairs[:, 1]].T)


@pytest.mark.parametrize("body", BODIES)
def test_it_learns_which_sentence_follows(body: str) -> None:
    before, after = (
        np.mean(cosines(body, trained(body, epochs)).argmax(axis=1) == np.arange(60)) for epochs in (0, 15)
    )
    assert after > 0.8 and before < 0.2


@pytest.mark.parametrize("body", BODIES)
def test_a_vector_depends_on_its_own_sentence_only(body: str) -> None:
    network = restored(shape(body), initial(shape(body), 1)).eval()
    sentences, _ = neighbours()
    together = embed(network, sentences)
    np.testing.assert_allclose(together[5], embed(network, sentences[5:6])[0], atol=1e-5)
    order = np.random.default_rng(0).permutation(len(sentences))
    np.testing.assert_allclose(embed(network, [sentences[row] for row in order]), together[order], atol=1e-5)


@pytest.mark.parametrize("body", BODIES)
def test_input_vectors_have_a_gradient_and_padding_has_none(body: str) -> None:
    network = restored(shape(body), initial(shape(body), 1)).eval()
    inputs = torch.randn(2, 5, 8, requires_grad=True)
    is_word = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    (network.encode_vectors(inputs, is_word) * torch.arange(16)).sum().backward()  # type: ignore[no-untyped-call]
    assert inputs.grad is not None
    assert (inputs.grad[0].abs().sum(dim=1) > 0).all()
    assert (inputs.grad[1, :3].abs().sum(dim=1) > 0).all() and not inputs.grad[1, 3:].any()


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("sentences", [[], [np.empty(0, np.int64)], [np.arange(2, 42)]])
def test_no_empty_and_long_sentences_are_embedded(body: str, sentences: list[np.ndarray]) -> None:
    vectors = embed(restored(shape(body), initial(shape(body), 1)).eval(), sentences)
    assert vectors.shape == (len(sentences), 16) and np.isfinite(vectors).all()


def test_the_same_seed_gives_the_same_bytes() -> None:
    first, second = (trained("lstm", 2) for _ in range(2))
    assert first.keys() == second.keys()
    assert all(np.array_equal(first[name], second[name]) for name in first)


def test_an_equal_sentence_in_the_batch_is_no_wrong_answer() -> None:
    """Two pairs with equal second sentences cannot be distinguished, and have no loss in that direction."""
    sentences = [np.array([2]), np.array([3]), np.array([4]), np.array([3])]
    pairs = np.array([[0, 1], [2, 3]])
    state = train_epoch(
        shape("lstm"),
        initial(shape("lstm"), 1),
        sentences,
        pairs,
        batch=2,
        learning_rate=1e-9,
        scale=20.0,
        strength=0.0,
        rng=np.random.default_rng(0),
    )
    network: DualEncoder = restored(shape("lstm"), initial(shape("lstm"), 1))
    one, other, shared = torch.nn.functional.normalize(network([np.array([word]) for word in (2, 4, 3)])).detach()
    logits = 20 * torch.stack([one @ shared, other @ shared])
    backwards = torch.nn.functional.cross_entropy(logits.repeat(2, 1), torch.tensor([0, 1]))
    assert float(state["loss"]) == pytest.approx(float(backwards) / 2, rel=1e-4), "no loss in the other direction"
    assert dual_encoder.PADDING == 0


def explained_variance(strength: float) -> float:
    """Return the explained variance of words by a linear map of vectors, after training against an adversary."""
    sentences, _ = neighbours()
    built = replace(shape("lstm"), told=20)
    state = train(built, initial(built, 1, sentences), 25, strength)
    vectors = embed(restored(built, state).eval(), sentences[::2])
    vectors = np.c_[vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.ones(60)]
    words = np.array([np.isin(np.arange(2, 22), sentence) for sentence in sentences[::2]], float)
    predicted = vectors @ np.linalg.solve(vectors.T @ vectors + 0.05 * np.eye(17), vectors.T @ words)
    return float(1 - ((words - predicted) ** 2).sum() / ((words - words.mean(axis=0)) ** 2).sum())


def test_an_adversary_in_training_makes_words_harder_to_predict() -> None:
    assert explained_variance(3.0) < explained_variance(1e-9) - 0.05
