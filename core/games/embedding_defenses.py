"""The release step of the games on embeddings: embed the texts and defend them, let the adversaries play."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from core.access import Encode, EncoderInternals, SentenceEmbeddings
from core.defenses import Chain, Defense, EmbeddingDefense, Holdings, TrainingDefense, TrainingOptions, training_options
from core.encoders.opened import OpenEncoder
from core.encoders.own_embeddings import COPIES, OwnEmbeddings
from core.errors import Incompatible
from core.games.kinds_of_adversary import AdversaryKind, Answered
from core.games.stored_vectors import RememberedEmbeddings, StoredVectors
from core.result import Estimate
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.spec import parameter
from core.targets import downstream_accuracy, retrieval
from core.targets.sentence_encoder import OpenSentenceModel, SentenceModel, TrainedSentenceModel
from core.text.contents import Documents
from core.text.secrets import Secret

FEWEST_VICTIMS = 5

UtilityMeasure = Literal["quick", "tuned"]


def utility_measure(implied: Any = ...) -> Any:
    """Declare how the utility is measured; ``implied`` is that of `parameter`."""
    return parameter(
        "quick",
        "Without noise: one downstream classifier and one split, or tuned and tested on every text, with the "
        "retrieval, as it always is behind noise.",
        label="Utility",
        advanced=True,
        implied=implied,
    )


class Release:
    """What the holder of texts releases: their embeddings, after all defenses.

    Defenses of training come first: they change the encoder. Defenses of embeddings follow in the order given; each is
    set up on the output of those before it.

    *Adversaries.* The naive adversary prepares on plain embeddings. The adaptive one knows the defenses and runs them
    itself on texts that it embeds once: noise is drawn afresh as often as it likes. Where a defense acts at release, it
    prepares in both ways, and takes what does better on texts of its own, left out and defended by itself
    (`practice`); the victims and the truth have no part in that choice. So it is at least as strong as the naive one,
    except for noise in that choice. Behind defenses of training alone it prepares on the encoder so trained: plain
    embeddings come from another one. Without any defense both are the same.
    """

    def __init__(
        self,
        model: SentenceModel,
        defenses: Sequence[Defense],
        texts: Sequence[str],
        secrets: Sequence[Secret],
        seed: int,
        context: RunContext,
        stored: Mapping[str, NDArray[np.float32]] | None = None,
    ) -> None:
        """Train the encoder if a defense asks for it, and set the defenses up.

        Args:
            model: The encoder.
            defenses: What the holder applies.
            texts: The holder's texts.
            secrets: What the holder wants to hide.
            seed: Source of all randomness.
            context: Where the encoder is trained, if it is.
            stored: The vectors of a store by their texts, which are released instead of embeddings; none without one.

        Raises:
            Incompatible: A defense does not protect sentence embeddings, or cannot change the encoder's training.
            ModelRefused: Some embeddings are not finite numbers.
        """
        self._model, self._defenses, self._seed, self._context = model, tuple(defenses), seed, context
        self._retrained: OpenEncoder | None = None
        if (options := training_options(defenses)) != TrainingOptions():
            if not isinstance(model, TrainedSentenceModel):
                raise Incompatible(f"{model.part_name()} is pretrained: no defense can change its training.")
            self._retrained = model.train_encoder(options, context)
        self._encode = self._retrained.encode if self._retrained else encoding(model, context, "the victims' texts")
        self._stored = StoredVectors(stored, self._encode) if stored else None
        self._encode = self._stored or self._encode
        self._chain = _chain(self._defenses, texts, tuple(secrets), self._encode, seed)

    @property
    def random(self) -> bool:
        """Whether a defense of the release draws noise."""
        return self._chain.random

    @property
    def defended(self) -> bool:
        """Whether a defense acts at release, so that an adversary has two kinds of embeddings to prepare on."""
        return bool(self._chain.mechanisms)

    @property
    def adversary_seed(self) -> int:
        """Source of the adversary's own randomness; tells nothing about the game's seed."""
        return int(generator(self._seed, "adversary").integers(2**62))

    def embed(self, texts: Sequence[str], purpose: str) -> NDArray[np.float32]:
        """Return the defended embeddings of texts, (texts, dimension).

        Args:
            texts: What to embed.
            purpose: Name of the random draws; those of other purposes are independent.

        Raises:
            ModelRefused: Some embeddings are not finite numbers.
        """
        return self._chain(self._encode(texts), generator(self._seed, purpose))

    def access(
        self,
        victims: Sequence[str],
        *,
        opened: bool = False,
        auxiliary: Sequence[str] = (),
        known: dict[tuple[str, ...], NDArray[np.float32]] | None = None,
    ) -> SentenceEmbeddings:
        """Return what an adversary may query: the victims' defended embeddings, and the public encoder.

        Nothing in it refers to this release or to its seed. An adversary that has a copy of a store embeds its own
        texts by the encoder, or, where that is unknown, has their stored vectors.

        Args:
            victims: The victims' texts.
            opened: Whether the adversary may look into the encoder.
            auxiliary: The adversary's texts.
            known: What the same encoder made of some of these before, to which is added (`RememberedEmbeddings`).

        Raises:
            Incompatible: The encoder cannot be opened.
        """
        draws = int(generator(self._seed, "adversary's release").integers(2**62))
        released = self.embed(victims, "release")
        plain: Encode = encoding(self._model, self._context)
        if known is not None:
            plain = RememberedEmbeddings(plain, frozenset(auxiliary), known)
        prepared = self._retrained.encode if self._retrained else plain
        if self._stored is not None:
            plain = prepared = plain if self._model.known else self._stored.leaked(auxiliary)
        chain = self._chain if self._chain.mechanisms else None
        if not opened:
            return SentenceEmbeddings(released, plain, prepared, chain, draws)
        return EncoderInternals(released, plain, prepared, self._opened(), chain, draws)

    def _opened(self) -> OpenEncoder:
        if self._retrained is not None:
            return self._retrained
        if not isinstance(self._model, OpenSentenceModel):
            raise Incompatible(f"The inside of {self._model.part_name()} is not accessible.")
        return self._model.open_encoder(self._context)

    def attacked(
        self, access: SentenceEmbeddings, respond: Callable[[AdversaryKind, bool], tuple[Answered, float]]
    ) -> tuple[dict[AdversaryKind, Answered], Estimate]:
        """Let the adaptive adversary play, and the naive one where there are defenses.

        Args:
            access: What both may query.
            respond: Lets an adversary of the given kind prepare and play; the second argument is whether it defends
                its own embeddings. Returns its answer, and its success on its own left-out texts behind the defenses;
                NaN where it has none, and there is no choice.

        Returns:
            The answers, and the queries of the adaptive adversary, who embeds its texts once for both preparations.
        """
        adaptive, success = respond("adaptive", bool(self._defenses))
        queries = Estimate.queries(access.queries, "Texts of its own that the adversary asked the encoder to embed.")
        answers: dict[AdversaryKind, Answered] = {"adaptive": adaptive}
        if self._defenses:
            answers["naive"], unaware = respond("naive", False)
            if unaware > success:
                answers["adaptive"] = answers["naive"]
        return answers, queries

    def victims_utility(
        self,
        documents: Documents,
        rows: Iterable[int],
        victims: Sequence[str],
        measure: UtilityMeasure,
        *,
        ranked: bool = False,
        queries: Sequence[str] = (),
    ) -> dict[str, Estimate]:
        """Return the utility of the victims' released embeddings.

        Args:
            documents: What the dataset holds.
            rows: Row of each victim's text in it.
            victims: The victims' texts.
            measure: How utility is measured.
            ranked: Whether the order of the nearest is measured, too.
            queries: The holder's own queries, as texts; none for the victims' embeddings as queries.
        """
        labels = [documents.labels[row] for row in rows] if documents.labels else []
        tuned = measure == "tuned"
        return self.utility(labels, victims, "release", tuned=tuned, ranked=ranked, queries=queries)

    def utility(
        self,
        labels: Sequence[str],
        texts: Sequence[str],
        purpose: str,
        *,
        tuned: bool,
        ranked: bool = False,
        queries: Sequence[str] = (),
    ) -> dict[str, Estimate]:
        """Return the utility of the embeddings of some texts.

        Args:
            labels: Class of each text, empty where it has none; without any, no classes are predicted.
            texts: The texts.
            purpose: Name of the draws of the release, see `embed`.
            tuned: Whether the downstream classifier is tuned and the retrieval measured without noise too, as with it.
            ranked: Whether the order of the nearest is measured, too.
            queries: The holder's own queries, as texts; none for the texts' embeddings as queries. Where the encoder is
                unknown, they cannot be embedded, and the texts' embeddings are taken.

        Returns:
            ``utility``, the downstream accuracy, where there are two classes, and with noise or ``tuned`` also
            ``retrieval_recall_at_10``; if ``ranked`` then ``retrieval_ndcg_at_10``, too.
        """
        self._context.progress.stage("Measuring downstream accuracy and retrieval")
        rng = generator(self._seed, "utility")
        if not (self.random or tuned):
            measured = None
            if len(set(labels) - {""}) >= 2:
                measured = downstream_accuracy.measure(self.embed(texts, purpose), labels, rng)
            return {} if measured is None else {"utility": measured}
        stored = OwnEmbeddings(self._encode(texts), self._chain, released=self.embed(texts, purpose))
        estimates = {}
        if labels:
            estimates["utility"] = downstream_accuracy.tuned(stored, labels, rng, self._context.progress)
            self._context.progress.stage("Measuring retrieval")
        rng = generator(self._seed, "retrieval")
        asked, own_queries = self._chain.query(stored.plain), None
        if queries and self._model.known:
            plain = self._model.encode_queries(queries, self._context)
            own_queries = retrieval.Queries(plain, self._chain.query(plain))
        if (searched := retrieval.searched(stored.plain, stored.vectors, rng, asked, own_queries)) is not None:
            estimates["retrieval_recall_at_10"] = searched.recall(rng)
            if ranked:
                estimates["retrieval_ndcg_at_10"] = searched.ndcg(rng)
        return {name: estimate for name, estimate in estimates.items() if estimate is not None}


def practice(
    access: SentenceEmbeddings, texts: Sequence[str], rng: np.random.Generator, draws: int = COPIES
) -> NDArray[np.float32]:
    """Return an adversary's own left-out texts as it defends them itself, draw below draw. One query a text.

    Returns:
        (draws · texts, dimension); one draw where there is no noise.
    """
    return access.known(texts, defended=True).copies(draws, rng)


def encoding(model: SentenceModel, context: RunContext, whose: str = "the adversary's texts") -> Encode:
    """Return the public encoder, without any defense; the progress report calls the texts ``whose``."""
    return lambda texts: model.encode(texts, context, whose)


def _chain(
    defenses: tuple[Defense, ...], texts: Sequence[str], secrets: tuple[Secret, ...], encode: Encode, seed: int
) -> Chain:
    """Return what all defenses of embeddings do together."""
    chain = Chain((), ", ".join(defense.part_name() for defense in defenses) or "no defense")
    for position, defense in enumerate(defenses):
        if isinstance(defense, TrainingDefense):
            continue
        if not isinstance(defense, EmbeddingDefense):
            raise Incompatible(f"{defense.part_name()} does not protect sentence embeddings.")
        rng = generator(seed, "defense", position)

        def encode_defended(
            some: Sequence[str], chain: Chain = chain, rng: np.random.Generator = rng
        ) -> NDArray[np.float32]:
            return chain(encode(some), rng)

        holdings = Holdings(tuple(texts), encode_defended(texts), secrets, encode_defended)
        chain = chain.followed(defense.mechanism(holdings, rng))
    return chain
