"""Whether an encoder made stored vectors, inferred by embedding a few of their texts again."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.encoders.folders import locate
from core.encoders.records import RECORDS, record_of
from core.games.stored_vectors import AGAIN, FEWEST, OUT_OF_ORDER, RECOGNISED, SAME, again, compared
from core.models.encoder import Encoder
from core.runtime.context import RunContext
from core.text.vectors import Vectors

_POOLINGS: tuple[Literal["mean", "first", "last"], ...] = ("mean", "first", "last")


@dataclass(frozen=True)
class Fit:
    """How the vectors of some texts compare with what an encoder makes of these texts.

    Cosines are taken from the mean of the stored vectors: many encoders give any two texts a cosine near 1.

    Attributes:
        encoder: Name of the encoder.
        title: The name that its makers give it.
        pooling: Which hidden state was taken.
        texts: Texts that were embedded again.
        same: Number of these whose stored vector has a cosine of at least 0.99 with the new one.
        nearest: Number of these whose own vector is nearer to the new one than that of any other text in the sample.
        elsewhere: Number of these whose vector stands in another row.
        cosine: Median cosine of stored and new vectors.
        sample: Number of vectors that were compared.
        different: Different texts among these.
        text_row: Row of the first text whose vector is in another one, counted from 1; 0 where there is none.
        vector_row: The row of its vector; 0 where there is none.
        made: What its folder says becomes the vector of a text; empty where the pooling is tried out.
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
    different: int
    text_row: int = 0
    vector_row: int = 0
    made: str = ""

    @property
    def conclusive(self) -> bool:
        """Whether there are enough texts for a conclusion."""
        return self.different >= FEWEST

    @property
    def identical(self) -> bool:
        """Whether all texts have the vector that the encoder makes."""
        return self.recognised and self.same == self.texts

    @property
    def shuffled(self) -> bool:
        """Whether too many texts are paired with another text's vector for answers to be checked."""
        return self.conclusive and self.elsewhere > 0 and self.elsewhere >= OUT_OF_ORDER * self.texts

    @property
    def recognised(self) -> bool:
        """Whether the encoder made the vectors, even if they are slightly changed or in another order."""
        return self.conclusive and self.nearest + self.elsewhere >= RECOGNISED * self.texts


def candidates(dimension: int) -> tuple[str, ...]:
    """Return the known encoders that have that many dimensions and are on this machine."""
    return tuple(
        name
        for name, record in RECORDS.items()
        if record.dimension == dimension and not record.unavailable and locate(name) is not None
    )


def fits(vectors: Vectors, encoder: str, seed: int, context: RunContext) -> list[Fit]:
    """Return how an encoder of that name, id or folder fits, or each known here of that dimension; none without texts.

    Of a store that has grown, texts that were there before are embedded: their embeddings are known already.

    Raises:
        ModelUnavailable: The encoder is not on this machine.
        ModelRefused: Its files are not safe to load.
    """
    if not any(text.strip() for text in vectors.texts):
        return []
    sources = [encoder] if encoder else candidates(vectors.values.shape[1])
    return [fit(vectors, source, AGAIN, seed, context) for source in sources]


def fit(vectors: Vectors, source: str, most: int, seed: int, context: RunContext) -> Fit:
    """Embed some texts once more, with each pooling until one is recognised; return the best fit.

    The source is a name, id or folder of an encoder, and ``most`` limits the texts to embed. A folder of
    sentence-transformers says itself how it is read.

    Raises:
        ModelUnavailable: The encoder is not on this machine.
        ModelRefused: Its files are not safe to load, or name a module that is not understood.
    """
    usable = np.flatnonzero([bool(text.strip()) for text in vectors.texts] & vectors.earlier)
    rows = usable[again([vectors.texts[row] for row in usable], most, seed)]
    texts = [vectors.texts[row] for row in rows]
    fits: list[Fit] = []
    record = record_of(source)
    folder = locate(source)
    saved = folder and Encoder(source=source).saved(folder)
    # The makers' own choice comes first.
    tried = sorted(_POOLINGS, key=lambda pooling: record is not None and pooling != record.pooling)
    for pooling in tried[:1] if saved else tried:
        encoder = Encoder.parse({"source": source, "pooling": pooling})
        fits.append(_compared(encoder, vectors, encoder.encode(texts, context, "stored texts"), rows))
        if fits[-1].recognised or fits[-1].cosine != fits[-1].cosine:
            break
    best = max(fits, key=lambda fit: (fit.recognised, fit.same, fit.nearest))
    return replace(best, made=saved.described()) if saved else best


def _compared(encoder: Encoder, vectors: Vectors, embeddings: NDArray[np.float32], rows: NDArray[np.int64]) -> Fit:
    """Compare the vectors of some rows with what an encoder makes of their texts, (rows, dimension)."""
    source, texts, stored = encoder.source, np.array(vectors.texts, dtype=object), vectors.values
    different = len(set(vectors.texts))
    no_match = Fit(source, _title(source), encoder.pooling, len(rows), 0, 0, 0, float("nan"), len(stored), different)
    if stored.shape[1] != embeddings.shape[1]:
        return no_match
    cosines = compared(embeddings, stored, rows, same=texts[rows, None] == texts)
    moved = cosines.moved
    first = (rows[moved[0]], cosines.elsewhere[moved[0]]) if len(moved) else None
    text_row, vector_row = (int(vectors.rows[row]) + 1 for row in first) if first else (0, 0)
    return replace(
        no_match,
        same=int((cosines.own_cosine >= SAME).sum()),
        nearest=cosines.nearest,
        elsewhere=len(moved),
        cosine=float(np.median(cosines.own_cosine)),
        text_row=text_row,
        vector_row=vector_row,
    )


def _title(source: str) -> str:
    return RECORDS[source].title if source in RECORDS else source
