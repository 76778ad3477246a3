"""The encoder is trained against an adversary that predicts words from its embeddings."""

from typing import ClassVar

from core.access import Access, EncoderInternals, SentenceEmbeddings
from core.defenses import TrainingDefense, TrainingOptions
from core.spec import parameter


class AdversarialTraining(TrainingDefense):
    """Train an encoder against an adversary that predicts words from its embeddings (Song and Raghunathan 2020).

    In each step a linear classifier is trained to predict which of the 2,000 most frequent words are in a sentence. Its
    gradient reaches the encoder with its sign changed, ``strength`` times as large. The classifier is then discarded;
    an adversary trains a new one on the encoder. Learning from the undefended encoder instead is no protection, because
    training anew takes minutes. Only an encoder that is trained here can have this defense.

    The paper's section on this defense was not available: its existence and the encoders it applies to are the paper's,
    the rest is ours.
    """

    title: ClassVar[str] = "adversarial training"
    protects: ClassVar[frozenset[type[Access]]] = frozenset({SentenceEmbeddings, EncoderInternals})

    strength: float = parameter(
        1.0, "Weight of the adversary’s gradient in the encoder’s training.", label="Strength", gt=0, le=1000
    )

    def on_training(self) -> TrainingOptions:
        """Return the weight of the adversary."""
        return TrainingOptions(adversary=self.strength)
