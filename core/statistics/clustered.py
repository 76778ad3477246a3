"""ROC figures of decisions that come in clusters, with intervals that resample whole clusters."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.statistics import decisions

_RESAMPLES = 500
_SHUFFLES = 100
_ROUNDING = 1e-12
_AT_ONCE = 25
"""Resamples held in memory together."""

LOW_RATES = {"tpr_at_1pct_fpr": 0.01, "tpr_at_0.1pct_fpr": 0.001}
"""False-positive rates at which members found are counted."""


@dataclass(frozen=True)
class Interval:
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float

    def named(self, name: str) -> dict[str, float]:
        """Return the figure and its ends as columns of a table that are called after it."""
        return {name: self.value, f"{name}_low": self.low, f"{name}_high": self.high}


@dataclass(frozen=True)
class Clustered:
    """Decisions about examples by models, where neither examples nor models are independent of each other.

    Models come in couples, of which one is trained on what the other is not, and examples in documents, which are
    trained on as a whole. A resample draws couples and documents with replacement and counts each decision as often
    as its couple and its document were drawn.

    Attributes:
        member: (models, examples) the secret bits.
        score: (models, examples) above 0 for those called members.
        couple: (models,) number of the couple of each.
        document: (examples,) number of the document of each.
    """

    member: NDArray[np.bool_]
    score: NDArray[np.float64]
    couple: NDArray[np.int64]
    document: NDArray[np.int64]

    def examples(self, kept: NDArray[np.bool_]) -> "Clustered":
        """Return the decisions about some of the examples."""
        return Clustered(self.member[:, kept], self.score[:, kept], self.couple, self.document[kept])

    def figures(self, rng: np.random.Generator) -> dict[str, Interval]:
        """Return accuracy, AUC, both advantages, and the true-positive rate at low false-positive rates.

        ``advantage`` is the largest difference of true- and false-positive rate over all thresholds, ``decided`` that
        at the threshold which the adversary chose. A rate below one non-member is NaN.

        Args:
            rng: Source of the resampling.
        """
        own = self._measured(np.ones((1, self.member.size)))
        drawn = [self._measured(weights) for weights in self._resampled(rng)]
        found = {}
        for name, value in own.items():
            values = np.concatenate([chunk[name] for chunk in drawn])
            found[name] = self._bounded(float(value[0]), values)
        return found

    def curve(self, rates: NDArray[np.float64], rng: np.random.Generator) -> list[Interval]:
        """Return the true-positive rate at each false-positive rate."""
        own = self._at(np.ones((1, self.member.size)), rates)[0]
        drawn = np.concatenate([self._at(weights, rates) for weights in self._resampled(rng)])
        low, high = np.nanquantile(drawn, [(1 - decisions.LEVEL) / 2, (1 + decisions.LEVEL) / 2], axis=0)
        return [Interval(*map(float, ends)) for ends in zip(own, low, high, strict=True)]

    def guessing(self, rng: np.random.Generator) -> float:
        """Return the advantage that these scores have when they know nothing, which is above 0, being a maximum.

        It is the mean over draws in which, document by document, a coin exchanges the bits of a couple.
        """
        advantages = [float(np.max(hits - alarms)) for hits, alarms in self._ignorant(rng)]
        return max(float(np.mean(advantages)), 0.0)

    def chance_areas(self, rng: np.random.Generator) -> tuple[float, float]:
        """Return the range in which 95 % of the areas under the ROC curve lie when these scores know nothing."""
        areas = [
            float(np.trapezoid(np.append(0.0, hits), np.append(0.0, alarms))) for hits, alarms in self._ignorant(rng)
        ]
        return _middle(np.array(areas))

    def chance_shares(self, rng: np.random.Generator) -> tuple[float, float]:
        """Return the range in which 95 % of the shares of right guesses lie when these decisions know nothing."""
        called = self.score > 0
        shares = [float((called == member).mean()) for member in self._exchanged(rng)]
        return _middle(np.array(shares))

    def _exchanged(self, rng: np.random.Generator) -> Iterator[NDArray[np.bool_]]:
        """Yield the bits where, document by document, a coin exchanges those of a couple, (models, examples)."""
        for _ in range(_SHUFFLES):
            flips = rng.random((self.couple.max() + 1, self.document.max() + 1)) < 0.5
            yield self.member ^ flips[np.ix_(self.couple, self.document)]

    def _ignorant(self, rng: np.random.Generator) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
        """Yield true- and false-positive rates at every threshold, (thresholds,), with bits drawn anew."""
        for member in self._exchanged(rng):
            inside = member.ravel()[self._order]
            hits, alarms = (np.cumsum(bits)[self._last_of_tie] for bits in (inside, ~inside))
            yield hits / hits[-1], alarms / alarms[-1]

    @cached_property
    def _order(self) -> NDArray[np.int64]:
        return np.argsort(-self.score, axis=None, kind="stable")

    @cached_property
    def _last_of_tie(self) -> NDArray[np.bool_]:
        return np.append(np.diff(self.score.ravel()[self._order]) != 0, True)

    @cached_property
    def _inside(self) -> NDArray[np.bool_]:
        return self.member.ravel()[self._order]

    def _resampled(self, rng: np.random.Generator) -> Iterator[NDArray[np.float64]]:
        """Yield how often each decision counts, (resamples, decisions)."""
        couples, documents = (
            np.unique(self.couple, return_inverse=True)[1],
            np.unique(self.document, return_inverse=True)[1],
        )
        for _ in range(0, _RESAMPLES, _AT_ONCE):
            models, examples = (
                rng.multinomial(units.max() + 1, np.full(units.max() + 1, 1 / (units.max() + 1)), _AT_ONCE)[:, units]
                for units in (couples, documents)
            )
            yield (models[:, :, None] * examples[:, None, :]).reshape(_AT_ONCE, -1).astype(np.float64)

    def _rates(self, weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return false- and true-positive rates at every threshold, from the strictest, (resamples, thresholds)."""
        ordered = weights[:, self._order]
        rates = []
        for counts in (ordered * ~self._inside, ordered * self._inside):
            sums = np.cumsum(counts, axis=1)[:, self._last_of_tie]
            with np.errstate(invalid="ignore"):
                rates.append(np.pad(sums / sums[:, -1:], ((0, 0), (1, 0))))
        return rates[0], rates[1]

    def _measured(self, weights: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
        """Return each figure, (resamples,)."""
        false_positive, true_positive = self._rates(weights)
        called = self.score.ravel() > 0
        inside = self.member.ravel()
        share = [(weights * (called & of)).sum(axis=1) / (weights * of).sum(axis=1) for of in (inside, ~inside)]
        found = {
            "accuracy": (weights * (called == inside)).sum(axis=1) / weights.sum(axis=1),
            "auc": _whole(np.asarray(np.trapezoid(true_positive, false_positive, axis=1))),
            "advantage": (true_positive - false_positive).max(axis=1),
            "decided": share[0] - share[1],
        }
        for name, rate in LOW_RATES.items():
            if rate * int((~inside).sum()) < 1:
                found[name] = np.full(len(weights), np.nan)
            else:
                found[name] = np.where(false_positive <= rate + 1e-12, true_positive, 0.0).max(axis=1)
        return found

    def _at(self, weights: NDArray[np.float64], rates: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the true-positive rate at each of some false-positive rates, (resamples, rates)."""
        return np.stack(
            [
                true[np.searchsorted(false, rates + 1e-12, side="right") - 1]
                for false, true in zip(*self._rates(weights), strict=True)
            ]
        )

    def _bounded(self, value: float, drawn: NDArray[np.float64]) -> Interval:
        known = drawn[np.isfinite(drawn)]
        if not len(known):
            return Interval(value, float("nan"), float("nan"))
        low, high = _middle(known)
        if low == high and 0 < low < 1:
            # Where each document is in for one of each couple, a score from the texts alone is right in exactly half.
            return Interval(value, low, high)
        couples, documents = len(np.unique(self.couple)), len(np.unique(self.document))
        # One couple tells nothing of others, whose spread is then no part of the interval.
        independent = documents if couples == 1 else min(couples, documents)
        return Interval(value, *decisions.uncertain(low, high, independent))


def _middle(drawn: NDArray[np.float64]) -> tuple[float, float]:
    """Return the range in which 95 % of some values lie."""
    low, high = np.quantile(drawn, [(1 - decisions.LEVEL) / 2, (1 + decisions.LEVEL) / 2])
    return float(low), float(high)


def _whole(areas: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return areas, of which those that miss 0 or 1 by a rounding error are 0 or 1."""
    near = np.round(areas)
    return np.where(np.abs(areas - near) < _ROUNDING, near, areas)
