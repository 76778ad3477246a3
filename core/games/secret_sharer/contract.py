"""The secret sharer: the base of attacks that read secrets out of a language model.

Briefing and answer are those of `core.games.canaries.contract`.
"""

from typing import ClassVar

from core.access import Access
from core.access.language_models import TextProbabilities
from core.games.canaries.contract import CanaryAttack


class SecretSharerAttack(CanaryAttack):
    """An attack that reads canaries out of a language model."""

    game: ClassVar[str] = "secret_sharer"
    needs: ClassVar[type[Access]] = TextProbabilities
