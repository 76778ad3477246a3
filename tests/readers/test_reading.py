"""What is read in NumPy is what the adversaries themselves would answer."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array

from core.adversaries.linear_map import LinearMap
from core.adversaries.word_classifier import WordClassifier
from core.attacks.inversion import multiset_inversion, sparse_inversion
from core.games.inversion.contract import InversionAdversary
from core.networks import multilabel, multiset
from core.readers.encoder import SmallBert
from core.readers.reading import Readers
from core.readers.training import weights_of
from core.runtime.context import RunContext

WORDS = ("war", "world", "music", "pizza", "the", "school")
DIMENSION = 128


@pytest.fixture(scope="module")
def encoder() -> SmallBert:
    return SmallBert(64)


@pytest.fixture
def vectors() -> NDArray[np.float32]:
    return np.random.default_rng(0).normal(0, 1, (40, DIMENSION)).astype(np.float32)


def halved(rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Return weights that half precision holds exactly."""
    return rng.normal(0, 0.3, shape).astype(np.float16).astype(np.float32)


def present(rng: np.random.Generator) -> csr_array:
    return csr_array((rng.random((40, len(WORDS))) < 0.4).astype(np.float32))


def classifier(vectors: NDArray[np.float32]) -> InversionAdversary:
    rng = np.random.default_rng(1)
    state: dict[str, NDArray[Any]] = multilabel.initial(vectors, present(rng), 0, 0)
    state |= {"weight.0.weight": halved(rng, (len(WORDS), DIMENSION)), "threshold": np.array(0.4)}
    return WordClassifier(WORDS, state)


def policy(vectors: NDArray[np.float32]) -> InversionAdversary:
    rng = np.random.default_rng(2)
    state: dict[str, NDArray[Any]] = multiset.initial(DIMENSION, len(WORDS), 8, 0)
    state = {name: halved(rng, array.shape) for name, array in state.items()}
    linear = halved(rng, (len(WORDS), DIMENSION)), halved(rng, (len(WORDS),))
    sizes = LinearMap.ridge(vectors, rng.integers(1, 5, len(vectors)))
    return multiset_inversion.Policy(WORDS, {**state, "threshold": np.array(0.3)}, linear, sizes, 4)


def decomposer(vectors: NDArray[np.float32], encoder: SmallBert) -> InversionAdversary:
    atoms = encoder.word_vectors(WORDS)
    atoms = atoms - atoms.mean(axis=0)
    shares = np.random.default_rng(3).random((len(vectors), len(WORDS)), np.float32)
    back = LinearMap.ridge(vectors, shares @ atoms)
    return sparse_inversion.Decomposer(WORDS, atoms, back, 50, RunContext(), penalty=0.1, threshold=0.2)


def test_readers_answer_as_their_adversaries_do(vectors: NDArray[np.float32], encoder: SmallBert) -> None:
    for adversary in (classifier(vectors), policy(vectors), decomposer(vectors, encoder)):
        weights = {f"method/{name}": array for name, array in weights_of(adversary).items()}
        reader, answer = Readers.of(weights, encoder).methods["method"], adversary.read(vectors)
        assert reader.words == answer.words
        np.testing.assert_allclose(reader.scores(vectors), answer.scores, atol=2e-3)
        assert answer.predicted.any()
        assert not answer.predicted.all()
        clear = np.abs(answer.scores - reader.threshold) > 0.005
        np.testing.assert_array_equal((reader.scores(vectors) > reader.threshold)[clear], answer.predicted[clear])


def test_words_are_named_by_how_sure_they_are(vectors: NDArray[np.float32], encoder: SmallBert) -> None:
    weights = {f"method/{name}": array for name, array in weights_of(classifier(vectors)).items()}
    reader = Readers.of(weights, encoder).methods["method"]
    scores = reader.scores(vectors[:1])[0]
    named = [scores[WORDS.index(word)] for word in reader.read(vectors[0])]
    assert named == sorted(named, reverse=True)
    assert all(score > reader.threshold for score in named)


def test_words_outside_the_vocabulary_are_not_known(encoder: SmallBert, vectors: NDArray[np.float32]) -> None:
    weights = {f"method/{name}": array for name, array in weights_of(classifier(vectors)).items()}
    (reading,) = Readers.of(weights, encoder).read("The WAR about quokkas")
    assert reading.known == ("the", "war")
