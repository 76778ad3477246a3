"""Decisions about membership: their figures, ROC curve and estimates, with intervals that respect shared models."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from core.result import Estimate
from core.statistics.intervals import LEVEL, RESAMPLES, Interval, middle, uncertain
from core.statistics.measures import LOW_RATES, MEASURES, ROC, Measure

SHUFFLES = 100
"""Draws of random membership bits."""
CELLS = 2**20
"""Decisions counted at a time, at most."""
_ROUNDING = 1e-12
"""Tolerance within which two rates are equal."""

Values = NDArray[np.float64]
"""(resamples,) a figure of each resample."""


@dataclass(frozen=True)
class Resamples:
    """Decisions, and how often each one counts in each of several resamples.

    Attributes:
        decisions: The decisions.
        times: (resamples, models, targets) how often each counts.
    """

    decisions: "Decisions"
    times: NDArray[np.int64]

    def count(self, which: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the number of decisions among those marked, (resamples,)."""
        return np.asarray(np.tensordot(self.times, which, axes=2))

    def share(self, which: NDArray[np.bool_], of: NDArray[np.bool_]) -> Values:
        """Return a share of decisions, both marked (models, targets); NaN of none."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.count(which) / self.count(of))

    @cached_property
    def positives(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """False and true positives at each threshold, from the strictest, (resamples, thresholds) each."""
        decisions = self.decisions
        times = self.times.reshape(len(self.times), -1)[:, decisions.order]
        hits = np.cumsum(times * decisions.ranked_members, axis=-1)[:, decisions.last_of_tie]
        return np.cumsum(times, axis=-1)[:, decisions.last_of_tie] - hits, hits

    @cached_property
    def rates(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """False- and true-positive rates as fractions, from no positives at all, (resamples, thresholds + 1) each."""
        alarms, hits = self.positives
        with np.errstate(invalid="ignore"):
            false, true = (np.where(alarms + hits == 0, 0.0, counts / counts[:, -1:]) for counts in (alarms, hits))
        none = np.zeros((len(alarms), 1))
        return np.concatenate([none, false], axis=1), np.concatenate([none, true], axis=1)

    def at(self, false_positive_rates: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the true-positive rate at each false-positive rate, (resamples, rates)."""
        limits = false_positive_rates + _ROUNDING
        return np.stack(
            [true[np.searchsorted(false, limits, side="right") - 1] for false, true in zip(*self.rates, strict=True)]
        )


def accuracy(drawn: Resamples) -> Values:
    """Share of guesses that were right."""
    decisions = drawn.decisions
    return drawn.share(decisions.member == decisions.positive, np.ones_like(decisions.member))


def precision(drawn: Resamples) -> Values:
    """Share of members among those taken for members; NaN when nobody is."""
    decisions = drawn.decisions
    return drawn.share(decisions.member & decisions.positive, decisions.positive)


def recall(drawn: Resamples) -> Values:
    """Share of members that are taken for members; NaN without members."""
    decisions = drawn.decisions
    return drawn.share(decisions.member & decisions.positive, decisions.member)


def false_positive_rate(drawn: Resamples) -> Values:
    """Share of non-members that are taken for members; NaN without any."""
    decisions = drawn.decisions
    return drawn.share(decisions.positive & ~decisions.member, ~decisions.member)


def auc(drawn: Resamples) -> Values:
    """Probability that a random member scores above a random non-member, ties counting half; NaN without both."""
    alarms, hits = drawn.positives
    above = 2 * hits - np.diff(hits, prepend=0)  # members above each non-member twice, members beside it once
    halves = (np.diff(alarms, prepend=0) * above).sum(axis=-1)
    with np.errstate(invalid="ignore"):
        return np.asarray(halves / 2 / (hits[:, -1] * alarms[:, -1]))


def advantage(drawn: Resamples) -> Values:
    """Largest difference of true- and false-positive rate over all thresholds; NaN without both classes."""
    false_positive, true_positive = drawn.rates
    return np.asarray((true_positive - false_positive).max(axis=-1))


def tpr_at(drawn: Resamples, false_positive_rate: float) -> Values:
    """True-positive rate at no more than a false-positive rate, both fractions.

    NaN when the rate lies below one non-member, where the data say nothing.
    """
    false, true = drawn.rates
    best = np.where(false <= false_positive_rate + _ROUNDING, true, 0.0).max(axis=-1)
    return np.where(false_positive_rate * drawn.decisions.nonmembers_in(drawn) < 1, np.nan, best)


Statistic = Callable[[Resamples], Values]


@dataclass(frozen=True)
class Decisions:
    """Decisions of an attack: one row a target model, one column a target.

    A resample draws models and targets independently, both with replacement: decisions about one target, or by one
    model, are not independent, and resampling single decisions would make intervals too narrow (Owen 2007, "The
    pigeonhole bootstrap"). `core.statistics.clustered` resamples larger units. Such intervals of most figures are too
    wide, and over few targets not in place; `core.statistics.jackknife` has better ones.

    Attributes:
        member: (models, targets) the secret bits.
        score: (models, targets) higher means more likely a member.
        guess: (models, targets) who is taken for a member; those with a score above 0 unless given.
    """

    member: NDArray[np.bool_]
    score: NDArray[np.float64]
    guess: NDArray[np.bool_] | None = field(default=None, kw_only=True)

    statistics: ClassVar[Mapping[str, Statistic]] = {
        "accuracy": accuracy,
        "auc": auc,
        "advantage": advantage,
        "precision": precision,
        "recall": recall,
        **{name: partial(tpr_at, false_positive_rate=rate) for name, rate in LOW_RATES.items()},
    }
    maxima: ClassVar[frozenset[str]] = frozenset({"advantage"})
    """Figures that are a maximum over thresholds, and so lie above what further games would give."""
    lowest: ClassVar[Mapping[str, float]] = {"advantage": -1.0}
    """The least that a difference of rates can be; that of other figures is 0."""

    @cached_property
    def positive(self) -> NDArray[np.bool_]:
        """Who is taken for a member, (models, targets)."""
        return self.score > 0 if self.guess is None else self.guess

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """Position of each decision from the highest score to the lowest, (decisions,)."""
        return np.argsort(-self.score, axis=None, kind="stable")

    @cached_property
    def ranked_members(self) -> NDArray[np.bool_]:
        """Membership from the highest score to the lowest, (decisions,)."""
        return self.member.ravel()[self.order]

    @cached_property
    def last_of_tie(self) -> NDArray[np.bool_]:
        """Whether the next lower score differs, from the highest score to the lowest, (decisions,)."""
        return np.append(np.diff(self.score.ravel()[self.order]) != 0, True)

    def about(self, targets: NDArray[np.bool_]) -> Self:
        """Return the decisions about the targets marked."""
        guess = None if self.guess is None else self.guess[:, targets]
        return replace(self, member=self.member[:, targets], score=self.score[:, targets], guess=guess)

    def value(self, name: str) -> float:
        """Return a figure without its interval."""
        return float(self.statistics[name](self._once)[0])

    def figures(self, names: Iterable[str], rng: np.random.Generator) -> dict[str, Interval]:
        """Return figures with their 95% bootstrap intervals.

        An interval without width gets Wilson's bound for as many decisions as there are independent units.
        """
        statistics = {name: self.statistics[name] for name in names}
        drawn = [
            {name: statistic(block) for name, statistic in statistics.items()}
            for block in self._resampled(rng, RESAMPLES)
        ]
        return {
            name: self._bounded(self.value(name), np.concatenate([block[name] for block in drawn]))
            for name in statistics
        }

    def chance_advantage(self, rng: np.random.Generator) -> float:
        """Return the mean advantage of these scores under membership bits drawn anew; as a maximum, it lies above 0.

        Without members, or without others, it is 0.
        """
        if not 0 < self.member.sum() < self.member.size:
            return 0.0
        advantages = [float(np.max(hits - alarms)) for hits, alarms in self._rates_by_chance(rng)]
        return max(float(np.mean(advantages)), 0.0)

    def roc(
        self, rates: NDArray[np.float64], rng: np.random.Generator, resamples: int = RESAMPLES
    ) -> Iterator[dict[str, float]]:
        """Yield the true-positive rate at each false-positive rate with its 95% band, as rows of a `ROC` table."""
        drawn = np.concatenate([block.at(rates) for block in self._resampled(rng, resamples)])
        band = np.nanquantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
        for row in zip(rates, self._once.at(rates)[0], *band, strict=True):
            yield dict(zip(ROC, row, strict=True))

    def estimates(
        self,
        figures: Mapping[str, Interval],
        measures: Mapping[str, Measure] = MEASURES,
        suffix: str = "",
        remark: str = "",
    ) -> dict[str, Estimate]:
        """Return the finite ones of some figures as estimates.

        Args:
            figures: By name.
            measures: What they mean; figures not among them are left out.
            suffix: Added to each name.
            remark: Added to each help text.
        """
        members = int(self.member.sum())
        return {
            name + suffix: Estimate(
                value=figure.value,
                low=figure.low,
                high=figure.high,
                chance=measures[name].chance,
                unit=measures[name].unit,
                members=members,
                nonmembers=self.member.size - members,
                help=measures[name].help + remark,
            )
            for name, figure in figures.items()
            if name in measures and np.isfinite(figure.value)
        }

    def nonmembers_in(self, drawn: Resamples) -> NDArray[np.int64]:
        """Return the number of decisions about non-members by which a low false-positive rate is judged measurable."""
        return drawn.count(~self.member)

    @cached_property
    def _once(self) -> Resamples:
        """Every decision counted once."""
        return Resamples(self, np.ones((1, *self.member.shape), np.int64))

    def _resampled(self, rng: np.random.Generator, resamples: int) -> Iterator[Resamples]:
        """Yield resamples, some at a time."""
        models, targets = self.member.shape
        drawn = rng.integers(np.repeat([models, targets], [models, targets]), size=(resamples, models + targets))
        for block in np.array_split(drawn, -(-resamples * self.member.size // CELLS)):
            by_model, by_target = _occurrences(block[:, :models], models), _occurrences(block[:, models:], targets)
            yield Resamples(self, by_model[:, :, None] * by_target[:, None, :])

    def _bounded(self, value: float, drawn: Values) -> Interval:
        finite = drawn[np.isfinite(drawn)]
        return Interval(value, *self._ends(*middle(finite))) if len(finite) else Interval(value)

    def _ends(self, low: float, high: float) -> tuple[float, float]:
        """Return the interval between two quantiles, widened where they are equal."""
        return uncertain(low, high, min(self.member.shape))

    def _redrawn(self, rng: np.random.Generator) -> Iterator[NDArray[np.bool_]]:
        """Yield random membership bits, (models, targets), of as many members."""
        for _ in range(SHUFFLES):
            yield rng.permuted(self.member.ravel()).reshape(self.member.shape)

    def _rates_by_chance(self, rng: np.random.Generator) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
        """Yield true- and false-positive rates at every threshold, (thresholds,), with random membership bits."""
        for member in self._redrawn(rng):
            ranked = member.ravel()[self.order]
            hits, alarms = (np.cumsum(bits)[self.last_of_tie] for bits in (ranked, ~ranked))
            yield hits / hits[-1], alarms / alarms[-1]


def _occurrences(drawn: NDArray[np.int64], values: int) -> NDArray[np.int64]:
    """Return how often each value below a number is in each row, (rows, values)."""
    rows = np.arange(len(drawn))[:, None] * values
    return np.bincount((rows + drawn).ravel(), minlength=len(drawn) * values).reshape(len(drawn), values)
