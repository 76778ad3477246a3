"""What a target model is trained on, and its identity."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.defenses import Defense, training_options
from core.errors import Incompatible
from core.networks.document_classifier import Labelled
from core.statistics.privacy import Promise
from core.text.bitext import Bitext
from core.text.corpus import Corpus

MOST_TEST_DOCUMENTS = 2000
"""Most documents on which the utility of a target model is measured."""


@dataclass(frozen=True)
class TrainingJob:
    """What the target models are trained on.

    Attributes:
        corpus: Documents, or their sentences where the model is trained on sentences.
        selections: For each model, the rows of the corpus that it is trained on.
        identity: Everything that determines the models, as plain values.
        seed: Source of all randomness.
        labelled: Documents with classes for a classifier on top of each model, if any. Where the classifier shares the
            corpus, these are its documents in the same order.
        majority_share: Share of the majority class among them.
        defenses: Defenses of the trainer, beyond the choice of documents.
        access: Access that the adversary is to have, for models that provide several; None for the weakest.
        positions: (rows, 2) text of each row of the corpus and number of its sentence, as returned by
            `core.text.segments.segmented`; None if the model is not trained on sentences.
        words: Words that every language model knows, whatever its own vocabulary is.
        owners: The owner of each row of the corpus; empty where nobody asks whose documents they are.
    """

    corpus: Corpus
    selections: Sequence[NDArray[np.int64]]
    identity: Mapping[str, Any]
    seed: int
    labelled: Labelled | None = None
    majority_share: float = float("nan")
    defenses: Sequence[Defense] = ()
    access: type[Access] | None = None
    positions: NDArray[np.int64] | None = None
    words: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()

    @cached_property
    def promise(self) -> Promise | None:
        """The differential privacy guarantee, of each document or owner; None without private training.

        Raises:
            Incompatible: The defenses contradict each other.
        """
        return training_options(self.defenses).promise

    def protected_owners(self, number: int) -> list[NDArray[np.int64]]:
        """Return which documents of a model's selection each owner has, where a promise protects owners; else none.

        Raises:
            Incompatible: Nobody knows whose documents they are.
        """
        if self.promise is None or self.promise.unit != "owner":
            return []
        if not self.owners:
            raise Incompatible(
                "Private training that protects owners needs to know whose each document is: a dataset with owners, "
                "and a game whose users are 'owners'. Choose those, or 'document' for the 'unit' of dp_sgd."
            )
        owners = np.unique(np.array(self.owners)[self.selections[number]], return_inverse=True)[1]
        return [np.flatnonzero(owners == owner) for owner in range(owners.max() + 1)]


@dataclass(frozen=True)
class TranslationJob:
    """What translators are trained on.

    Attributes:
        bitext: Sentences and their translations.
        selections: For each translator, the rows that it is trained on.
        validation: Rows on which each epoch is evaluated; none of them is trained on.
        identity: Everything that determines the translators, as plain values.
        seed: Source of all randomness.
        defenses: Defenses of the trainer, beyond the choice of pairs.
        snapshot_epochs: Numbers of epochs after which a snapshot is kept besides the final model; 0 is before training.
    """

    bitext: Bitext
    selections: Sequence[NDArray[np.int64]]
    validation: NDArray[np.int64]
    identity: Mapping[str, Any]
    seed: int
    defenses: Sequence[Defense] = ()
    snapshot_epochs: tuple[int, ...] = ()


def held_out(documents: int, training_rows: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return at most `MOST_TEST_DOCUMENTS` random rows among a number of documents that are not training rows."""
    remaining = np.setdiff1d(np.arange(documents), training_rows)
    return np.sort(rng.choice(remaining, min(MOST_TEST_DOCUMENTS, len(remaining)), replace=False))
