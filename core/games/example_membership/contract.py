"""Membership of parts of documents: the contract between the game about single examples and its attacks."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.games.attack import Attack
from core.result import Column, Schema
from core.statistics.intervals import with_interval
from core.statistics.measures import AUC
from core.text.contents import Documents

COURSE: dict[str, Schema] = {
    "course": {
        "passes": Column("int32", "Passes of training by then; 0 for models that were never trained."),
        "statistic": Column("str", "What is asked of the models."),
        "rule": Column("str", "How it is decided."),
        "place": Column("int32", "Number of the group, in their order."),
        "group": Column("str", "Name of the group."),
        **with_interval("accuracy", "Share of right guesses; chance is 0.5."),
        **AUC,
        "chance_low": Column("float64", "Lower end of the range in which 95 % of areas lie by chance alone."),
        "chance_high": Column("float64", "Upper end of that range."),
    }
}
"""The finding that follows models over their training."""


@dataclass(frozen=True)
class Examples:
    """Parts of documents whose membership is the question; one is a member of what its document trained.

    Attributes:
        rows: (examples,) row of the document, the first where it is a part of several.
        places: (examples,) where in the document it begins, in words or in sentences.
        texts: The words, or the sentences, of each.
        groups: Names of the groups that are reported apart, in their order.
        group: (examples,) number of the group of each.
        pool: (groups,) how many such parts the documents have.
        usable: (groups,) how many of them could have been drawn.
        rarity: (examples,) the higher, the less usual by the documents alone; what a guess without any model goes by.
        unfit: Why some could not be drawn.
        answer: Number of the group whose figures are the answer; None for all groups together.
    """

    rows: NDArray[np.int64]
    places: NDArray[np.int64]
    texts: tuple[tuple[str, ...], ...]
    groups: tuple[str, ...]
    group: NDArray[np.int64]
    pool: NDArray[np.int64]
    usable: NDArray[np.int64]
    rarity: NDArray[np.float64]
    unfit: str = ""
    answer: int | None = None


@dataclass(frozen=True)
class Revealed:
    """Documents of which an adversary is told whether a model was trained on them; it is asked about others.

    Attributes:
        documents: Those documents.
        member: (documents,) whether the model was trained on each.
    """

    documents: Documents
    member: NDArray[np.bool_]


class ExampleAttack(Attack):
    """An attack that tells from one number of each example whether a model was trained on it.

    The attack says what an example is, and which numbers a model gives for it; the decision rules of
    `core.statistics.likelihood_ratio` do the rest. An attack that declares the finding `COURSE` is played on what the
    models were before their last pass, too.
    """

    game: ClassVar[str] = "example_membership"
    defensible: ClassVar[bool] = False

    def about(self, documents: Documents, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the rows of the documents that the game is about: all of them, unless the attack needs certain ones.

        Raises:
            Incompatible: There are not enough of those.
        """
        return np.arange(len(documents))

    def owner(self, documents: Documents) -> NDArray[np.int64]:
        """Return a number for each document, the same for those that train a model together or not at all."""
        return np.arange(len(documents))

    def revealed_share(self) -> float:
        """Return the share of the owners of documents of which the adversary is told what a model was trained on."""
        return 0.0

    @abstractmethod
    def examples(
        self,
        documents: Documents,
        asked: NDArray[np.bool_],
        accesses: Sequence[Access],
        several: int,
        rng: np.random.Generator,
    ) -> Examples:
        """Draw the examples, for the game.

        An example must not give itself away: every model can be asked about it, and no equal one stands in another
        document.

        Args:
            documents: What the game is about.
            asked: (documents,) which of them may be asked about.
            accesses: To every model.
            several: Most examples of a group.
            rng: Source of all randomness.

        Raises:
            Incompatible: There are none.
        """

    @abstractmethod
    def observe(self, examples: Examples, access: Access, revealed: Revealed) -> dict[str, NDArray[np.float64]]:
        """Return what one model gives for each example, higher for members; the attack's own statistic in front.

        Args:
            examples: What is asked about.
            access: To the model.
            revealed: What the adversary knows of its training.

        Returns:
            By the name of the statistic, (examples,).
        """
