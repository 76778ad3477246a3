"""Models that the user holds, already trained, as target models."""

from abc import abstractmethod
from collections.abc import Collection

from core.access import OwnWordVectors
from core.targets.model import Model, TextModel


class HeldModel(Model):
    """A trained model of the user's own, which is read and never run as code."""

    @abstractmethod
    def opened(self, words: Collection[str]) -> OwnWordVectors:
        """Return access to the model.

        Args:
            words: All words that may be queried, so that no others need memory.

        Raises:
            InvalidVectors: It cannot be read.
        """

    @abstractmethod
    def alike(self) -> TextModel:
        """Return the model by which an adversary trains shadow models like this one.

        Raises:
            InvalidVectors: It cannot be read.
        """
