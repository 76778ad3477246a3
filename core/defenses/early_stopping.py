"""The trainer stops when other data are learnt no better."""

from typing import ClassVar

from core.access import Access, NetworkInternals, ScoringTranslator, Translator
from core.defenses import TrainingDefense, TrainingOptions
from core.spec import parameter


class EarlyStopping(TrainingDefense):
    """Stop once the validation loss has not fallen for some passes, and keep the weights of its lowest.

    The paper waits 20 passes, of a training whose length it does not give, and does not say which weights it keeps
    (Parikh et al. 2022, section 6). Here a model converges within a few passes, and the best weights are kept: the
    earliest stop that is of any use, and so the strongest form of the defense. A tenth of a canary's copies stands
    among the data for validation, as in the paper: it is then no stranger there.

    Translators stop by their perplexity on pairs that train none, as in Hisamoto et al. 2020, sections 4.2 and 5.2,
    where it is how everybody trains rather than a defense.
    """

    title: ClassVar[str] = "early stopping"
    protects: ClassVar[frozenset[type[Access]]] = frozenset({NetworkInternals, Translator, ScoringTranslator})

    patience: int = parameter(
        2, "Passes without a smaller validation loss after which training ends.", unit="passes", ge=1, le=200
    )

    def on_training(self) -> TrainingOptions:
        """Ask for the patience."""
        return TrainingOptions(patience=self.patience)
