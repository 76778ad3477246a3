"""Candidate ranking: suspected texts are embedded and compared with stored vectors."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import SentenceEmbeddings
from core.games.ranking.contract import Adversary, Briefing, RankingAttack
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.spec import parameter
from core.statistics.unit_length import scaled

_DIGITS = 9
"""Decimals of a cosine; the last bits of a product of matrices depend on the number of threads."""


class CandidateRanking(RankingAttack):
    """The suspected text whose embedding is nearest to a stored vector.

    The adversary embeds each candidate ``t`` by the encoder, behind a defense as the mean of what the defense makes of
    it, and compares by cosine:

        text of v = argmax_t cos(v, E[f(t)]),    t stored if max_v cos(v, E[f(t)]) > threshold.

    The threshold is set on texts that the adversary owns and that are not stored, compared with the same vectors: a
    share ``false_alarms`` of them lies above it. No candidate has a part in it.

    Only the exact text counts; paraphrases are not measured.
    """

    title: ClassVar[str] = "Candidate ranking"
    question: ClassVar[str] = "Which of the suspected texts is behind this vector, and which are stored at all?"
    claim: ClassVar[str] = "Given a stored vector and a list of suspected texts, the adversary names the text behind it"
    threat: ClassVar[str] = (
        "The adversary has a copy of stored vectors and a list of suspected texts, owns other texts of the same kind, "
        "and may query the same public encoder with any text."
    )
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {
            "dataset": {"part": "wikipedia_excerpt"},
            "model": {"part": "encoder", "length": "unit", "max_tokens": 64},
            "game": {"victims": 300, "candidates": 1000},
            "attack": {"texts": 500},
        },
    }

    texts: int = parameter(
        1000,
        "Most texts of its own, not stored, on which the adversary sets its threshold.",
        label="Outside texts",
        unit="texts",
        ge=10,
        le=100_000,
    )
    false_alarms: float = parameter(
        0.01,
        "Share of its own texts that the adversary’s threshold takes for stored.",
        label="False-positive rate",
        gt=0,
        le=0.5,
        advanced=True,
    )

    def prepare(self, briefing: Briefing, access: SentenceEmbeddings, context: RunContext) -> Adversary:
        """Embed the candidates and the outside texts.

        Raises:
            Incompatible: Fewer than 10 outside texts.
        """
        self.check_held(len(briefing.outside))
        chosen = np.sort(generator(briefing.seed, "outside").permutation(len(briefing.outside))[: self.texts])
        texts = [*briefing.candidates, *(briefing.outside[number] for number in chosen)]
        released, _ = access.known(texts, defended=briefing.defended).expected
        directions = scaled(released).astype(np.float64)
        count = len(briefing.candidates)
        return _Comparison(directions[:count], directions[count:], self.false_alarms)


@dataclass(frozen=True)
class _Comparison(Adversary):
    """Compares vectors with candidates by cosine.

    Attributes:
        candidates: (candidates, dimension) what the release of each is expected to be, of length one.
        outside: (texts, dimension) the same of the adversary's own texts.
        false_alarms: Share of the latter above the threshold.
    """

    candidates: NDArray[np.float64]
    outside: NDArray[np.float64]
    false_alarms: float

    def similarity(self, vectors: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the cosine of each vector and each candidate, (vectors, candidates)."""
        return _cosines(vectors, self.candidates)

    def stored(self, vectors: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the cosine of each candidate and its nearest vector, less the threshold, (candidates,)."""
        strangers = _cosines(vectors, self.outside).max(axis=0)
        threshold = np.quantile(strangers, 1 - self.false_alarms, method="higher")
        return np.asarray(_cosines(vectors, self.candidates).max(axis=0) - threshold)


def _cosines(vectors: NDArray[np.float32], directions: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray((scaled(vectors).astype(np.float64) @ directions.T).round(_DIGITS))
