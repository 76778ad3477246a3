"""Models that the user holds, already trained, as target models."""

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from core.access import Access
from core.result import Estimate
from core.targets.model import Model
from core.text.corpus import Corpus


@dataclass(frozen=True)
class Opened:
    """A model that has been read.

    Attributes:
        access: What an adversary may query.
        coverage: How much of the documents the model reads, by the name of the estimate.
    """

    access: Access
    coverage: Mapping[str, Estimate] = field(default_factory=dict)


Origin = Literal["read", "given", "assumed"]
_ORIGINS: Mapping[Origin, str] = {"read": "read from the file", "given": "given", "assumed": "assumed"}


@dataclass(frozen=True)
class Hyperparameter:
    """A hyper-parameter of shadow models.

    Attributes:
        name: Its name.
        value: Its value.
        origin: Whether the model's file states it, the user says it, or neither, so that the default is assumed. In a
            stored experiment, what equals the default counts as assumed.
    """

    name: str
    value: Any
    origin: Origin


def origins_in_words(hyperparameters: Collection[Hyperparameter]) -> str:
    """Return hyper-parameters by their origin, in words.

    >>> origins_in_words([Hyperparameter("window", 5, "assumed"), Hyperparameter("epochs", 10, "given")])
    'given: epochs 10; assumed: window 5'
    """
    by_origin = {
        words: ", ".join(f"{each.name} {_written(each.value)}" for each in hyperparameters if each.origin == origin)
        for origin, words in _ORIGINS.items()
    }
    return "; ".join(f"{words}: {named}" for words, named in by_origin.items() if named)


def _written(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


class HeldModel(Model):
    """A trained model of the user's own, which is read and never run as code."""

    def corpus(self, texts: Sequence[str]) -> Corpus:
        """Return documents as the model reads them: as words."""
        return Corpus.encode(texts)

    @abstractmethod
    def opened(self, corpus: Corpus, access: type[Access]) -> Opened:
        """Return the model with an access.

        Args:
            corpus: All documents that may be asked about, so that nothing else needs memory.
            access: The access that the adversary is to have.

        Raises:
            InvalidVectors: Its vectors cannot be read.
            ModelRefused: Its folder cannot be read safely.
            Incompatible: It reads too little of the documents.
        """

    def hyperparameters(self) -> tuple[Hyperparameter, ...]:
        """Return by what shadow models are trained, and how that is known; none where no model like this is trained.

        Raises:
            InvalidVectors: Its vectors cannot be read.
        """
        return ()

    @abstractmethod
    def alike(self) -> Model:
        """Return the model by which an adversary trains shadow models like this one.

        Raises:
            InvalidVectors: Its vectors cannot be read.
            ModelRefused: Its folder, or that of its base, cannot be read safely.
            ModelUnavailable: One of them is not on this machine.
        """


def assumed(hyperparameters: Collection[Hyperparameter]) -> Estimate:
    """Return how many hyper-parameters are assumed; its text says which, and how the others are known."""
    count, known = sum(each.origin == "assumed" for each in hyperparameters), origins_in_words(hyperparameters)
    verb = "is" if count == 1 else "are"
    text = (
        f"Of {len(hyperparameters)} hyper-parameters of shadow models, {count} {verb} assumed. "
        f"{known[:1].upper()}{known[1:]}."
    )
    return Estimate.counted(count, "hyper-parameters", text, of=len(hyperparameters))
