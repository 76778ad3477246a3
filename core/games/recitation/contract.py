"""Recitation: the briefing and the answer of an adversary, and the base of its attacks."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.access import Access
from core.access.language_models import Continuations, Sampling
from core.games.attack import Attack

Words = Sequence[str]


@dataclass(frozen=True)
class Briefing:
    """All that an adversary is given, besides access to one model.

    Attributes:
        prefixes: By length in words or tokens, the words of each passage; what follows is the same for all lengths.
        words: How many words of each passage are to be recited.
        rng: Source of the adversary's own randomness; tells nothing about the game's.
    """

    prefixes: Mapping[int, Sequence[Words]]
    words: int
    rng: np.random.Generator

    @property
    def longest(self) -> int:
        """Length of the longest prefixes."""
        return max(self.prefixes)


@dataclass(frozen=True)
class Answer:
    """What one model recites.

    Attributes:
        likeliest: By length of the prefix, the one continuation of each passage that the adversary settles on.
        drawn: Continuations of the longest prefix of each passage that were drawn one after the other, (passages,
            samples).
    """

    likeliest: Mapping[int, Sequence[Words]]
    drawn: Sequence[Sequence[Words]]


class RecitationAttack(Attack):
    """An attack that lets a language model continue passages."""

    game: ClassVar[str] = "recitation"
    needs: ClassVar[type[Access]] = Continuations

    @property
    @abstractmethod
    def sampling(self) -> Sampling:
        """How the adversary has continuations drawn."""

    @abstractmethod
    def recite(self, briefing: Briefing, access: Continuations) -> Answer:
        """Let one model continue every passage."""
