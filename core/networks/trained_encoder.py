"""A trained sentence encoder with its vocabulary: texts or input vectors in, embeddings out."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.runtime.context import Arrays, content_key
from core.text.corpus import words_of
from core.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    import torch

    from core.networks.dual_encoder import DualEncoder, Shape


@dataclass(frozen=True)
class TrainedEncoder:
    """A trained encoder, which builds its network on the first query.

    Attributes:
        vocabulary: Its words.
        shape: Shape of the network.
        state: Weights of the network.
    """

    vocabulary: Vocabulary
    shape: "Shape"
    state: Arrays

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that determines its output."""
        arrays = content_key(*(self.state[name] for name in sorted(self.state)))
        return {"dual encoder": arrays, "words": content_key(np.array(self.vocabulary.words)), **asdict(self.shape)}

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the embeddings of texts, (texts, dimension)."""
        return self.encode_tokens([self.vocabulary.tokens(words_of(text)) for text in texts])

    def encode_tokens(self, sentences: Sequence[NDArray[np.int64]]) -> NDArray[np.float32]:
        """Return the embeddings of sentences given by their tokens, (sentences, dimension)."""
        from core.networks.dual_encoder import embed

        return embed(self._network, sentences)

    def word_vectors(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return the vector of each word, (words, word_dimension); that of the unknown word outside the vocabulary."""
        return np.asarray(self.state["weight.embedding.weight"][self.vocabulary.tokens(words)], np.float32)

    def embed(self, inputs: "torch.Tensor", lengths: "torch.Tensor") -> "torch.Tensor":
        """Return the embeddings of texts given as input vectors, (texts, dimension), with a gradient for these.

        Texts that are too long are cut off in the same place as texts of words.

        Args:
            inputs: (texts, positions, word_dimension) input vectors.
            lengths: (texts,) int64, positions of each text, at least one; later ones are ignored.
        """
        import torch

        read = inputs[:, : self.shape.length]
        return self._network.encode_vectors(read, torch.arange(read.shape[1]) < lengths[:, None])

    @cached_property
    def _network(self) -> "DualEncoder":
        from core.networks.dual_encoder import restored

        return restored(self.shape, self.state).eval().requires_grad_(requires_grad=False)
