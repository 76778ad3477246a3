"""Retrieval from a store of defended embeddings: how much of the ranking of the nearest a search still finds."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.result import Estimate
from core.statistics import intervals
from core.statistics.unit_length import scaled

_NEAREST = 10
_MOST_QUERIES = 1000
_BLOCK = 256
_DIGITS = 9
_GAINS = np.arange(_NEAREST, 0, -1.0)
_DISCOUNTS = 1 / np.log2(np.arange(2, _NEAREST + 2))


@dataclass(frozen=True)
class Queries:
    """What is searched for, of equal dimension with the store.

    Attributes:
        plain: (queries, dimension) their embeddings.
        defended: (queries, dimension) what the released store is asked; equal to ``plain`` where no key is applied.
    """

    plain: NDArray[np.float32]
    defended: NDArray[np.float32]


@dataclass(frozen=True)
class Searched:
    """The ten nearest texts of each query, before the defenses and behind them, the nearest first.

    Attributes:
        near: (queries, 10) by plain embeddings.
        returned: (queries, 10) by released ones.
        texts: Number of texts that could be returned.
        whose: Whose queries these are, to complete “neighbours of …”.
    """

    near: NDArray[np.int64]
    returned: NDArray[np.int64]
    texts: int
    whose: str

    def recall(self, rng: np.random.Generator) -> Estimate:
        """Return the share of the ten nearest that is still found; chance is that of ten random texts."""
        shares = np.array(
            [len(np.intersect1d(one, other)) / _NEAREST for one, other in zip(self.near, self.returned, strict=True)]
        )
        return Estimate(
            **intervals.mean_of(shares, rng)._asdict(),
            chance=_NEAREST / self.texts,
            unit="share of neighbours",
            decisions=len(shares),
            help=f"Share of the ten nearest neighbours of {self.whose} that a search in the released embeddings still "
            "finds.",
        )

    def ndcg(self, rng: np.random.Generator) -> Estimate:
        """Return nDCG@10: how much of the order of the ten nearest is kept.

        The nearest plain neighbour has gain 10, the tenth 1, any other text 0. The gain of what is returned at place p
        counts by 1 / log2(p + 1); 1 is the plain order itself. Chance is the expected value of ten random texts.
        """
        hits = self.returned[:, :, None] == self.near[:, None, :]  # (queries, place, plain place)
        kept = ((hits @ _GAINS) @ _DISCOUNTS / (_GAINS @ _DISCOUNTS)).round(_DIGITS)
        return Estimate(
            **intervals.mean_of(kept, rng)._asdict(),
            chance=float(_GAINS.sum() / self.texts * _DISCOUNTS.sum() / (_GAINS @ _DISCOUNTS)),
            unit="nDCG at 10, from 0 to 1",
            decisions=len(kept),
            help=f"How much of the order of the ten nearest neighbours of {self.whose} a search in the released "
            "embeddings keeps: 1 for all of it.",
        )


def searched(
    plain: NDArray[np.float32],
    stored: NDArray[np.float32],
    rng: np.random.Generator,
    query_vectors: NDArray[np.float32] | None = None,
    queries: Queries | None = None,
) -> Searched | None:
    """Search the ten nearest of each query in a store of plain, and in one of defended embeddings.

    Queries are plain embeddings of texts in the store, and a text is not its own neighbour; or they are the user's own.
    Both the truth (plain store) and the answer (defended store) go by the cosine. Behind noise, an interval over the
    queries is that of one release, with its one draw. None with fewer than twelve texts.

    Args:
        plain: (texts, dimension) embeddings before the defenses of the release.
        stored: (texts, dimension) as released.
        rng: Draws at most a thousand queries.
        query_vectors: (texts, dimension) the texts as queries to the released store; the plain embeddings if None.
        queries: The user's own queries, in place of the texts.
    """
    if len(plain) < _NEAREST + 2:
        return None
    truth, store = scaled(plain), scaled(stored)
    asked, asked_defended = (truth, truth) if query_vectors is None else (truth, scaled(query_vectors))
    if queries is not None:
        asked, asked_defended = scaled(queries.plain), scaled(queries.defended)
    query_rows = np.sort(rng.permutation(len(asked))[:_MOST_QUERIES])
    near, returned = (np.empty((len(query_rows), _NEAREST), np.int64) for _ in range(2))
    for start in range(0, len(query_rows), _BLOCK):
        rows, block = query_rows[start : start + _BLOCK], slice(start, start + _BLOCK)
        itself = rows if queries is None else rows[:0]
        near[block] = _nearest(asked[rows] @ truth.T, itself)
        returned[block] = _nearest(asked_defended[rows] @ store.T, itself)
    return Searched(near, returned, len(plain) - (queries is None), "a text" if queries is None else "your queries")


def _nearest(cosines: NDArray[np.float32], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the ten texts closest to each query, the closest first, without the query's own, (queries, 10)."""
    cosines[np.arange(len(rows)), rows] = -np.inf
    ten = np.argpartition(-cosines, _NEAREST, axis=1)[:, :_NEAREST]
    order = np.argsort(-np.take_along_axis(cosines, ten, axis=1), axis=1, kind="stable")
    return np.take_along_axis(ten, order, axis=1)
