"""Models of word vectors: how their target models are trained."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.access import (
    Access,
    WordNetworks,
    WordVectors,
)
from core.defenses import shielded
from core.errors import Incompatible
from core.networks.word_embedding import Embedding, Network, neighbours_kept
from core.runtime.context import Arrays, RunContext
from core.runtime.seeding import generator
from core.spec import key_of, parameter
from core.targets.model import TextModel
from core.targets.trained_target import TrainedTarget, Utility
from core.targets.training_job import TrainingJob
from core.text.corpus import Corpus


class WordModel(TextModel):
    """A learner of word vectors."""

    provides: ClassVar[frozenset[type[Access]]] = frozenset({WordVectors})

    window: int = parameter(5, "Farthest context word to either side.", unit="words", ge=1, le=50)
    epochs: int = parameter(20, "Passes over the documents.", unit="passes", ge=1, le=200)
    dimension: int = parameter(80, "Length of each word vector.", ge=2, le=1024)
    minimum_count: int = parameter(20, "Rarer words are ignored.", unit="occurrences", ge=1, le=10_000)

    @abstractmethod
    def train(self, corpus: Corpus, rng: np.random.Generator) -> Embedding:
        """Train on documents.

        Args:
            corpus: Training documents.
            rng: Source of all randomness; the same state gives the same bytes.
        """

    def network(self, corpus: Corpus, rng: np.random.Generator) -> Network:
        """Train on documents as `train` does, and keep the second vector of each word too.

        Raises:
            Incompatible: This learner has no such vectors, or does not show them.
        """
        raise Incompatible(f"{self.part_name()} shows no vectors of words as contexts.")

    def embeddings(self, job: TrainingJob, context: RunContext) -> list[Embedding]:
        """Return the embedding of each target model."""
        return [Embedding.from_arrays(arrays) for arrays in self._trained(_train_target, job, context)]

    def _trained(self, train: Callable[..., Arrays], job: TrainingJob, context: RunContext) -> list[Arrays]:
        shared = {
            "model": self,
            "corpus": job.corpus,
            "selections": job.selections,
            "seed": job.seed,
        }
        items = range(len(job.selections))
        found = dict(context.train("Training the target models", key_of(dict(job.identity)), train, items, shared))
        return [found[item] for item in items]

    def release(self, job: TrainingJob, context: RunContext) -> list[TrainedTarget]:
        """Train embeddings, of which the vectors may be asked for, or both vectors where that is to be given."""
        if job.access is WordNetworks:
            networks = self._trained(_train_network, job, context)
            return [TrainedTarget(WordNetworks(Network.from_arrays(arrays))) for arrays in networks]
        releases = []
        for number, embedding in enumerate(self.embeddings(job, context)):
            shown = shielded(embedding, job.defenses, generator(job.seed, "release", number))
            qualities = {} if shown is embedding else {"neighbours_kept": _likeness(embedding, shown)}
            releases.append(TrainedTarget(WordVectors(shown), qualities))
        return releases


class PredictiveModel(WordModel):
    """A learner of word vectors that tell a word and its context from noise."""

    mode: Literal["cbow", "skip_gram"] = parameter(
        "cbow", "Predict a word from its context (CBOW) or the context from the word (skip-gram)."
    )


def _likeness(trained: Embedding, shown: Embedding) -> Utility:
    return Utility(
        neighbours_kept(trained, shown),
        "share of neighbours",
        "How many of the ten nearest neighbours of frequent words are the same in the vectors that are released.",
        min(10 / max(len(trained.words) - 1, 1), 1.0),
    )


def _train_target(
    item: int, model: WordModel, corpus: Corpus, selections: Sequence[NDArray[np.int64]], seed: int
) -> Arrays:
    return model.train(corpus.select(selections[item]), generator(seed, "target model", item)).as_arrays()


def _train_network(
    item: int, model: WordModel, corpus: Corpus, selections: Sequence[NDArray[np.int64]], seed: int
) -> Arrays:
    return model.network(corpus.select(selections[item]), generator(seed, "target model", item)).as_arrays()
