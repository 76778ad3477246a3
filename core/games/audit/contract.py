"""Contract of the audit of one model: the base of its attacks; briefing and answer are those of membership."""

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from core.games.attack import Attack
from core.games.membership.contract import Adversary, Briefing
from core.runtime.context import RunContext
from core.text.marked import MarkedDocuments


class AuditAttack(Attack):
    """An attack on the membership of documents in a model that somebody holds.

    Attributes:
        variants: Names of what it may answer by beside its own; after them, estimates are named.
    """

    game: ClassVar[str] = "audit"
    defensible: ClassVar[bool] = False
    reads: ClassVar[type] = MarkedDocuments
    variants: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def prepare(self, briefing: Briefing, context: RunContext) -> Iterator[Adversary]:
        """Prepare without touching the model.

        Yields:
            Adversaries. The one named after the attack is the answer; others are variants.
        """

    def own_documents(self, briefing: Briefing) -> int:
        """Return how many of the adversary's documents tell it how likely a text is; 0 where it has better."""
        return 0

    def shadow_documents(self, briefing: Briefing) -> int:
        """Return how many documents a shadow model is trained on; 0 where none is trained."""
        return briefing.documents
