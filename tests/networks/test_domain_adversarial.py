"""Domain-adversarial training transfers a rule to a corpus where a spurious feature misleads."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.svm import LinearSVC

from core.networks.domain_adversarial import train
from core.networks.perceptron import Perceptron

Corpus = tuple[NDArray[np.float32], NDArray[np.int64]]


@pytest.fixture(scope="module")
def corpora() -> tuple[Corpus, Corpus]:
    """Two corpora with a weak true feature, and a strong one that is spurious in the second corpus."""
    rng = np.random.default_rng(0)

    def corpus(shift: float, holds: float) -> Corpus:
        truth = rng.integers(2, size=800)
        sign = 2.0 * truth - 1
        columns = [
            sign + 0.5 * rng.normal(size=800),
            holds * 2 * sign + shift + 0.5 * rng.normal(size=800),
            rng.normal(size=800),
        ]
        return np.stack(columns, axis=1).astype(np.float32), truth

    return corpus(0, 1), corpus(5, 0)


def trained(corpora: tuple[Corpus, Corpus], strength: float, seed: int = 0, epochs: int = 30) -> list[Perceptron]:
    (inputs, truth), (elsewhere, _) = corpora
    settings: dict[str, Any] = {"width": 8, "epochs": epochs, "strength": strength, "batch": 64, "learning_rate": 5e-3}
    return list(train(inputs, truth, elsewhere, **settings, rng=np.random.default_rng(seed)))


@pytest.fixture(scope="module")
def network(corpora: tuple[Corpus, Corpus]) -> Callable[[float, int], Perceptron]:
    """The network that is trained on all texts of both corpora, by the strength of its adversary and the seed."""
    return cache(lambda strength, seed: trained(corpora, strength, seed)[-1])


def right(network: Perceptron, corpus: Corpus) -> float:
    return float(np.mean(network.probabilities(corpus[0]).argmax(axis=1) == corpus[1]))


def apart(network: Perceptron, corpora: tuple[Corpus, Corpus]) -> float:
    """Distance between the corpora's mean hidden states, in standard deviations within a corpus."""
    first, second = (network.hidden(corpus[0]) for corpus in corpora)
    within = np.sqrt((first.var(axis=0) + second.var(axis=0)).sum() / 2)
    return float(np.linalg.norm(first.mean(axis=0) - second.mean(axis=0)) / within)


def test_it_transfers_the_rule_where_a_linear_classifier_is_misled(
    corpora: tuple[Corpus, Corpus], network: Callable[[float, int], Perceptron]
) -> None:
    here, there = corpora
    misled = LinearSVC(dual=False).fit(*here).score(*there)
    assert misled < 0.7
    assert right(network(1.0, 0), there) > 0.85
    assert right(network(1.0, 0), here) > 0.9


def test_its_hidden_layer_separates_the_corpora_less(
    corpora: tuple[Corpus, Corpus], network: Callable[[float, int], Perceptron]
) -> None:
    plain, adversarial = (apart(network(strength, 0), corpora) for strength in (0.0, 1.0))
    assert plain > 1
    assert adversarial < 0.7


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("seed", [0, 1])
def test_few_of_one_class_in_the_second_corpus_mislead_it_and_as_many_of_both_do_not(
    corpora: tuple[Corpus, Corpus], network: Callable[[float, int], Perceptron], seed: int
) -> None:
    """Half of the labelled texts are of each class: a layer that tells no corpora apart then shifts the classes."""
    here, (inputs, truth) = corpora
    few = np.concatenate([np.flatnonzero(truth == 0), np.flatnonzero(truth == 1)[:40]])
    misled, of_both = trained((here, (inputs[few], truth[few])), 1.0, seed)[-1], network(1.0, seed)
    assert right(of_both, (inputs, truth)) > right(misled, (inputs, truth)) + 0.08
    assert misled.probabilities(inputs).argmax(axis=1).mean() > truth.mean() + 0.15, "it finds too many"


def test_it_yields_one_network_per_epoch_and_is_reproducible(corpora: tuple[Corpus, Corpus]) -> None:
    one, same, other = (trained(corpora, 1.0, seed, epochs=3) for seed in (0, 0, 1))
    assert len(one) == 3
    assert np.array_equal(one[-1].layers[0][0], same[-1].layers[0][0])
    assert not np.array_equal(one[-1].layers[0][0], other[-1].layers[0][0])
    assert not np.array_equal(one[0].layers[0][0], one[1].layers[0][0]), "a yielded network does not change afterwards"


def test_fewer_texts_than_a_batch_are_enough(corpora: tuple[Corpus, Corpus]) -> None:
    (inputs, truth), (elsewhere, _) = corpora
    settings: dict[str, Any] = {"width": 2, "epochs": 2, "strength": 1.0, "batch": 64, "learning_rate": 1e-3}
    few = train(inputs[:3], truth[:3], elsewhere[:1], **settings, rng=np.random.default_rng(0))
    assert all(np.isfinite(network.probabilities(inputs)).all() for network in few)
