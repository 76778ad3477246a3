"""A spam filter: a linear classifier on top of a word embedding, which returns labels only."""

from typing import ClassVar

import numpy as np

from core.models.word2vec import Word2vec
from core.networks.document_classifier import DocumentClassifier, Labelled
from core.networks.word_embedding import Embedding
from core.targets.document_model import DocumentModel


class SpamClassifier(DocumentModel, Word2vec):
    """Word2vec, and a linear support vector machine on the mean of a document's word vectors.

    The paper has "a linear classifier", SVM in its Table 3, on "embedded" e-mails, and does not define the embedding of
    a document (Mahloujifar et al. 2021, section 4). The mean is the simplest choice: appending a word to a document
    then moves it towards that word, as the attack assumes. Both classes have equal weight.

    Whether the classifier has other documents than the embedding is the difference between the paper's Tables 1 and 2.
    """

    title: ClassVar[str] = "document classifier on word2vec"

    def classifier(self, embedding: Embedding, documents: Labelled, rng: np.random.Generator) -> DocumentClassifier:
        """Train the support vector machine."""
        return DocumentClassifier.fit(embedding, documents, rng)
