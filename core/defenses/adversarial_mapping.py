"""A network trained against an imagined adversary rewrites embeddings before release."""

from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.defenses import EmbeddingDefense, Holdings, Mechanism
from core.networks import adversarial_mapping as networks
from core.spec import parameter


class AdversarialMapping(EmbeddingDefense):
    """Map embeddings such that an imagined adversary learns nothing (Pan et al. 2020, section VII and appendix C).

    The privacy preserving mapping D (PPM) and the adversary A are trained in turns on ``min_D max_A mean of
    A(D(z), s) + λ ‖D(z) - z‖₂``, where s is the secret. D is a perceptron d-200-d with rectified units, A a three-layer
    perceptron (inputs, 200 sigmoid units, answers, as the paper counts); batches are of 64. A larger λ hides less.
    Nothing is guaranteed: what this adversary misses, another may find, and training may end anywhere.

    Where the paper is silent, or this differs:

    - *Turns.* "1 and 5 iterations", in the order of the sentence, give the adversary 1 and the mapping 5. The mapping
      then merely outruns it, and a classifier trained on the result finds the secret. The default is 5 and 1.
    - *What the mapping minimises.* The adversary's success has no lower bound when it is a likelihood, and to make it
      surely wrong hides nothing. Here every answer is to look equally likely.
    - *Convergence.* Optimiser, step sizes and length are not stated; Adam, with the adversary faster. The two circle
      each other, so the mapping keeps the mean of its weights over the second half of the training.
    - *Scale.* Each coordinate is standardised on the holder's texts, as attackers do, so that none with a small
      variance escapes the adversary; the distortion is divided by √d and so counts standard deviations per coordinate.
      λ then means the same for every encoder, and is no number of the paper's. As in the paper the norm is not squared:
      its pull does not weaken near z, so that beyond some λ a correction is not worth its price at all, and the defense
      is off rather than weak.
    - *Form.* D as printed squeezes all embeddings through 200 units, which costs something even for a large λ. With
      ``form="correction"`` it gives what is added to z, starting from zero, so that a large λ changes nothing; it hides
      less from an adversary who adapts.
    - *Several secrets.* The adversary has a head for each, whose losses are averaged. Each head meets its answers
      equally often, however rare a keyword is. Secrets with one answer only have no head; without any, D is the
      identity.
    """

    title: ClassVar[str] = "adversarial mapping"

    distortion: float = parameter(
        1.0,
        "Weight of leaving embeddings as they are against hiding the secrets (lambda); less hides more.",
        label="Price of distortion",
        ge=0,
        le=1000,
    )
    rounds: int = parameter(
        800, "How often adversary and mapping take turns in training.", unit="rounds", ge=1, le=100_000, advanced=True
    )
    adversary_steps: int = parameter(
        5, "Batches the adversary is trained on in each round.", unit="batches", ge=1, le=100, advanced=True
    )
    mapping_steps: int = parameter(
        1, "Batches the mapping is trained on in each round.", unit="batches", ge=1, le=100, advanced=True
    )
    form: Literal["correction", "whole"] = parameter(
        "whole",
        "The mapping gives the whole new embedding (the paper), or what is added to an embedding.",
        advanced=True,
    )

    def mechanism(self, holdings: Holdings, rng: np.random.Generator) -> Mechanism:
        """Train the mapping on the holder's texts and return it; the identity when all texts have the same answers."""
        truth = [
            np.unique([secret.read(text) for text in holdings.texts], return_inverse=True)[1]
            for secret in holdings.secrets
        ]
        truth = [answers for answers in truth if answers.any()]
        if not truth:
            return _unchanged
        training = networks.Training(
            price=self.distortion,
            rounds=self.rounds,
            adversary_steps=self.adversary_steps,
            mapping_steps=self.mapping_steps,
            residual=self.form == "correction",
        )
        mapping = networks.train(holdings.embeddings, truth, training, rng)
        return lambda embeddings, rng: mapping(embeddings)


def _unchanged(embeddings: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    return embeddings
