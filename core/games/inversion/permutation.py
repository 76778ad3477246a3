"""Permutation baseline: the adversary's answers, reassigned at random among the victims."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.statistics.intervals import Interval

_DRAWS = 199
"""How often the answers are dealt anew."""


@dataclass(frozen=True)
class Occurrences:
    """Which words, or groups of words, stand in which victims' texts.

    Attributes:
        victims: (occurrences,) number of the victim of each.
        columns: (occurrences,) number of the word, or group, of each.
    """

    victims: NDArray[np.int64]
    columns: NDArray[np.int64]

    def named(self, predicted: NDArray[np.bool_], order: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which of them are named once the answers are dealt, (occurrences,).

        Args:
            predicted: (victims, columns) what is named from each victim's vector.
            order: (victims,) from whose vector each victim's text is read.
        """
        return np.asarray(predicted[order[self.victims], self.columns])

    def named_from_others(self, predicted: NDArray[np.bool_]) -> float:
        """Return how many are named on average from the vector of another victim."""
        others = max(len(predicted) - 1, 1)
        from_own = np.bincount(self.columns, predicted[self.victims, self.columns], predicted.shape[1])
        texts = np.bincount(self.columns, minlength=predicted.shape[1])
        return float((texts * predicted.sum(axis=0) - from_own).sum() / others)


def orders(victims: int, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """Yield from whose vector each victim's text is read, (victims,), for each time that the answers are dealt."""
    for _ in range(_DRAWS):
        yield rng.permutation(victims)


def held_to_dealt(figure: Interval, chance: float, dealt: NDArray[np.float64]) -> Interval:
    """Return a figure whose interval lies above chance only if no dealt answers reach the figure.

    A baseline decides by another rule than the adversary, who may name more words or fewer. So what is read from
    vectors that tell nothing can lie above it. Dealt answers keep the adversary's rule. That none of 199 may reach the
    figure is stricter than one interval asks, as the best of several attacks and figures is what is told.

    Args:
        figure: The figure with its bootstrap interval.
        chance: What the baseline reaches.
        dealt: (draws,) the figure of dealt answers.
    """
    if figure.low <= chance or not (dealt >= figure.value).any():
        return figure
    return figure._replace(low=chance)
