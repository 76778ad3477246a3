"""A store as the source of vectors: a game releases those that lie beside its texts, and embeds none of these."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import Incompatible
from core.text.contents import Documents
from core.text.segments import Segmentation
from core.text.vectors import Vectors

Encode = Callable[[Sequence[str]], NDArray[np.float32]]
"""Texts in, embeddings out, (texts, dimension)."""


@dataclass(frozen=True)
class StoredVectors:
    """The vectors of a store by the text beside each; of equal texts, the first counts.

    Attributes:
        vectors: (dimension,) the vector of each text.
        otherwise: What embeds any other text.
    """

    vectors: Mapping[str, NDArray[np.float32]]
    otherwise: Encode

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the stored vectors of texts, and the embeddings of those that the store lacks, (texts, dimension)."""
        found = {text: self.vectors[text] for text in texts if text in self.vectors}
        if others := list(dict.fromkeys(text for text in texts if text not in found)):
            found |= dict(zip(others, self.otherwise(others), strict=True))
        width = len(next(iter(self.vectors.values())))
        return np.array([found[text] for text in texts], np.float32).reshape(len(texts), width)

    def leaked(self, texts: Sequence[str]) -> "StoredVectors":
        """Return what an adversary has that cannot run the encoder: the vectors of its own texts."""
        held = {text: self.vectors[text] for text in texts if text in self.vectors}
        return StoredVectors(held, _refused)


def beside(contents: Documents | Vectors, pieces: Segmentation) -> tuple[Documents, dict[str, NDArray[np.float32]]]:
    """Return the texts of a game, and the stored vector of each; none where the game embeds the texts itself.

    Args:
        contents: Texts, or vectors with texts beside them; vectors without one are left out.
        pieces: What the game embeds.

    Raises:
        Incompatible: No vector has a text, or sentences are asked for.
    """
    if isinstance(contents, Documents):
        return contents, {}
    if pieces != "texts":
        raise Incompatible(f"A stored vector is that of a whole text: set 'pieces' to 'texts'. Got {pieces!r} instead.")
    rows = [row for row, text in enumerate(contents.texts) if text.strip()]
    if not rows:
        raise Incompatible("No vector has a text beside it, so that nothing read from them could be checked.")
    labels = tuple(contents.labels[row] for row in rows) if contents.labels else ()
    documents = Documents(tuple(contents.texts[row] for row in rows), labels=labels)
    return documents, {contents.texts[row]: contents.values[row] for row in reversed(rows)}


def _refused(texts: Sequence[str]) -> NDArray[np.float32]:
    raise Incompatible(
        f"The encoder is unknown: the adversary has the vectors of its own stored texts, and cannot embed {texts[0]!r}."
    )
