"""The trainer has an adversary read words back while it trains, and trains the encoder against it."""

from typing import ClassVar

from core.access import Access, EncoderInternals, SentenceEmbeddings
from core.defenses import TrainingDefense, TrainingOptions
from core.spec import parameter


class AdversarialTraining(TrainingDefense):
    """Train an encoder so that an adversary trained with it cannot read words back (Song and Raghunathan 2020).

    In each step a linear classifier learns to tell from a sentence's vector which of the 2,000 most frequent words
    stand in it, and the encoder is led away from what helps it: the classifier's gradient reaches the encoder with its
    sign changed, ``strength`` times as large. The classifier is thrown away. An attacker trains its own afterwards, on
    the encoder as it then is.

    The section of the paper about this defense is not in what we hold of it; that it exists, and for which encoders,
    is all we take from there. Only an encoder that is trained here can have it.

    On the LSTM of `inversion_multilabel_lstm` (`python -m core precompute --only "inversion_*"`), an attacker who
    trains anew reads sentences back with an F1 of 0.379 (95 % interval 0.372 to 0.386) without the defense, and with
    0.370, 0.337, 0.331 and 0.316 at strengths 0.01, 0.1, 1 and 10; naming frequent words gives 0.270. The encoder finds
    the next of 100 sentences in 6.5 % (5.1 to 8.0), and then in 6.0, 4.2, 2.3 and 2.4 %; guessing gives 1 %. So what
    costs little hides next to nothing, and what hides half of what exceeds frequency leaves a quarter of the use that
    exceeds guessing. An attacker who learns from the undefended encoder reads less than frequency gives, 0.148 at
    strength 0.01, which is no protection: to learn anew takes minutes.
    """

    title: ClassVar[str] = "adversarial training"
    protects: ClassVar[frozenset[type[Access]]] = frozenset({SentenceEmbeddings, EncoderInternals})

    strength: float = parameter(
        1.0, "Weight of the adversary’s gradient in the encoder’s training.", label="Strength", gt=0, le=1000
    )

    def on_training(self) -> TrainingOptions:
        """Ask for the adversary."""
        return TrainingOptions(adversary=self.strength)
