"""Trains language models pass by pass, and keeps each pass, so that a killed run loses one at most."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.corpus import Corpus
from core.lab import Arrays, Lab
from core.privacy import Promise, steps_of_a_pass
from core.release import Lessons
from core.seeding import generator
from core.spec import key_of
from core.vocabulary import Vocabulary

if TYPE_CHECKING:
    from core.models import LanguageModel


def train_by_passes(model: "LanguageModel", lessons: Lessons, lab: Lab) -> dict[int, Arrays]:
    """Train a language model on each selection of documents, all of them a pass before any the next.

    Args:
        model: How.
        lessons: The documents.
        lab: Where passes are trained and kept; what a pass needs of the one before is deleted after it.

    Returns:
        By number of the selection, the weights and the ``words`` of the vocabulary.
    """
    items = range(len(lessons.selections))
    keys = [key_of({**lessons.identity, "pass": number}) for number in range(model.epochs)]
    done = [number for number, key in enumerate(keys) if lab.store.part_names(key) >= {str(item) for item in items}]
    promise = lessons.promise
    private = None if promise is None else Private.of(promise, model, len(lessons.selections[0]))
    shared = {
        "model": model, "corpus": lessons.corpus, "selections": lessons.selections, "seed": lessons.seed,
        "private": private,
    }  # fmt: skip
    state: dict[int, Arrays] = {}
    for number in range(max(done, default=0), model.epochs):
        stage = f"Training the target models, pass {number + 1} of {model.epochs}"
        now = {**shared, "state": state, "number": number}
        state = dict(lab.train(stage, keys[number], _train_pass, items, now))
        if number:
            lab.store.delete_parts(keys[number - 1])
    return {item: state[item] for item in items}


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
    item: int, model: "LanguageModel", corpus: Corpus, selections: Sequence[NDArray[np.int64]], seed: int,
    private: Private | None, state: Mapping[int, Arrays], number: int,
) -> Arrays:  # fmt: skip
    """Train one model for one pass; return what the next pass needs, or after the last what its use needs."""
    from core.networks.next_word import finished, initial, train_pass

    documents = corpus.select(selections[item])
    promise = None if private is None else private.promise
    if number:
        before = state[item]
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
            shape, before, tokens, batch=model.batch, learning_rate=model.learning_rate, norm=private.promise.norm,
            noise=private.noise, rng=rng,
        )  # fmt: skip
    kept = finished(after) if number + 1 == model.epochs else after
    return {**kept, "words": np.array(vocabulary.words, dtype=np.str_)}
