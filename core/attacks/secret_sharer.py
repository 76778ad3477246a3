"""Secret sharer: a secret is read out of a language model by the probability of texts that begin as it does."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.access.language_models import TextProbabilities
from core.adversaries.scored_secrets import scored_at_most, scored_secrets
from core.games.canaries.contract import Answer, Briefing, MaskedCanary
from core.games.secret_sharer.contract import SecretSharerAttack
from core.spec import parameter
from core.targets.word_language_model import small_lstm


class SecretSharer(SecretSharerAttack):
    """Search for the likeliest secret after a known beginning (Carlini et al. 2019, sections 4 and 6).

    The loss of a secret is the negative log-probability of its words after the beginning. Beam search extends the
    likeliest beginnings word by word, and keeps the ``beam`` likeliest at each length; the paper's shortest-path search
    would find the same secret, or a likelier one with more queries.

    - *Baselines.* ``greedy`` is the beam of one, ``exhaustive`` the likeliest of all secrets where all are scored, and
      ``random`` a guess.
    - *Exposure* (definition 5): log2 of the number of secrets less log2 of the rank of the true one by loss. All
      secrets are scored where they are few. Otherwise a random sample is scored, the rank of the truth is interpolated
      between those of the sample, and exposure cannot exceed log2 of its size. The paper extrapolates further by a
      fitted distribution (section 4.4), which is left out: it is an assumption about the tail.
    """

    title: ClassVar[str] = "Secret sharer"
    question: ClassVar[str] = "Can a secret be read out of a language model that was trained on a text with it?"
    claim: ClassVar[str] = (
        "Given the probability of any text and the beginning of a secret, the adversary reads out what followed in the "
        "training text of a language model"
    )
    threat: ClassVar[str] = (
        "The adversary knows the words before the secret and the candidates for its words, and may ask the model for "
        "the probability of any text; it sees no training data."
    )
    needs: ClassVar[type[Access]] = TextProbabilities
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {
            "dataset": {"part": "wikipedia_excerpt"},
            "model": small_lstm(2000, layers=1, epochs=2, context=12, batch=8, learning_rate=5e-3, softmax="full"),
            "game": {"length": 3, "repetitions": [0, 1, 10, 100], "trials": 4, "documents": 50},
        },
    }

    beam: int = parameter(10, "Beginnings of a secret that the search keeps.", unit="beginnings", ge=1, le=10_000)
    scored: int = scored_at_most()

    @property
    def method(self) -> str:
        """Name of the attack's answer among all methods."""
        return "beam"

    def extract(self, briefing: Briefing, access: TextProbabilities) -> list[Answer]:
        """Read the secrets out of one model, one after the other."""
        return [self._extracted(canary, access, briefing.rng) for canary in briefing.canaries]

    def _extracted(self, canary: MaskedCanary, access: TextProbabilities, rng: np.random.Generator) -> Answer:
        secrets, losses = _search(canary, self.beam, access)
        scored = scored_secrets(canary, self.scored, rng)
        scores = _losses(canary, scored, access)
        guesses = {
            self.method: secrets[0],
            "greedy": _search(canary, 1, access)[0][0],
            "random": rng.integers(len(canary.pattern.candidates), size=canary.unknown),
        }
        if len(scored) == canary.space:
            guesses["exhaustive"] = scored[scores.argmin()]
        guessed = _losses(canary, np.stack(list(guesses.values())), access)
        return Answer(
            guesses,
            dict(zip(guesses, guessed.tolist(), strict=True)),
            scored,
            scores.astype(np.float32),
            runs=secrets,
            run_losses=losses.astype(np.float32),
        )


def _search(
    canary: MaskedCanary, beam: int, access: TextProbabilities
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the likeliest secrets that a beam finds, (beam, unknown), the likeliest first, and their losses."""
    candidates = np.arange(len(canary.pattern.candidates))
    beginnings, losses = np.empty((1, 0), np.int64), np.zeros(1)
    for _ in range(canary.unknown):
        next_words = np.tile(candidates, len(beginnings))[:, None]
        longer = np.concatenate([np.repeat(beginnings, len(candidates), axis=0), next_words], axis=1)
        longer_losses = _losses(canary, longer, access)
        best = longer_losses.argsort(kind="stable")[:beam]
        beginnings, losses = longer[best], longer_losses[best]
    return beginnings, losses


def _losses(canary: MaskedCanary, secrets: NDArray[np.int64], access: TextProbabilities) -> NDArray[np.float64]:
    """Return the loss of the words of secrets, or of their first ones, after the known words, in nats, (secrets,)."""
    texts = [(*canary.beginning, *canary.pattern.spelt(secret)) for secret in secrets]
    return np.array([losses[len(canary.beginning) :].sum() for losses in access.losses(texts)])
