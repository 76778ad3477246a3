"""GloVe: word vectors fitted to how often words stand near each other."""

from typing import ClassVar

import numpy as np

from core.corpus import Corpus
from core.embedding import Embedding
from core.models import WordModel
from core.spec import parameter


class Glove(WordModel):
    """Global vectors (Pennington, Socher and Manning 2014), by a compiled trainer of this project's own.

    No kept library trains it. Ceiling, exponent, AdaGrad's step size, the weight 1/distance of a pair and the sum of
    both vectors are the paper's; its window of 10 and its 100 iterations are for corpora of billions of words. Song and
    Raghunathan 2020, section 5.1, take 50 iterations and a window of 5.
    """

    title: ClassVar[str] = "GloVe"

    ceiling: float = parameter(
        100.0, "Pairs that stand together as often have full weight; rarer ones have less.", unit="occurrences",
        ge=1, le=1e6, advanced=True,
    )  # fmt: skip
    exponent: float = parameter(0.75, "How fast the weight of rarer pairs falls.", ge=0, le=2, advanced=True)
    learning_rate: float = parameter(0.05, "AdaGrad’s step size.", gt=0, le=1, advanced=True)

    def train(self, corpus: Corpus, rng: np.random.Generator) -> Embedding:
        """Train on documents with one thread."""
        from core.kernels.cooccurrence import cooccurrences, train

        kept = corpus.frequent(self.minimum_count)
        if not kept.words:
            return Embedding((), np.empty((0, self.dimension), np.float32))
        rows, columns, counts = cooccurrences(kept.tokens, kept.offsets, len(kept.words), self.window)
        vectors = train(
            rows, columns, counts, len(kept.words), dimension=self.dimension, epochs=self.epochs,
            learning_rate=self.learning_rate, ceiling=self.ceiling, exponent=self.exponent, rng=rng,
        )  # fmt: skip
        return Embedding(kept.words, vectors)
