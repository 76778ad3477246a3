"""Reading texts back from their embeddings: the contract between the game of inversion and its attacks."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access, SentenceEmbeddings
from core.datasets import Dataset
from core.errors import Incompatible
from core.games.attack import Attack
from core.result import Column, Schema
from core.runtime.context import Arrays, RunContext
from core.runtime.seeding import generator
from core.spec import Holds, parameter
from core.text import word_sets
from core.text.contents import Documents

if TYPE_CHECKING:
    import pandas as pd
    from scipy.sparse import csr_array

BLACK_BOX = (
    "The adversary has the embeddings of texts, holds other texts, and may query the same public encoder with any "
    "text. It never sees a victim’s text."
)
"""What an adversary that cannot look into the encoder is given."""

_FEWEST = 20
"""Texts that an adversary needs to learn to read others back."""


@dataclass(frozen=True)
class Auxiliary:
    """All that an adversary is given, besides the access, before it reads words back from embeddings.

    Attributes:
        texts: Texts it has, of the victims' own kind or of another.
        protected: Whether it applies the known defenses to its own embeddings too.
        seed: Source of its own randomness; tells nothing about the game's.
    """

    texts: tuple[str, ...]
    protected: bool
    seed: int

    @property
    def shuffled(self) -> list[str]:
        """The texts in the random order in which they are examined."""
        order = generator(self.seed, "own texts").permutation(len(self.texts))
        return [self.texts[row] for row in order]


@dataclass(frozen=True)
class Examined:
    """What an adversary knows of its own texts, in random order: the first ones teach, the others are left out.

    Attributes:
        words: What it may name, most frequent first.
        vectors: (texts, dimension) embeddings.
        present: (texts, words) of 0 and 1, which words stand there.
        sizes: (texts,) how many different words stand there, those it may not name included.
        taught: How many teach.
    """

    words: tuple[str, ...]
    vectors: NDArray[np.float32]
    present: "csr_array"
    sizes: NDArray[np.int64]
    taught: int

    @property
    def left_out(self) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.int64]]:
        """Embeddings, words and numbers of words of the texts that do not teach."""
        at = slice(self.taught, None)
        return self.vectors[at], self.present[at].toarray() > 0, self.sizes[at]


@dataclass(frozen=True)
class Answer:
    """What an adversary reads from embeddings.

    Attributes:
        words: What it can name.
        scores: (texts, words) how likely each word stands there, from 0 to 1.
        named: (texts, words) which it names.
        texts: The whole text that it takes each embedding for; none where it names words only.
    """

    words: tuple[str, ...]
    scores: NDArray[np.float32]
    named: NDArray[np.bool_]
    texts: tuple[str, ...] = ()


TEXTS: Schema = {
    "victim": Column("int32", "Number of the victim, the first 60 only; -1 for the sentence that is no victim's."),
    "words": Column("str", "The text that the adversary takes the embedding for; the true one is not kept."),
}
"""What whole texts are read back, by attacks that do so."""


class InversionAdversary:
    """An adversary that has finished preparing and may now be given embeddings."""

    @abstractmethod
    def read(self, embeddings: NDArray[np.float32]) -> Answer:
        """Read texts back from their embeddings, (texts, dimension)."""

    @abstractmethod
    def explain(self) -> "dict[str, pd.DataFrame]":
        """Return the attack's tables: how it prepared."""


class InversionAttack(Attack):
    """An attack that names the words of a text from nothing but its embedding."""

    game: ClassVar[str] = "inversion"
    needs: ClassVar[type[Access]] = SentenceEmbeddings

    text: str = parameter(
        "The pizza was cold, but the waiter could not have been nicer.",
        "A sentence of yours, which is read back beside the victims’.",
        label="Your sentence",
        max_length=1000,
    )
    auxiliary: Annotated[Dataset | None, Holds(Documents)] = parameter(
        None, "Texts the adversary learns from; none means others of the victims’ own kind.", label="Auxiliary texts"
    )
    texts: int = parameter(
        20_000, "Most texts that it learns from.", label="Texts learnt from", unit="texts", ge=20, le=1_000_000
    )
    vocabulary: int = parameter(
        4000,
        "Words it can name, those that stand in most of its texts.",
        label="Words it can name",
        unit="words",
        ge=2,
        le=100_000,
    )

    @abstractmethod
    def prepare(self, auxiliary: Auxiliary, access: SentenceEmbeddings, context: RunContext) -> InversionAdversary:
        """Prepare without a victim.

        Raises:
            Incompatible: There are too few texts to learn from.
        """

    def examine(self, auxiliary: Auxiliary, access: SentenceEmbeddings, left_out: float, most: int) -> Examined:
        """Have the adversary's texts embedded, and find their words.

        Args:
            auxiliary: Its texts.
            access: What embeds them.
            left_out: Share of them that is not to teach.
            most: Most texts that are not to teach.

        Raises:
            Incompatible: There are too few texts to learn from, or they have no word.
        """
        if len(auxiliary.texts) < _FEWEST:
            raise Incompatible(
                f"{self.part_name()} learns from at least {_FEWEST} texts. The adversary has {len(auxiliary.texts)}."
            )
        own = auxiliary.shuffled
        found = list(map(word_sets.word_set, own))
        words = tuple(word_sets.frequencies(found))[: self.vocabulary]
        if not words:
            raise Incompatible(f"The adversary's {len(own)} texts have no word.")
        return Examined(
            words,
            access.query(own, protected=auxiliary.protected),
            word_sets.presence(found, words),
            word_sets.sizes(found),
            len(own) - min(max(round(left_out * len(own)), 1), most),
        )


def measured(state: Arrays) -> list[dict[str, Any]]:
    """Return what was measured after each pass of a training, as rows: ``epochs``, ``loss`` and ``left_out_f1``.

    Args:
        state: What training gave, with the last two of each pass, (passes,) each.
    """
    passes = zip(state["loss"].tolist(), state["left_out_f1"].tolist(), strict=True)
    return [{"epochs": epoch, "loss": loss, "left_out_f1": f1} for epoch, (loss, f1) in enumerate(passes, start=1)]


def shared_presets(demo_victims: int = 300, paper_victims: int | None = None, **demo: Any) -> dict[str, dict[str, Any]]:
    """Return the presets of every method, so that all are run on the same data.

    Args:
        demo_victims: Victims of the preset ``demo``.
        paper_victims: Victims of the preset ``paper``; the game's default if None.
        **demo: Fields of the attack in the preset ``demo``.
    """
    return {
        "demo": {
            "dataset": {"part": "wikipedia_excerpt"},
            "model": {"part": "encoder", "max_tokens": 64},
            "game": {"shadow_share": 0.5, "victims": demo_victims},
            "attack": {
                "texts": 4000,
                "vocabulary": 1500,
                "text": "The second world war began when the army of Germany marched into Poland.",
                **demo,
            },
        },
        "paper": {
            "dataset": {"part": "yelp"},
            "model": {"part": "encoder", "source": "minilm"},
            "game": {"shadow_share": 0.5, **({} if paper_victims is None else {"victims": paper_victims})},
        },
    }
