"""The trainer has an adversary read words back while it trains, and trains the encoder against it."""

from typing import ClassVar

from core.access import Access, EncoderInternals, SentenceEmbeddings
from core.defenses import TrainingDefense
from core.recipe import Recipe
from core.spec import parameter


class AdversarialTraining(TrainingDefense):
    """Train an encoder so that an adversary trained with it cannot read words back (Song and Raghunathan 2020).

    In each step a linear classifier learns to tell from a sentence's vector which of the 2,000 most frequent words
    stand in it, and the encoder is led away from what helps it: the classifier's gradient reaches the encoder with its
    sign changed, ``strength`` times as large. The classifier is thrown away. An attacker trains its own afterwards, on
    the encoder as it then is.

    The section of the paper about this defense is not in what we hold of it; that it exists, and for which encoders,
    is all we take from there. Only an encoder that is trained here can have it.
    """

    title: ClassVar[str] = "adversarial training"
    protects: ClassVar[frozenset[type[Access]]] = frozenset({SentenceEmbeddings, EncoderInternals})

    strength: float = parameter(
        1.0, "Weight of the adversary’s gradient in the encoder’s training.", label="Strength", gt=0, le=1000
    )

    def on_training(self) -> Recipe:
        """Ask for the adversary."""
        return Recipe(adversary=self.strength)
