"""How far one word moves the embeddings of an encoder: the l1 sensitivity that Laplace noise is scaled by."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from core.defenses.laplace import one_word_apart
from core.result import Estimate
from core.statistics.intervals import Interval, mean_over_models

FEWEST_PAIRS = 400
"""Fewest pairs: the interval of the 99% quantile lies between two of them from 368 on."""

_UNIT = "l1 distance"
_DRAWS = 10
_QUANTILE = 0.99


def sensitivities(
    names: Sequence[str],
    encodes: Sequence[Callable[[Sequence[str]], NDArray[np.float32]]],
    texts: Sequence[str],
    pairs: int,
    rng: np.random.Generator,
) -> Iterator[tuple[str, Estimate]]:
    """Yield estimates of how far one word moves the embeddings of each encoder, by name (Pan et al. 2020, Table IV).

    All encoders embed the same pairs: a random text, and the same with a random word replaced by another word of the
    texts (`core.defenses.laplace.one_word_apart`). Of each encoder come four figures:

    - ``sensitivity_NAME``: the largest l1 distance, which the paper takes for the sensitivity. It is counted among the
      pairs, and has no interval: the maximum over all texts can only be larger.
    - ``sensitivity_tenth_NAME``: the mean of the largest in ten disjoint tenths, with Student's interval.
    - ``moved_NAME``: the distance that 99% of pairs stay below, with the interval of order statistics.
    - ``size_NAME``: the mean l1 norm of the texts' embeddings, for comparison.

    Raises:
        Incompatible: The texts have fewer than two different words.
    """
    rows, changed = one_word_apart(texts, pairs, rng)
    for name, encode in zip(names, encodes, strict=True):
        embeddings = encode(texts).astype(np.float64)
        distances = np.abs(encode(changed) - embeddings[rows]).sum(axis=1)
        tenths = np.array([part.max() for part in np.array_split(distances, _DRAWS)])
        norms, largest = np.abs(embeddings).sum(axis=1), float(distances.max())
        figures = {
            "sensitivity": (
                Interval(largest, largest, largest),
                pairs,
                "Largest l1 distance of two embeddings of texts one word apart.",
            ),
            "sensitivity_tenth": (
                mean_over_models(tenths, share=False),
                _DRAWS,
                "The same in a tenth of the pairs, on average.",
            ),
            "moved": (_quantile(distances), pairs, "l1 distance that 99% of the pairs stay below."),
            "size": (mean_over_models(norms, share=False), len(texts), "Mean l1 norm of the embeddings."),
        }
        for figure, (interval, count, text) in figures.items():
            estimate = Estimate(**interval._asdict(), chance=None, unit=_UNIT, decisions=count, help=text)
            yield f"{figure}_{name}", estimate


def _quantile(distances: NDArray[np.float64]) -> Interval:
    """Return the 99% quantile with the 95% interval of order statistics, which assumes no distribution."""
    from scipy.special import bdtrik

    ordered, count = np.sort(distances), len(distances)
    low, high = np.ceil(bdtrik([0.025, 0.975], count, _QUANTILE)).astype(int)
    return Interval(float(np.quantile(ordered, _QUANTILE)), float(ordered[low - 1]), float(ordered[high]))
