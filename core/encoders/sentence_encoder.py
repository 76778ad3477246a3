"""A loaded sentence encoder that makes vectors of texts as its owner does."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.encoders.devices import device_of
from core.encoders.network import network
from core.encoders.sentence_folders import Reading


class SentenceEncoder:
    """A sentence encoder in memory, with what its folder says about pooling, scaling and prompt."""

    def __init__(self, reading: Reading, context: int) -> None:
        """Load an encoder, which reads at most ``context`` tokens of a text, or fewer where its folder says so.

        Raises:
            ModelRefused: The folder holds no encoder that can be loaded safely.
        """
        self._reading, self._most = reading, min(reading.tokens, context)
        self._network = network(reading.folder, reading.identity()["folder"], device_of("auto"))

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the embeddings of texts, (texts, dimension).

        Raises:
            ModelRefused: The encoder does not run, or gives no finite numbers.
        """
        pooled = self._network.embedded(self._reading.read(texts), self._most, self._reading.pooling)
        return self._reading.finished(pooled)

    def cut(self, texts: Sequence[str]) -> int:
        """Return how many texts are longer than what is read of them."""
        read = self._reading.read(texts)
        longer, whole = (self._network.tokens(read, most) for most in (self._most + 1, self._most))
        return sum(len(more) > len(read) for (more, _), (read, _) in zip(longer, whole, strict=True))
