"""Contract of the membership game about parts of documents: examples, revealed documents, and base of its attacks."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

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
        "passes": Column("int32", "Epochs trained so far; 0 for models that were never trained."),
        "statistic": Column("str", "What is asked of the models."),
        "rule": Column("str", "How it is decided."),
        "place": Column("int32", "Number of the group, in their order."),
        "group": Column("str", "Name of the group."),
        **with_interval("accuracy", "Share of right guesses; chance is 0.5."),
        **AUC,
        "chance_low": Column("float64", "Lower end of the range in which 95% of areas lie by chance alone."),
        "chance_high": Column("float64", "Upper end of that range."),
    }
}
"""The table of attacks that are also played on earlier epochs of the models."""


@dataclass(frozen=True)
class Wording:
    """What the examples of an attack and the groups they come in are called.

    Attributes:
        one: What one example is called.
        unit: Unit in which its position in a document is counted.
        grouping: What tells the groups apart, as the title of an axis.
        group: What a group is called; ``{}`` stands for its name, here and below.
        which: Which examples those of a group are.
    """

    one: str = "example"
    unit: str = "place"
    grouping: str = "Group"
    group: str = "{}"
    which: str = "of the group {}"

    @property
    def many(self) -> str:
        """Return what several examples are called."""
        return f"{self.one}s"


@dataclass(frozen=True)
class Examples:
    """Parts of documents whose membership is the question; each is a member where its document is.

    Attributes:
        rows: (examples,) row of the document, the first where it is a part of several.
        positions: (examples,) where in the document it begins, in words or in sentences.
        texts: The words, or the sentences, of each.
        groups: Names of the groups that are reported separately, in their order.
        group: (examples,) number of the group of each.
        pool: (groups,) number of such parts in all documents.
        usable: (groups,) number of those that could have been drawn.
        rarity: (examples,) how unusual each is among the documents; the score of the blind baseline.
        unfit: Reason why some could not be drawn.
        answer: Number of the group whose figures are the answer; None for all groups together.
    """

    rows: NDArray[np.int64]
    positions: NDArray[np.int64]
    texts: tuple[tuple[str, ...], ...]
    groups: tuple[str, ...]
    group: NDArray[np.int64]
    pool: NDArray[np.int64]
    usable: NDArray[np.int64]
    rarity: NDArray[np.float64]
    unfit: str = ""
    answer: int | None = None


@dataclass(frozen=True)
class Population:
    """What examples are drawn from.

    Attributes:
        documents: Those that the game uses.
        eligible: (documents,) whether examples may be drawn from each.
        accesses: To every model.
        most: Largest number of examples of a group.
    """

    documents: Documents
    eligible: NDArray[np.bool_]
    accesses: Sequence[Access]
    most: int


@dataclass(frozen=True)
class Revealed:
    """Documents whose membership is revealed to the adversary; the examples come from others.

    Attributes:
        documents: The documents.
        member: (documents,) whether the model was trained on each.
    """

    documents: Documents
    member: NDArray[np.bool_]


class ExampleAttack(Attack):
    """An attack that infers membership from one number per example and model, the statistic.

    The attack defines examples and statistics; the rules of `core.statistics.likelihood_ratio` decide. An attack that
    declares the table `COURSE` is also played on earlier epochs of the models.

    Attributes:
        wording: What its examples and their groups are called.
        answers: Groups that the headline is about: ``all``, or the ``last`` alone.
    """

    game: ClassVar[str] = "example_membership"
    defensible: ClassVar[bool] = False
    wording: ClassVar[Wording] = Wording()
    answers: ClassVar[Literal["all", "last"]] = "all"

    def about(self, documents: Documents, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the rows of the documents that the game uses: all, unless the attack needs certain ones.

        Raises:
            Incompatible: There are too few of those.
        """
        return np.arange(len(documents))

    def owner(self, documents: Documents) -> NDArray[np.int64]:
        """Return the owner's number of each document; a model is trained on all of an owner's documents or none."""
        return np.arange(len(documents))

    def revealed_share(self) -> float:
        """Return the share of owners whose membership is revealed to the adversary."""
        return 0.0

    @abstractmethod
    def examples(self, population: Population, rng: np.random.Generator) -> Examples:
        """Draw the examples.

        An example must not give itself away: every model can be queried about it, and no other document has it.

        Raises:
            Incompatible: There are none.
        """

    @abstractmethod
    def observe(self, examples: Examples, access: Access, revealed: Revealed) -> dict[str, NDArray[np.float64]]:
        """Return the statistics of one model, higher for members; the attack's own statistic first.

        Returns:
            By the name of the statistic, (examples,).
        """
