"""Decisions that come in clusters, with intervals over whole clusters, and what they give by chance alone."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from core.result import Column, Schema
from core.statistics.crossed import from_variances, of_log_odds
from core.statistics.decisions import (
    CELLS,
    SHUFFLES,
    Decisions,
    Resamples,
    Statistic,
    Values,
    false_positive_rate,
    recall,
)
from core.statistics.digits import shortened
from core.statistics.intervals import Interval, middle, uncertain
from core.statistics.leave_outs import Units, by_jackknife, spread
from core.statistics.measures import LOW_RATES

_ROUNDING = 1e-12
_CELLS, _GROUPS = 4 * CELLS, 250
"""Single decisions are left out in groups where they would be counted more often than the first number in all; there
are at least as many groups as the second, or each is left out alone."""
_AT_ONCE = 25
"""Resamples whose couples are drawn before their documents, and the fewest held in memory together."""

SCORES: Schema = {
    "model": Column("int32", "Number of the target model; 0 and 1 are a couple, then 2 and 3, and so on."),
    "member": Column("bool", "Whether that model was trained on it."),
    "score": Column(
        "float64", "The score, above 0 for those taken for members; digits that change no order are left out."
    ),
}
"""Columns of a table with every decision."""


def decided(drawn: Resamples) -> Values:
    """Difference of true- and false-positive rate at the threshold that the adversary chose."""
    return recall(drawn) - false_positive_rate(drawn)


def area(drawn: Resamples) -> Values:
    """Area under the ROC curve by the trapezoid rule; within a rounding error of 0, 1/2 or 1 it is that."""
    false_positive, true_positive = drawn.rates
    areas = np.asarray(np.trapezoid(true_positive, false_positive, axis=1))
    nearest = np.round(2 * areas) / 2
    return np.where(np.abs(areas - nearest) < _ROUNDING, nearest, areas)


@dataclass(frozen=True)
class Clustered(Decisions):
    """Decisions about examples by models, where neither examples nor models are independent of each other.

    Models come in couples, of which one is trained on what the other is not, and examples in documents, which are
    trained on as a whole. Intervals are those of `core.statistics.crossed`: couples are its models, and documents its
    targets. Many decisions are left out in groups drawn at random (Kott 2001). A true-positive rate at a low
    false-positive rate hangs on so few non-members that leaving one out says nothing of its spread: its variances are
    the bootstrap's.

    A single couple says nothing of others: its intervals are the bootstrap's of the documents. A resample draws couples
    and documents with replacement and counts each decision as often as its couple and its document were drawn. A
    maximum over thresholds is biased upwards, and its resamples more so: its interval reaches as far below the value as
    the resamples reach above it.

    Attributes:
        couple: (models,) number of the couple of each.
        document: (examples,) number of the document of each.
    """

    couple: NDArray[np.int64]
    document: NDArray[np.int64]

    lowest: ClassVar[Mapping[str, float]] = {**Decisions.lowest, "decided": -1.0}
    statistics: ClassVar[Mapping[str, Statistic]] = {**Decisions.statistics, "auc": area, "decided": decided}

    def figures(self, names: Iterable[str], rng: np.random.Generator) -> dict[str, Interval]:
        """Return figures with their 95% intervals."""
        if len(np.unique(self.couple)) > 1:
            return self._over_couples(tuple(names), rng)
        figures = super().figures(names, rng)
        for name in self.maxima & figures.keys():
            value, low, high = figures[name]
            figures[name] = Interval(value, min(low, max(2 * value - high, 0.0)), high)
        return figures

    def about(self, targets: NDArray[np.bool_]) -> Self:
        """Return the decisions about the examples marked."""
        return replace(super().about(targets), document=self.document[targets])

    def columns(self, **of_examples: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Return the columns `SCORES`, a row for each decision.

        Args:
            of_examples: Further columns, (examples,).
        """
        model, example = (numbers.ravel() for numbers in np.indices(self.member.shape))
        return {
            **{name: values[example] for name, values in of_examples.items()},
            "model": model,
            "member": self.member.ravel(),
            "score": shortened(self.score).ravel(),
        }

    def chance_areas(self, rng: np.random.Generator) -> tuple[float, float]:
        """Return the range in which 95% of the areas under the ROC curve lie by chance alone."""
        areas = [
            float(np.trapezoid(np.append(0.0, hits), np.append(0.0, alarms)))
            for hits, alarms in self._rates_by_chance(rng)
        ]
        return middle(np.array(areas))

    def chance_shares(self, rng: np.random.Generator) -> tuple[float, float]:
        """Return the range in which 95% of the shares of right guesses lie by chance alone."""
        return middle(np.array([float((self.positive == member).mean()) for member in self._redrawn(rng)]))

    def nonmembers_in(self, drawn: Resamples) -> NDArray[np.int64]:
        """Return the number of decisions about non-members, the same for every resample."""
        return np.asarray((~self.member).sum())

    @property
    def _clusters(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Number of the couple of each model, (models,), and of the document of each example, (examples,), from 0."""
        couple, document = (np.unique(numbers, return_inverse=True)[1] for numbers in (self.couple, self.document))
        return couple, document

    def _over_couples(self, names: Sequence[str], rng: np.random.Generator) -> dict[str, Interval]:
        """Return figures with their intervals over couples and documents."""
        couple, document = (np.broadcast_to(of, self.member.shape) for of in np.ix_(*self._clusters))
        cell = couple * (document.max() + 1) + document
        most = max(_CELLS // cell.size, _GROUPS)
        apart = cell if cell.max() < most else (rng.permutation(cell.max() + 1) % most)[cell]
        units = (couple, document, apart)
        low_rates, others = ([name for name in names if (name in LOW_RATES) == low] for low in (True, False))
        figures = self._by_spread(low_rates, units, rng)
        if at_ends := [name for name in low_rates if name not in figures]:
            figures |= super().figures(at_ends, rng)
        for name, (value, low, high) in by_jackknife(self, others, units).items():
            figures[name] = Interval(value, *self._ends(low, high))
        return {name: figures[name] for name in names}

    def _by_spread(self, names: Iterable[str], units: Sequence[Units], rng: np.random.Generator) -> dict[str, Interval]:
        """Return the rates among some that are neither 0 nor 1, with their intervals by the bootstrap's variances."""
        values = {name: value for name in names if 0 < (value := self.value(name)) < 1}
        variances = [spread(self, values, of, rng) for of in units] if values else []
        counts = int(units[0].max()) + 1, int(units[1].max()) + 1
        return {
            name: from_variances(value, [of_log_odds(of[name], value) for of in variances], counts)
            for name, value in values.items()
        }

    def _redrawn(self, rng: np.random.Generator) -> Iterator[NDArray[np.bool_]]:
        """Yield random membership bits, (models, examples).

        Each draw exchanges the bits of the two models of a couple with probability 1/2, for each document apart.
        """
        for _ in range(SHUFFLES):
            flips = rng.random((self.couple.max() + 1, self.document.max() + 1)) < 0.5
            yield self.member ^ flips[np.ix_(self.couple, self.document)]

    def _resampled(self, rng: np.random.Generator, resamples: int) -> Iterator[Resamples]:
        units = self._clusters
        counts = [unit.max() + 1 for unit in units]
        drawn = [
            [rng.multinomial(count, np.full(count, 1 / count), _AT_ONCE) for count in counts]
            for _ in range(0, resamples, _AT_ONCE)
        ]
        by_couple, by_document = map(np.concatenate, zip(*drawn, strict=True))
        blocks = min(-(-len(by_couple) * self.member.size // CELLS), len(drawn))
        for rows in np.array_split(np.arange(len(by_couple)), blocks):
            by_model, by_example = by_couple[rows][:, units[0]], by_document[rows][:, units[1]]
            yield Resamples(self, by_model[:, :, None] * by_example[:, None, :])

    def _ends(self, low: float, high: float) -> tuple[float, float]:
        if low == high and 0 < low < 1:
            # Where each document is in for one of each couple, a score from the texts alone is right in exactly half.
            return low, high
        couples, documents = len(np.unique(self.couple)), len(np.unique(self.document))
        # One couple tells nothing of others, whose spread is then no part of the interval.
        return uncertain(low, high, documents if couples == 1 else min(couples, documents))
