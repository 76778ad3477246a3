"""Reads the words of texts back from their embeddings with the readers' weights, in NumPy alone."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.adversaries.sparse_codes import sparse_codes
from core.readers.encoder import SmallBert
from core.readers.protocol import Reading
from core.text.word_sets import word_set

Array = NDArray[np.float32]

SEPARATOR = "\n"
_FEWEST_LEFT = np.float32(0.05)


class Reader(ABC):
    """The weights of one trained adversary.

    Attributes:
        words: The words that it can predict.
        threshold: Words that score above it are predicted.
    """

    def __init__(self, weights: Mapping[str, NDArray[Any]]) -> None:
        """Take the weights of one method, with its words and threshold."""
        self.words = words_of(weights["words"])
        self.threshold = float(weights["threshold"])
        self._weights = {
            name: np.array(array, np.float32, order="C") for name, array in weights.items() if name != "words"
        }

    @abstractmethod
    def scores(self, vectors: Array) -> Array:
        """Return the score of each word, (texts, words), from embeddings, (texts, dimension)."""

    def read(self, vector: Array) -> tuple[str, ...]:
        """Return the words predicted for one embedding, (dimension,), the likeliest first."""
        scores = self.scores(vector[None])[0]
        return tuple(self.words[word] for word in np.argsort(-scores, kind="stable") if scores[word] > self.threshold)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The words that it can predict."""
        return frozenset(self.words)


class Linear(Reader):
    """One linear classifier a word: of `multilabel_inversion`, or of `keyword_inference`."""

    def scores(self, vectors: Array) -> Array:
        """Return the probability of each word."""
        return _logistic(self._standardised(vectors) @ self._weights["weight"].T + self._weights["bias"])

    def _standardised(self, vectors: Array) -> Array:
        return np.asarray((vectors - self._weights["center"]) / self._weights["scale"], np.float32)


class Policy(Linear):
    """The recurrent policy of `multiset_inversion`, which predicts words one by one."""

    def scores(self, vectors: Array) -> Array:
        """Return the probability of each word when it is predicted, times the words expected to be left then."""
        weights, inputs = self._weights, self._standardised(vectors)
        state = np.tanh(inputs @ weights["first.weight"].T + weights["first.bias"])  # (texts, hidden)
        fixed = weights["trust"] * (inputs @ weights["weight"].T + weights["bias"]) + weights["last.bias"]
        left = np.maximum(inputs @ weights["sizes.weight"] + weights["sizes.bias"], _FEWEST_LEFT)
        texts = np.arange(len(inputs))
        scores_by_word, score = np.zeros_like(fixed), np.ones(len(inputs), np.float32)
        for _ in range(int(weights["steps"])):
            logits = fixed + state @ weights["last.weight"].T
            word = logits.argmax(axis=1)
            best = logits[texts, word]
            probability = 1 / np.exp(logits - best[:, None]).sum(axis=1)
            score = np.minimum(probability * left, score)
            left = np.maximum(left - score, _FEWEST_LEFT)
            scores_by_word[texts, word] = score
            fixed[texts, word] = -np.inf
            state = self._after(state, weights["words.weight"][word])
        return np.asarray(scores_by_word, np.float32)

    def _after(self, state: Array, word_vectors: Array) -> Array:
        """Return the state of the gated recurrent unit after a word, (texts, hidden)."""
        weights = self._weights
        from_word = word_vectors @ weights["cell.weight_ih"].T + weights["cell.bias_ih"]
        from_state = state @ weights["cell.weight_hh"].T + weights["cell.bias_hh"]
        (reset_word, update_word, new_word), (reset_state, update_state, new_state) = (
            np.split(gates, 3, axis=1) for gates in (from_word, from_state)
        )
        update = _logistic(update_word + update_state)
        new = np.tanh(new_word + _logistic(reset_word + reset_state) * new_state)
        return np.asarray((1 - update) * new + update * state, np.float32)


class Decomposer(Linear):
    """The sparse coder of `sparse_inversion`, which reads the word vectors of the encoder itself."""

    def __init__(self, weights: Mapping[str, NDArray[Any]], encoder: SmallBert) -> None:
        """Take the weights, and the words' vectors from the encoder."""
        super().__init__(weights)
        atoms = encoder.word_vectors(self.words)
        self._atoms = atoms - atoms.mean(axis=0)

    def scores(self, vectors: Array) -> Array:
        """Return the share of each word in what the embedding is mapped to, relative to the largest of its text."""
        targets = self._standardised(vectors) @ self._weights["weight"].T + self._weights["bias"]
        largest = np.abs(targets @ self._atoms.T).max(axis=1, keepdims=True)
        penalties = self._weights["penalty"] * largest
        codes = sparse_codes(self._atoms, targets, penalties, int(self._weights["iterations"]))
        return np.asarray(codes / np.maximum(codes.max(axis=1, keepdims=True), np.float32(1e-9)), np.float32)


@dataclass(frozen=True)
class Readers:
    """The encoder and the readers, in memory.

    Attributes:
        encoder: What embeds a sentence.
        methods: The readers, by name of their attack.
    """

    encoder: SmallBert
    methods: Mapping[str, Reader]

    @classmethod
    def of(cls, weights: Mapping[str, NDArray[Any]], encoder: SmallBert) -> "Readers":
        """Return the readers from weights named ``method/weight``."""
        parts: dict[str, dict[str, NDArray[Any]]] = {}
        for name, array in weights.items():
            method, _, part = name.partition("/")
            parts.setdefault(method, {})[part] = array
        return cls(encoder, {method: _reader(part, encoder) for method, part in sorted(parts.items())})

    def read(self, text: str) -> tuple[Reading, ...]:
        """Embed a sentence, and return what each method reads from the embedding alone."""
        vector, present = self.encoder.encode(text), word_set(text)
        return tuple(
            Reading(method, reader.read(vector), tuple(sorted(present & reader.vocabulary)))
            for method, reader in self.methods.items()
        )


def words_of(array: NDArray[Any]) -> tuple[str, ...]:
    """Return the words that an array of bytes spells."""
    return tuple(array.astype(np.uint8).tobytes().decode().split(SEPARATOR))


def _reader(weights: Mapping[str, NDArray[Any]], encoder: SmallBert) -> Reader:
    if "penalty" in weights:
        return Decomposer(weights, encoder)
    return Policy(weights) if "steps" in weights else Linear(weights)


def _logistic(values: NDArray[Any]) -> Array:
    return np.asarray(1 / (1 + np.exp(-np.clip(values, -50, 50))), np.float32)
