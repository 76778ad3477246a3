"""Word2vec: CBOW and skip-gram with negative sampling."""

from typing import ClassVar, Literal

import numpy as np

from core.access import Access, WordNetworks, WordVectors
from core.networks.word_embedding import Network
from core.spec import parameter
from core.targets.word_vectors import PredictiveModel
from core.text.corpus import Corpus


class Word2vec(PredictiveModel):
    """Word2vec with negative sampling (Mikolov et al. 2013), as trained by Mahloujifar et al. 2021, section 3.2.

    ``trainer="kernel"`` is this project's trainer; it exists because hundreds of shadow models are the cost of the
    whole attack. ``trainer="gensim"`` is the reference it is checked against. The paper trains with "20 iterations", a
    minimum count of 20 and window 5. It does not state the mode, the number of negatives, the subsampling threshold or
    the learning rate; these are gensim's defaults. Skip-gram leaks more than the default CBOW.
    """

    title: ClassVar[str] = "word2vec"
    provides: ClassVar[frozenset[type[Access]]] = frozenset({WordVectors, WordNetworks})

    negatives: int = parameter(5, "Noise words drawn for each prediction.", unit="words", ge=1, le=50, advanced=True)
    subsampling: float = parameter(
        1e-3, "Words more frequent than this share are dropped at random; 0 keeps all.", ge=0, le=1, advanced=True
    )
    learning_rate: float = parameter(
        0.025, "Step size at the start; falls linearly to a 250th.", gt=0, le=1, advanced=True
    )
    trainer: Literal["kernel", "gensim"] = parameter(
        "kernel", "This project's fast trainer, or gensim's as the reference.", advanced=True
    )

    def network(self, corpus: Corpus, rng: np.random.Generator) -> Network:
        """Train with one thread; the input vectors are published."""
        frequent = corpus.frequent(self.minimum_count)
        if not frequent.words:
            return Network.empty(self.dimension)
        train = self._gensim if self.trainer == "gensim" else self._kernel
        inputs, outputs = train(frequent, int(rng.integers(2**31)))
        return Network(frequent.words, inputs, inputs, outputs)

    def _kernel(self, corpus: Corpus, seed: int) -> tuple[np.ndarray, np.ndarray]:
        from core.kernels.negative_sampling import train

        return train(
            corpus.shards,
            corpus.counts(),
            dimension=self.dimension,
            window=self.window,
            negatives=self.negatives,
            epochs=self.epochs,
            alpha=self.learning_rate,
            min_alpha=self.learning_rate / 250,
            sample=self.subsampling,
            skip_gram=self.mode == "skip_gram",
            seed=seed,
        )

    def _gensim(self, corpus: Corpus, seed: int) -> tuple[np.ndarray, np.ndarray]:
        from gensim.models import Word2Vec as Reference

        reference = Reference(
            sentences=[corpus.document(number).tolist() for number in range(len(corpus))],
            vector_size=self.dimension,
            window=self.window,
            epochs=self.epochs,
            min_count=1,
            negative=self.negatives,
            sample=self.subsampling,
            alpha=self.learning_rate,
            min_alpha=self.learning_rate / 250,
            sg=int(self.mode == "skip_gram"),
            seed=seed,
            workers=1,
        )
        rows = [reference.wv.key_to_index[word] for word in range(len(corpus.words))]
        return np.asarray(reference.wv.vectors[rows]), np.asarray(reference.syn1neg[rows])
