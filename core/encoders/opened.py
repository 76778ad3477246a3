"""White-box view of a sentence encoder."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import torch


class OpenEncoder(Protocol):
    """White-box view of a sentence encoder.

    Adversaries send it to other processes, so it must be picklable; each process builds the network it needs.
    """

    @property
    def identity(self) -> dict[str, Any]:
        """All that determines its embeddings, as plain values."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the embeddings of texts, (texts, dimension)."""

    def word_vectors(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return the first layer's vector of each word on its own, (words, input dimension).

        A word of several tokens gets their mean; a word without tokens gets zeros.
        """

    def embed(self, inputs: "torch.Tensor", lengths: "torch.Tensor") -> "torch.Tensor":
        """Return the embeddings of texts given as vectors, (texts, dimension), with a gradient for the vectors.

        Special tokens and position embeddings are added as for words.

        Args:
            inputs: (texts, positions, input dimension) vectors in place of the first layer's vectors of words.
            lengths: (texts,) number of positions read of each text, at least one; those beyond have no effect.
        """
