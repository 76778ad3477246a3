"""Identification of the encoder behind each embedding."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import field_validator

from core.access import SentenceEmbeddings
from core.errors import Incompatible
from core.games import Game, Setup
from core.games.attack import Attack
from core.games.embedding_defenses import FEWEST_VICTIMS, encoding
from core.games.fingerprint import maps
from core.games.fingerprint import score as scoring
from core.games.fingerprint.contract import Briefing, FingerprintAttack, labels
from core.games.fingerprint.one_word import FEWEST_PAIRS, sensitivities
from core.games.standards import OF_ENCODERS, Standard
from core.models.encoder import Encoder
from core.result import Drawing, Estimate, Outcome, Schema
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.spec import parameter
from core.targets.model import Model
from core.text.contents import Documents
from core.text.split import split_texts

_Setup = Setup[Documents, Model, FingerprintAttack]


class Fingerprint(Game):
    """An adversary predicts, for each embedding, which encoder made it.

    For each victim's text the game draws one of the candidate encoders, all equally likely, which embeds it. The
    adversary gets the embeddings, may query every candidate, and learns from texts of another dataset. Chance is one
    over the number of candidates. A baseline uses the dimension of an embedding alone.

    With ``pairs``, it also measures how far one word moves the embeddings of each candidate: the sensitivity that
    Laplace noise is scaled by (`core.games.fingerprint.one_word`).

    Source: Pan et al. 2020, appendix D, with Figure 9 in the drawing ``map``, and Table IV.
    """

    title: ClassVar[str] = "identification of encoders"
    attack_kind: ClassVar[type[Attack]] = FingerprintAttack
    standards: ClassVar[tuple[Standard, ...]] = OF_ENCODERS
    tables: ClassVar[dict[str, Schema]] = scoring.SCHEMAS
    drawings: ClassVar[Mapping[str, Drawing]] = {"map": Drawing(maps.SCHEMA, maps.draw)}

    victims: int = parameter(1000, "Most victims.", unit="victims", ge=FEWEST_VICTIMS, le=100_000)
    mapped: int = parameter(300, "Most victims on the map.", unit="victims", ge=FEWEST_VICTIMS, le=5000, advanced=True)

    pairs: int = parameter(
        0,
        f"Pairs of texts one word apart, from which the sensitivity of each encoder is estimated: 0, or at least "
        f"{FEWEST_PAIRS}.",
        label="Pairs one word apart",
        unit="pairs",
        ge=0,
        le=100_000,
        advanced=True,
        implied=0,
    )

    @field_validator("pairs")
    @classmethod
    def _none_or_enough(cls, pairs: int) -> int:
        if 0 < pairs < FEWEST_PAIRS:
            raise ValueError(f"0, or at least {FEWEST_PAIRS}, of which the quantile has an interval.")
        return pairs

    def _play(self, setup: _Setup) -> Outcome:
        attack, seed, context, documents = setup.attack, setup.seed, setup.context, setup.contents
        encoders = attack.encoders(setup.model)
        rng = generator(seed, "deal")
        rows = self._victims(setup, rng)
        drawn = rng.integers(len(encoders), size=len(rows))
        texts = [documents.texts[row] for row in rows]
        vectors = _embedded(texts, drawn, encoders, context)
        unreleased = np.empty((0, 0), np.float32)
        encodes = [
            encoding(encoder, context, f"the adversary's texts ({_counted(number, encoders)})")
            for number, encoder in enumerate(encoders)
        ]
        accesses = [SentenceEmbeddings(unreleased, encode, encode) for encode in encodes]
        briefing = Briefing(vectors, int(generator(seed, "adversary").integers(2**62)))
        answer = attack.identify(briefing, accesses, context)
        scorer = scoring.Scorer(labels(encoders), vectors, drawn, rows, seed)
        context.kept["map"] = scorer.kept(answer, self.mapped)
        estimates = scorer.estimates(answer)
        queries = sum(access.queries for access in accesses)
        estimates["queries"] = Estimate.queries(
            queries, "Texts of its own that the adversary asked the encoders to embed."
        )
        if self.pairs:
            changes = [
                encoding(encoder, context, f"texts one word apart ({_counted(number, encoders)})")
                for number, encoder in enumerate(encoders)
            ]
            moves = sensitivities(labels(encoders), changes, texts, self.pairs, generator(seed, "one word apart"))
            estimates |= dict(moves)
        return estimates, scorer.tables(answer)

    def check_contents(self, setup: _Setup) -> None:
        """Check that there are enough different texts, and other ones for the adversary.

        Raises:
            Incompatible: There are not.
        """
        setup.attack.encoders(setup.model)
        self._victims(setup, generator(setup.seed, "deal"))

    def _victims(self, setup: _Setup, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw the rows of the victims, in rising order."""
        name, texts = setup.dataset.part_name(), setup.contents.texts
        if setup.attack.auxiliary() == setup.dataset:
            raise Incompatible(f"The external texts must be others than the victims'. Both are {name}.")
        _, distinct = split_texts(texts, np.arange(len(texts)), share=0.0)
        rows = np.sort(rng.permutation(distinct)[: self.victims])
        if len(rows) < FEWEST_VICTIMS:
            raise Incompatible(f"{name} has {len(rows)} different texts. At least {FEWEST_VICTIMS} are needed.")
        return rows


def _embedded(
    texts: Sequence[str], drawn: NDArray[np.int64], encoders: Sequence[Encoder], context: RunContext
) -> tuple[NDArray[np.float32], ...]:
    """Return the embedding of each text by the encoder drawn for it."""
    vectors: dict[int, NDArray[np.float32]] = {}
    for number, encoder in enumerate(encoders):
        victims = np.flatnonzero(drawn == number).tolist()
        if victims:
            whose = f"the victims' texts ({_counted(number, encoders)})"
            embeddings = encoder.encode([texts[victim] for victim in victims], context, whose)
            vectors |= dict(zip(victims, embeddings, strict=True))
    return tuple(vectors[victim] for victim in range(len(texts)))


def _counted(number: int, encoders: Sequence[Encoder]) -> str:
    return f"encoder {number + 1} of {len(encoders)}"
