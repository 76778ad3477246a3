"""Embeddings by encoders drawn at random: which encoder made which."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import SentenceEmbeddings
from core.datasets import Dataset
from core.defenses import Defense
from core.errors import Incompatible
from core.games import Game
from core.games.attack import Attack
from core.games.fingerprint import score as scoring
from core.games.fingerprint.contract import FingerprintAttack, labels
from core.models.encoder import Encoder
from core.result import Estimate, Schema
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.spec import parameter
from core.targets.model import Model
from core.text.contents import Documents
from core.text.split import split_texts

if TYPE_CHECKING:
    import pandas as pd

_FEWEST = 5


class Fingerprint(Game):
    """A guess for each embedding, of the encoder that made it.

    For each victim's text the game draws one of the candidates, all equally likely, and has the text embedded by it.
    The adversary gets the embeddings, may ask every candidate, and names one for each; it learns from texts of another
    dataset. Chance is one among the candidates. How much the length of an embedding gives away without any classifier
    stands beside it.

    Source: Pan et al. 2020, appendix D, with Figure 9 in the table ``map``.
    """

    title: ClassVar[str] = "identification of encoders"
    tables: ClassVar[dict[str, Schema]] = scoring.SCHEMAS

    victims: int = parameter(1000, "Most victims.", unit="victims", ge=_FEWEST, le=100_000)
    mapped: int = parameter(300, "Most victims on the map.", unit="victims", ge=_FEWEST, le=5000, advanced=True)

    def play(
        self,
        dataset: Dataset,
        model: Model,
        defenses: tuple[Defense, ...],
        attack: Attack,
        seed: int,
        context: RunContext,
    ) -> "tuple[dict[str, Estimate], dict[str, pd.DataFrame]]":
        """Play the game.

        Raises:
            Incompatible: The parts do not fit this game, or the texts are too few.
        """
        if not isinstance(attack, FingerprintAttack):
            raise Incompatible(f"{attack.part_name()} is not a game of fingerprints.")
        if attack.auxiliary() == dataset:
            raise Incompatible(f"The external texts must be others than the victims'. Both are {dataset.part_name()}.")
        encoders = attack.encoders(model)
        context.progress.stage(f"Reading {dataset.title}")
        documents: Documents = dataset.load()
        rng = generator(seed, "deal")
        rows = np.sort(rng.permutation(split_texts(documents.texts, np.arange(len(documents)), 0.0)[1])[: self.victims])
        if len(rows) < _FEWEST:
            raise Incompatible(f"{dataset.part_name()} has {len(rows)} different texts. At least {_FEWEST} are needed.")
        drawn = rng.integers(len(encoders), size=len(rows))
        vectors = _embedded([documents.texts[row] for row in rows], drawn, encoders, context)
        oracles = [_oracle(encoder, context) for encoder in encoders]
        secret = int(generator(seed, "adversary").integers(2**62))
        told = attack.identify(vectors, oracles, context, secret)
        context.progress.stage("Laying out maps of the embeddings")
        scorer = scoring.Scorer(labels(encoders), tuple(vectors), drawn, rows, seed)
        estimates = scorer.estimates(told)
        queries = sum(oracle.queries for oracle in oracles)
        what = "Texts of its own that the adversary asked the encoders to embed."
        estimates["queries"] = Estimate.queries(queries, what)
        return estimates, scorer.tables(told, self.mapped)


def _embedded(
    texts: Sequence[str], drawn: NDArray[np.int64], encoders: Sequence[Encoder], context: RunContext
) -> list[NDArray[np.float32]]:
    """Return the embedding of each text by the encoder drawn for it."""
    vectors: dict[int, NDArray[np.float32]] = {}
    for number, encoder in enumerate(encoders):
        own = np.flatnonzero(drawn == number).tolist()
        if own:
            vectors |= dict(zip(own, encoder.encode([texts[victim] for victim in own], context), strict=True))
    return [vectors[victim] for victim in range(len(texts))]


def _oracle(encoder: Encoder, context: RunContext) -> SentenceEmbeddings:
    """Return access to one candidate, with no embedding released."""

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        return encoder.encode(texts, context)

    return SentenceEmbeddings(np.empty((0, 0), np.float32), encode, encode)
