"""The BiLSTM-CRF network: its loss is right, it learns, and it is reproducible."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
import torch
import torchcrf

from core.networks.bilstm_crf import BilstmCrf, Crf, Shape, Words, evaluate, initial, restored, tensors, train_epoch
from core.networks.states import Steps, finished
from core.text.request_vocabulary import Encoded, RequestVocabulary

SHAPE = Shape(8, 12, 2, intents=3, tags=4, trainable=False, characters=False, dropout=(0.0, 0.0))
VOCABULARY = RequestVocabulary(tuple(f"w{number}" for number in range(10)), ("O", "B-a", "I-a", "B-b"), ("x", "y", "z"))
WORDS = Words.of(VOCABULARY.words, np.random.default_rng(0).normal(size=(10, 8)).astype(np.float32))


def requests(count: int = 60) -> Encoded:
    """Requests whose intent follows from the first word, and whose tags follow from the words."""
    rng = np.random.default_rng(1)
    words = tuple(rng.integers(10, size=rng.integers(1, 5)) for _ in range(count))
    tags = tuple(np.array([0, 1, 3])[row % 3] for row in words)
    return Encoded.of(words, tags, np.array([row[0] % 3 for row in words]))


def trained(shape: Shape, epochs: int = 8) -> dict[str, np.ndarray]:
    state = initial(shape, WORDS, np.random.default_rng(0))
    for number in range(epochs):
        rng = np.random.default_rng(number)
        state, _ = train_epoch(shape, WORDS, state, requests(), Steps(batch=8, learning_rate=2e-2), rng)
    return state


def test_the_probabilities_of_all_sequences_add_up_to_one() -> None:
    torch.manual_seed(0)
    field, emissions = Crf(3), torch.randn(1, 4, 3)
    sequences = torch.tensor(list(itertools.product(range(3), repeat=4)))
    losses = field.losses(emissions.expand(len(sequences), -1, -1), sequences).detach()
    assert float((-losses).exp().sum()) == pytest.approx(1.0, abs=1e-5)
    assert field.best(emissions)[0] == sequences[losses.argmin()].tolist()


@pytest.mark.parametrize("scale", [1.0, 40.0])
def test_the_product_of_matrices_equals_the_normaliser_of_the_library(scale: float) -> None:
    torch.manual_seed(1)
    field = Crf(6)
    for parameter in field.parameters():
        parameter.data *= scale
    emissions, mask = scale * torch.randn(7, 5, 6), torch.ones(7, 5, dtype=torch.bool)
    theirs = torchcrf.CRF._compute_normalizer(field, emissions, mask)
    assert field._compute_normalizer(emissions, mask).detach().numpy() == pytest.approx(theirs.detach().numpy(), 1e-5)


@pytest.mark.sampled(every=2)  # what is spelt has the words' vectors, too
@pytest.mark.parametrize("shape", [replace(SHAPE, characters=True, dropout=(0.1, 0.1)), SHAPE], ids=["spelt", "words"])
def test_it_learns_a_deterministic_rule(shape: Shape) -> None:
    untrained = evaluate(
        restored(shape, WORDS, initial(shape, WORDS, np.random.default_rng(0))), requests(), VOCABULARY
    )
    learnt = evaluate(restored(shape, WORDS, finished(trained(shape))), requests(), VOCABULARY)
    assert learnt.loss < 0.2 * untrained.loss
    assert learnt.intent_accuracy > 0.97 > untrained.intent_accuracy
    assert learnt.slot_f1 > 0.97 > untrained.slot_f1


def test_the_same_training_gives_the_same_bytes() -> None:
    first, second = trained(SHAPE, epochs=2), trained(SHAPE, epochs=2)
    assert all((first[name] == second[name]).all() for name in first)


def test_word_vectors_are_in_the_state_only_if_they_are_trained() -> None:
    assert "weight.vectors" not in trained(SHAPE, epochs=1)
    moved = trained(replace(SHAPE, trainable=True), epochs=1)["weight.vectors"]
    assert moved.shape == WORDS.vectors.shape and not np.array_equal(moved, WORDS.vectors)


def test_character_embeddings_distinguish_words_with_equal_vectors() -> None:
    words = Words.of(VOCABULARY.words, np.ones((10, 8), np.float32))
    pair = torch.tensor([[1, 2]])
    for characters in (False, True):
        network = BilstmCrf(replace(SHAPE, characters=characters), words)
        first, second = network.describe(pair)[0]
        assert torch.equal(first, second) is not characters


def test_an_unknown_intent_is_wrong_and_has_no_loss() -> None:
    network = restored(SHAPE, WORDS, initial(SHAPE, WORDS, np.random.default_rng(0)))
    known = requests(1)
    unknown = replace(known, intents=np.array([-1]))
    assert evaluate(network, unknown, VOCABULARY).loss == 0
    assert evaluate(network, unknown, VOCABULARY).intent_accuracy == 0
    both = evaluate(network, known.with_copies(unknown, 1), VOCABULARY)
    assert both.loss == pytest.approx(evaluate(network, known, VOCABULARY).loss / 2)


def test_the_loss_of_a_request_does_not_depend_on_its_batch() -> None:
    network = restored(SHAPE, WORDS, trained(SHAPE, epochs=3)).eval()
    rows = requests().batches(100)[-1]
    words, intents, tags = tensors(requests(), rows)
    together = network.losses(network.describe(words), intents, tags)
    alone = [
        network.losses(network.describe(words[at : at + 1]), intents[at : at + 1], tags[at : at + 1])[0]
        for at in range(len(rows))
    ]
    assert together.detach().numpy() == pytest.approx(torch.stack(alone).detach().numpy(), rel=1e-4, abs=1e-5)
