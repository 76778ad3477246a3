"""Training stops when the validation loss no longer falls."""

from typing import ClassVar

from core.access import Access, NetworkInternals, ScoringTranslator, Translator
from core.access.language_models import TO_LANGUAGE_MODELS
from core.defenses import TrainingDefense, TrainingOptions
from core.spec import parameter


class EarlyStopping(TrainingDefense):
    """Stop once the validation loss has not fallen for some epochs, and restore the best weights.

    The paper waits 20 epochs of a training of unstated length, and does not say which weights it keeps (Parikh et al.
    2022, section 6). Here a model converges within a few epochs, and the best weights are the strongest form of the
    defense. As in the paper, a tenth of a canary's copies is in the validation data.

    Translators stop by their perplexity on held-out pairs. Hisamoto et al. 2020, sections 4.2 and 5.2, train all of
    theirs so. A language model that is fine-tuned sets a tenth of its documents aside to stop by: what is set aside is
    given to the trainer, and counts as a member, but is not trained on.
    """

    title: ClassVar[str] = "early stopping"
    protects: ClassVar[frozenset[type[Access]]] = frozenset(
        {NetworkInternals, Translator, ScoringTranslator, *TO_LANGUAGE_MODELS}
    )

    stops_training: ClassVar[bool] = True

    patience: int = parameter(
        2, "Epochs without a smaller validation loss before training stops.", unit="epochs", ge=1, le=200
    )

    def on_training(self) -> TrainingOptions:
        """Return the patience."""
        return TrainingOptions(patience=self.patience)
