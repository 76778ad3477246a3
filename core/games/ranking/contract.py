"""Ranking of suspected texts: the briefing and the answer of an adversary, and the base of its attacks."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access, SentenceEmbeddings
from core.games.attack import Attack
from core.runtime.context import RunContext
from core.text.vectors import Vectors


@dataclass(frozen=True)
class Briefing:
    """All that an adversary is given, besides the access, before it compares.

    Attributes:
        candidates: The suspected texts, in an order that tells nothing.
        outside: Texts of its own, of the same kind and not stored; no candidate is among them.
        defended: Whether it applies the known defenses to its own embeddings too.
        seed: Source of its own randomness; tells nothing about the game's.
    """

    candidates: tuple[str, ...]
    outside: tuple[str, ...]
    defended: bool
    seed: int


@dataclass(frozen=True)
class Answer:
    """An adversary's answer about the stored vectors.

    Attributes:
        similarity: (victims, candidates) higher means more likely the text behind the vector.
        stored: (candidates,) higher means more likely stored; above 0 the adversary takes it for stored.
    """

    similarity: NDArray[np.float64]
    stored: NDArray[np.float64]


class Adversary(ABC):
    """An attack that has embedded what it wants to compare with."""

    @abstractmethod
    def compare(self, vectors: NDArray[np.float32]) -> Answer:
        """Compare vectors with the candidates, and tell which of these are among the texts of their store.

        Args:
            vectors: (vectors, dimension) all vectors of a store, after the defenses; at least one.
        """


class RankingAttack(Attack):
    """An attack that compares suspected texts with stored vectors."""

    game: ClassVar[str] = "ranking"
    needs: ClassVar[type[Access]] = SentenceEmbeddings
    also_reads: ClassVar[tuple[type, ...]] = (Vectors,)
    fewest_texts: ClassVar[int] = 10

    @abstractmethod
    def prepare(self, briefing: Briefing, access: SentenceEmbeddings, context: RunContext) -> Adversary:
        """Embed the candidates and the adversary's own texts.

        Raises:
            Incompatible: The adversary's own texts are too few.
        """
