"""Pooling against known answers, and vectors that depend on their own text alone."""

import copy

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from core.encoders.network import Network, Pooling, padded, pool, rows
from tests.encoders.tiny import TEXTS, tiny


@pytest.fixture(scope="module", params=["bert", "gpt2", "xlnet"])
def tiny_network(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Network:
    return Network(tiny(tmp_path_factory.mktemp(request.param) / "model", request.param), "cpu")


def embedded(network: Network, texts: list[str], pooling: Pooling = "mean", limit: int = 64) -> NDArray[np.float32]:
    return network.embedded(texts, limit, pooling)


def test_pooling_leaves_out_the_padding() -> None:
    hidden = torch.tensor([[[1.0], [3.0], [99.0]], [[1.0], [2.0], [6.0]]])
    present = torch.tensor([[1, 1, 0], [1, 1, 1]])
    assert pool(hidden, present, "last").tolist() == [[3.0], [6.0]]
    assert pool(hidden, present, "first").tolist() == [[1.0], [1.0]]
    assert pool(hidden, present, "mean").tolist() == [[2.0], [3.0]]


@pytest.mark.parametrize(("pooling", "position"), [("last", -1), ("first", 0)])
def test_a_text_alone_without_padding_gives_the_same(tiny_network: Network, pooling: Pooling, position: int) -> None:
    text = "the cat of york saw 3 birds"
    ((ids, _),) = tiny_network.tokens([text], 64)
    assert padded(len(ids)) > len(ids), "the test needs padding"
    with torch.inference_mode():
        hidden = tiny_network._model(torch.tensor([ids])).last_hidden_state[0].numpy()  # (length, dimension)
    np.testing.assert_allclose(embedded(tiny_network, [text, "a"], pooling)[0], hidden[position], atol=1e-5)
    np.testing.assert_allclose(embedded(tiny_network, [text, "a"])[0], hidden.mean(axis=0), atol=1e-5)


def test_neither_order_nor_company_changes_a_bit(tiny_network: Network) -> None:
    texts = [*TEXTS, "a", "a longer text about the cats and dogs and cows of york bath and rome"]
    every = embedded(tiny_network, texts)
    order = np.random.default_rng(0).permutation(len(texts))
    assert embedded(tiny_network, [texts[number] for number in order]).tobytes() == every[order].tobytes()
    assert embedded(tiny_network, texts[:1]).tobytes() == every[:1].tobytes()


def test_any_text_has_an_embedding(tiny_network: Network) -> None:
    texts = [
        "",
        " ",
        "x" * 100_000,
        "cat " * 25_000,
        "\N{GRINNING FACE}",
        "Ελλάδα 日本 عربى",
        "\0",
        "\ud83d",
        "[SEP] <cls>",
    ]
    vectors = embedded(tiny_network, texts, limit=8192)
    assert vectors.shape == (len(texts), 16)
    assert np.isfinite(vectors).all()


def test_longer_texts_are_cut(tiny_network: Network) -> None:
    assert max(len(ids) for ids, _ in tiny_network.tokens(TEXTS, 5)) == 5
    assert len(tiny_network.tokens(["cat " * 9000], 8192)[0][0]) <= 256
    assert len(tiny_network.tokens(["cat dog"], 1)[0][0]) == 1


@pytest.mark.parametrize("pooling", ["mean", "last", "first"])
def test_vectors_in_place_of_tokens_give_what_the_tokens_give(tiny_network: Network, pooling: Pooling) -> None:
    texts = ["the cat of york saw 3 birds", "a dog", "the cow of bath saw the cat and the dog of rome"]
    limit = 9
    rows = tiny_network._model.get_input_embeddings().weight
    word_vectors = [rows[tiny_network._tokenizer(text, add_special_tokens=False)["input_ids"]] for text in texts]
    lengths = torch.tensor([len(vectors) for vectors in word_vectors])
    assert len(tiny_network.tokens(texts[2:], limit)[0][0]) == limit < lengths[2], "the test needs one too long"
    inputs = torch.nn.utils.rnn.pad_sequence(word_vectors, batch_first=True, padding_value=7.0)
    for prefix in ("", "birds of bath "):
        vectors = tiny_network.embed_vectors(inputs, lengths, limit, pooling, prefix)
        expected = embedded(tiny_network, [prefix + text for text in texts], pooling, limit)
        np.testing.assert_allclose(vectors.numpy(), expected, atol=1e-5)


def test_vectors_in_place_of_tokens_have_the_right_gradient(tiny_network: Network) -> None:
    exact = copy.deepcopy(tiny_network)
    exact._model.double()
    inputs = torch.randn(2, 3, 16, dtype=torch.double, generator=torch.Generator().manual_seed(0), requires_grad=True)
    lengths = torch.tensor([3, 2])
    # Directions are enough: the whole Jacobian takes seconds.
    assert torch.autograd.gradcheck(
        lambda vectors: exact.embed_vectors(vectors, lengths, 64, "mean"), (inputs,), fast_mode=True
    )
    (gradient,) = torch.autograd.grad(exact.embed_vectors(inputs, lengths, 64, "mean").square().sum(), inputs)
    assert (gradient[1, 2] == 0).all(), "beyond the end"
    assert not any(weight.requires_grad for weight in exact._model.parameters())


def test_every_length_has_room() -> None:
    for tokens in range(1, 3000):
        assert tokens <= padded(tokens) <= max(1.5 * tokens, tokens + 3)
        assert rows(padded(tokens), "cpu") >= 1
