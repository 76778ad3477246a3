"""Access to a sentence encoder and to a translator that a user holds."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from core.access import Access, TextEmbeddings
from core.text.read_once import ReadOnce

Pairs = Sequence[Sequence[str]]
"""Texts, each with its translation behind it."""


class OwnTextEmbeddings(TextEmbeddings):
    """A sentence encoder of a user's own: a text in, its embedding out. A text that was read is not read again."""

    title = "the embedding of any text, of your own encoder"

    def __init__(self, encode: Callable[[Sequence[str]], NDArray[np.float32]]) -> None:
        """Keep what embeds texts, (texts, dimension)."""
        read: ReadOnce[str, NDArray[np.float32]] = ReadOnce(encode, str)
        super().__init__(lambda texts: np.stack(read(texts)))


class OwnTranslations(Access):
    """A translator of a user's own: the translation of any sentence, and the probability of any translation."""

    title = "the translation of any sentence, and the probability of any translation, of your own model"
    queried = "Sentences"

    def __init__(
        self,
        losses: Callable[[Sequence[str], Sequence[str]], list[NDArray[np.float64]]],
        translate: Callable[[Sequence[str]], list[str]],
    ) -> None:
        """Keep what scores given translations, and what translates."""
        super().__init__()
        self._losses = ReadOnce[Sequence[str], NDArray[np.float64]](
            lambda pairs: losses(*zip(*pairs, strict=True)), tuple
        )
        self._translate = translate

    def losses(self, documents: Pairs) -> list[NDArray[np.float64]]:
        """Return the loss of each token of each text's translation, in nats, (tokens,) each. One query a pair."""
        self.queries += len(documents)
        return self._losses(documents)

    def translate(self, sources: Sequence[str]) -> list[str]:
        """Return translations. One query a sentence."""
        self.queries += len(sources)
        return self._translate(sources)
