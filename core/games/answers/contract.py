"""Contract of the audit by answers: briefing, and the base of its attacks; the adversary is that of membership."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.games.attack import Attack
from core.games.membership.contract import Adversary, Target, rows_of
from core.runtime.context import RunContext
from core.text.contents import Documents
from core.text.marked import MarkedDocuments


@dataclass(frozen=True)
class AnswersBriefing:
    """All that an adversary is given before it sees the answers.

    Attributes:
        documents: The targets' documents and others, with their classes where they have some, and without marks.
        targets: Whose membership to decide; rows of the documents. Half of them are members.
        auxiliary: Rows of the other documents.
        size: Documents that the model was trained on, as far as the adversary can train as many.
        access: The access that it will have.
        seed: Source of the adversary's own randomness; tells nothing about the game's.
        again: Texts that were asked about in a second round, as it chose them after the first answers.
    """

    documents: Documents
    targets: tuple[Target, ...]
    auxiliary: NDArray[np.int64]
    size: int
    access: type[Access]
    seed: int
    again: tuple[str, ...] = ()

    @property
    def asked(self) -> list[int]:
        """Return the rows of the targets' documents, target by target."""
        return rows_of(self.targets)


class AnswersAttack(Attack):
    """An attack on the membership of documents in a model that has answered questions about them.

    Attributes:
        by_class: Whether documents must have classes.
        variants: Names of what it may answer by beside its own; after them, estimates are named.
    """

    game: ClassVar[str] = "answers"
    defensible: ClassVar[bool] = False
    reads: ClassVar[type] = MarkedDocuments
    by_class: ClassVar[bool] = False
    variants: ClassVar[tuple[str, ...]] = ()

    def again(self, briefing: AnswersBriefing, access: Access) -> tuple[str, ...]:
        """Return texts to ask about in a second round, chosen by the first answers; none where these tell enough."""
        return ()

    @abstractmethod
    def prepare(self, briefing: AnswersBriefing, context: RunContext) -> Iterator[Adversary]:
        """Prepare without looking at an answer.

        Yields:
            Adversaries. The one named after the attack is the answer; others are variants.
        """
