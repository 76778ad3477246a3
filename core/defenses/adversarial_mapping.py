"""Embeddings are mapped by a network that is trained against a simulated adversary."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.defenses import EmbeddingDefense, Holdings, Mechanism
from core.networks import adversarial_mapping as networks
from core.spec import parameter


class AdversarialMapping(EmbeddingDefense):
    """Map embeddings so that a simulated adversary cannot infer secrets (Pan et al. 2020, section VII, appendix C).

    Mapping D and adversary A take turns on ``min_D max_A mean of A(D(z), s) + λ ‖D(z) - z‖₂`` for secrets s. D is a
    perceptron d-200-d with ReLUs, A has 200 sigmoid units; batches are of 64. Nothing is guaranteed. Deviations:

    - Turns: the paper's "1 and 5 iterations" would train the adversary once per 5 steps of the mapping, which then
      outruns it and hides nothing. The default is 5 and 1. Optimiser and length are not stated; Adam, averaged weights.
    - Objective of D: equal probability for every value. A likelihood has no lower bound, and a surely wrong adversary
      hides nothing.
    - Scale: coordinates are standardised, and the distortion is divided by √d, so λ is comparable between encoders but
      not with the paper. The norm is not squared, as in the paper; a large λ switches a correction off entirely.
    - ``form="correction"`` returns what is added to z; the paper's form costs utility even for a large λ.
    - Several secrets: one head each, with averaged losses and balanced values; without secrets, D is the identity.
    """

    title: ClassVar[str] = "adversarial mapping"
    version: ClassVar[int] = 2

    distortion: float = parameter(
        1.0,
        "Weight of the distortion against hiding the secrets (lambda); less hides more.",
        label="Price of distortion",
        ge=0,
        le=1000,
    )
    rounds: int = parameter(
        800,
        "Rounds in which the adversary is trained, then the mapping.",
        unit="rounds",
        ge=1,
        le=100_000,
        advanced=True,
    )
    adversary_steps: int = parameter(
        5, "Batches of the adversary per round.", unit="batches", ge=1, le=100, advanced=True
    )
    mapping_steps: int = parameter(1, "Batches of the mapping per round.", unit="batches", ge=1, le=100, advanced=True)
    form: Literal["correction", "whole"] = parameter(
        "whole", "The mapping returns the whole new embedding (the paper), or a correction of it.", advanced=True
    )

    def mechanism(self, holdings: Holdings, rng: np.random.Generator) -> Mechanism:
        """Return the mapping trained on the holder's texts; the identity if all texts have the same secrets."""
        truth = [
            np.unique([secret.read(text) for text in holdings.texts], return_inverse=True)[1]
            for secret in holdings.secrets
        ]
        truth = [values for values in truth if values.any()]
        if not truth:
            return Trained(None)
        training = networks.Training(
            price=self.distortion,
            rounds=self.rounds,
            adversary_steps=self.adversary_steps,
            mapping_steps=self.mapping_steps,
            residual=self.form == "correction",
        )
        return Trained(networks.train(holdings.embeddings, truth, training, rng))


@dataclass(frozen=True)
class Trained(Mechanism):
    """A trained mapping.

    Attributes:
        mapping: The network; None where there was nothing to hide.
    """

    mapping: networks.Mapping | None

    def __call__(self, embeddings: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
        """Return the mapped embeddings."""
        return embeddings if self.mapping is None else self.mapping(embeddings)
