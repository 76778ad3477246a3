"""Language models learn deterministic texts, are reproducible, and answer the same in any batch."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from core.networks.language.next_word import Shape, initial, restored, train_epoch
from core.networks.language.next_word_predictor import NextWordPredictor
from core.networks.states import Steps, finished
from core.text.vocabulary import BOUNDARY, UNKNOWN

SMALL = Shape("lstm", words=12, dimension=16, layers=2, heads=2, length=8, dropout=0.0, softmax="full")
LARGE = replace(SMALL, words=2400, softmax="adaptive")
BODIES = [SMALL, replace(SMALL, body="gpt2")]


def cycles(words: int, count: int = 60) -> list[NDArray[np.int64]]:
    """Documents in which each word has one follower."""
    rng = np.random.default_rng(0)
    return [(2 + (start + np.arange(15)) % (words - 2)).astype(np.int64) for start in rng.integers(words, size=count)]


def trained(shape: Shape, documents: list[NDArray[np.int64]], epochs: int = 8, seed: int = 0) -> dict[str, NDArray]:
    state = initial(shape, np.random.default_rng(seed))
    for number in range(epochs):
        rng = np.random.default_rng([seed, number])
        state = train_epoch(shape, state, documents, Steps(batch=4, learning_rate=2e-2), rng)
    return state


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("shape", BODIES, ids=lambda shape: shape.body)
def test_it_learns_a_deterministic_text(shape: Shape) -> None:
    """That the transformer learns, too, `tests/models/test_language_models.py` shows."""
    documents = cycles(shape.words)
    before = NextWordPredictor(shape, initial(shape, np.random.default_rng(0)))
    assert 0.5 * shape.words < before.perplexity(documents) < 2 * shape.words
    after = NextWordPredictor(shape, finished(trained(shape, documents)))
    positions = [np.arange(1, len(document)) for document in documents]
    predicted = after.likeliest(documents, positions)
    hits = [words == document[1:] for words, document in zip(predicted, documents, strict=True)]
    assert np.mean(hits) > 0.97
    assert after.perplexity(documents) < 2


def test_an_adaptive_softmax_learns_the_same() -> None:
    assert LARGE.cutoffs == [1000]
    documents = cycles(10)
    after = NextWordPredictor(LARGE, finished(trained(LARGE, documents, epochs=14)))
    assert after.perplexity(documents) < 2


@pytest.mark.parametrize("shape", [*BODIES, LARGE], ids=["lstm", "gpt2", "adaptive"])
def test_sharing_a_forward_pass_changes_no_answer(shape: Shape) -> None:
    rng = np.random.default_rng(1)
    predictor = NextWordPredictor(shape, initial(shape, rng))
    documents = [rng.integers(2, 12, size) for size in (1, 7, 30, 300)]
    positions = [np.arange(len(document)) for document in documents]
    together = predictor.likeliest(documents, positions)
    for document, words in zip(documents, together, strict=True):
        for position in range(0, len(document), 7):
            alone = predictor.likeliest([document[: position + 1]], [np.array([position])])
            assert alone[0].tolist() == [words[position]]


@pytest.mark.parametrize("shape", [*BODIES, LARGE], ids=["lstm", "gpt2", "adaptive"])
def test_losses_are_those_of_each_document_alone_and_tell_the_likeliest_word(shape: Shape) -> None:
    rng = np.random.default_rng(1)
    state = initial(shape, rng)
    documents = [rng.integers(2, 12, size) for size in (1, 7, 30, 300)]
    documents[2][5] = UNKNOWN
    together = NextWordPredictor(shape, state).losses(documents)
    standings = NextWordPredictor(shape, state).standings(documents)
    for document, losses, standing in zip(documents, together, standings, strict=True):
        (alone,) = NextWordPredictor(shape, state).losses([document])
        assert np.allclose(losses, alone, atol=1e-5, equal_nan=True)
        assert np.allclose(losses, standing[:, 0], atol=1e-5, equal_nan=True)
        assert (np.isnan(losses) == (document == UNKNOWN)).all()
    logs = -np.concatenate(NextWordPredictor(shape, state).losses([np.array([word]) for word in range(2, 12)]))
    network = restored(shape, state).eval()
    with torch.inference_mode():
        every = network.log_probabilities(network(torch.tensor([[BOUNDARY]]))[0])[0].double().numpy()
    assert np.allclose(logs, every[2:12], atol=1e-5)
    mean = np.exp(every) @ every
    deviation = np.sqrt(np.exp(every) @ (every - mean) ** 2)
    assert np.allclose(standings[0][0, 1:], [mean, deviation], atol=1e-4)


@pytest.mark.parametrize("shape", [*BODIES, LARGE], ids=["lstm", "gpt2", "adaptive"])
def test_in_several_threads_every_answer_has_the_same_bits(shape: Shape) -> None:
    rng = np.random.default_rng(1)
    state = initial(shape, rng)
    documents = [rng.integers(2, 12, 300) for _ in range(shape.length)]  # so many windows that they fill batches
    positions = [np.arange(0, 300, 7)] * len(documents)
    before, answers = torch.get_num_threads(), []
    try:
        for threads in (1, 3):
            torch.set_num_threads(threads)
            predictor = NextWordPredictor(shape, state)
            read = (
                predictor.likeliest(documents, positions),
                predictor.losses(documents),
                predictor.standings(documents),
            )
            answers.append([np.concatenate(part).tobytes() for part in read] + [predictor.perplexity(documents)])
    finally:
        torch.set_num_threads(before)
    assert answers[0] == answers[1]


def test_later_words_do_not_matter() -> None:
    predictor = NextWordPredictor(SMALL, initial(SMALL, np.random.default_rng(1)))
    document = np.random.default_rng(2).integers(2, 12, 20)
    other = document.copy()
    other[9:] = 2 + (other[9:] - 1) % 10
    one, two = predictor.likeliest([document, other], [np.arange(10), np.arange(10)])
    assert one.tolist() == two.tolist()


def test_boundary_and_unknown_word_are_never_suggested() -> None:
    documents = [np.array([UNKNOWN] * 9 + [2], dtype=np.int64)] * 20
    predictor = NextWordPredictor(SMALL, finished(trained(SMALL, documents, 5)))
    (words,) = predictor.likeliest(documents[:1], [np.arange(10)])
    assert not {BOUNDARY, UNKNOWN} & set(words.tolist())


def test_unknown_words_are_left_out_of_perplexity() -> None:
    documents = [np.array([UNKNOWN] * 30, dtype=np.int64)] * 20
    predictor = NextWordPredictor(SMALL, finished(trained(SMALL, documents, 5)))
    only_ends = predictor.perplexity(documents)
    assert only_ends > 3, "only the rare ends of documents count"


def test_no_queries_and_no_documents() -> None:
    predictor = NextWordPredictor(SMALL, initial(SMALL, np.random.default_rng(1)))
    assert predictor.likeliest([], []) == []
    (words,) = predictor.likeliest([np.array([2, 3])], [np.array([], dtype=np.int64)])
    assert words.tolist() == []
    assert predictor.losses([]) == predictor.standings([]) == []
    assert [losses.size for losses in predictor.losses([np.array([], dtype=np.int64)])] == [0]
    assert np.isnan(predictor.perplexity([]))
    untrained = initial(SMALL, np.random.default_rng(1))
    after = train_epoch(SMALL, untrained, [np.array([2])], Steps(4, 1e-3), np.random.default_rng(0))
    assert all(np.isfinite(array).all() for array in after.values())


@pytest.mark.parametrize("shape", [*BODIES, replace(SMALL, dropout=0.3)], ids=["lstm", "gpt2", "dropout"])
def test_the_same_generators_give_the_same_bytes(shape: Shape) -> None:
    documents = cycles(12, 10)
    one, same, other = (trained(shape, documents, 2, seed) for seed in (1, 1, 2))
    assert {name: array.tobytes() for name, array in one.items()} == {
        name: array.tobytes() for name, array in same.items()
    }
    assert any(one[name].tobytes() != other[name].tobytes() for name in finished(one))


def test_only_weights_remain_after_training() -> None:
    state = trained(SMALL, cycles(12, 10), 1)
    assert sum(array.nbytes for array in finished(state).values()) < sum(array.nbytes for array in state.values()) / 2
