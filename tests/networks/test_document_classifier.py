"""The document classifier: adding scores gives the class of documents with words appended."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.access import DocumentLabels
from core.networks.document_classifier import DocumentClassifier, Labelled, document_vectors
from core.networks.word_embedding import Embedding
from core.text.corpus import Corpus

WORDS = ("good", "bad", "tea", "gas")
EMBEDDING = Embedding(WORDS, np.array([[1, 0], [-1, 0], [0, 1], [0.5, -1]], np.float32))
CLASSIFIER = DocumentClassifier(EMBEDDING, np.array([1.0, 0.25]), -0.1)


@given(
    documents=st.lists(st.lists(st.sampled_from([*WORDS, "unknown"]), max_size=6), min_size=1, max_size=4),
    words=st.lists(st.sampled_from([*WORDS, "unknown"]), min_size=1, max_size=3),
    repetitions=st.integers(0, 4),
)
@settings(max_examples=40)
def test_adding_scores_equals_classifying_the_longer_document(
    documents: list[list[str]], words: list[str], repetitions: int
) -> None:
    labels = CLASSIFIER.sums(documents).appended(CLASSIFIER.scores(words), repetitions)
    longer = [
        [*document, *[word] * times] for document in documents for word in words for times in range(repetitions + 1)
    ]
    corpus = Corpus.encode(" ".join(document) for document in longer)
    margin = np.abs(document_vectors(corpus, EMBEDDING) @ CLASSIFIER.weights + CLASSIFIER.bias)
    certain = margin.reshape(labels.shape) > 1e-9
    assert (labels == CLASSIFIER.classify(corpus).reshape(labels.shape))[certain].all()


def test_a_document_is_the_mean_of_its_known_words() -> None:
    vectors = document_vectors(Corpus.encode(["good tea tea", "unknown", "", "unknown gas"]), EMBEDDING)
    assert np.allclose(vectors, [[1 / 3, 2 / 3], [0, 0], [0, 0], [0.5, -1]])


def test_every_label_is_a_query() -> None:
    access = DocumentLabels(CLASSIFIER)
    labels = access.query([["good"], ["bad"], []], ["tea", "gas"], 5)
    assert labels.shape == (3, 2, 6)
    assert access.queries == 36
    plain = access.query([["good"], ["bad"], []])
    assert plain.ravel().tolist() == [True, False, False]
    assert access.queries == 39


def test_planted_classes_are_separated() -> None:
    rng = np.random.default_rng(0)
    positive = rng.random(400) < 0.2
    texts = [
        " ".join(rng.choice(WORDS, 20, p=(0.4, 0.1, 0.25, 0.25) if spam else (0.1, 0.4, 0.25, 0.25)))
        for spam in positive
    ]
    labelled = Labelled(Corpus.encode(texts), positive)
    classifier = DocumentClassifier.fit(EMBEDDING, labelled.select(np.arange(200)), np.random.default_rng(1))
    rest = labelled.select(np.arange(200, 400))
    assert (classifier.classify(rest.corpus) == rest.positive).mean() > 0.9


@pytest.mark.parametrize("texts", [["", ""], ["unknown", "words"]])
def test_documents_without_a_known_word_have_one_class(texts: list[str]) -> None:
    assert not CLASSIFIER.classify(Corpus.encode(texts)).any()
