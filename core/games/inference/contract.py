"""Inference of secrets: the briefing and the answers of an adversary, and the base of its attacks."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access, SentenceEmbeddings
from core.datasets import Dataset
from core.errors import Incompatible
from core.games.attack import Attack
from core.result import Tables
from core.runtime.context import RunContext
from core.text.contents import Documents
from core.text.secrets import Keyword, Secret


@dataclass(frozen=True)
class Briefing:
    """All that an adversary is given, besides the access, before it infers secrets from embeddings.

    Attributes:
        secrets: The secrets to infer.
        texts: Auxiliary texts, whose secrets the adversary can read.
        generate: The public rule that the victims' texts follow, (count, rng) to texts, where there is one.
        protected: Whether the adversary applies the known defenses to its own embeddings too.
        seed: Source of its own randomness; tells nothing about the game's.
    """

    secrets: tuple[Secret, ...]
    texts: tuple[str, ...]
    generate: Callable[[int, np.random.Generator], tuple[str, ...]] | None
    protected: bool
    seed: int


@dataclass(frozen=True)
class Answer:
    """An adversary's prediction of one secret of every victim.

    Attributes:
        variant: The attack's name, or a baseline's.
        secret: Number of the secret in the briefing.
        probabilities: (victims, values) how likely the adversary thinks each value.
        epochs: Epochs of training behind it, 0 without training.
        final: Whether training is over; earlier accuracies are shown but do not count.
    """

    variant: str
    secret: int
    probabilities: NDArray[np.float32]
    epochs: int = 0
    final: bool = True


@dataclass(frozen=True)
class Truth:
    """The victims and their secrets, public once the game is over.

    Attributes:
        texts: The victims' texts.
        rows: (victims,) row of each text in the dataset.
        answers: (secrets, victims) number of the true value among the secret's values.
        counted: (secrets, victims) whether that secret of that victim counts.
        clusters: (victims,) number of each victim's cluster, such as its author, which intervals resample as a whole;
            None where victims are independent.
    """

    texts: tuple[str, ...]
    rows: NDArray[np.int64]
    answers: NDArray[np.int64]
    counted: NDArray[np.bool_]
    clusters: NDArray[np.int64] | None = None


@dataclass(frozen=True)
class Played:
    """A game that is over, with the secrets public.

    Attributes:
        briefing: What the adversary was given.
        access: What it could query.
        truth: The victims and their secrets.
        answers: Its final answer for each secret.
    """

    briefing: Briefing
    access: SentenceEmbeddings
    truth: Truth
    answers: Sequence[Answer]


class InferenceAttack(Attack):
    """An attack that infers secrets of texts from their embeddings."""

    game: ClassVar[str] = "inference"
    needs: ClassVar[type[Access]] = SentenceEmbeddings

    @property
    def balanced(self) -> bool:
        """Whether the game draws, for each secret, as many victims of one value as of the other."""
        return True

    def about(self, documents: Documents, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the rows of the texts that the game uses: all of them, unless the attack needs certain ones.

        Raises:
            Incompatible: There are too few of them.
        """
        return np.arange(len(documents))

    def clusters(self, truth: Truth) -> NDArray[np.int64] | None:
        """Return the number of each victim's cluster, (victims,); None where victims are independent."""
        return None

    @abstractmethod
    def secrets(self, dataset: Dataset, documents: Documents) -> tuple[Secret, ...]:
        """Return the secrets of a text.

        Raises:
            Incompatible: The dataset has no such secret.
        """

    @abstractmethod
    def infer(self, briefing: Briefing, access: SentenceEmbeddings, context: RunContext) -> Iterator[Answer]:
        """Prepare, and predict every secret of every victim, again after each stage of training.

        Yields:
            For each secret at least one final answer of the variant that is named after the attack.
        """

    def explain(self, played: Played, context: RunContext) -> Tables:
        """Return the attack's tables about a game that is over; none unless the attack declares some."""
        return {}


def keywords(words: Sequence[str], dataset: Dataset) -> tuple[Keyword, ...]:
    """Return some words as keywords, or those the dataset proposes when there are none.

    Raises:
        Incompatible: The dataset proposes none, or two are the same.
    """
    chosen = tuple(words) or dataset.keywords
    if not chosen:
        raise Incompatible(f"{dataset.part_name()} proposes no keywords. Name some.")
    if len({word.casefold() for word in chosen}) < len(chosen):
        raise Incompatible(f"The keywords must differ. Got {', '.join(chosen)} instead.")
    return tuple(Keyword(word) for word in chosen)
