"""Models of word vectors as target models."""

from collections.abc import Callable, Sequence
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.access import Access, WordNetworks, WordVectors
from core.defenses import defend_vectors
from core.errors import Incompatible
from core.keys import key_of
from core.networks.word_embedding import Embedding, Network, neighbours_kept
from core.runtime.context import Arrays, RunContext
from core.runtime.seeding import generator
from core.spec import parameter
from core.targets.model import TextModel
from core.targets.trained_target import TrainedTarget, Utility
from core.targets.training_job import TrainingJob
from core.text.corpus import Corpus

Learn = Callable[[Corpus, np.random.Generator], Embedding | Network]
"""Trains an embedding or a network on documents."""


class WordModel(TextModel):
    """A model of word vectors."""

    provides: ClassVar[frozenset[type[Access]]] = frozenset({WordVectors})

    window: int = parameter(5, "Largest distance of a context word to either side.", unit="words", ge=1, le=50)
    epochs: int = parameter(20, "Epochs over the documents.", unit="epochs", ge=1, le=200)
    dimension: int = parameter(80, "Length of each word vector.", ge=2, le=1024)
    minimum_count: int = parameter(20, "Rarer words are ignored.", unit="occurrences", ge=1, le=10_000)

    def train(self, corpus: Corpus, rng: np.random.Generator) -> Embedding:
        """Return an embedding trained on documents; the same state of ``rng`` gives the same bytes."""
        network = self.network(corpus, rng)
        return Embedding(network.words, network.vectors)

    def network(self, corpus: Corpus, rng: np.random.Generator) -> Network:
        """Train on documents and keep the context vector of each word too.

        Raises:
            Incompatible: This model has no context vectors, or does not publish them.
        """
        raise Incompatible(f"{self.part_name()} shows no vectors of words as contexts.")

    def embeddings(self, job: TrainingJob, context: RunContext) -> list[Embedding]:
        """Return the embedding of each target model."""
        return [Embedding.from_arrays(arrays) for arrays in self._train_each(self.train, job, context)]

    def _train_each(self, learn: Learn, job: TrainingJob, context: RunContext) -> list[Arrays]:
        shared = {"learn": learn, "corpus": job.corpus, "selections": job.selections, "seed": job.seed}
        items = range(len(job.selections))
        arrays = dict(context.train("Training the target models", key_of(dict(job.identity)), _train, items, shared))
        return [arrays[item] for item in items]

    def train_targets(self, job: TrainingJob, context: RunContext) -> list[TrainedTarget]:
        """Return embeddings with access to their vectors, or to input and context vectors if the job asks for both."""
        if job.access is WordNetworks:
            networks = self._train_each(self.network, job, context)
            return [TrainedTarget(WordNetworks(Network.from_arrays(arrays))) for arrays in networks]
        targets = []
        for number, embedding in enumerate(self.embeddings(job, context)):
            released = defend_vectors(embedding, job.defenses, generator(job.seed, "release", number))
            utilities = {} if released is embedding else {"neighbours_kept": _neighbour_utility(embedding, released)}
            targets.append(TrainedTarget(WordVectors(released), utilities))
        return targets


class PredictiveModel(WordModel):
    """A model of word vectors trained to distinguish the context of a word from noise."""

    mode: Literal["cbow", "skip_gram"] = parameter(
        "cbow", "Predict a word from its context (CBOW) or the context from the word (skip-gram)."
    )


def _neighbour_utility(trained: Embedding, released: Embedding) -> Utility:
    return Utility(
        neighbours_kept(trained, released),
        "share of neighbours",
        "How many of the ten nearest neighbours of frequent words are the same in the vectors that are released.",
        min(10 / max(len(trained.words) - 1, 1), 1.0),
    )


def _train(item: int, learn: Learn, corpus: Corpus, selections: Sequence[NDArray[np.int64]], seed: int) -> Arrays:
    return learn(corpus.select(selections[item]), generator(seed, "target model", item)).as_arrays()
