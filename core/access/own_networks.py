"""Access to a sentence encoder and to a translator that a user holds."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from core.access import Access, TextEmbeddings

Pairs = Sequence[Sequence[str]]
"""Texts, each with its translation behind it."""


class OwnTextEmbeddings(TextEmbeddings):
    """A sentence encoder of a user's own: a text in, its embedding out. A text that was read is not read again."""

    title = "the embedding of any text, of your own encoder"

    def __init__(self, encode: Callable[[Sequence[str]], NDArray[np.float32]]) -> None:
        """Keep what embeds texts, (texts, dimension)."""
        super().__init__(encode)
        self._known: dict[str, NDArray[np.float32]] = {}

    def query(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the embeddings of texts, (texts, dimension). One query a text."""
        self.queries += len(texts)
        new = list(dict.fromkeys(text for text in texts if text not in self._known))
        if new:
            self._known.update(zip(new, self._encode(new), strict=True))
        return np.stack([self._known[text] for text in texts])


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
        self._losses, self._translate = losses, translate
        self._known: dict[tuple[str, str], NDArray[np.float64]] = {}

    def losses(self, documents: Pairs) -> list[NDArray[np.float64]]:
        """Return the loss of each token of each text's translation, in nats, (tokens,) each. One query a pair."""
        self.queries += len(documents)
        pairs = [(source, target) for source, target in documents]
        new = list(dict.fromkeys(pair for pair in pairs if pair not in self._known))
        if new:
            sources, targets = zip(*new, strict=True)
            self._known.update(zip(new, self._losses(sources, targets), strict=True))
        return [self._known[pair] for pair in pairs]

    def translate(self, sources: Sequence[str]) -> list[str]:
        """Return translations. One query a sentence."""
        self.queries += len(sources)
        return self._translate(sources)
