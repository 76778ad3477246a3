"""The trainer of word vectors: neighbours are similar, results are reproducible, odd corpora work."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.kernels import negative_sampling
from core.kernels.negative_sampling import train

pytestmark = pytest.mark.first

SETTING = {
    "dimension": 20,
    "window": 3,
    "negatives": 5,
    "epochs": 5,
    "alpha": 0.025,
    "min_alpha": 0.0001,
    "sample": 1e-3,
    "seed": 7,
}


def trained(documents, vocabulary=None, **changes):
    tokens = np.array([word for document in documents for word in document], np.int32)
    offsets = np.cumsum([0, *map(len, documents)]).astype(np.int64)
    counts = np.bincount(tokens, minlength=vocabulary or 0)
    return train(lambda: [(tokens, offsets)], counts, **{**SETTING, "skip_gram": True, **changes})[0]


def cosine(a, b):
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


@pytest.fixture(scope="module")
def topics():
    """Documents of one of two topics, which share no words."""
    rng = np.random.default_rng(3)
    return [rng.integers(0, 10, 12) + 10 * (number % 2) for number in range(600)]


@pytest.mark.parametrize("skip_gram", [True, False])
def test_cooccurring_words_become_more_similar_than_others(topics, skip_gram):
    vectors = trained(topics, skip_gram=skip_gram, sample=0.0, epochs=20)
    same = [cosine(vectors[a], vectors[b]) for a in range(10) for b in range(a)]
    apart = [cosine(vectors[a], vectors[b]) for a in range(10) for b in range(10, 20)]
    assert min(same) > max(apart) + 0.3


@pytest.mark.parametrize("skip_gram", [True, False])
def test_random_texts_give_no_similarity(skip_gram):
    rng = np.random.default_rng(4)
    vectors = trained([rng.integers(0, 20, 12) for _ in range(600)], skip_gram=skip_gram, sample=0.0, epochs=20)
    same = np.mean([cosine(vectors[a], vectors[b]) for a in range(10) for b in range(a)])
    apart = np.mean([cosine(vectors[a], vectors[b]) for a in range(10) for b in range(10, 20)])
    assert abs(same - apart) < 0.1


@pytest.mark.parametrize("skip_gram", [True, False])
def test_same_arguments_give_the_same_bytes(topics, skip_gram):
    first = trained(topics, skip_gram=skip_gram)
    assert first.tobytes() == trained(topics, skip_gram=skip_gram).tobytes()
    assert first.tobytes() != trained(topics, skip_gram=skip_gram, seed=8).tobytes()


@pytest.mark.parametrize("skip_gram", [True, False])
@pytest.mark.parametrize(
    ("documents", "vocabulary"),
    [
        ([], 3),
        ([[]], 3),
        ([[], [0, 1, 2, 1], []], 3),
        ([[0], [1], [2]], 3),
        ([[0]], 1),
        ([[0] * 50], 1),
        ([[0, 1]], 2),
        ([[0, 1] * 2000], 5),
    ],
)
def test_odd_corpora_give_finite_vectors(documents, vocabulary, skip_gram):
    vectors = trained(documents, vocabulary, skip_gram=skip_gram)
    assert vectors.shape == (vocabulary, SETTING["dimension"])
    assert vectors.dtype == np.float32
    assert np.isfinite(vectors).all()


@pytest.mark.parametrize("skip_gram", [True, False])
def test_words_without_neighbours_keep_their_first_vectors(skip_gram):
    alone = trained([[0], [1], [2], []], skip_gram=skip_gram)
    assert np.array_equal(alone, trained([], 3, skip_gram=skip_gram))
    assert np.abs(alone).max() <= 0.5 / SETTING["dimension"]


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(("dimension", "window", "negatives"), [(1, 1, 1), (16, 2, 3), (33, 3, 4)])
@pytest.mark.parametrize("skip_gram", [True, False])
def test_any_size_works(topics, dimension, window, negatives, skip_gram):
    sizes = {"dimension": dimension, "window": window, "negatives": negatives}
    vectors = trained(topics[:40], skip_gram=skip_gram, epochs=1, **sizes)
    assert vectors.shape == (20, dimension)
    assert np.isfinite(vectors).all()


@given(
    documents=st.lists(st.lists(st.integers(0, 11), max_size=30), max_size=12),
    skip_gram=st.booleans(),
    sample=st.sampled_from([0.0, 1e-3, 0.1]),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=30)
def test_vectors_are_finite_whatever_the_documents(documents, skip_gram, sample, seed):
    vectors = trained(documents, 12, skip_gram=skip_gram, sample=sample, seed=seed, alpha=0.5)
    assert vectors.shape == (12, SETTING["dimension"])
    assert np.isfinite(vectors).all()


def test_noise_follows_its_weights():
    weights = np.array([8.0, 0.0, 1.0, 1.0, 6.0])
    table = negative_sampling._alias_table(weights)
    chance, alias = (table >> np.uint64(32)) / 2.0**32, (table & np.uint64(0xFFFFFFFF)).astype(int)
    share = chance.copy()
    np.add.at(share, alias, 1.0 - chance)
    assert share / weights.size == pytest.approx(weights / weights.sum(), abs=1e-8)


@pytest.mark.parametrize(
    ("tokens", "offsets", "changes", "message"),
    [
        ([0, 5], [0, 2], {}, "word ids from 0 to 1"),
        ([0, -1], [0, 2], {}, "word ids from 0 to 1"),
        ([0, 1], [0, 3], {}, "run from 0 to the 2 tokens"),
        ([0, 1], [0, 2, 1, 2], {}, "never decrease"),
        ([0, 1], [0, 2], {"negatives": 0}, "'negatives'"),
        ([0, 1], [0, 2], {"window": 0}, "'window'"),
    ],
)
def test_out_of_bounds_arguments_are_refused(tokens, offsets, changes, message):
    arguments = {**SETTING, "skip_gram": True, **changes}
    with pytest.raises(ValueError, match=message):
        train(lambda: [(np.array(tokens), np.array(offsets))], np.array([1, 1]), **arguments)


@given(
    documents=st.lists(st.lists(st.integers(0, 11), max_size=30), max_size=12),
    cuts=st.lists(st.integers(0, 12)),
    skip_gram=st.booleans(),
)
@settings(max_examples=30)
def test_shards_give_the_bytes_of_the_whole(documents, cuts, skip_gram):
    bounds = sorted({0, len(documents), *(min(cut, len(documents)) for cut in cuts)})

    def shards():
        for first, last in pairwise(bounds):
            some = documents[first:last]
            yield np.array([word for one in some for word in one], np.int32), np.cumsum([0, *map(len, some)])

    counts = np.bincount([word for one in documents for word in one], minlength=12)
    vectors = train(shards, counts, **SETTING, skip_gram=skip_gram)[0]
    assert vectors.tobytes() == trained(documents, 12, skip_gram=skip_gram).tobytes()


def test_counts_of_other_documents_are_refused():
    with pytest.raises(ValueError, match="count all 2 tokens, got 3"):
        train(lambda: [(np.array([0, 1]), np.array([0, 2]))], np.array([1, 2]), **SETTING, skip_gram=True)
