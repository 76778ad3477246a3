"""Inversion by nearest text: the words of the adversary's own text whose embedding is the nearest are named."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import SentenceEmbeddings
from core.games.inversion.contract import (
    BLACK_BOX,
    Answer,
    Auxiliary,
    Examined,
    InversionAdversary,
    InversionAttack,
    shared_presets,
)
from core.result import Tables
from core.runtime.context import RunContext
from core.statistics.unit_length import scaled


class NearestInversion(InversionAttack):
    """Black-box inversion without training: copy the words of the nearest own text (ours, a baseline).

    The adversary has the public encoder embed auxiliary texts, and names all words of the one with the highest cosine:

        words(argmax over own texts t of  cos(e(t), e)).

    What other methods read beyond this they have not copied from a similar text.
    """

    title: ClassVar[str] = "Inversion by nearest text"
    question: ClassVar[str] = "How much of a text is in the adversary’s most similar text?"
    claim: ClassVar[str] = (
        "Given the embedding of a text, the adversary copies the words of its own text with the nearest embedding"
    )
    threat: ClassVar[str] = BLACK_BOX
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = shared_presets()

    def prepare(self, auxiliary: Auxiliary, access: SentenceEmbeddings, context: RunContext) -> InversionAdversary:
        """Embed the adversary's texts; nothing is trained."""
        return _Nearest(self.examine(auxiliary, access, 0.0, 0), auxiliary.shuffled)


@dataclass(frozen=True)
class _Nearest(InversionAdversary):
    """The adversary's texts with their embeddings, and as strings."""

    texts: Examined
    own: Sequence[str]

    def read(self, embeddings: NDArray[np.float32]) -> Answer:
        """Name the words of the nearest text, and say that text, which no result keeps: it is the dataset's."""
        cosines = scaled(embeddings) @ scaled(self.texts.vectors).T  # (texts, own texts)
        nearest = cosines.argmax(axis=1)
        words = self.texts.present[nearest].toarray() > 0
        return Answer(self.texts.words, words.astype(np.float32), words, tuple(self.own[row] for row in nearest))

    def explain(self) -> Tables:
        """Return no table: nothing was trained."""
        return {}
