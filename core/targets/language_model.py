"""Language models as target models: an adversary can train them as the trainer does."""

from abc import abstractmethod

from core.access.language_models import TextProbabilities
from core.runtime.context import RunContext
from core.targets.model import TextModel
from core.targets.trained_target import Utility
from core.targets.training_job import TrainingJob


class LanguageModel(TextModel):
    """A model that gives probabilities to texts."""

    @abstractmethod
    def train_own(self, job: TrainingJob, context: RunContext, stage: str) -> list[TextProbabilities]:
        """Return models that an adversary trains as the trainer would, with access to the probability of any text.

        Args:
            job: What they are trained on.
            context: Where they are trained and stored.
            stage: What the progress report calls the training.
        """

    @abstractmethod
    def window(self) -> int:
        """Return how many words, or tokens of words, it reads at most before the one that it predicts."""


def promised(job: TrainingJob) -> dict[str, Utility]:
    """Return the epsilon of private training, without which there is none."""
    if job.promise is None:
        return {}
    help_text = f"What the accountant promises to each document, with a delta of {job.promise.delta:g}."
    return {"epsilon": Utility(job.promise.epsilon, "epsilon", help_text)}
