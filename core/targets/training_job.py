"""What a target model is trained on, and its identity."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.defenses import Defense, training_options
from core.networks.document_classifier import Labelled
from core.statistics.privacy import Promise
from core.text.bitext import Bitext
from core.text.corpus import Corpus

MOST_TESTED = 2000
"""Most documents on which the usefulness of a target model is measured."""


@dataclass(frozen=True)
class TrainingJob:
    """What a trainer has for its target models.

    Attributes:
        corpus: Its documents, or their sentences where the model learns from those.
        selections: Rows of the corpus that each model is trained on.
        identity: All that determines the models, plain values.
        seed: Source of all randomness.
        labelled: Documents with classes for a classifier on top of each model, where there is one; those of the
            corpus, in its order, where it shares them.
        commoner: Share of the commoner class among them.
        defenses: What the trainer does to protect its models, beyond the choice of documents.
        access: What the adversary is to have of a model that can give more than one thing; None for the least.
        places: (rows, 2) in which text each row of the corpus stands, and which of its sentences it is, as
            `core.text.segments.segmented` has them; None where nobody learns from sentences.
    """

    corpus: Corpus
    selections: Sequence[NDArray[np.int64]]
    identity: Mapping[str, Any]
    seed: int
    labelled: Labelled | None = None
    commoner: float = float("nan")
    defenses: Sequence[Defense] = ()
    access: type[Access] | None = None
    places: NDArray[np.int64] | None = None

    @cached_property
    def promise(self) -> Promise | None:
        """What training promises to each document; None where it promises nothing.

        Raises:
            Incompatible: What its defenses ask for does not go together.
        """
        return training_options(self.defenses).promise


@dataclass(frozen=True)
class TranslationJob:
    """What a trainer has for its translators.

    Attributes:
        bitext: Its sentences and their translations.
        selections: Rows that each translator is trained on.
        validation: Rows by which training is judged, which train none.
        identity: All that determines the translators, plain values.
        seed: Source of all randomness.
        defenses: What the trainer does to protect them, beyond the choice of pairs.
        kept: Passes after which what a translator was is kept too, besides the last; 0 for before any.
    """

    bitext: Bitext
    selections: Sequence[NDArray[np.int64]]
    validation: NDArray[np.int64]
    identity: Mapping[str, Any]
    seed: int
    defenses: Sequence[Defense] = ()
    kept: tuple[int, ...] = ()


def held_out(documents: int, taught: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return rows of so many documents that did not teach a model, on which it may be tested.

    Args:
        documents: How many there are.
        taught: Rows that taught it.
        rng: Draws among the rest where it is large.
    """
    rest = np.setdiff1d(np.arange(documents), taught)
    return np.sort(rng.choice(rest, min(MOST_TESTED, len(rest)), replace=False))
