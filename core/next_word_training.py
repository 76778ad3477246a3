"""Trains language models, privately where that is promised."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.corpus import Corpus
from core.lab import Arrays, Lab
from core.passes import train_by_passes
from core.privacy import Promise, steps_of_a_pass
from core.release import Lessons
from core.seeding import generator
from core.vocabulary import Vocabulary

if TYPE_CHECKING:
    from core.models import LanguageModel


def train(model: "LanguageModel", lessons: Lessons, lab: Lab) -> dict[int, Arrays]:
    """Train a language model on each selection of documents.

    Args:
        model: How.
        lessons: The documents.
        lab: Where passes are trained and kept.

    Returns:
        By number of the selection, the weights and the ``words`` of the vocabulary.
    """
    promise = lessons.promise
    private = None if promise is None else Private.of(promise, model, len(lessons.selections[0]))
    shared = {
        "model": model,
        "corpus": lessons.corpus,
        "selections": lessons.selections,
        "seed": lessons.seed,
        "private": private,
    }
    items = range(len(lessons.selections))
    stage = "Training the target models"
    return train_by_passes(lab, stage, lessons.identity, _train_pass, items, model.epochs, shared)


@dataclass(frozen=True)
class Private:
    """How a promise is kept.

    Attributes:
        promise: What is promised.
        noise: Standard deviation of the noise in a step, in norms.
    """

    promise: Promise
    noise: float

    @classmethod
    def of(cls, promise: Promise, model: "LanguageModel", documents: int) -> "Private":
        """Return how a promise to so many documents is kept over all passes."""
        steps = model.epochs * steps_of_a_pass(documents, model.batch)
        return cls(promise, promise.noise(documents, model.batch, steps))


def _train_pass(
    item: int,
    model: "LanguageModel",
    corpus: Corpus,
    selections: Sequence[NDArray[np.int64]],
    seed: int,
    private: Private | None,
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
