"""Reassembly: the briefing and the answer of an adversary, and the base of its attacks."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access, SentenceEmbeddings
from core.games.attack import Attack
from core.runtime.context import RunContext


@dataclass(frozen=True)
class Briefing:
    """All that an adversary is given, besides the access, before it ranks words.

    Attributes:
        words: The candidates.
        shares: (words,) share of the adversary's texts in which each stands.
        texts: The adversary's texts.
        defended: Whether it applies the known defenses to its own embeddings too.
        seed: Source of its own randomness; tells nothing about the game's.
    """

    words: tuple[str, ...]
    shares: NDArray[np.float64]
    texts: tuple[str, ...]
    defended: bool
    seed: int


@dataclass(frozen=True)
class Answer:
    """An adversary's ranking of the candidates for each victim.

    Attributes:
        probabilities: (victims, words) how likely each candidate stands in the victim's text.
    """

    probabilities: NDArray[np.float32]


class ReassemblyAttack(Attack):
    """An attack that ranks candidate words by how likely each stands in the text behind an embedding."""

    game: ClassVar[str] = "reassembly"
    needs: ClassVar[type[Access]] = SentenceEmbeddings
    fewest_texts: ClassVar[int] = 2

    def alternatives(self) -> Iterator[dict[str, Any]]:
        """Yield changes of the attack to try where too few texts have one of its words."""
        yield from ()

    @abstractmethod
    def choose(self, texts: Sequence[str]) -> tuple[str, ...]:
        """Return the candidate words.

        Raises:
            Incompatible: There are too few words to choose from.
        """

    @abstractmethod
    def rate(self, briefing: Briefing, access: SentenceEmbeddings, context: RunContext) -> Answer:
        """Return how likely each candidate stands in each victim's text.

        Raises:
            Incompatible: The adversary's texts are too few.
        """
