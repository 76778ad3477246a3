"""FastText: word vectors made of the vectors of character n-grams."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from core.access import Access, WordNetworks, WordVectors
from core.networks.word_embedding import Embedding, Network
from core.spec import parameter
from core.targets.word_vectors import PredictiveModel
from core.text.corpus import Corpus


class FastText(PredictiveModel):
    """FastText with negative sampling (Bojanowski et al. 2017), trained by gensim with one thread.

    A word's vector is the mean of its own and those of its character n-grams, so rare words borrow from words with a
    similar spelling. An adversary may query whole words only. Much slower than `core.models.word2vec`: choose few
    shadow models.
    """

    title: ClassVar[str] = "fastText"
    provides: ClassVar[frozenset[type[Access]]] = frozenset({WordVectors, WordNetworks})

    shortest_piece: int = parameter(3, "Shortest character n-gram.", unit="characters", ge=1, le=10, advanced=True)
    longest_piece: int = parameter(6, "Longest character n-gram.", unit="characters", ge=1, le=10, advanced=True)
    buckets: int = parameter(
        20_000, "Hash buckets that n-grams share.", unit="buckets", ge=1, le=2_000_000, advanced=True
    )
    negatives: int = parameter(5, "Noise words drawn for each prediction.", unit="words", ge=1, le=50, advanced=True)
    learning_rate: float = parameter(
        0.025, "Step size at the start; falls linearly to a 250th.", gt=0, le=1, advanced=True
    )

    def identity(self) -> dict[str, Any]:
        """Return what determines the key; newer fields count only where they are not the default."""
        fields = super().identity()
        defaults = {name: type(self).model_fields[name].default for name in ("negatives", "learning_rate")}
        return {name: value for name, value in fields.items() if name not in defaults or value != defaults[name]}

    def train(self, corpus: Corpus, rng: np.random.Generator) -> Embedding:
        """Train with one thread."""
        frequent = corpus.frequent(self.minimum_count)
        return self.vectors_for(frequent, frequent.words, rng)

    def network(self, corpus: Corpus, rng: np.random.Generator) -> Network:
        """Train with one thread; the input vectors are those of whole words, n-grams included."""
        frequent = corpus.frequent(self.minimum_count)
        if not frequent.words:
            return Network.empty(self.dimension)
        model = self._gensim(frequent, rng)
        inputs = np.stack([model.wv[word] for word in frequent.words]).astype(np.float32)
        rows = [model.wv.key_to_index[word] for word in frequent.words]
        return Network(frequent.words, inputs, inputs, np.asarray(model.syn1neg[rows]))

    def vectors_for(self, corpus: Corpus, words: Sequence[str], rng: np.random.Generator) -> Embedding:
        """Train on all words of documents, and return vectors of any words.

        Args:
            corpus: Training documents.
            words: Words to return; one outside the corpus gets the mean of its character n-grams.
            rng: Source of all randomness.
        """
        if not corpus.words or not words:
            return Embedding((), np.empty((0, self.dimension), np.float32))
        model = self._gensim(corpus, rng)
        return Embedding(words, np.stack([model.wv[word] for word in words]).astype(np.float32))

    def _gensim(self, corpus: Corpus, rng: np.random.Generator) -> Any:
        from gensim.models import FastText as Gensim

        return Gensim(
            sentences=corpus.texts(),
            vector_size=self.dimension,
            window=self.window,
            epochs=self.epochs,
            min_count=1,
            sg=int(self.mode == "skip_gram"),
            min_n=self.shortest_piece,
            max_n=self.longest_piece,
            bucket=self.buckets,
            negative=self.negatives,
            alpha=self.learning_rate,
            min_alpha=self.learning_rate / 250,
            seed=int(rng.integers(2**31)),
            workers=1,
        )
