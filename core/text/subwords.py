"""Subwords: a byte-pair encoding learnt from texts, and texts as its tokens."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

PADDING, BOUNDARY = 0, 1
"""Tokens that pad a text, and that mark its beginning and end; no text contains them."""

FEWEST = 300
"""Smallest vocabulary: one subword a byte, the two tokens above, and some learnt subwords."""

_FIRST = 2
_BYTES = 256
_RARE = 2
"""Fewest occurrences of a pair of subwords that are merged."""


@dataclass(frozen=True)
class Subwords:
    """A byte-pair encoding (Sennrich et al. 2016) on bytes, which can therefore encode any text.

    Texts are first split into words and punctuation; no subword spans two of them.

    Attributes:
        learnt: The encoding as JSON.
    """

    learnt: str

    @classmethod
    def learn(cls, texts: Sequence[str], size: int) -> "Subwords":
        """Learn an encoding; the same texts in the same order give the same subwords.

        Args:
            texts: The training texts.
            size: Size of the vocabulary with `PADDING` and `BOUNDARY`; it is smaller if the texts do not fill it.
        """
        from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

        tokenizer = Tokenizer(models.BPE())
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
        tokenizer.decoder = decoders.ByteLevel()
        trainer = trainers.BpeTrainer(
            vocab_size=max(size - _FIRST, _BYTES),
            min_frequency=_RARE,
            show_progress=False,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        )
        tokenizer.train_from_iterator(map(_spaced, texts), trainer, len(texts))
        return cls(tokenizer.to_str())

    @classmethod
    def from_array(cls, array: NDArray[np.uint8]) -> "Subwords":
        """Return the encoding in an array of `as_array`."""
        return cls(array.tobytes().decode())

    def as_array(self) -> NDArray[np.uint8]:
        """Return the encoding as bytes."""
        return np.frombuffer(self.learnt.encode(), np.uint8)

    def __len__(self) -> int:
        """Return the size of the vocabulary with `PADDING` and `BOUNDARY`."""
        return len(json.loads(self.learnt)["model"]["vocab"]) + _FIRST

    def encode(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        """Return the tokens of each text."""
        return [np.array(self._tokenizer.encode(_spaced(text)).ids, np.int64) + _FIRST for text in texts]

    def decode(self, tokens: Sequence[NDArray[np.int64]]) -> list[str]:
        """Return the text of each row of tokens, with single spaces.

        Invalid bytes, which only a network would generate, become the replacement character.
        """
        return [_spaced(self._tokenizer.decode((row - _FIRST).tolist())) for row in tokens]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the JSON only, not the tokenizer built from it."""
        return type(self), (self.learnt,)

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        return Tokenizer.from_str(self.learnt)


def _spaced(text: str) -> str:
    """Return a text with single spaces for white space, and none around it."""
    return " ".join(text.split())
