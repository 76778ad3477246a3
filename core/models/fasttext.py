"""FastText: word vectors that also learn from the pieces of words."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from core.corpus import Corpus
from core.embedding import Embedding
from core.models import PredictiveModel
from core.spec import parameter


class FastText(PredictiveModel):
    """FastText with negative sampling (Bojanowski et al. 2017), trained by gensim with one thread.

    A word's vector is the mean of its own and those of its character n-grams, so rare words borrow from words that
    look like them; whether that hides or spreads a target's traces is what comparing it with word2vec shows. An
    adversary asks for whole words only. Slower than `core.models.word2vec` by far: choose few shadow models.
    """

    title: ClassVar[str] = "fastText"

    shortest_piece: int = parameter(3, "Shortest character n-gram.", unit="characters", ge=1, le=10, advanced=True)
    longest_piece: int = parameter(6, "Longest character n-gram.", unit="characters", ge=1, le=10, advanced=True)
    buckets: int = parameter(
        20_000, "Hash buckets that n-grams share.", unit="buckets", ge=1, le=2_000_000, advanced=True
    )

    def train(self, corpus: Corpus, rng: np.random.Generator) -> Embedding:
        """Train on documents with one thread."""
        kept = corpus.frequent(self.minimum_count)
        return self.spell(kept, kept.words, rng)

    def spell(self, corpus: Corpus, words: Sequence[str], rng: np.random.Generator) -> Embedding:
        """Train on all words of documents, and return the vectors of words that need not be among them.

        Args:
            corpus: Training documents.
            words: Whose vectors are wanted; a word that was never met gets the mean of its character n-grams.
            rng: Source of all randomness.
        """
        from gensim.models import FastText as Gensim

        if not corpus.words or not words:
            return Embedding((), np.empty((0, self.dimension), np.float32))
        model = Gensim(
            sentences=corpus.texts(),
            vector_size=self.dimension,
            window=self.window,
            epochs=self.epochs,
            min_count=1,
            sg=int(self.mode == "skip_gram"),
            min_n=self.shortest_piece,
            max_n=self.longest_piece,
            bucket=self.buckets,
            seed=int(rng.integers(2**31)),
            workers=1,
        )
        return Embedding(words, np.stack([model.wv[word] for word in words]).astype(np.float32))
