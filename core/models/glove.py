"""GloVe: word vectors fitted to co-occurrence counts."""

from typing import ClassVar

import numpy as np

from core.access import Access, WordNetworks, WordVectors
from core.networks.word_embedding import Network
from core.spec import parameter
from core.targets.word_vectors import WordModel
from core.text.corpus import Corpus


class Glove(WordModel):
    """Global vectors (Pennington, Socher and Manning 2014), by a compiled trainer of this project.

    No maintained library trains it. Ceiling, exponent, AdaGrad's step size, the weight 1/distance of a pair and the sum
    of both vectors are the paper's; its window of 10 and its 100 iterations are for corpora of billions of words. Song
    and Raghunathan 2020, section 5.1, use 50 iterations and a window of 5.
    """

    title: ClassVar[str] = "GloVe"
    provides: ClassVar[frozenset[type[Access]]] = frozenset({WordVectors, WordNetworks})

    ceiling: float = parameter(
        100.0,
        "Pairs with at least this co-occurrence count have full weight; rarer ones have less.",
        unit="occurrences",
        ge=1,
        le=1e6,
        advanced=True,
    )
    exponent: float = parameter(0.75, "How fast the weight of rarer pairs falls.", ge=0, le=2, advanced=True)
    learning_rate: float = parameter(0.05, "AdaGrad’s step size.", gt=0, le=1, advanced=True)

    def network(self, corpus: Corpus, rng: np.random.Generator) -> Network:
        """Train with one thread; the sum of both vectors of a word is published."""
        from core.kernels.cooccurrence import cooccurrences, train

        frequent = corpus.frequent(self.minimum_count)
        if not frequent.words:
            return Network.empty(self.dimension)
        words, contexts = train(
            *cooccurrences(frequent.tokens, frequent.offsets, len(frequent.words), self.window),
            len(frequent.words),
            dimension=self.dimension,
            epochs=self.epochs,
            learning_rate=self.learning_rate,
            ceiling=self.ceiling,
            exponent=self.exponent,
            rng=rng,
        )
        return Network(frequent.words, words + contexts, words, contexts)
