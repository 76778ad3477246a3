"""Embeddings of an adversary's own texts, which it can defend itself as often as it likes."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.runtime.context import content_key
from core.runtime.seeding import generator

COPIES = 8
"""Draws of the noise from which a method learns that cannot draw it again in each batch."""
_MEASURED = 16
"""Draws from which mean and variance of a release are measured where they are not known."""

Batch = Callable[[np.random.Generator, int], tuple[NDArray[np.float32], NDArray[np.int64]]]
"""A generator and a batch size in; a random batch out, (batch, dimension) and (batch,) classes."""


class AppliedDefenses(Protocol):
    """What all defenses of a release do to embeddings; public, so anyone can do the same."""

    @property
    def random(self) -> bool:
        """Whether two draws differ."""

    @property
    def variance(self) -> float | None:
        """Variance of the noise added to each coordinate; None where more is done than to add noise."""

    def log_likelihood(
        self, released: NDArray[np.float32], expected: NDArray[np.float32]
    ) -> NDArray[np.float64] | None:
        """Return how likely noise makes each vector of each embedding, (vectors, texts); None where that is unknown."""

    def __call__(self, embeddings: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
        """Return the embeddings to release, (texts, dimension)."""


@dataclass(frozen=True)
class OwnEmbeddings:
    """Embeddings of an adversary's own texts: embedded once, defended as often as it likes.

    Attributes:
        plain: (texts, dimension) the encoder's output.
        defenses: The defenses of the release that the adversary applies; None for one that applies none.
        seed: Source of the one draw in `vectors`.
        released: That draw, where it was made before; None where it is still to be made.
    """

    plain: NDArray[np.float32]
    defenses: AppliedDefenses | None = None
    seed: int = 0
    released: NDArray[np.float32] | None = None

    def __len__(self) -> int:
        """Return the number of texts."""
        return len(self.plain)

    @property
    def random(self) -> bool:
        """Whether two draws differ."""
        return self.defenses is not None and self.defenses.random

    @cached_property
    def vectors(self) -> NDArray[np.float32]:
        """(texts, dimension) the embeddings as released once."""
        if self.released is not None:
            return self.released
        return self.plain if self.defenses is None else self.defenses(self.plain, generator(self.seed))

    @property
    def key(self) -> str:
        """Key of the embeddings, of what the defenses make of them, and of whether that changes."""
        return content_key(self.vectors, self.plain) if self.random else content_key(self.vectors)

    def select(self, rows: NDArray[np.int64]) -> "OwnEmbeddings":
        """Return some of the texts; what `vectors` holds of them stays the same."""
        return OwnEmbeddings(self.plain[rows], self.defenses, self.seed, self.vectors[rows])

    def drawn(self, rows: NDArray[np.int64] | slice, rng: np.random.Generator) -> NDArray[np.float32]:
        """Return the embeddings of some texts under a fresh draw of the noise; nothing is drawn where there is none."""
        if self.defenses is None or not self.random:
            return self.vectors[rows]
        return self.defenses(self.plain[rows], rng)

    def log_likelihood(self, vectors: NDArray[np.float32]) -> NDArray[np.float64] | None:
        """Return how likely the noise makes each vector of each text, (vectors, texts), as a log density.

        Up to a constant; None where there is no noise, or more is done than to add it. A store may hold vectors of
        another length than the encoder's, so that the embeddings are first made as long as the vectors are on average
        without the noise.

        Args:
            vectors: (vectors, dimension) released vectors.
        """
        if self.defenses is None or not self.random:
            return None
        mean, spread = self.expected
        signal = float(np.square(vectors, dtype=np.float64).sum(axis=1).mean()) - float(spread.sum())
        own = float(np.square(mean, dtype=np.float64).sum(axis=1).mean())
        length = (signal / own) ** 0.5 if signal > 0 and own > 0 else 1.0
        return self.defenses.log_likelihood(vectors, self.plain * np.float32(length))

    def batches(self, truth: NDArray[np.int64]) -> Batch:
        """Return a draw of texts with replacement, each under fresh noise.

        Args:
            truth: (texts,) class of each text.
        """

        def draw(rng: np.random.Generator, size: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
            rows = rng.integers(len(self), size=size)
            return self.drawn(rows, rng), truth[rows]

        return draw

    def copies(self, count: int, rng: np.random.Generator) -> NDArray[np.float32]:
        """Return that many draws below each other, (count · texts, dimension); one where there is no noise."""
        if not self.random:
            return self.vectors
        return np.concatenate([self.drawn(slice(None), rng) for _ in range(count)])

    @cached_property
    def expected(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Mean of the release of each text, (texts, dimension), and variance of its coordinates, (dimension,).

        Exact where the defenses only add noise or are not random; measured on draws otherwise.
        """
        dimension = self.plain.shape[1]
        if self.defenses is None or not self.random:
            return self.vectors, np.zeros(dimension, np.float32)
        if self.defenses.variance is not None:
            return self.plain, np.full(dimension, self.defenses.variance, np.float32)
        rng = generator(self.seed, "expected")
        draws = np.stack([self.drawn(slice(None), rng) for _ in range(_MEASURED)])
        spread = draws.var(axis=0, ddof=1).mean(axis=0) if len(self) else np.zeros(dimension)
        return draws.mean(axis=0), spread.astype(np.float32)
