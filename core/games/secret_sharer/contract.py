"""The secret sharer: the base of attacks that read secrets out of a language model.

Briefing and answer are those of `core.games.extraction.contract`.
"""

from abc import abstractmethod
from typing import ClassVar

from core.access import Access
from core.access.language_models import TextProbabilities
from core.games.attack import Attack
from core.games.extraction.contract import Answer, Briefing


class SecretSharerAttack(Attack):
    """An attack that reads canaries out of a language model."""

    game: ClassVar[str] = "secret_sharer"
    needs: ClassVar[type[Access]] = TextProbabilities

    @property
    @abstractmethod
    def method(self) -> str:
        """Name of the attack's main method among the guesses of an answer; the others are baselines."""

    @abstractmethod
    def extract(self, briefing: Briefing, access: TextProbabilities) -> list[Answer]:
        """Read the secrets out of one model, one answer a canary, in their order.

        Args:
            briefing: What the adversary is given.
            access: The model.
        """
