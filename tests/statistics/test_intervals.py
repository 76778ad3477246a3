"""Shares against Wilson's interval, and how often their intervals cover the truth."""

from collections.abc import Callable
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import expit, logit
from scipy.stats import binomtest, t

from core.statistics.intervals import Interval, difference, mean_of_few, mean_over_models, mean_share, settled


def share(rows: np.ndarray, seed: int = 0, resamples: int = 2000) -> tuple[float, float, float]:
    hits = np.asarray(rows, dtype=np.float64)
    return mean_share(hits, np.ones(hits.shape), np.random.default_rng(seed), resamples)


@pytest.mark.parametrize("rate", [0.5, 0.8])
def test_the_interval_of_one_share_is_wilsons(rate: float) -> None:
    hits = np.random.default_rng(1).random((1, 400)) < rate
    value, low, high = share(hits)
    wilson = binomtest(int(hits.sum()), 400).proportion_ci(method="wilson")
    assert value == pytest.approx(hits.mean())
    assert (low, high) == pytest.approx((wilson.low, wilson.high), abs=0.012)


@pytest.mark.parametrize("right", [0, 30])
def test_a_share_of_nothing_or_all_gets_wilsons_bound(right: int) -> None:
    """The row with the fewest victims counts: all others are right for sure as far as anyone saw."""
    required = np.array([[True] * 30 + [False] * 70, [True] * 100])
    value, low, high = mean_share(
        (required * (right > 0)).astype(np.float64), required.astype(np.float64), np.random.default_rng(0)
    )
    wilson = binomtest(right, 30).proportion_ci(method="wilson")
    assert (value, low, high) == pytest.approx((right / 30, wilson.low, wilson.high), abs=1e-4)


def test_answers_about_one_victim_stay_together() -> None:
    """Ten secrets that are all known of the same victims are worth one; ten independent ones are worth more."""
    rng = np.random.default_rng(0)
    once = rng.random((1, 200)) < 0.6
    _, low, high = share(once)
    _, low_same, high_same = share(np.repeat(once, 10, axis=0))
    _, low_apart, high_apart = share(rng.random((10, 200)) < 0.6)
    assert (low, high) == pytest.approx((low_same, high_same))
    assert high_apart - low_apart == pytest.approx((high - low) / np.sqrt(10), rel=0.2)


def test_each_secret_counts_alike_however_many_were_asked() -> None:
    required = np.array([[1.0] * 20 + [0.0] * 80, [1.0] * 100])
    hits = required * np.array([[0.0], [1.0]])
    value, low, high = mean_share(hits, required, np.random.default_rng(0))
    assert value == 0.5
    assert low < 0.5 < high, "a width of 0 is widened in the middle as well"


def test_shares_are_covered_about_as_often_as_they_say() -> None:
    """Five secrets of 80 victims, some of them easier to read than others; each secret asked of half of them."""
    covered = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        ease = rng.beta(3, 2, size=80)
        required = rng.random((5, 80)) < 0.5
        hits = required & (rng.random((5, 80)) < ease)
        _, low, high = mean_share(hits.astype(np.float64), required.astype(np.float64), rng, 300)
        covered += low <= 0.6 <= high
    assert 0.91 <= covered / 300 <= 0.98


def test_an_interval_over_clusters_covers_others_of_their_kind() -> None:
    """Twenty authors of 25 texts, some recognised far more often than others; the truth is the mean over all."""
    clusters = np.repeat(np.arange(20), 25)
    covered: dict[str, list[bool]] = {"clusters": [], "texts": []}
    for seed in range(120):
        rng = np.random.default_rng(seed)
        hits = (rng.random(500) < rng.beta(2, 2, size=20)[clusters])[None].astype(np.float64)
        for name, drawn in (("clusters", clusters), ("texts", None))[: 1 if seed % 3 else 2]:
            value, low, high = mean_share(hits, np.ones(hits.shape), rng, 200, drawn)
            assert value == hits.mean()
            covered[name].append(low <= 0.5 <= high)
    assert 0.9 <= np.mean(covered["clusters"]) <= 0.99
    assert np.mean(covered["texts"]) < 0.7, "texts of one author are no independent evidence"


def test_clusters_that_are_all_alike_widen_little() -> None:
    hits = np.tile([1.0, 0.0, 1.0, 0.0], 100)[None]
    _, low, high = mean_share(hits, np.ones(hits.shape), np.random.default_rng(0), 2000, np.repeat(np.arange(20), 20))
    _, low_apart, high_apart = share(hits)
    assert high - low == pytest.approx(high_apart - low_apart, rel=0.1)


def test_a_share_of_all_counts_clusters() -> None:
    _, low, _ = mean_share(np.ones((1, 100)), np.ones((1, 100)), np.random.default_rng(0), 50, np.arange(100) // 5)
    wilson = binomtest(20, 20).proportion_ci(method="wilson")
    assert low == pytest.approx(wilson.low, abs=1e-4)


@pytest.mark.parametrize("hits", range(11))
def test_a_count_of_few_gets_the_interval_of_clopper_and_pearson(hits: int) -> None:
    value, low, high = mean_of_few(np.repeat([1.0, 0.0], [hits, 10 - hits]))
    side = {0: "less", 10: "greater"}.get(hits, "two-sided")  # one-sided at the edge
    exact = binomtest(hits, 10, alternative=side).proportion_ci(method="exact")
    assert (value, low, high) == pytest.approx((hits / 10, exact.low, exact.high), abs=1e-9)


def test_few_values_at_their_most_still_get_a_width() -> None:
    most = float(np.log2(10_000))
    value, low, high = mean_of_few(np.full(10, most), most)
    assert (value, high) == pytest.approx((most, most))
    assert low == pytest.approx(0.05 ** (1 / 10) * most), "as for ten of ten"


def test_values_in_between_are_worth_more_than_a_count() -> None:
    graded, count = mean_of_few(np.linspace(0.4, 0.6, 10)), mean_of_few(np.repeat([0.0, 1.0], 5))
    assert count.low < graded.low < 0.5 < graded.high < count.high
    assert mean_of_few(np.array([0.5])).low < 0.1, "one value says next to nothing"


def test_the_mean_over_models_has_students_interval_on_the_scale_of_its_bounds() -> None:
    perplexities = np.array([70.0, 75.0, 80.0, 85.0, 90.0])
    logarithms, odds = mean_over_models(perplexities, share=False), mean_over_models(perplexities / 100, share=True)
    error = np.std(perplexities, ddof=1) / 5**0.5
    reach = t.ppf(0.975, 4) * error / 80
    assert logarithms == pytest.approx((80, 80 * np.exp(-reach), 80 * np.exp(reach)))
    reach = t.ppf(0.975, 4) * error / 100 / (0.8 * 0.2)
    assert odds == pytest.approx((0.8, expit(logit(0.8) - reach), expit(logit(0.8) + reach)))


def test_the_mean_over_models_stays_within_its_bounds() -> None:
    low, high = mean_over_models(np.array([0.97, 0.99, 1.0]), share=True)[1:]
    assert 0 < low < high < 1
    assert mean_over_models(np.array([1.0, 50.0, 400.0]), share=False).low > 0


def test_models_that_are_all_alike_prove_no_more_of_a_share_than_their_number() -> None:
    assert mean_over_models(np.full(5, 0.1), share=True).low < 0.1 < mean_over_models(np.full(5, 0.1), share=True).high
    value, low, high = mean_over_models(np.ones(5), share=True)
    assert (value, low, high) == pytest.approx((1, 1 - 3.84 / 8.84, 1))
    nearly = mean_over_models(np.array([0.1 + 0.2, 0.3, 0.3, 0.3, 0.3]), share=True)
    assert nearly == pytest.approx(mean_over_models(np.full(5, 0.3), share=True)), "rounding is no spread"
    assert mean_over_models(np.full(5, 8.0), share=False) == (8, 8, 8), "a promise, such as epsilon, is no measurement"


@pytest.mark.parametrize("models", [3, 5])
@pytest.mark.parametrize("share", [False, True])
def test_the_interval_of_a_mean_over_few_models_holds_the_truth(models: int, share: bool) -> None:
    """In 600 draws; by the bootstrap, five models held it in 81 of 100."""
    rng = np.random.default_rng(models)
    drawn = rng.beta(5, 95, (600, models)) if share else 80 * rng.lognormal(-0.02, 0.2, (600, models))
    truth = 0.05 if share else 80.0
    intervals = [mean_over_models(values, share=share) for values in drawn]
    assert 0.92 < np.mean([low <= truth <= high for _, low, high in intervals]) < 0.98


@given(
    values=arrays(np.float64, st.integers(3, 12), elements=st.floats(0, 1)),
    left=st.one_of(st.just(0.0), st.floats(0, 1), st.sampled_from([1e-2, 1e-4, 1e-6])),
)
def test_exposures_that_rise_to_the_ceiling_never_lower_their_interval(values: np.ndarray, left: float) -> None:
    """Ten exposures just below the ceiling had a lower end of 14 bits; once they all reached it, of 10.6."""
    risen = 1 - left * (1 - values)
    assert mean_of_few(risen, capped=True).low >= mean_of_few(values, capped=True).low - 1e-9
    assert mean_of_few(values, capped=True).low <= mean_of_few(np.ones(len(values)), capped=True).low


def test_an_end_lies_beyond_chance_only_if_chance_alone_hardly_reaches_the_figure() -> None:
    def drawn(reaching: int, far: float) -> Callable[[], np.ndarray]:
        return lambda: np.repeat([far, 0.5], [reaching, 399 - reaching])

    above, below = Interval(0.6, 0.55, 0.65), Interval(0.4, 0.35, 0.45)
    assert settled(above, 0.5, drawn(9, 0.6)) == above and settled(below, 0.5, drawn(9, 0.4)) == below
    assert settled(above, 0.5, drawn(10, 0.6)) == (0.6, 0.5, 0.65)
    assert settled(below, 0.5, drawn(10, 0.4)) == (0.4, 0.35, 0.5)
    holding, unknown = Interval(0.6, 0.45, 0.65), Interval(float("nan"))
    assert all(settled(one, 0.5, Mock(side_effect=AssertionError)) is one for one in (holding, unknown))


@given(st.floats(-1, 1), st.floats(0.01, 1), st.floats(0.01, 1))
def test_a_difference_of_correlated_figures_has_the_variance_of_textbooks(
    correlation: float, first: float, second: float
) -> None:
    value, low, high = difference(
        Interval(0.5, 0.5 - first, 0.5 + first), Interval(0.2, 0.2 - second, 0.2 + second), correlation=correlation
    )
    apart = first**2 + second**2 - 2 * correlation * first * second
    assert value == pytest.approx(0.3)
    assert [(value - low) ** 2, (high - value) ** 2] == pytest.approx([apart, apart], abs=1e-9)


def test_of_two_correlated_figures_the_end_that_is_far_away_moves_the_difference_only_its_way() -> None:
    """The lower end of the second figure is far; only the upper end of the difference is."""
    value, low, high = difference(Interval(0.9, 0.88, 0.92), Interval(0.8, 0.6, 0.82), correlation=0.5)
    assert value - low == pytest.approx(0.02) and high - value == pytest.approx((0.02**2 + 0.2**2 - 0.004) ** 0.5)
