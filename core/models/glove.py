"""GloVe: word vectors fitted to how often words stand near each other."""

from typing import ClassVar

import numpy as np

from core.access import Access, WordNetworks, WordVectors
from core.networks.word_embedding import Embedding, Network
from core.spec import parameter
from core.targets.word_vectors import WordModel
from core.text.corpus import Corpus


class Glove(WordModel):
    """Global vectors (Pennington, Socher and Manning 2014), by a compiled trainer of this project's own.

    No kept library trains it. Ceiling, exponent, AdaGrad's step size, the weight 1/distance of a pair and the sum of
    both vectors are the paper's; its window of 10 and its 100 iterations are for corpora of billions of words. Song and
    Raghunathan 2020, section 5.1, take 50 iterations and a window of 5.
    """

    title: ClassVar[str] = "GloVe"
    provides: ClassVar[frozenset[type[Access]]] = frozenset({WordVectors, WordNetworks})

    ceiling: float = parameter(
        100.0,
        "Pairs that stand together as often have full weight; rarer ones have less.",
        unit="occurrences",
        ge=1,
        le=1e6,
        advanced=True,
    )
    exponent: float = parameter(0.75, "How fast the weight of rarer pairs falls.", ge=0, le=2, advanced=True)
    learning_rate: float = parameter(0.05, "AdaGrad’s step size.", gt=0, le=1, advanced=True)

    def train(self, corpus: Corpus, rng: np.random.Generator) -> Embedding:
        """Train on documents with one thread."""
        trained = self.network(corpus, rng)
        return Embedding(trained.words, trained.vectors)

    def network(self, corpus: Corpus, rng: np.random.Generator) -> Network:
        """Train on documents with one thread, and keep both vectors of each word; their sum is what is published."""
        from core.kernels.cooccurrence import cooccurrences, train_both

        kept = corpus.frequent(self.minimum_count)
        if not kept.words:
            nothing = np.empty((0, self.dimension), np.float32)
            return Network((), nothing, nothing, nothing)
        rows, columns, counts = cooccurrences(kept.tokens, kept.offsets, len(kept.words), self.window)
        words, contexts = train_both(
            rows,
            columns,
            counts,
            len(kept.words),
            dimension=self.dimension,
            epochs=self.epochs,
            learning_rate=self.learning_rate,
            ceiling=self.ceiling,
            exponent=self.exponent,
            rng=rng,
        )
        return Network(kept.words, words + contexts, words, contexts)
