"""Contract of the membership game: briefing, answer, adversary, and the base of its attacks."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.datasets import Dataset
from core.defenses import Defense
from core.games.attack import Attack
from core.networks.document_classifier import Labelled
from core.result import Tables
from core.runtime.context import RunContext
from core.spec import parameter
from core.targets.model import Model
from core.text.corpus import Corpus


@dataclass(frozen=True)
class Target:
    """A set of documents whose membership is the question.

    Attributes:
        label: Whose documents they are, for display.
        size: Number of documents.
        documents: Their rows in the briefing's corpus.
    """

    label: str
    size: int
    documents: tuple[int, ...]


def rows_of(targets: Iterable[Target]) -> list[int]:
    """Return the rows of the targets' documents, target by target."""
    return [row for target in targets for row in target.documents]


def moved(targets: Sequence[Target], start: int) -> tuple[Target, ...]:
    """Return the targets as they are where their documents lie one behind the other, target by target, from a row on.

    >>> [target.documents for target in moved([Target("ann", 2, (7, 3)), Target("bob", 1, (5,))], 10)]
    [(10, 11), (12,)]
    """
    ends = start + np.cumsum([target.size for target in targets])
    return tuple(
        replace(target, documents=tuple(range(end - target.size, end)))
        for target, end in zip(targets, ends.tolist(), strict=True)
    )


@dataclass(frozen=True)
class Briefing:
    """All that an adversary is given before it may query a target model.

    Attributes:
        corpus: The targets' documents, and documents the adversary may train shadow models on.
        targets: Whose membership to decide.
        auxiliary: Rows of the corpus that come from the shadow distribution, no target among them.
        documents: Size of the training set of a target model, in documents.
        model: How target models are trained.
        defenses: The trainer's defenses (public, as the adaptive adversary assumes).
        seed: Source of the adversary's own randomness; tells nothing about the game's.
        labelled: Documents with classes to train classifiers on, where the model has one; the corpus, in its order,
            where the classifier shares the embedding's documents.
        owners: The owner of each auxiliary document, where a target is documents of one owner.
    """

    corpus: Corpus
    targets: tuple[Target, ...]
    auxiliary: NDArray[np.int64]
    documents: int
    model: Model
    defenses: tuple[Defense, ...]
    seed: int
    labelled: Labelled | None = None
    owners: tuple[str, ...] = ()

    @property
    def owners_of_rows(self) -> tuple[str, ...]:
        """The owner of each row of the corpus, each target an owner of its own; empty where nobody is named."""
        if not self.owners:
            return ()
        owners = np.array([*self.owners, *[""] * (len(self.corpus) - len(self.owners))], object)
        for number, target in enumerate(self.targets):
            owners[list(target.documents)] = f"target {number}"
        return tuple(owners)


@dataclass(frozen=True)
class Answer:
    """An adversary's answer about one target: the higher the score, the more likely a member; above 0, it says so."""

    score: float

    @property
    def member(self) -> bool:
        """Whether the adversary takes the target for a member."""
        return self.score > 0


class Adversary:
    """An adversary that has prepared and may now query target models.

    Attributes:
        variant: Name of the attack, or of the baseline.
        shadows: Shadow pairs it was prepared with.
        penalty: Weight of the penalty on a regularisation path; NaN without one.
    """

    variant: str
    shadows: int
    penalty: float = float("nan")

    @abstractmethod
    def answer(self, target: int, access: Access) -> Answer:
        """Decide whether the model behind the access was trained on a target, given by its number in the briefing."""


@dataclass(frozen=True, eq=False)
class PreparedAdversary(Adversary):
    """An adversary whose fields hold all that it prepared, those of `Adversary` first."""

    variant: str
    shadows: int
    penalty: float = float("nan")


@dataclass(frozen=True)
class Played:
    """A game that is over, with its secret public.

    Attributes:
        briefing: The adversary's briefing.
        answer: The adversary that `MembershipAttack.prepare` ended with.
        accesses: Access to each target model.
        members: (plays, targets) the secret bits.
    """

    briefing: Briefing
    answer: Adversary
    accesses: Sequence[Access]
    members: NDArray[np.bool_]


class MembershipAttack(Attack):
    """An attack on membership.

    Attributes:
        compared: Figures that are reported of baselines too, and of the attack beyond the usual ones.
        one_pool: Whether its paper, too, has one pool of shadow models for all targets.
    """

    game: ClassVar[str] = "membership"
    compared: ClassVar[tuple[str, ...]] = ("accuracy",)
    one_pool: ClassVar[bool] = False

    shadow_data: Dataset | None = parameter(
        None,
        "Documents the adversary trains shadow models on; none means the adversary's half of the dataset.",
        label="Proxy data",
    )

    @property
    def owners_version(self) -> int:
        """Raised when it answers otherwise about the documents of one owner, and else as before."""
        return 0

    def shadow_models(self, targets: int) -> int:
        """Return how many shadow models the adversary trains against some number of targets."""
        return 0

    def check(self, briefing: Briefing) -> None:
        """Check, before anything is trained, that the adversary can train what it will; nothing for most.

        Raises:
            Incompatible: It cannot.
        """

    @abstractmethod
    def prepare(self, briefing: Briefing, context: RunContext) -> Iterator[Adversary]:
        """Prepare without touching a target model.

        Yields:
            Ever stronger adversaries. The last one named after the attack is the answer; others are baselines.
        """

    def explain(self, played: Played, context: RunContext) -> Tables:
        """Return the attack's tables about a game that is over; none unless the attack declares some."""
        return {}
