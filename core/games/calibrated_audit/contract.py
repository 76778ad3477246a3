"""Contract of the audit by documents known to be out: briefing, and the base of its attacks."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.games.attack import Attack
from core.games.membership.contract import Adversary, Briefing
from core.runtime.context import RunContext
from core.text.marked import MarkedDocuments


@dataclass(frozen=True)
class CalibratedBriefing(Briefing):
    """All that an adversary is given before it may query the model.

    A document of the corpus is a text as it is, and its translation behind it where there is one.

    Attributes:
        outside: Rows of the documents that it knows to be out; no target is among them.
    """

    outside: NDArray[np.int64] = field(kw_only=True)


class CalibratedAttack(Attack):
    """An attack on the membership of documents in one model that trains no model, but knows some documents to be out.

    Attributes:
        translated: Whether documents must have translations.
        variants: Names of what it may answer by beside its own; after them, estimates are named.
    """

    game: ClassVar[str] = "calibrated_audit"
    defensible: ClassVar[bool] = False
    reads: ClassVar[type] = MarkedDocuments
    translated: ClassVar[bool] = False
    variants: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def prepare(self, briefing: CalibratedBriefing, context: RunContext) -> Iterator[Adversary]:
        """Prepare without touching the model.

        Yields:
            Adversaries. The one named after the attack is the answer; others are variants.
        """
