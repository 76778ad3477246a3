"""Co-occurrences are counted, and word vectors fit the counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.kernels.cooccurrence import cooccurrences, train

pytestmark = pytest.mark.first

DOCUMENTS = st.lists(st.lists(st.integers(0, 5), max_size=8), max_size=5)


def flat(documents: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    tokens = np.array([word for document in documents for word in document], np.int32)
    return tokens, np.concatenate([[0], np.cumsum([len(document) for document in documents], dtype=np.int64)])


@given(DOCUMENTS, st.integers(1, 9))
def test_every_pair_counts_one_over_its_distance_and_none_crosses_documents(documents, window):
    expected = np.zeros((6, 6))
    for document in documents:
        for first, word in enumerate(document):
            for second, other in enumerate(document):
                if first != second and abs(first - second) <= window:
                    expected[word, other] += 1 / abs(first - second)
    rows, columns, counts = cooccurrences(*flat(documents), words=6, window=window)
    counted = np.zeros((6, 6))
    counted[rows, columns] = counts
    assert counted == pytest.approx(expected, abs=1e-5)
    assert len(rows) == np.count_nonzero(expected), "each pair once"


def test_training_is_reproducible_and_accepts_no_pairs():
    rows, columns, counts = cooccurrences(*flat([[0, 1, 2, 1, 0]]), words=3, window=2)
    settings = {"dimension": 4, "epochs": 3, "learning_rate": 0.05, "ceiling": 10.0, "exponent": 0.75}
    first, again = (
        np.stack(train(rows, columns, counts, 3, **settings, rng=np.random.default_rng(1))) for _ in range(2)
    )
    assert first.tobytes() == again.tobytes() and first.shape == (2, 3, 4)
    vectors, contexts = train(rows[:0], columns[:0], counts[:0], 3, **settings, rng=np.random.default_rng(1))
    assert vectors.shape == contexts.shape == (3, 4)


def test_words_with_equal_counts_get_similar_vectors():
    """Words 0 and 1 have equal counts, word 2 has opposite ones."""
    counts = np.array([[50.0, 2.0], [50.0, 2.0], [2.0, 50.0]])
    rows, columns = (part.ravel().astype(np.int32) for part in np.indices(counts.shape))
    columns = columns + 3
    both = train(
        np.concatenate([rows, columns]),
        np.concatenate([columns, rows]),
        np.tile(counts.ravel(), 2).astype(np.float32),
        5,
        dimension=6,
        epochs=300,
        learning_rate=0.1,
        ceiling=10.0,
        exponent=0.75,
        rng=np.random.default_rng(0),
    )
    vectors = sum(both)[:3]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    assert vectors[0] @ vectors[1] > 0.95 > 0.5 > vectors[0] @ vectors[2]
