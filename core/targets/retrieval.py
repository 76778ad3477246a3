"""Retrieval from a store of defended embeddings: the share of the nearest neighbours that a search still finds."""

import numpy as np
from numpy.typing import NDArray

from core.result import Estimate
from core.statistics import intervals

_NEAREST = 10
_MOST_QUERIES = 1000
_BLOCK = 256


def recall(
    plain: NDArray[np.float32],
    stored: NDArray[np.float32],
    rng: np.random.Generator,
    query_vectors: NDArray[np.float32] | None = None,
) -> Estimate | None:
    """Return the share of the ten nearest plain neighbours that a store of defended embeddings returns, too.

    Queries are plain embeddings of texts in the store; a text is not its own neighbour. Both the truth (plain store)
    and the answer (defended store) go by the cosine. Chance is that of ten random texts. The interval resamples
    queries; behind noise it is that of one release, with its one draw. None with fewer than twelve texts.

    Args:
        plain: (texts, dimension) embeddings before the defenses of the release.
        stored: (texts, dimension) as released.
        rng: Draws at most a thousand queries, and resamples.
        query_vectors: (texts, dimension) queries to the released store; the plain embeddings if None.
    """
    if len(plain) < _NEAREST + 2:
        return None
    query_rows = np.sort(rng.permutation(len(plain))[:_MOST_QUERIES])
    truth, store = _unit(plain), _unit(stored)
    queries = truth if query_vectors is None else _unit(query_vectors)
    shares = np.empty(len(query_rows))
    for start in range(0, len(query_rows), _BLOCK):
        rows = query_rows[start : start + _BLOCK]
        near, returned = _nearest(truth[rows] @ truth.T, rows), _nearest(queries[rows] @ store.T, rows)
        shares[start : start + _BLOCK] = [
            len(np.intersect1d(one, other)) / _NEAREST for one, other in zip(near, returned, strict=True)
        ]
    return Estimate(
        **intervals.mean_of(shares, rng)._asdict(),
        chance=_NEAREST / (len(plain) - 1),
        unit="share of neighbours",
        decisions=len(query_rows),
        help="Share of the ten nearest neighbours of a text that a search in the released embeddings still finds.",
    )


def _nearest(cosines: NDArray[np.float32], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the ten texts closest to each query, without the query's own, (queries, 10)."""
    cosines[np.arange(len(rows)), rows] = -np.inf
    return np.argpartition(-cosines, _NEAREST, axis=1)[:, :_NEAREST]


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12), np.float32)
