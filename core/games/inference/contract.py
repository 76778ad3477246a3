"""Inference of secrets: the briefing and the answers of an adversary, and the base of its attacks."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access, SentenceEmbeddings
from core.datasets import Dataset
from core.errors import Incompatible
from core.games.attack import Attack
from core.result import Tables
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.text.contents import Documents
from core.text.corpus import words_of
from core.text.secrets import Keyword, Secret
from core.text.split import kept_back
from core.text.word_sets import is_content

_KEPT_SHARE = 0.2
"""Share of the auxiliary texts that are kept back to choose among several ways to prepare."""
_GENERATED = 500
"""Texts generated for that where there is a rule."""
_MOST_PROPOSED = 3
"""Keywords that are proposed for texts of which none are known."""


@dataclass(frozen=True)
class Briefing:
    """All that an adversary is given, besides the access, before it infers secrets from embeddings.

    Attributes:
        secrets: The secrets to infer.
        texts: Auxiliary texts, whose secrets the adversary can read.
        generate: The public rule that the victims' texts follow, (count, rng) to texts, where there is one.
        defended: Whether the adversary applies the known defenses to its own embeddings too.
        seed: Source of its own randomness; tells nothing about the game's.
        practises: Whether the adversary keeps texts back to choose among several ways to prepare.
        asked: (secrets, victims) of which victims each secret is asked; None before they are drawn.
    """

    secrets: tuple[Secret, ...]
    texts: tuple[str, ...]
    generate: Callable[[int, np.random.Generator], tuple[str, ...]] | None
    defended: bool
    seed: int
    practises: bool = False
    asked: NDArray[np.bool_] | None = None

    @property
    def teaching(self) -> tuple[str, ...]:
        """Auxiliary texts to learn from: all but those that are kept back."""
        return self.split(self.texts)[0]

    def split(self, texts: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return texts to learn from, and a random fifth that is kept back where the adversary practises."""
        if not self.practises:
            return tuple(texts), ()
        return kept_back(texts, round(_KEPT_SHARE * len(texts)), generator(self.seed, "kept back"))


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
class Practice:
    """An adversary's own left-out texts, whose secrets it can read.

    Attributes:
        texts: The texts.
        answers: (secrets, texts) number of the value among the secret's values.
        counted: (secrets, texts) whether that secret of that text counts.
    """

    texts: tuple[str, ...]
    answers: NDArray[np.int64]
    counted: NDArray[np.bool_]

    def success(self, answers: Sequence[Answer], draws: int) -> float:
        """Return the accuracy, averaged over the values of each secret and then over the secrets.

        Args:
            answers: An answer for each secret, whose last rows are about these texts.
            draws: How often each text stands there, draw below draw.
        """
        shares = []
        for answer in answers:
            counted = np.tile(self.counted[answer.secret], draws)
            truth = np.tile(self.answers[answer.secret], draws)[counted]
            probabilities = answer.probabilities[len(answer.probabilities) - len(counted) :][counted]
            right = probabilities.argmax(axis=1) == truth
            shares.append(np.mean([right[truth == value].mean() for value in np.unique(truth)]) if len(truth) else 0.0)
        return float(np.mean(shares))


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

    @property
    def candidates(self) -> "tuple[InferenceAttack, ...]":
        """The attacks among which the adversary chooses on its own texts: this one, unless it stands for several."""
        return (self,)

    def practice(self, briefing: Briefing) -> Practice:
        """Return the texts that the adversary keeps back: generated ones, or some of its auxiliary texts."""
        texts = briefing.split(briefing.texts)[1]
        if briefing.generate is not None:
            texts = briefing.generate(_GENERATED, generator(briefing.seed, "kept back"))
        answers = np.array([[secret.read(text) for text in texts] for secret in briefing.secrets], np.int64)
        return Practice(texts, answers, np.ones(answers.shape, np.bool_))

    @abstractmethod
    def infer(self, briefing: Briefing, access: SentenceEmbeddings, context: RunContext) -> Iterator[Answer]:
        """Prepare, and predict every secret of every victim, again after each stage of training.

        Yields:
            For each secret at least one final answer of the variant that is named after the attack.
        """

    def check_briefing(self, briefing: Briefing) -> None:
        """Check the adversary's texts before it embeds any.

        Raises:
            Incompatible: They are too few.
        """
        self.check_held(len(briefing.teaching))

    def alternatives(self, documents: Documents, fewest: int) -> Iterator[dict[str, Any]]:
        """Yield changes of the attack to try on texts that it cannot be run on, the least change first.

        Args:
            documents: The texts.
            fewest: Victims that each value of a secret needs.
        """
        yield from ()

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


def telling_words(texts: Sequence[str], requested: Sequence[str], fewest: int) -> Iterator[list[str]]:
    """Yield keywords that divide texts: the requested ones that do, if most do, then content words that do so evenly.

    Args:
        texts: The texts.
        requested: Keywords that were chosen, if only by a preset.
        fewest: Texts that must have a keyword, and that must lack it.
    """

    def smaller_side(word: str) -> int:
        having = sum(map(Keyword(word).read, texts))
        return min(having, len(texts) - having)

    useful = [word for word in requested if smaller_side(word) >= fewest]
    if 2 * len(useful) > len(requested):
        yield useful
    counted = Counter(word for text in texts for word in set(words_of(text)))
    content = [word for word in counted if word.isalpha() and is_content(word)]
    even = sorted(content, key=lambda word: (-min(counted[word], len(texts) - counted[word]), word))
    best = [word for word in even[: 2 * _MOST_PROPOSED] if smaller_side(word) >= fewest][:_MOST_PROPOSED]
    for count in range(len(best), 0, -1):
        yield best[:count]
    if useful:
        yield useful
