"""Reassembly of texts: what the adversary is given, and the base of its attacks."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access, SentenceEmbeddings
from core.games.attack import Attack
from core.runtime.context import RunContext


class ReassemblyAttack(Attack):
    """An attack that ranks candidate words by how likely each stands in the text behind an embedding."""

    game: ClassVar[str] = "reassembly"
    needs: ClassVar[type[Access]] = SentenceEmbeddings

    @abstractmethod
    def choose(self, held: Sequence[str]) -> tuple[str, ...]:
        """Return the candidate words.

        Args:
            held: The adversary's texts.

        Raises:
            Incompatible: There are too few words to choose from.
        """

    @abstractmethod
    def rate(
        self,
        words: Sequence[str],
        shares: NDArray[np.float64],
        held: Sequence[str],
        access: SentenceEmbeddings,
        context: RunContext,
        seed: int,
        *,
        protected: bool,
    ) -> NDArray[np.float32]:
        """Return how likely each candidate stands in each victim's text, (victims, words).

        Args:
            words: The candidates.
            shares: (words,) share of the adversary's texts in which each stands.
            held: The adversary's texts.
            access: The victims' embeddings, and the public encoder.
            context: Where classifiers are trained.
            seed: Source of all randomness.
            protected: Whether the adversary applies the known defenses to its own embeddings.
        """
