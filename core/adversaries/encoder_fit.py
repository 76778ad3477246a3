"""Whether an encoder made stored vectors, told by embedding a few of their texts once more."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.encoders.folders import locate
from core.encoders.records import RECORDS
from core.models.encoder import Encoder, scaled
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.text.vectors import Vectors

SAME = 0.99
"""Cosine from which two vectors count as the same vector, stored with less precision at most."""
_RECOGNISED = 0.5
"""Share of texts whose own vector must be the nearest before an encoder counts as recognised."""
_POOLINGS: tuple[Literal["mean", "first", "last"], ...] = ("mean", "first", "last")
_TIE = 1e-4


@dataclass(frozen=True)
class Fit:
    """How the vectors of some texts compare with what an encoder makes of these texts.

    Attributes:
        encoder: Name of the encoder.
        title: What its makers call it.
        pooling: Which hidden state was taken.
        texts: Texts that were embedded once more.
        same: Of these, those whose stored vector has a cosine of at least 0.99 with the new one.
        nearest: Those whose own vector is the nearest of the sample to the new one.
        elsewhere: Those whose vector stands in another row: that row has a cosine of at least 0.99, their own less.
        cosine: Median cosine of stored and new vectors.
        sample: Vectors among which the nearest was sought.
    """

    encoder: str
    title: str
    pooling: str
    texts: int
    same: int
    nearest: int
    elsewhere: int
    cosine: float
    sample: int

    @property
    def identical(self) -> bool:
        """Whether all texts have the vector that the encoder makes."""
        return self.same == self.texts

    @property
    def shuffled(self) -> bool:
        """Whether texts stand beside the vectors of other texts."""
        return self.elsewhere > self.same

    @property
    def recognised(self) -> bool:
        """Whether the vectors are the encoder's, be they changed a little or in another order."""
        return self.shuffled or self.nearest >= _RECOGNISED * self.texts


def candidates(dimension: int) -> tuple[str, ...]:
    """Return the known encoders that have that many dimensions and are on this machine."""
    return tuple(
        name
        for name, record in RECORDS.items()
        if record.dimension == dimension and not record.unavailable and locate(name) is not None
    )


def fit(vectors: Vectors, source: str, most: int, seed: int, context: RunContext) -> Fit:
    """Embed some texts once more, with each pooling until one is recognised; return the best fit.

    Args:
        vectors: The sample, with texts.
        source: Name, id or folder of the encoder.
        most: Most texts to embed.
        seed: Seed of the choice of texts.
        context: Where they are embedded.

    Raises:
        ModelUnavailable: The encoder is not on this machine.
        ModelRefused: Its files are not safe to load.
    """
    usable = np.flatnonzero([bool(text.strip()) for text in vectors.texts])
    rows = np.sort(generator(seed, "texts embedded again").permutation(usable)[:most])
    texts = [vectors.texts[row] for row in rows]
    stored = scaled(vectors.values)
    fits: list[Fit] = []
    for pooling in _POOLINGS:
        made = scaled(Encoder(source=source, pooling=pooling).encode(texts, context))
        fits.append(_compared(source, pooling, stored, made, rows))
        if fits[-1].recognised:
            break
    return max(fits, key=lambda fit: (fit.recognised, fit.same, fit.nearest))


def _compared(
    source: str, pooling: str, stored: NDArray[np.float32], made: NDArray[np.float32], rows: NDArray[np.int64]
) -> Fit:
    title = RECORDS[source].title if source in RECORDS else source
    if stored.shape[1] != made.shape[1]:
        return Fit(source, title, pooling, len(rows), 0, 0, 0, float("nan"), len(stored))
    cosines = made @ stored.T  # (texts, sample)
    own = cosines[np.arange(len(rows)), rows]
    best = cosines.max(axis=1)
    return Fit(
        source,
        title,
        pooling,
        len(rows),
        int((own >= SAME).sum()),
        int((own >= best - _TIE).sum()),
        int(((own < SAME) & (best >= SAME)).sum()),
        float(np.median(own)),
        len(stored),
    )
