"""Inversion of embeddings: the briefing and the answers of an adversary, and the base of its attacks."""

from abc import abstractmethod
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access, SentenceEmbeddings
from core.datasets import Dataset
from core.encoders.own_embeddings import OwnEmbeddings
from core.errors import Incompatible
from core.games.attack import Attack
from core.result import Column, Schema, Tables
from core.runtime.context import Arrays, RunContext
from core.runtime.seeding import generator
from core.spec import Holds, parameter
from core.text import word_sets
from core.text.contents import Documents
from core.text.split import kept_back
from core.text.vectors import Vectors

if TYPE_CHECKING:
    from scipy.sparse import csr_array

BLACK_BOX = (
    "The adversary has the embeddings of texts, holds other texts, and may query the same public encoder with any "
    "text. It never sees a victim’s text."
)
"""Threat model of an adversary that cannot look into the encoder."""

_KEPT_SHARE, _MOST_KEPT = 0.1, 200
"""Share of its texts, and most of them, that an adversary keeps back to choose among several ways to prepare."""


@dataclass(frozen=True)
class Auxiliary:
    """All that an adversary is given, besides the access, before it predicts words.

    Attributes:
        texts: Its texts, of the victims' domain or of another.
        defended: Whether it applies the known defenses to its own embeddings too.
        seed: Source of its own randomness; tells nothing about the game's.
    """

    texts: tuple[str, ...]
    defended: bool
    seed: int

    def kept_back(self) -> "tuple[Auxiliary, tuple[str, ...]]":
        """Return the briefing with fewer texts, and those kept back to choose among several ways to prepare."""
        count = min(round(_KEPT_SHARE * len(self.texts)), _MOST_KEPT)
        taught, left_out = kept_back(self.texts, count, generator(self.seed, "kept back"))
        return replace(self, texts=taught), left_out

    @property
    def shuffled(self) -> list[str]:
        """The texts in the random order in which they are examined."""
        order = generator(self.seed, "own texts").permutation(len(self.texts))
        return [self.texts[row] for row in order]


@dataclass(frozen=True)
class Examined:
    """The adversary's texts, in random order: the first ones are for training, the others are held out.

    Attributes:
        words: The words that it may predict, most frequent first.
        vectors: (texts, dimension) embeddings.
        present: (texts, words) of 0 and 1, which words stand in each text.
        sizes: (texts,) number of different words of each text, any others included.
        taught: Number of texts for training.
        known: The embeddings of which ``vectors`` is one draw.
    """

    words: tuple[str, ...]
    vectors: NDArray[np.float32]
    present: "csr_array"
    sizes: NDArray[np.int64]
    taught: int
    known: OwnEmbeddings

    def drawn(self, rng: np.random.Generator) -> NDArray[np.float32]:
        """Return the embeddings of the texts for training under fresh noise, (taught, dimension)."""
        return self.known.drawn(slice(self.taught), rng) if self.known.random else self.vectors[: self.taught]

    @property
    def left_out(self) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.int64]]:
        """Embeddings, words and numbers of words of the held-out texts."""
        held_out = slice(self.taught, None)
        return self.vectors[held_out], self.present[held_out].toarray() > 0, self.sizes[held_out]


@dataclass(frozen=True)
class Answer:
    """The words that an adversary predicts from embeddings.

    Attributes:
        words: The words that it can predict.
        scores: (texts, words) how likely each word stands in each text, from 0 to 1.
        predicted: (texts, words) which words it predicts.
        texts: The whole text predicted for each embedding; empty for an attack that predicts words only.
    """

    words: tuple[str, ...]
    scores: NDArray[np.float32]
    predicted: NDArray[np.bool_]
    texts: tuple[str, ...] = ()


TEXTS: Schema = {
    "victim": Column("int32", "Number of the victim, the first 60 only; -1 for the sentence that is no victim's."),
    "words": Column("str", "The text that the adversary takes the embedding for; the true one is not kept."),
}
"""Columns of the table of predicted texts, of attacks that predict whole texts."""


class InversionAdversary:
    """An adversary that has finished preparing and may be given embeddings."""

    @abstractmethod
    def read(self, embeddings: NDArray[np.float32]) -> Answer:
        """Predict the words behind embeddings, (texts, dimension)."""

    @abstractmethod
    def explain(self) -> Tables:
        """Return the attack's tables about its preparation."""


class InversionAttack(Attack):
    """An attack that predicts the words of a text from its embedding."""

    game: ClassVar[str] = "inversion"
    needs: ClassVar[type[Access]] = SentenceEmbeddings
    also_reads: ClassVar[tuple[type, ...]] = (Vectors,)
    needs_encoder: ClassVar[bool] = False
    fewest_texts: ClassVar[int] = 20
    practises: ClassVar[bool] = True
    """Whether it may embed and defend further texts of its own, and so choose between two ways to prepare."""

    text: str = parameter(
        "The pizza was cold, but the waiter could not have been nicer.",
        "A sentence of yours, attacked beside the victims’.",
        label="Your sentence",
        max_length=1000,
    )
    auxiliary: Annotated[Dataset | None, Holds(Documents)] = parameter(
        None, "Texts that the adversary learns from; none means texts of the victims’ domain.", label="Auxiliary texts"
    )
    texts: int = parameter(
        20_000,
        "Most texts that the adversary learns from.",
        label="Texts learned from",
        unit="texts",
        ge=20,
        le=1_000_000,
    )
    vocabulary: int = parameter(
        4000,
        "Words that the adversary can predict, the most frequent of its texts.",
        label="Vocabulary",
        unit="words",
        ge=2,
        le=100_000,
    )

    def remark(self, tables: Tables) -> str:
        """Return the words that the adversary names for the user's own sentence, and how many stand there."""
        predicted = tables["yours"][tables["yours"]["named"]]
        words, right = ", ".join(predicted["word"]) or "no word", int(predicted["present"].sum())
        return f"Your sentence, “{self.text}”: it names {words}; {right} of {len(predicted)} stand there."

    @abstractmethod
    def prepare(self, auxiliary: Auxiliary, access: SentenceEmbeddings, context: RunContext) -> InversionAdversary:
        """Prepare without querying about a victim.

        Raises:
            Incompatible: There are too few texts to learn from.
        """

    def examine(self, auxiliary: Auxiliary, access: SentenceEmbeddings, left_out: float, most: int) -> Examined:
        """Embed the adversary's texts, and count their words; a share of them is held out, ``most`` at the most.

        Raises:
            Incompatible: There are too few texts to learn from, or they have no word.
        """
        self.check_held(len(auxiliary.texts))
        texts = auxiliary.shuffled
        known = access.known(texts, defended=auxiliary.defended)
        words, present, sizes = _counted(tuple(texts), self.vocabulary)
        if not words:
            raise Incompatible(f"The adversary's {len(texts)} texts have no word.")
        return Examined(
            words,
            known.vectors,
            present,
            sizes,
            len(texts) - min(max(round(left_out * len(texts)), 1), most),
            known,
        )


@lru_cache(maxsize=2)
def _counted(texts: tuple[str, ...], most: int) -> "tuple[tuple[str, ...], csr_array, NDArray[np.int64]]":
    """Return the most frequent words of texts, in which texts each stands, and how many words each text has.

    An adversary that prepares in two ways, and those of an audit, count the words of the same texts.
    """
    sets = word_sets.all_of(texts)
    words = tuple(word_sets.frequencies(sets))[:most]
    present, sizes = word_sets.presence(sets, words), word_sets.sizes(sets)
    for array in (present.data, present.indices, present.indptr, sizes):
        array.flags.writeable = False
    return words, present, sizes


def measured(state: Arrays) -> list[dict[str, Any]]:
    """Return the course of a training as rows: ``epochs``, ``loss`` and ``left_out_f1``.

    Args:
        state: The state after training, with loss and F1 of each epoch, (epochs,) each.
    """
    epochs = zip(state["loss"].tolist(), state["left_out_f1"].tolist(), strict=True)
    return [{"epochs": epoch, "loss": loss, "left_out_f1": f1} for epoch, (loss, f1) in enumerate(epochs, start=1)]


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
