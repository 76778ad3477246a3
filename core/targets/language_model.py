"""Models of the next word: how their target models are trained."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.access import (
    Access,
    NextWords,
)
from core.runtime.context import Arrays, RunContext
from core.runtime.epochs import train_by_epochs
from core.runtime.seeding import generator
from core.spec import parameter
from core.statistics.privacy import Promise, steps_per_epoch
from core.targets.model import TextModel
from core.targets.trained_target import TrainedTarget, Utility
from core.targets.training_job import MOST_TESTED, TrainingJob, held_out
from core.text.corpus import Corpus
from core.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from core.networks.next_word import Shape


class LanguageModel(TextModel):
    """A model of the next word, of which only the likeliest is seen.

    The vocabulary is what the training documents have ``minimum_count`` times or oftener; every other word is read as
    one unknown word. Neither that nor the boundary between documents is ever suggested, as a keyboard suggests words.
    Documents are packed one after the other and cut into rows of ``context`` words. Gradients are clipped at norm 1.
    """

    provides: ClassVar[frozenset[type[Access]]] = frozenset({NextWords})

    dimension: int = parameter(500, "Length of a word's vector and of the hidden state.", ge=8, le=2048)
    layers: int = parameter(2, "Layers between words and prediction.", unit="layers", ge=1, le=24)
    epochs: int = parameter(10, "Passes over the documents.", unit="passes", ge=1, le=200)
    minimum_count: int = parameter(
        3, "Rarer words of the training documents are read as one unknown word.", unit="occurrences", ge=1, le=10_000
    )
    context: int = parameter(32, "Words before the next that it sees at most.", unit="words", ge=2, le=1024)
    batch: int = parameter(
        64, "Rows of a training step; documents in private training.", unit="rows", ge=1, le=4096, advanced=True
    )
    learning_rate: float = parameter(1e-3, "Adam’s step size.", gt=0, le=1, advanced=True)
    dropout: float = parameter(0.0, "Share of units left out in training.", ge=0, le=0.9, advanced=True)
    softmax: Literal["adaptive", "full"] = parameter(
        "adaptive",
        "Rare words share narrow clusters, which is faster, or every word has a full row, as in private training.",
        advanced=True,
    )

    @abstractmethod
    def shape(self, words: int) -> "Shape":
        """Return what the network for a vocabulary of so many words is made of."""

    def trained_shape(self, words: int, promise: Promise | None) -> "Shape":
        """Return what the network is made of; a promise takes a softmax with a gradient for each document."""
        shape = self.shape(words)
        return shape if promise is None else replace(shape, softmax="full")

    def release(self, job: TrainingJob, context: RunContext) -> list[TrainedTarget]:
        """Train language models, of which the likeliest next word may be asked for."""
        from core.networks.next_word import NextWordPredictor

        promise = job.promise
        trained = _train(self, job, context)
        context.progress.stage("Measuring perplexity", total=len(trained))
        releases = []
        for number, arrays in trained.items():
            vocabulary = Vocabulary(tuple(arrays["words"].tolist()))
            predictor = NextWordPredictor(self.trained_shape(len(vocabulary), promise), arrays)
            rng = generator(job.seed, "perplexity", number)
            own = job.selections[number]
            rows = {
                "test": ("other documents", held_out(len(job.corpus), own, rng)),
                "train": (
                    "its training documents",
                    np.sort(rng.choice(own, min(MOST_TESTED, len(own)), replace=False)),
                ),
            }
            qualities = {
                f"perplexity_{name}": Utility(
                    predictor.perplexity(vocabulary.encode(job.corpus.select(chosen))),
                    "words",
                    f"Among how many words the target models choose, as it were, in {says}; unknown words left out.",
                    float(len(vocabulary)),
                )
                for name, (says, chosen) in rows.items()
            }
            if promise is not None:
                qualities["epsilon"] = Utility(
                    promise.epsilon,
                    "epsilon",
                    f"What the accountant promises to each document, with a delta of {promise.delta:g}.",
                )
            releases.append(TrainedTarget(NextWords(vocabulary, predictor), qualities))
            context.progress.advance()
        return releases


def _train(model: LanguageModel, job: TrainingJob, context: RunContext) -> dict[int, Arrays]:
    """Train a language model on each selection of documents.

    Args:
        model: How.
        job: The documents.
        context: Where passes are trained and kept.

    Returns:
        By number of the selection, the weights and the ``words`` of the vocabulary.
    """
    promise = job.promise
    private = None if promise is None else _Private.of(promise, model, len(job.selections[0]))
    shared = {
        "model": model,
        "corpus": job.corpus,
        "selections": job.selections,
        "seed": job.seed,
        "private": private,
    }
    items = range(len(job.selections))
    stage = "Training the target models"
    return train_by_epochs(context, stage, job.identity, _train_pass, items, model.epochs, shared)


@dataclass(frozen=True)
class _Private:
    """How a promise is kept.

    Attributes:
        promise: What is promised.
        noise: Standard deviation of the noise in a step, in norms.
    """

    promise: Promise
    noise: float

    @classmethod
    def of(cls, promise: Promise, model: LanguageModel, documents: int) -> "_Private":
        """Return how a promise to so many documents is kept over all passes."""
        steps = model.epochs * steps_per_epoch(documents, model.batch)
        return cls(promise, promise.noise(documents, model.batch, steps))


def _train_pass(
    item: int,
    model: LanguageModel,
    corpus: Corpus,
    selections: Sequence[NDArray[np.int64]],
    seed: int,
    private: _Private | None,
    before: Arrays,
    number: int,
) -> Arrays:
    """Train one model for one pass; return what the next pass needs, or after the last what its use needs."""
    from core.networks.next_word import initial, train_pass
    from core.networks.states import finished

    documents = corpus.select(selections[item])
    promise = None if private is None else private.promise
    if number:
        vocabulary = Vocabulary(tuple(before["words"].tolist()))
    else:
        vocabulary = Vocabulary.of(documents, model.minimum_count) if promise is None else Vocabulary(promise.words)
        before = initial(model.trained_shape(len(vocabulary), promise), generator(seed, "language model", item))
    shape, tokens = model.trained_shape(len(vocabulary), promise), vocabulary.encode(documents)
    rng = generator(seed, "language model", item, number)
    if private is None:
        after = train_pass(shape, before, tokens, batch=model.batch, learning_rate=model.learning_rate, rng=rng)
    else:
        from core.networks.private_next_word import train_pass_privately

        after = train_pass_privately(
            shape,
            before,
            tokens,
            batch=model.batch,
            learning_rate=model.learning_rate,
            norm=private.promise.norm,
            noise=private.noise,
            rng=rng,
        )
    kept = finished(after) if number + 1 == model.epochs else after
    return {**kept, "words": np.array(vocabulary.words, dtype=np.str_)}
