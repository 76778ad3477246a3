"""Beam search with cached keys and values equals a plain search, whatever the batch."""

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.networks.beam_search import limits, search, translate
from core.networks.transformer import Shape, Transformer
from core.networks.translation import batches, initial, log_probabilities, perplexity, restored, train_epoch, with_ends
from core.text.subwords import BOUNDARY, PADDING

SHAPE = Shape(30, 30, tied=True, layers=2, dimension=16, heads=2, feed_forward=32, dropout=(0.1, 0.1))
APART = Shape(40, 20, tied=False, layers=1, dimension=16, heads=4, feed_forward=32, dropout=(0.0, 0.0))
RNG = np.random.default_rng(0)
SENTENCES = [RNG.integers(2, 20, length) for length in (3, 9, 1, 5, 5, 0, 12, 7, 2, 4)]


def network(shape: Shape, seed: int = 1) -> Transformer:
    """An untrained network with confident predictions, whose translations end."""
    state = initial(shape, seed)
    rng = np.random.default_rng(seed)
    strong = {name: array + rng.normal(0, 0.3, array.shape).astype(array.dtype) for name, array in state.items()}
    strong["weight.output.bias"][BOUNDARY] = 1.0
    return restored(shape, {name: np.asarray(array) for name, array in strong.items()}).eval().requires_grad_(False)


def plain_search(net: Transformer, source: np.ndarray, beam: int) -> tuple[list[int], float]:
    """Search without a cache, with lists."""
    sentence = with_ends([source])
    hypotheses: list[tuple[float, list[int]]] = [(0.0, [])]
    for _ in range(int(limits(sentence))):
        longer = []
        for total, tokens in hypotheses:
            if tokens[-1:] == [BOUNDARY]:
                longer.append((total, tokens))
                continue
            hidden = net(sentence, torch.tensor([[BOUNDARY, *tokens]]))[0, -1]
            scores = net.output(hidden).log_softmax(0)
            scores[PADDING] = -torch.inf
            longer += [(total + score, [*tokens, token]) for token, score in enumerate(scores.tolist())]
        hypotheses = sorted(longer, key=lambda hypothesis: -hypothesis[0])[:beam]
    total, tokens = max(hypotheses, key=lambda hypothesis: hypothesis[0] / len(hypothesis[1]))
    return tokens, total


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("shape", [SHAPE, APART])
@pytest.mark.parametrize("beam", [1, 3])
def test_the_search_equals_a_plain_search(shape: Shape, beam: int) -> None:
    net = network(shape)
    translations, nats, counts = translate(net, SENTENCES, beam)
    lengths = set()
    for source, translation, total, count in zip(SENTENCES, translations, nats, counts, strict=True):
        expected, log_probability = plain_search(net, source, beam)
        ended = expected[-1] == BOUNDARY
        assert translation.tolist() == expected[: len(expected) - ended]
        assert total == pytest.approx(log_probability, abs=1e-4)
        assert count == len(expected)
        lengths.add(count)
    assert len(lengths) > 2, "rows leave the batch at different times"


def test_a_translation_that_never_ends_is_cut_at_its_own_limit() -> None:
    net = network(SHAPE)
    net.output.bias[BOUNDARY] = -100.0
    _, _, counts = translate(net, SENTENCES, 2)
    assert counts.tolist() == [2 * (len(source) + 1) + 10 for source in SENTENCES]


@pytest.mark.parametrize("beam", [1, 4])
def test_the_score_of_a_translation_is_its_forced_probability(beam: int) -> None:
    net = network(SHAPE)
    translations, nats, counts = translate(net, SENTENCES, beam)
    forced, lengths = log_probabilities(net, SENTENCES, translations)
    ended = counts == lengths
    assert ended.any()
    np.testing.assert_allclose(forced[ended], nats[ended], atol=1e-4)
    alone = [log_probabilities(net, [one], [other])[0][0] for one, other in zip(SENTENCES, translations, strict=True)]
    np.testing.assert_allclose(alone, forced, atol=1e-4)
    assert perplexity(net, SENTENCES, translations) == pytest.approx(np.exp(-forced.sum() / lengths.sum()))


def test_padding_changes_nothing() -> None:
    net = network(SHAPE)
    together, totals = search(net, with_ends(SENTENCES), 2)
    for row, source in enumerate(SENTENCES):
        alone, total = search(net, with_ends([source]), 2)
        assert together[row, : alone.shape[1]].tolist() == alone[0].tolist()
        assert (together[row, alone.shape[1] :] == PADDING).all()
        assert totals[row].item() == pytest.approx(total.item(), abs=1e-4)


@given(st.lists(st.tuples(st.integers(1, 30), st.integers(1, 30)), max_size=40), st.integers(1, 100))
def test_batches_have_each_row_once_and_respect_the_limit(sizes: list[tuple[int, int]], most: int) -> None:
    lengths = np.array(sizes, np.int64).reshape(-1, 2)
    parts = list(batches(lengths, np.arange(len(lengths)), most))
    assert sorted(row for batch in parts for row in batch) == list(range(len(lengths)))
    assert all(len(batch) == 1 or lengths[batch].max() * len(batch) <= most for batch in parts)


@pytest.mark.parametrize("shape", [SHAPE, APART])
def test_training_is_reproducible_and_resumes(shape: Shape) -> None:
    targets = [row % 18 + 2 for row in SENTENCES]
    states = []
    for _ in range(2):
        state, losses = initial(shape, 1), []
        for number in range(6):
            settings: dict[str, Any] = {"batch_tokens": 30, "learning_rate": 1e-2, "warm_up": 4, "smoothing": 0.1}
            rng = np.random.default_rng(number)
            state, loss = train_epoch(shape, state, SENTENCES, targets, **settings, rng=rng)
            losses.append(loss)
        states.append(state)
        assert losses[-1] < losses[0]
        assert len({str(name).split(".")[0] for name in state}) == 5
    assert states[0].keys() == states[1].keys()
    assert all(np.array_equal(states[0][name], states[1][name]) for name in states[0])
    assert ("weight.writing.weight" in states[0]) == (not shape.tied), "tied weights are stored once"
