"""Training on a random share of each user's documents."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from core.access import Access, DocumentLabels, ScoringTranslator, Translator, WordVectors
from core.access.language_models import NextWords, TextProbabilities, TopProbabilities, WholeNetwork, WordProbabilities
from core.defenses import DataDefense
from core.spec import parameter


class Subsampling(DataDefense):
    """Train on a random share of each user's documents (Mahloujifar et al. 2021, section 3.3, Figure 5).

    The number of documents is rounded to the nearest, and is at least one. A heuristic, not a guarantee.

    For translators, the pairs of a subcorpus take the place of a user's documents (Hisamoto et al. 2020, section 7). A
    pair given to the trainer counts as a member even if it was left out.
    """

    title: ClassVar[str] = "subsampling of each user's data"
    protects: ClassVar[frozenset[type[Access]]] = frozenset(
        {
            WordVectors,
            DocumentLabels,
            NextWords,
            TextProbabilities,
            TopProbabilities,
            WholeNetwork,
            WordProbabilities,
            Translator,
            ScoringTranslator,
        }
    )

    fraction: float = parameter(0.5, "Share of each user's documents that is trained on.", gt=0, le=1)

    def on_data(self, documents: Sequence[int], rng: np.random.Generator) -> Sequence[int]:
        """Return a random share of the documents, without repeats."""
        count = max(1, round(self.fraction * len(documents)))
        return [documents[number] for number in sorted(rng.choice(len(documents), count, replace=False))]
