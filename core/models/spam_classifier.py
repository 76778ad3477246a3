"""A spam filter: a word embedding, and on top of it a linear classifier, of which only the labels are seen."""

from typing import ClassVar

import numpy as np

from core.models.word2vec import Word2vec
from core.networks.document_classifier import DocumentClassifier, Labelled
from core.networks.word_embedding import Embedding
from core.targets.document_model import DocumentModel


class SpamClassifier(DocumentModel, Word2vec):
    """Word2vec, and a linear support vector machine that reads a document as the mean of its words' vectors.

    The paper says "a linear classifier", SVM in its Table 3, on e-mails that are "embedded", without saying how a
    document is embedded (Mahloujifar et al. 2021, section 4). The mean is the plainest way, and appending a word to a
    document then moves it towards that word, as its attack supposes. Both classes weigh the same.

    Whether the classifier has documents of its own or shares the embedding's is the difference between the paper's
    Tables 1 and 2.
    """

    title: ClassVar[str] = "document classifier on word2vec"

    def classifier(self, embedding: Embedding, lesson: Labelled, rng: np.random.Generator) -> DocumentClassifier:
        """Train the support vector machine."""
        return DocumentClassifier.fit(embedding, lesson, rng)
