"""A random part of a user's documents, however many there are: their files are read once, a piece at a time."""

import numpy as np
from numpy.typing import NDArray

from core.corpora.source import Source
from core.sources import user_files
from core.text.contents import Documents


def drawn(source: Source, most: int, rng: np.random.Generator) -> tuple[Documents, int]:
    """Return documents drawn at random, each with the same probability, in their order, and the number of all.

    Each document has a random key, and those with the lowest are drawn, so that the pieces do not matter.

    Args:
        source: The files.
        most: How many are drawn; all where there are fewer.
        rng: Source of the keys.

    Raises:
        TooManyDocuments: Those drawn are too large for memory.
        InvalidDocuments: A file cannot be read as documents.
    """
    import pyarrow as pa

    keys, total = np.empty(0), 0
    texts: list[str] = []
    owners: list[str] = []
    for piece in source.pieces():
        together = np.concatenate([keys, rng.random(len(piece.texts))])
        rows = lowest(together, most)
        held, fresh = rows[rows < len(keys)], pa.array(rows[rows >= len(keys)] - len(keys))
        texts = [*(texts[row] for row in held), *piece.texts.take(fresh).to_pylist()]
        if piece.owners is not None:
            owners = [*(owners[row] for row in held), *piece.owners.take(fresh).to_pylist()]
        keys, total = together[rows], total + len(piece.texts)
        user_files.check_size(f"A sample of {most:,} documents", sum(map(len, texts)))
    return Documents(tuple(texts), tuple(owners)), total


def lowest(keys: NDArray[np.float64], most: int) -> NDArray[np.int64]:
    """Return the positions of the lowest keys, in their order.

    >>> lowest(np.array([0.3, 0.1, 0.2]), 2).tolist()
    [1, 2]
    """
    return np.sort(np.argsort(keys, kind="stable")[:most])
