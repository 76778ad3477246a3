"""The trainer uses only a random fraction of each user's documents."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from core.access import Access, DocumentLabels, NextWords, ScoringTranslator, Translator, WordVectors
from core.defenses import DataDefense
from core.spec import parameter


class Subsampling(DataDefense):
    """Train on a random part of each user's documents (Mahloujifar et al. 2021, section 3.3, Figure 5).

    The number kept is the fraction of the user's documents rounded to the nearest, and at least one: with one
    document there is nothing to leave out. A heuristic, not a guarantee.

    Of translators the pairs of each subcorpus take the place of a user's documents (Hisamoto et al. 2020, section 7).
    A pair that was given to the trainer counts as a member even where it was left out.
    """

    title: ClassVar[str] = "subsampling of each user's documents"
    protects: ClassVar[frozenset[type[Access]]] = frozenset(
        {WordVectors, DocumentLabels, NextWords, Translator, ScoringTranslator}
    )

    fraction: float = parameter(0.5, "Share of each user's documents that is trained on.", gt=0, le=1)

    def on_data(self, documents: Sequence[int], rng: np.random.Generator) -> Sequence[int]:
        """Return a random part of the documents, without repeats."""
        kept = max(1, round(self.fraction * len(documents)))
        return [documents[number] for number in sorted(rng.choice(len(documents), kept, replace=False))]
