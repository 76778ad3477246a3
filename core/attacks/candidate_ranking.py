"""Candidate ranking: suspected texts are embedded and compared with stored vectors."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from core.access import SentenceEmbeddings
from core.encoders.own_embeddings import OwnEmbeddings
from core.games.ranking.contract import Adversary, Answer, Briefing, RankingAttack
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

        text of v = argmax_t s(v, t),    t stored if max_v s(v, t) > threshold,    s(v, t) = cos(v, E[f(t)]).

    Behind Laplace noise, whose density ``p`` is known, it compares by the likelihood, beside that of own texts ``o``:

        s(v, t) = log p(v - f(t)) - log mean_{o not t} p(v - f(o)).

    The threshold is set on texts that the adversary owns and that are not stored, compared with the same vectors: a
    share ``false_alarms`` of them lies above it. No candidate has a part in it.

    Only the exact text counts; paraphrases are not measured.
    """

    title: ClassVar[str] = "Candidate ranking"
    version: ClassVar[int] = 2
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
        own = access.known(texts, defended=briefing.defended)
        return _Comparison(own, len(briefing.candidates), self.false_alarms)


@dataclass(frozen=True)
class _Comparison(Adversary):
    """Compares vectors with candidates, by the likelihood of the noise where that tells more, else by cosine.

    Attributes:
        texts: The candidates, and after them the adversary's own texts.
        candidates: Number of the former.
        false_alarms: Share of the adversary's own texts above the threshold.
    """

    texts: OwnEmbeddings
    candidates: int
    false_alarms: float

    def compare(self, vectors: NDArray[np.float32]) -> Answer:
        """Compare vectors with candidates; one is as likely stored as it is like the nearest, less the threshold."""
        candidates, strangers = self._compared(vectors)
        threshold = np.quantile(strangers.max(axis=0), 1 - self.false_alarms, method="higher")
        return Answer(candidates, np.asarray(candidates.max(axis=0) - threshold))

    def _compared(self, vectors: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return how alike vectors are to candidates, (vectors, candidates), and to own texts, (vectors, texts)."""
        likelihood = self.texts.log_likelihood(vectors)
        if likelihood is None:
            directions = scaled(self.texts.expected[0]).astype(np.float64)
            alike = (scaled(vectors).astype(np.float64) @ directions.T).round(_DIGITS)
            return alike[:, : self.candidates], alike[:, self.candidates :]
        candidates, own = np.split(likelihood, [self.candidates], axis=1)
        every, count = logsumexp(own, axis=1, keepdims=True), own.shape[1]
        return candidates - every + np.log(count), own - _without_each(own, every) + np.log(count - 1)


def _without_each(logarithms: NDArray[np.float64], every: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logarithm of each row's sum of exponentials without each entry in turn, (rows, columns).

    Args:
        logarithms: (rows, columns) of at least two columns.
        every: (rows, 1) the same with all entries.
    """
    rows, largest = np.arange(len(logarithms)), logarithms.argmax(axis=1)
    others = logarithms.copy()
    others[rows, largest] = -np.inf
    without = every + np.log1p(-np.exp(np.minimum(others - every, -np.log(2))))  # no entry but the largest is over half
    without[rows, largest] = logsumexp(others, axis=1)
    return np.asarray(without)
