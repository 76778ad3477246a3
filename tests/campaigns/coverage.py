"""How often the intervals that Telltale shows hold the truth, in simulated games whose truth is known; -m."""

import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import norm

from core.access import Access
from core.games.canaries.exposure import unlearnt
from core.games.inversion.contract import Answer
from core.games.inversion.score import Scorer
from core.games.membership.split import secret_bits
from core.statistics.clustered import Clustered
from core.statistics.decisions import Decisions
from core.statistics.grouped import decide
from core.statistics.intervals import Interval, mean_of, mean_of_few, mean_share
from core.statistics.jackknife import figures_over_targets
from core.statistics.measures import LOW_RATES
from core.statistics.privacy_audit import epsilon_at_least
from core.statistics.within_target import within_targets
from core.targets.trained_target import TrainedTarget, Utility, utility_estimates
from core.text import word_sets
from tests.campaigns.campaign import command

LEAKS = ("none", "weak", "strong")
LEAST, MOST = 0.93, 0.97
"""Shares of intervals of 95% that hold the truth; what lies between is as promised."""
_SHAPES = ((50, 10), (30, 20), (20, 8), (5, 50))
"""Target models and targets of games about as large as those whose results come with the code."""
_FEW_MODELS = ((5, 50), (4, 40), (3, 20), (3, 400), (2, 1000))
"""The same of games with few models."""
_FEW_TARGETS = ((50, 6), (50, 4))
"""The same of games with few targets, as those of probing."""
_HALF_IN = ((4, 20), (5, 20), (6, 20), (10, 40), (3, 400))
"""The same of games in which half of the targets are in, as those of suggested words and of language models."""
_LEAKING = 0.2
"""Share of targets that leak anything, where few do."""
_RISE = {"none": 0.0, "weak": 1.0, "strong": 3.0}
_LARGE_RISE = {"none": 4.5, "weak": 6.0, "strong": 8.0}
"""Leaks of kinds whose targets all leak more than a strong leak."""
_GROUP = 30
_DELTA = 1e-5
_ROUNDING = 1e-9

Game = Callable[[np.random.Generator, str], tuple[float, Interval]]
"""Plays the statistics of a game with a leak, and returns the truth and the interval that Telltale gives."""


class Scores:
    """Scores of targets by models: they rise by what leaks of a target, from a level of the target and the model.

    Attributes:
        leak: Mean rise of a member's score, in standard deviations of its noise; the threshold lies at half of it.
        leaking: Share of targets whose members' scores rise at all.
    """

    def __init__(self, leak: str, level: float = 0.5, leaking: float = 1.0, *, large: bool = False) -> None:
        self.leak, self.level, self.model, self.leaking = (_LARGE_RISE if large else _RISE)[leak], level, 0.3, leaking
        self.spread = self.leak / 3

    def draw(self, rng: np.random.Generator, member: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Draw scores, (models, targets)."""
        models, targets = member.shape
        rise, level = rng.normal(self.leak, self.spread, targets), rng.normal(0, self.level, targets)
        if self.leaking < 1:
            rise *= rng.random(targets) < self.leaking
        noise = rng.normal(0, self.model, (models, 1)) + rng.normal(size=member.shape)
        return np.asarray(member * rise + level + noise - self.leak / 2)

    def truth(self, name: str) -> float:
        """Return a figure of all targets and models of this kind."""
        outside = (self.level**2 + self.model**2 + 1) ** 0.5
        inside = (outside**2 + self.spread**2) ** 0.5

        def alarms(threshold: float) -> float:
            return float(norm.sf((threshold + self.leak / 2) / outside))

        def hits(threshold: float) -> float:
            share = float(norm.sf((threshold - self.leak / 2) / inside))
            return self.leaking * share + (1 - self.leaking) * alarms(threshold)

        def difference(threshold: float) -> float:
            return hits(threshold) - alarms(threshold)

        def area(shared: float) -> float:
            apart = (inside**2 + outside**2 - 2 * shared) ** 0.5
            return self.leaking * float(norm.cdf(self.leak / apart)) + (1 - self.leaking) / 2

        if name == "advantage":
            minimum = minimize_scalar(lambda threshold: -difference(threshold), bounds=(-5, 5), method="bounded")
            return max(-float(minimum.fun), 0.0)
        strict = norm.isf(0.01) * outside - self.leak / 2
        return {
            "accuracy": (1 + difference(0.0)) / 2,
            "decided": difference(0.0),
            "auc": area(0.0),
            "within": area(self.level**2),
            "gain": area(self.level**2) - area(0.0),
            "tpr_at_1pct_fpr": hits(strict),
        }[name]


def _of_targets(
    name: str,
    shapes: Sequence[tuple[int, int]] = _SHAPES,
    leaking: float = 1.0,
    *,
    large_rise: bool = False,
    half: bool = False,
) -> Game:
    def game(rng: np.random.Generator, leak: str) -> tuple[float, Interval]:
        scores = Scores(leak, leaking=leaking, large=large_rise)
        large = [shape for shape in shapes if name not in LOW_RATES or np.prod(shape) >= 250]
        models, targets = large[rng.integers(len(large))]
        member = secret_bits((models, 1, targets), rng, independent=not half)
        decisions = Decisions(member, scores.draw(rng, member))
        return scores.truth(name), figures_over_targets(decisions, [name], rng)[name]

    return game


def _within(name: str, leaking: float = 1.0, *, large_rise: bool = False) -> Game:
    def game(rng: np.random.Generator, leak: str) -> tuple[float, Interval]:
        scores = Scores(leak, level=1.0, leaking=leaking, large=large_rise)
        member = rng.random(_SHAPES[rng.integers(len(_SHAPES) - 1)]) < 0.5
        ranking = within_targets(member, scores.draw(rng, member))
        return (scores.truth("within"), ranking.auc) if name == "within" else (scores.truth("gain"), ranking.gain)

    return game


def _of_documents(name: str) -> Game:
    def game(rng: np.random.Generator, leak: str) -> tuple[float, Interval]:
        scores = Scores(leak)
        documents, couples = int(rng.choice([60, 200])), int(rng.choice([4, 8]))
        first = rng.random((couples, documents)) < 0.5
        member = np.stack([first, ~first], axis=1).reshape(2 * couples, documents)
        couple, document = np.arange(2 * couples) // 2, np.arange(documents)
        figure = Clustered(member, scores.draw(rng, member), couple, document).figures([name], rng)[name]
        return scores.truth(name), figure

    return game


def _of_groups(name: str) -> Game:
    def game(rng: np.random.Generator, leak: str) -> tuple[float, Interval]:
        rise, probes = {"none": 0.0, "weak": 0.2, "strong": 0.6}[leak], int(rng.choice([300, 900]))
        strata = [(member, rng.normal(rise / 2 if member else -rise / 2, 1, probes)) for member in (True, False)]
        decided = decide(strata, _GROUP, 0.0, rng, 200)
        apart = rise * _GROUP**0.5
        if name == "accuracy":
            return float(norm.cdf(apart / 2)), decided.accuracy
        return float(norm.cdf(apart / 2**0.5)), decided.auc

    return game


def _mean_over_victims(rng: np.random.Generator, leak: str) -> tuple[float, Interval]:
    truth = rng.uniform(*{"none": (0.02, 0.1), "weak": (0.1, 0.6), "strong": (0.6, 0.97)}[leak])
    victims = int(rng.choice([60, 300, 1000]))
    return truth, mean_of(rng.random(victims) < truth, rng)


def _graded_mean_over_victims(rng: np.random.Generator, leak: str) -> tuple[float, Interval]:
    high, low = {"none": (0.5, 9.5), "weak": (2, 3), "strong": (6, 1)}[leak]
    return high / (high + low), mean_of(rng.beta(high, low, int(rng.choice([60, 300, 1000]))), rng)


def _exact_matches(rng: np.random.Generator, leak: str) -> tuple[float, Interval]:
    truth = rng.uniform(*{"none": (0.001, 0.01), "weak": (0.01, 0.1), "strong": (0.1, 0.5)}[leak])
    return truth, mean_of(rng.random(int(rng.choice([100, 300, 1000]))) < truth, rng)


def _accuracy_over_authors(rng: np.random.Generator, leak: str) -> tuple[float, Interval]:
    high, low = {"none": (2, 38), "weak": (3, 6), "strong": (6, 2)}[leak]
    authors, texts = 21, 50
    clusters = np.repeat(np.arange(authors), texts)
    hits = (rng.random(authors * texts) < rng.beta(high, low, authors)[clusters])[None].astype(np.float64)
    return high / (high + low), mean_share(hits, np.ones(hits.shape), rng, clusters=clusters)


def _named_words(rng: np.random.Generator, leak: str, texts: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which words each text has, and which are named for it, (texts, words) both."""
    right, wrong = {"none": (0.1, 0.1), "weak": (0.4, 0.05), "strong": (0.8, 0.02)}[leak]
    present = rng.random((texts, 40)) < rng.beta(2, 6, texts)[:, None]
    present[:, 0] = True
    return present, rng.random(present.shape) < np.where(present, right, wrong)


@cache
def _true_f1(leak: str) -> float:
    present, named = _named_words(np.random.default_rng(0), leak, 50_000)
    sizes = present.sum(axis=1)
    return word_sets.f1(*(float(each.mean()) for each in word_sets.overlap(named, present, sizes)))


def _f1_over_texts(rng: np.random.Generator, leak: str) -> tuple[float, Interval]:
    present, named = _named_words(rng, leak, int(rng.choice([60, 300])))
    words = tuple(f"w{number}" for number in range(present.shape[1]))
    texts = [frozenset(word for word, there in zip(words, row, strict=True) if there) for row in present]
    rows = np.arange(len(texts))
    scorer = Scorer(texts, rows, rows, texts[:1], "some", int(rng.integers(2**31)))
    scorer.add("some", Answer(words, named.astype(np.float32), named))
    estimate = scorer.estimates()["f1"]
    return _true_f1(leak), Interval(estimate.value, estimate.low, estimate.high)


def _canaries_read(rng: np.random.Generator, leak: str) -> tuple[float, Interval]:
    truth = rng.uniform(*{"none": (0.0, 0.05), "weak": (0.05, 0.5), "strong": (0.5, 1.0)}[leak])
    return truth, mean_of_few((rng.random(10) < truth).astype(np.float64))


def _exposure(rng: np.random.Generator, leak: str) -> tuple[float, Interval]:
    """Ten secrets of 10,000: some rank first, others anywhere."""
    secrets = 10_000
    first = rng.uniform(*{"none": (0.0, 0.0), "weak": (0.1, 0.6), "strong": (0.6, 1.0)}[leak])
    ranks = np.where(rng.random(10) < first, 1, rng.integers(1, secrets + 1, 10))
    most = float(np.log2(secrets))
    return first * most + (1 - first) * unlearnt(secrets), mean_of_few(most - np.log2(ranks), most, capped=True)


@cache
def _gaussian_shift(epsilon: float) -> float:
    """Return the distance of means, in standard deviations, of Gaussian noise with an epsilon (Balle and Wang 2018)."""

    def failing(shift: float) -> float:
        middle = epsilon / shift
        return float(norm.cdf(shift / 2 - middle) - np.exp(epsilon) * norm.cdf(-shift / 2 - middle))

    return float(brentq(lambda shift: failing(shift) - _DELTA, 1e-3, 50))


def _epsilon(*, gaussian: bool) -> Game:
    """One model whose training changes twice with each unit, as where a unit that is out is replaced by another."""

    def game(rng: np.random.Generator, leak: str) -> tuple[float, Interval]:
        epsilon = {"none": 0.1, "weak": 1.0, "strong": 2.0}[leak]
        member = rng.random((1, int(rng.choice([200, 1000])))) < 0.5
        if gaussian:
            score = member + rng.normal(0, 1 / (2 * _gaussian_shift(epsilon)), member.shape)
        else:
            answered = member ^ (rng.random(member.shape) > 1 / (1 + np.exp(-2 * epsilon)))
            score = answered + rng.uniform(0, 0.1, member.shape)
        bound, _ = epsilon_at_least(member, score, _DELTA, gaussian=gaussian)
        return epsilon, Interval(bound, bound, float("inf"))

    return game


def _utility(draw: Callable[[np.random.Generator, int], NDArray[np.float64]], truth: float, unit: str) -> Game:
    """The mean over target models: a leak stands for few, some and many of them."""

    def game(rng: np.random.Generator, leak: str) -> tuple[float, Interval]:
        models = int(rng.choice({"none": (3, 4, 5), "weak": (8, 20), "strong": (30, 50)}[leak]))
        targets = [TrainedTarget(Access(), {"utility": Utility(value, unit, "")}) for value in draw(rng, models)]
        estimate = utility_estimates(targets)["utility"]
        return truth, Interval(estimate.value, estimate.low, estimate.high)

    return game


KINDS: dict[str, Game] = {
    **{f"{name} over targets": _of_targets(name) for name in ("accuracy", "auc", "advantage", "tpr_at_1pct_fpr")},
    **{f"{name} over 2 to 5 models": _of_targets(name, _FEW_MODELS) for name in ("accuracy", "auc", "advantage")},
    **{f"{name} over 4 to 6 targets": _of_targets(name, _FEW_TARGETS) for name in ("accuracy", "auc", "advantage")},
    **{
        f"{name} where few targets leak": _of_targets(name, leaking=_LEAKING)
        for name in ("accuracy", "auc", "advantage")
    },
    **{
        f"{name} over targets that leak more": _of_targets(name, large_rise=True)
        for name in ("accuracy", "auc", "advantage")
    },
    **{
        f"{name} over 4 to 6 targets that leak more": _of_targets(name, _FEW_TARGETS, large_rise=True)
        for name in ("accuracy", "auc", "advantage")
    },
    **{
        f"{name} over targets half of which are in": _of_targets(name, _HALF_IN, half=True)
        for name in ("accuracy", "auc", "advantage")
    },
    "auc within targets": _within("within"),
    "auc within targets that leak more": _within("within", large_rise=True),
    "auc within targets where few leak": _within("within", _LEAKING),
    "auc within targets less that of all": _within("gain"),
    **{
        f"{name} over couples and documents": _of_documents(name)
        for name in ("accuracy", "auc", "decided", "advantage", "tpr_at_1pct_fpr")
    },
    **{f"{name} of groups of {_GROUP}": _of_groups(name) for name in ("accuracy", "auc")},
    "share of victims": _mean_over_victims,
    "mean over victims": _graded_mean_over_victims,
    "accuracy over authors": _accuracy_over_authors,
    "f1 over texts": _f1_over_texts,
    "exact matches over texts": _exact_matches,
    "canaries read of 10": _canaries_read,
    "exposure of 10": _exposure,
    "perplexity over models": _utility(lambda rng, models: 80 * rng.lognormal(-0.02, 0.2, models), 80.0, "words"),
    "share of utility over models": _utility(lambda rng, models: rng.beta(5, 95, models), 0.05, "share of documents"),
    "epsilon of any mechanism": _epsilon(gaussian=False),
    "epsilon of a Gaussian": _epsilon(gaussian=True),
}
CAUTIOUS = frozenset(
    {
        *("canaries read of 10", "epsilon of any mechanism", "epsilon of a Gaussian", "tpr_at_1pct_fpr over targets"),
        *("auc over targets that leak more", "auc within targets that leak more"),
        *(f"{name} over 4 to 6 targets that leak more" for name in ("auc", "advantage")),
        "accuracy over targets half of which are in",
    }
)
"""Kinds that promise at least 95%: bounds, counts of a few, a rate that hangs on one or two non-members, figures near
their bound, which few targets cannot tell from it, and shares over few models, whose spread nobody knows."""


def attempt(number: int, rng: random.Random) -> str:
    """Simulate one game of one kind; the leaks take turns."""
    kind = list(KINDS)[number % len(KINDS)]
    leak = LEAKS[number // len(KINDS) % len(LEAKS)]
    truth, (value, low, high) = KINDS[kind](np.random.default_rng(rng.getrandbits(64)), leak)
    assert not np.isnan([value, low, high]).any(), f"{kind}, leak {leak}: no interval"
    side = "below" if truth < low - _ROUNDING else "above" if truth > high + _ROUNDING else "held"
    return f"{kind}|{leak}|{side}"


def shares(counts: Counter[str], kind: str, leaks: Sequence[str] = LEAKS) -> dict[str, float]:
    """Return how often the truth of a kind of game was held, lay below or above the interval; NaN before any."""
    counted = {side: sum(counts[f"{kind}|{leak}|{side}"] for leak in leaks) for side in ("held", "below", "above")}
    total = sum(counted.values())
    return {side: number / total if total else float("nan") for side, number in counted.items()}


def report(counts: Counter[str]) -> tuple[list[str], list[str]]:
    """Return the lines of a table, one a kind, and the kinds that break what they promise."""
    lines = ["| interval | none | weak | strong | all | truth below | above |", "|---|---|---|---|---|---|---|"]
    broken = []
    for kind in KINDS:
        overall = shares(counts, kind)
        by_leak = [shares(counts, kind, [leak])["held"] for leak in LEAKS]
        cells = [*by_leak, *(overall[side] for side in ("held", "below", "above"))]
        lines.append(f"| {kind} | " + " | ".join(f"{100 * cell:.1f}" for cell in cells) + " |")
        if not LEAST <= overall["held"] <= (1 if kind in CAUTIOUS else MOST):
            broken.append(f"{kind}: {100 * overall['held']:.1f}%")
    return lines, broken


if __name__ == "__main__":
    sys.exit(command("coverage", attempt, 1_000 * len(KINDS), report))
