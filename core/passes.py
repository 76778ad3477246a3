"""Trains language models pass by pass, and keeps each pass, so that a killed run loses one at most."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.corpus import Corpus
from core.lab import Arrays, Lab
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
    shared = {"model": model, "corpus": lessons.corpus, "selections": lessons.selections, "seed": lessons.seed}
    state: dict[int, Arrays] = {}
    for number in range(max(done, default=0), model.epochs):
        stage = f"Training the target models, pass {number + 1} of {model.epochs}"
        now = {**shared, "state": state, "number": number}
        state = dict(lab.train(stage, keys[number], _train_pass, items, now))
        if number:
            lab.store.delete_parts(keys[number - 1])
    return {item: state[item] for item in items}


def _train_pass(
    item: int, model: "LanguageModel", corpus: Corpus, selections: Sequence[NDArray[np.int64]], seed: int,
    state: Mapping[int, Arrays], number: int,
) -> Arrays:  # fmt: skip
    """Train one model for one pass; return what the next pass needs, or after the last what its use needs."""
    from core.networks.next_word import finished, initial, train_pass

    documents = corpus.select(selections[item])
    if number:
        before = state[item]
        vocabulary = Vocabulary(tuple(before["words"].tolist()))
    else:
        vocabulary = Vocabulary.of(documents, model.minimum_count)
        before = initial(model.shape(len(vocabulary)), generator(seed, "language model", item))
    after = train_pass(
        model.shape(len(vocabulary)), before, vocabulary.encode(documents), batch=model.batch,
        learning_rate=model.learning_rate, rng=generator(seed, "language model", item, number),
    )  # fmt: skip
    kept = finished(after) if number + 1 == model.epochs else after
    return {**kept, "words": np.array(vocabulary.words, dtype=np.str_)}
