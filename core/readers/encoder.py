"""The bundled encoder in NumPy: the same vectors as `core.encoders.network` gives, without the seconds torch takes."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load
from scipy.special import erf
from tokenizers import Tokenizer

from core.encoders.folders import WEIGHTS, located
from core.encoders.integrity import vouched
from core.encoders.records import DEFAULT

_HEADS = 4
_EPSILON = 1e-12

Array = NDArray[np.float32]


class SmallBert:
    """BERT's forward pass (Devlin et al. 2019) for one text at a time, pooled to the mean of its last hidden states."""

    def __init__(self, max_tokens: int) -> None:
        """Load the encoder that comes with the code; longer texts are cut off at ``max_tokens``.

        Raises:
            ModelUnavailable: Its files are missing.
            ModelRefused: They are not those on record.
        """
        folder = located(DEFAULT)
        vouched(DEFAULT, folder)
        tensors = load((folder / WEIGHTS).read_bytes())
        self._weights = {name: np.ascontiguousarray(tensor, np.float32) for name, tensor in tensors.items()}
        self._tokenizer = _tokenizer(folder, max_tokens)
        self._words = self._weights["embeddings.word_embeddings.weight"]
        self._layers = sum(name.endswith("attention.output.dense.weight") for name in self._weights)

    def encode(self, text: str) -> Array:
        """Return the embedding of a text, (dimension,)."""
        ids = self._tokenizer.encode(text.encode("utf-8", "replace").decode()).ids
        weights = self._weights
        positions = weights["embeddings.position_embeddings.weight"][: len(ids)]
        kinds = weights["embeddings.token_type_embeddings.weight"][0]
        state = self._normalised("embeddings.LayerNorm", self._words[ids] + positions + kinds)
        for layer in range(self._layers):
            state = self._block(f"encoder.layer.{layer}", state)
        return np.asarray(state.mean(axis=0), np.float32)

    def word_vectors(self, words: Sequence[str]) -> Array:
        """Return the mean of the input vectors of each word's tokens, (words, dimension); zeros without tokens."""
        vectors = np.zeros((len(words), self._words.shape[1]), np.float32)
        cut = self._tokenizer.encode_batch([f" {word}" for word in words], add_special_tokens=False)
        for vector, tokens in zip(vectors, cut, strict=True):
            if tokens.ids:
                vector[:] = self._words[tokens.ids].mean(axis=0)
        return vectors

    def _block(self, name: str, state: Array) -> Array:
        """Return the hidden states after one layer, (tokens, dimension)."""
        attended = self._linear(f"{name}.attention.output.dense", self._attended(f"{name}.attention.self", state))
        state = self._normalised(f"{name}.attention.output.LayerNorm", state + attended)
        inner = self._linear(f"{name}.intermediate.dense", state)
        inner = np.asarray(inner * (1 + erf(inner / np.float32(np.sqrt(2)))) / 2, np.float32)
        return self._normalised(f"{name}.output.LayerNorm", state + self._linear(f"{name}.output.dense", inner))

    def _attended(self, name: str, state: Array) -> Array:
        """Return what each token attends to, (tokens, dimension)."""
        tokens, dimension = state.shape
        size = dimension // _HEADS
        query, key, value = (
            self._linear(f"{name}.{part}", state).reshape(tokens, _HEADS, size).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )  # (heads, tokens, size)
        scores = query @ key.transpose(0, 2, 1) / np.float32(np.sqrt(size))  # (heads, tokens, tokens)
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        return np.asarray((shares @ value).transpose(1, 0, 2).reshape(tokens, dimension), np.float32)

    def _linear(self, name: str, state: Array) -> Array:
        return np.asarray(state @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"], np.float32)

    def _normalised(self, name: str, state: Array) -> Array:
        centred = state - state.mean(axis=-1, keepdims=True)
        spread = np.sqrt(np.square(centred).mean(axis=-1, keepdims=True) + np.float32(_EPSILON))
        return np.asarray(
            centred / spread * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"], np.float32
        )


def _tokenizer(folder: Path, max_tokens: int) -> Tokenizer:
    tokenizer = Tokenizer.from_str((folder / "tokenizer.json").read_text("utf-8"))
    tokenizer.enable_truncation(max_tokens)
    return tokenizer
