"""What a trainer can do against an attack."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access, SentenceEmbeddings
from core.registry import Part
from core.secret import Secret


class Defense(Part):
    """A change to the data, to the training or to what is released; each the identity unless a defense says otherwise.

    ``protects`` is the access it weakens: a defense is offered for attacks that need that access.
    """

    kind: ClassVar[str] = "defense"
    protects: ClassVar[type[Access]]

    def on_data(self, documents: Sequence[int], rng: np.random.Generator) -> Sequence[int]:
        """Return those documents of one user that are trained on."""
        return documents

    def on_release(self, access: Access, rng: np.random.Generator) -> Access:
        """Return what is released in place of the trained model."""
        return access


Mechanism = Callable[[NDArray[np.float32], np.random.Generator], NDArray[np.float32]]
"""Embeddings in, (texts, dimension), what is released in their place out."""


@dataclass(frozen=True)
class Holdings:
    """What the holder of the texts knows when it sets up a defense.

    Attributes:
        texts: Its texts.
        embeddings: (texts, dimension) their embeddings, after the defenses applied before this one.
        secrets: What it wants to hide.
        encode: The encoder with the defenses applied before this one.
    """

    texts: tuple[str, ...]
    embeddings: NDArray[np.float32]
    secrets: tuple[Secret, ...]
    encode: Callable[[Sequence[str]], NDArray[np.float32]]


class EmbeddingDefense(Defense):
    """A change to sentence embeddings before they are released."""

    protects: ClassVar[type[Access]] = SentenceEmbeddings

    @abstractmethod
    def mechanism(self, holdings: Holdings, rng: np.random.Generator) -> Mechanism:
        """Set the defense up and return what it does to embeddings."""
