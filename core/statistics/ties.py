"""Scores that are all equal: no threshold separates members from others, so there is nothing to decide on."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.statistics.wording import percent
from core.statistics.wording.naming import documents

if TYPE_CHECKING:
    import pandas as pd


_ROUNDING = 1e-8
"""Range of scores that is rounding: a last digit of a log-probability, in least deviations of a likelihood ratio."""


def levelled(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return scores, all equal where none differs from another by more than rounding does.

    >>> levelled(np.array([0.0, 9e-10, -9e-10])).tolist(), levelled(np.array([0.0, 9e-10, 0.1])).tolist()
    ([0.0, 0.0, 0.0], [0.0, 9e-10, 0.1])
    """
    first = scores.flat[:1]
    return np.full_like(scores, first) if np.allclose(scores, first, rtol=0.0, atol=_ROUNDING / 2) else scores


def sizes(scores: "pd.DataFrame") -> list[int]:
    """Return the sizes of targets whose scores, of members and of others, are all equal, the smallest first."""
    different = scores.groupby("size")[["score", "member"]].nunique(dropna=False)
    tied: list[int] = different.index[(different["score"] == 1) & (different["member"] == 2)].sort_values().tolist()
    return tied


def sentence(scores: "pd.DataFrame") -> str:
    """Say which scores are all equal, what is decided all the same and why that says nothing; empty of other scores."""
    tied = sizes(scores)
    every = len(tied) == scores["size"].nunique()
    return " ".join(_of(scores[scores["size"] == size], "" if every else documents(size)) for size in tied)


def _of(scores: "pd.DataFrame", size: str) -> str:
    members = float(scores["member"].mean())
    side, right = ("member", members) if scores["guess"].iloc[0] else ("non-member", 1 - members)
    return (
        f"{f'For {size}, all' if size else 'All'} {len(scores):,} scores of the attack are equal, so there is nothing "
        f"to decide on: to call every target a {side} is right in {percent(right)}, and the AUC is 0.5, by "
        "construction. That measures no leak."
    )
