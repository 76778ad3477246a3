"""Pieces of words that a byte-pair encoding learns from texts, and texts written in them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

PADDING, BOUNDARY = 0, 1
"""Tokens that fill up a text, and that stand before and after it; no text holds either."""

FEWEST = 300
"""Fewest pieces that an encoding may have: one for each byte, both of those above, and some that were learnt."""

_FIRST = 2
_BYTES = 256
_RARE = 2
"""How often a pair of pieces must stand together to become one."""


@dataclass(frozen=True)
class Subwords:
    """A byte-pair encoding (Sennrich et al. 2016) of bytes, which can therefore write any text.

    Words are told from each other and from punctuation first, and no piece reaches beyond one.

    Attributes:
        learnt: The encoding as its JSON.
    """

    learnt: str

    @classmethod
    def learn(cls, texts: Sequence[str], size: int) -> "Subwords":
        """Learn from texts; the same texts in the same order give the same pieces.

        Args:
            texts: What to learn from.
            size: Pieces, `PADDING` and `BOUNDARY` included; there are fewer where the texts hold no more.
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
        """Return what `as_array` gave."""
        return cls(array.tobytes().decode())

    def as_array(self) -> NDArray[np.uint8]:
        """Return the encoding as bytes."""
        return np.frombuffer(self.learnt.encode(), np.uint8)

    def __len__(self) -> int:
        """Return the number of pieces, `PADDING` and `BOUNDARY` included."""
        return len(json.loads(self.learnt)["model"]["vocab"]) + _FIRST

    def encode(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        """Return the tokens of each text."""
        return [np.array(self._tokenizer.encode(_spaced(text)).ids, np.int64) + _FIRST for text in texts]

    def decode(self, tokens: Sequence[NDArray[np.int64]]) -> list[str]:
        """Return the text of each row of tokens, with one space where there was any number.

        Bytes that are no character, which only a network would write, become the character for that.
        """
        return [_spaced(self._tokenizer.decode((row - _FIRST).tolist())) for row in tokens]

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave out what is built from the JSON."""
        return type(self), (self.learnt,)

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        return Tokenizer.from_str(self.learnt)


def _spaced(text: str) -> str:
    """Return a text with one space where there was any white space, and none around it."""
    return " ".join(text.split())
