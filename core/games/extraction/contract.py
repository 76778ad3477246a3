"""Extraction: the base of attacks that read secrets out of a network.

Briefing and answer are those of `core.games.canaries.contract`.
"""

from typing import ClassVar

from core.access import Access, NetworkInternals
from core.games.canaries.contract import CanaryAttack
from core.text.contents import Utterances


class ExtractionAttack(CanaryAttack):
    """An attack that extracts canaries from a trained network."""

    game: ClassVar[str] = "extraction"
    needs: ClassVar[type[Access]] = NetworkInternals
    reads: ClassVar[type] = Utterances
