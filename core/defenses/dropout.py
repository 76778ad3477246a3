"""Training with dropout."""

from typing import ClassVar

from core.access import Access, NetworkInternals, ScoringTranslator, Translator
from core.access.language_models import TO_LANGUAGE_MODELS
from core.defenses import TrainingDefense, TrainingOptions
from core.spec import parameter


class Dropout(TrainingDefense):
    """Leave out inputs and hidden units at random in each training step (Parikh et al. 2022, section 6).

    The paper trains "with a dropout of 20% and 10%" without saying where. Here 20% of the word inputs are left out,
    which is what hides words, and 10% after each recurrent layer. For translators it replaces their own dropout: the
    stronger regularisation that Hisamoto et al. 2020, section 7, name as a defense. In a language model that is
    fine-tuned, inputs are the embedded tokens, and hidden units what attention and feed-forward parts add to a layer.
    """

    title: ClassVar[str] = "dropout"
    protects: ClassVar[frozenset[type[Access]]] = frozenset(
        {NetworkInternals, Translator, ScoringTranslator, *TO_LANGUAGE_MODELS}
    )

    inputs: float = parameter(0.2, "Share of the input units that are left out.", label="Of inputs", ge=0, le=0.9)
    hidden: float = parameter(
        0.1, "Share of the hidden units that are left out.", label="Of hidden units", ge=0, le=0.9
    )

    def on_training(self) -> TrainingOptions:
        """Return the shares."""
        return TrainingOptions(dropout=(self.inputs, self.hidden))
