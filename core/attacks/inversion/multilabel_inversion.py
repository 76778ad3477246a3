"""Inversion by classifier: for each word of a vocabulary, whether the embedded text has it is predicted."""

from collections.abc import Mapping
from typing import Any, ClassVar

from core.access import SentenceEmbeddings
from core.adversaries.word_classifier import LEARNING, WordClassifierTraining
from core.games.inversion.contract import BLACK_BOX, Auxiliary, InversionAdversary, InversionAttack, shared_presets
from core.result import Schema
from core.runtime.context import RunContext
from core.spec import parameter

_LEFT_OUT = 0.1


class MultilabelInversion(InversionAttack):
    """Black-box inversion as multi-label classification, MLC (Song and Raghunathan 2020, section 3).

    The adversary has the public encoder embed auxiliary texts, and trains one network that predicts each word of a
    vocabulary independently of the others:

        loss = - sum over words w of  y_w log p_w + (1 - y_w) log(1 - p_w).

    Words whose probability exceeds a threshold are named. Where the paper leaves a choice open:

    - *Network.* One linear layer, on embeddings of zero mean and unit variance; ``hidden`` puts rectified units before
      it. The biases start at the frequency of each word.
    - *Threshold.* The best F1 on a held-out tenth of the auxiliary texts, never on victims.
    """

    title: ClassVar[str] = "Inversion by classifier"
    question: ClassVar[str] = "Which words stand in the text behind this embedding?"
    claim: ClassVar[str] = "Given the embedding of a text, the adversary decides for each word whether the text has it"
    threat: ClassVar[str] = BLACK_BOX
    tables: ClassVar[dict[str, Schema]] = {"learning": LEARNING}
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = shared_presets(epochs=15)

    hidden: int = parameter(
        0,
        "Rectified units between embedding and words; 0 for none.",
        label="Hidden units",
        unit="units",
        ge=0,
        le=16_384,
    )
    epochs: int = parameter(30, "Epochs on the auxiliary texts.", unit="epochs", ge=1, le=1000)
    batch: int = parameter(256, "Texts in a batch.", unit="texts", ge=1, le=8192, advanced=True)
    learning_rate: float = parameter(
        3e-3, "Adam’s step size at the start; falls to zero along a half cosine.", gt=0, le=1, advanced=True
    )

    def prepare(self, auxiliary: Auxiliary, access: SentenceEmbeddings, context: RunContext) -> InversionAdversary:
        """Train the classifier; choose the threshold after each epoch on the held-out texts."""
        texts = self.examine(auxiliary, access, _LEFT_OUT, len(auxiliary.texts))
        training = WordClassifierTraining(
            texts, self.hidden, self.epochs, self.batch, self.learning_rate, auxiliary.seed
        )
        return training.run(context)
