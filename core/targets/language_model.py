"""Language models as target models: an adversary can train them as the trainer does."""

from abc import abstractmethod
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from core.access.language_models import GivesLosses, TextProbabilities, TopProbabilities
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.statistics.privacy import steps_per_epoch
from core.targets.model import TextModel
from core.targets.trained_target import Utility
from core.targets.training_job import MOST_TEST_DOCUMENTS, TrainingJob, held_out


class LanguageModel(TextModel):
    """A model that gives probabilities to texts."""

    @abstractmethod
    def train_own(self, job: TrainingJob, context: RunContext, stage: str) -> list[GivesLosses]:
        """Return models that an adversary trains as the trainer would, with the access requested.

        Without a request, that is the probability of any text.
        """

    @abstractmethod
    def noise(self, job: TrainingJob) -> tuple[float, ...]:
        """Return the standard deviation of the noise in private training of each model of a job, as `noises` does.

        Raises:
            Incompatible: The guarantee cannot be met, or is empty.
        """

    @abstractmethod
    def window(self) -> int:
        """Return the length of its context."""

    @abstractmethod
    def context_for(self, words: int) -> int:
        """Return a length of context that holds this many words; it may be larger than needed."""

    def token_counts(self, documents: Sequence[Sequence[str]]) -> list[NDArray[np.int64]]:
        """Return how many tokens each word of each document is, (words,) each; one where the model reads words."""
        return [np.ones(len(words), np.int64) for words in documents]


def of_own(job: TrainingJob) -> type[TextProbabilities | TopProbabilities]:
    """Return the access that an adversary has to models of its own: the one requested, or the probability of texts."""
    requested = job.access
    if requested is not None and issubclass(requested, TextProbabilities | TopProbabilities):
        return requested
    return TextProbabilities


def noises(job: TrainingJob, batch: int, epochs: int) -> tuple[float, ...]:
    """Return the standard deviation of the noise in private training of each model, in norms; 0 without a promise.

    It follows from the number of documents that a model is trained on, or of their owners where these are protected. A
    batch that is refused is held to the smallest number, so that the proposed one suits every model.

    Args:
        job: What the models are trained on.
        batch: Documents, or owners, that a step draws on average.
        epochs: Epochs over them.

    Raises:
        Incompatible: The guarantee cannot be met, or is empty.
    """
    if (promise := job.promise) is None:
        return (0.0,) * len(job.selections)
    sizes = [protected(job, number) for number in range(len(job.selections))]
    by_size = {size: promise.noise(size, batch, epochs * steps_per_epoch(size, batch)) for size in sorted(set(sizes))}
    return tuple(by_size[size] for size in sizes)


def protected(job: TrainingJob, number: int) -> int:
    """Return how many documents a model is trained on, or how many owners where a promise protects these."""
    return len(job.protected_owners(number)) or len(job.selections[number])


def utilities(
    job: TrainingJob,
    number: int,
    perplexity: Callable[[NDArray[np.int64]], float],
    unit: str,
    known: int,
    note: str = "",
) -> dict[str, Utility]:
    """Return the perplexity on held-out and on training documents, and the epsilon of private training.

    Args:
        job: What the models are trained on.
        number: Number of the model.
        perplexity: Its perplexity on some rows of the corpus.
        unit: What it predicts one after the other, in the plural.
        known: How many of them it knows.
        note: What is left out, after a semicolon.
    """
    rng = generator(job.seed, "perplexity", number)
    selection = job.selections[number]
    test_rows = held_out(len(job.corpus), selection, rng)
    train_rows = np.sort(rng.choice(selection, min(MOST_TEST_DOCUMENTS, len(selection)), replace=False))
    measured = {
        f"perplexity_{name}": Utility(
            perplexity(rows),
            unit,
            f"Perplexity: the effective number of candidates for the next {unit.removesuffix('s')}, in "
            f"{description}{note}.",
            float(known),
        )
        for name, rows, description in (
            ("test", test_rows, "other documents"),
            ("train", train_rows, "its training documents"),
        )
    }
    if job.promise is None:
        return measured
    help_text = f"What the accountant promises to each {job.promise.unit}, with a delta of {job.promise.delta:g}."
    return {**measured, "epsilon": Utility(job.promise.epsilon, "epsilon", help_text)}
