"""What an adversary does: the contract between a security game and the attacks that play it."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access, SentenceEmbeddings
from core.corpus import Corpus
from core.datasets import Dataset, Documents
from core.defenses import Defense
from core.document_classifier import Labelled
from core.lab import Lab
from core.models import TextModel
from core.registry import Part
from core.result import Schema
from core.secret import Secret
from core.spec import parameter

if TYPE_CHECKING:
    import pandas as pd


class Attack(Part):
    """An adversary with its parameters.

    Attributes:
        needs: The least access the adversary must have.
        reads: What the dataset must hold.
        question: The question it answers, in one sentence for the page.
        threat: What the adversary knows and may do, in one sentence for the page.
        game: Name of the security game it plays.
        defensible: Whether that game is played against defenses too.
        findings: Tables it yields beside the game's own.
        presets: Name to the parts of an experiment that the preset sets.
    """

    kind: ClassVar[str] = "attack"
    needs: ClassVar[type[Access]]
    reads: ClassVar[type] = Documents
    question: ClassVar[str]
    threat: ClassVar[str]
    game: ClassVar[str]
    defensible: ClassVar[bool] = True
    findings: ClassVar[dict[str, Schema]]
    presets: ClassVar[Mapping[str, Mapping[str, Any]]]

    def access(self) -> type[Access]:
        """Return the access that the adversary with these parameters must have: ``needs``, or more."""
        return self.needs


@dataclass(frozen=True)
class Target:
    """A set of documents whose membership is the question.

    Attributes:
        label: Whose documents they are, for display.
        size: Number of documents.
        documents: Their rows in the challenge's corpus.
    """

    label: str
    size: int
    documents: tuple[int, ...]


@dataclass(frozen=True)
class Challenge:
    """All that an adversary is given before it may query a target model.

    Attributes:
        corpus: The targets' documents, and documents the adversary may train shadow models on.
        targets: Whose membership to decide.
        auxiliary: Rows of the corpus that come from the shadow distribution, no target among them.
        documents: Size of the training set of a target model, in documents.
        model: How target models are trained.
        defenses: What the trainer does against attacks (public, as the adaptive adversary assumes).
        seed: Source of the adversary's own randomness; tells nothing about the game's.
        labelled: Documents with classes that the adversary may train classifiers on, where the model has one; those of
            the corpus, in its order, where the classifier shares the embedding's documents.
    """

    corpus: Corpus
    targets: tuple[Target, ...]
    auxiliary: NDArray[np.int64]
    documents: int
    model: TextModel
    defenses: tuple[Defense, ...]
    seed: int
    labelled: Labelled | None = None


@dataclass(frozen=True)
class Guess:
    """An adversary's answer about one target: the higher the score, the more likely a member."""

    score: float
    member: bool


class Adversary:
    """An adversary that has finished preparing and may now be let at target models.

    Attributes:
        variant: Which attack this is: the attack's own name, or a baseline's.
        shadows: Shadow models it was prepared with.
        penalty: Place on its regularisation path, NaN when it is not part of one.
    """

    variant: str
    shadows: int
    penalty: float = float("nan")

    @abstractmethod
    def guess(self, target: int, access: Access) -> Guess:
        """Decide whether a target, by its number in the challenge, was trained on by the model behind the access."""


class MembershipAttack(Attack):
    """An attack on membership.

    Attributes:
        compared: Names of the figures that are reported of its baselines too, beyond what is reported of itself.
    """

    game: ClassVar[str] = "membership"
    compared: ClassVar[tuple[str, ...]] = ("accuracy",)

    shadow_data: Dataset | None = parameter(
        None,
        "Documents the adversary trains shadow models on; none means the other half of the trainer's distribution.",
        label="Proxy data",
    )

    @abstractmethod
    def prepare(self, challenge: Challenge, lab: Lab) -> Iterator[Adversary]:
        """Prepare without touching a target model.

        Yields:
            Ever stronger adversaries as preparation goes on; the last one named after the attack is its answer, and
            further ones are baselines.
        """

    @abstractmethod
    def explain(
        self, challenge: Challenge, answer: Adversary, accesses: Sequence[Access], members: NDArray[np.bool_], lab: Lab
    ) -> "dict[str, pd.DataFrame]":
        """Return the attack's findings, after the game is over and the secret is out.

        Args:
            challenge: What the adversary was given.
            answer: The adversary that `prepare` ended with.
            accesses: Access to each target model.
            members: (plays, targets) the secret bits, now public.
            lab: Where shadow models are kept.
        """


@dataclass(frozen=True)
class Inquiry:
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
class Inference:
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
    def infer(self, inquiry: Inquiry, access: SentenceEmbeddings, lab: Lab) -> Iterator[Inference]:
        """Prepare, and infer every secret of every victim, as often as there is something better to say.

        Yields:
            For each secret at least one final inference of the variant that is named after the attack.
        """

    @abstractmethod
    def explain(
        self, inquiry: Inquiry, access: SentenceEmbeddings, truth: Truth, answer: Sequence[Inference], lab: Lab
    ) -> "dict[str, pd.DataFrame]":
        """Return the attack's findings, after the game is over and the secrets are out.

        Args:
            inquiry: What the adversary was given.
            access: What it could ask.
            truth: The victims and their secrets.
            answer: Its last word on each secret.
            lab: Where what it trained is kept.
        """
