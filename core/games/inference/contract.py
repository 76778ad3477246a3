"""Inference of secrets from embeddings: what the adversary is given, what it answers, and the base of its attacks."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access, SentenceEmbeddings
from core.datasets import Dataset
from core.errors import Incompatible
from core.games.attack import Attack
from core.runtime.context import RunContext
from core.text.contents import Documents
from core.text.secrets import Keyword, Secret

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Briefing:
    """All that an adversary is given, besides the access, before it infers secrets from embeddings.

    Attributes:
        secrets: What is asked about each victim.
        held: Texts the adversary has and may label, because they are its own, generated or public.
        generate: The public rule that the victims' texts follow, (count, rng) to texts, where there is one.
        protected: Whether the adversary applies the known defenses to its own embeddings too.
        seed: Source of the adversary's own randomness; tells nothing about the game's.
    """

    secrets: tuple[Secret, ...]
    held: tuple[str, ...]
    generate: Callable[[int, np.random.Generator], tuple[str, ...]] | None
    protected: bool
    seed: int


@dataclass(frozen=True)
class Answer:
    """What an adversary says about every victim and one secret.

    Attributes:
        variant: Which attack this is: the attack's own name, or a rival's.
        secret: Number of the secret in the inquiry.
        probabilities: (victims, values) how likely each answer is, by the adversary's reckoning.
        epochs: Passes of training behind it, 0 where there are none.
        final: Whether training was over; accuracy before that is shown but is not the answer.
    """

    variant: str
    secret: int
    probabilities: NDArray[np.float32]
    epochs: int = 0
    final: bool = True


@dataclass(frozen=True)
class Truth:
    """The victims and their secrets, once the game is over.

    Attributes:
        texts: The victims' texts.
        rows: (victims,) where each stands in the dataset.
        answers: (secrets, victims) place of the true answer among the secret's values.
        asked: (secrets, victims) whether the game asks for that secret of that victim.
    """

    texts: tuple[str, ...]
    rows: NDArray[np.int64]
    answers: NDArray[np.int64]
    asked: NDArray[np.bool_]


class InferenceAttack(Attack):
    """An attack that infers secrets of texts from their embeddings."""

    game: ClassVar[str] = "inference"
    needs: ClassVar[type[Access]] = SentenceEmbeddings

    @property
    def balanced(self) -> bool:
        """Whether the game draws, for each secret, as many victims with one answer as with the other."""
        return True

    def about(self, documents: Documents, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the rows of the texts that the game is about: all of them, unless the attack needs certain ones.

        Raises:
            Incompatible: There are not enough of those.
        """
        return np.arange(len(documents))

    @abstractmethod
    def secrets(self, dataset: Dataset, documents: Documents) -> tuple[Secret, ...]:
        """Return what is asked about each text.

        Raises:
            Incompatible: The data hold no such secret.
        """

    @abstractmethod
    def infer(self, briefing: Briefing, access: SentenceEmbeddings, context: RunContext) -> Iterator[Answer]:
        """Prepare, and infer every secret of every victim, as often as there is something better to say.

        Yields:
            For each secret at least one final inference of the variant that is named after the attack.
        """

    @abstractmethod
    def explain(
        self,
        briefing: Briefing,
        access: SentenceEmbeddings,
        truth: Truth,
        answer: Sequence[Answer],
        context: RunContext,
    ) -> "dict[str, pd.DataFrame]":
        """Return the attack's tables, after the game is over and the secrets are out.

        Args:
            briefing: What the adversary was given.
            access: What it could ask.
            truth: The victims and their secrets.
            answer: Its last word on each secret.
            context: Where what it trained is kept.
        """


def keywords(words: Sequence[str], dataset: Dataset) -> tuple[Keyword, ...]:
    """Return the keywords that were asked for, or those the dataset proposes when none were.

    Raises:
        Incompatible: There are none, or two are the same.
    """
    chosen = tuple(words) or dataset.keywords
    if not chosen:
        raise Incompatible(f"{dataset.part_name()} proposes no keywords. Name some.")
    if len({word.casefold() for word in chosen}) < len(chosen):
        raise Incompatible(f"The keywords must differ. Got {', '.join(chosen)} instead.")
    return tuple(Keyword(word) for word in chosen)
