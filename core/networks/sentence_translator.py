"""A trained translator: sentences in, translations and their log-probabilities out."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.runtime.context import Arrays
from core.text.subwords import Subwords

if TYPE_CHECKING:
    from core.networks.transformer import Shape, Transformer

_LONGEST = 256
"""Longer sentences and translations are cut off here, in subwords."""


@dataclass(frozen=True)
class SentenceTranslator:
    """A trained translator, which builds its network on the first query.

    Attributes:
        shape: Shape of the network.
        state: Its subwords and its weights.
        beam: Width of the beam.
    """

    shape: "Shape"
    state: Arrays
    beam: int

    def translate(self, sources: Sequence[str]) -> tuple[list[str], NDArray[np.float64]]:
        """Return translations, and the mean log-probability per token of each, in nats, (sources,)."""
        from core.networks.beam_search import translate

        translations, nats, tokens = translate(self._network, self.source_tokens(sources), self.beam)
        return self._subwords[1].decode(translations), nats / tokens

    def log_probabilities(self, sources: Sequence[str], targets: Sequence[str]) -> NDArray[np.float64]:
        """Return the mean log-probability per token of each given translation, in nats, (sources,)."""
        from core.networks.translation import log_probabilities

        nats, tokens = log_probabilities(self._network, self.source_tokens(sources), self.target_tokens(targets))
        return nats / tokens

    def source_tokens(self, sources: Sequence[str]) -> list[NDArray[np.int64]]:
        """Return the tokens of sentences."""
        return [tokens[:_LONGEST] for tokens in self._subwords[0].encode(sources)]

    def target_tokens(self, targets: Sequence[str]) -> list[NDArray[np.int64]]:
        """Return the tokens of translations."""
        return [tokens[:_LONGEST] for tokens in self._subwords[1].encode(targets)]

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave out what is built from the state."""
        return type(self), (self.shape, self.state, self.beam)

    @cached_property
    def _subwords(self) -> tuple[Subwords, Subwords]:
        return subwords_of(self.state)

    @cached_property
    def _network(self) -> "Transformer":
        from core.networks.translation import restored

        return restored(self.shape, self.state).eval().requires_grad_(requires_grad=False)


def subwords_of(state: Arrays) -> tuple[Subwords, Subwords]:
    """Return the source and the target subwords of a translator's state."""
    names = ("joint", "joint") if "pieces.joint" in state else ("source", "target")
    source, target = (Subwords.from_array(state[f"pieces.{name}"]) for name in names)
    return source, target
