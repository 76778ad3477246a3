"""Decisions about groups of probes against known answers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.runtime.seeding import generator
from core.statistics.grouped import decide


def strata(apart: float, several: int = 60) -> list[tuple[bool, np.ndarray]]:
    rng = generator(1, "strata")
    return [(member, rng.normal(apart * member, 1, several)) for member in (True, False)]


def test_separate_scores_of_single_probes_are_always_right() -> None:
    grouped = decide([(True, np.array([2.0, 3.0])), (False, np.array([0.0, 1.0]))], 1, 1.5, generator(1, "groups"))
    assert (grouped.accuracy.value, grouped.auc.value) == (1, 1)


def test_groups_that_are_told_apart_perfectly_have_an_interval_nevertheless() -> None:
    grouped = decide(strata(9.0), 20, 4.5, generator(1, "groups"), 50)
    assert (grouped.members, grouped.nonmembers) == (3, 3)
    assert grouped.accuracy == (1, pytest.approx(1 - 3.84 / 9.84), 1)
    assert grouped.auc == (1, pytest.approx(1 - 3.84 / 6.84), 1)


def test_equal_scores_are_right_in_half_of_the_cases() -> None:
    grouped = decide([(True, np.zeros(9)), (False, np.zeros(9))], 3, 0.0, generator(1, "groups"), 50)
    assert (grouped.accuracy.value, grouped.auc.value, grouped.auc.low, grouped.auc.high) == (0.5, 0.5, 0.5, 0.5)


def test_larger_groups_are_decided_better() -> None:
    values = [decide(strata(0.7), size, 0.35, generator(1, "groups")).auc.value for size in (1, 5, 20)]
    assert values[0] + 0.1 < values[1] < values[2] + 1e-9


@given(st.integers(1, 30), st.floats(-1, 1))
def test_figures_are_shares_within_their_intervals(size: int, threshold: float) -> None:
    grouped = decide(strata(0.5, 40), size, threshold, generator(2, "groups"), 40)
    for figure in (grouped.accuracy, grouped.auc):
        assert 0 <= figure.low <= figure.value <= figure.high <= 1


def test_too_few_probes_make_no_group() -> None:
    grouped = decide(strata(1, 4), 5, 0, generator(1, "groups"))
    assert np.isnan(grouped.auc.value)
    assert (grouped.members, grouped.nonmembers) == (0, 0)


def test_groups_are_counted_without_what_is_left_over() -> None:
    several = [*strata(1, 25), *strata(1, 9), (True, np.zeros(11))]
    grouped = decide(several, 10, 0, generator(1, "groups"))
    assert (grouped.members, grouped.nonmembers) == (3, 2)


def test_how_probes_fall_into_groups_is_no_part_of_the_interval() -> None:
    """Ten groups on each side are right in steps of a twentieth; the mean over partitions is not, nor its resamples."""
    grouped = decide(strata(0.6, 300), 30, 0.3, generator(1, "groups"), 200)
    rng, chosen = generator(2, "partitions"), [scores for _, scores in strata(0.6, 300)]
    single = [
        np.mean(
            [
                np.mean((rng.choice(scores, (10, 30)).mean(axis=1) > 0.3) == side)
                for side, scores in zip((1, 0), chosen, strict=True)
            ]
        )
        for _ in range(200)
    ]
    low, high = np.quantile(single, [0.025, 0.975])
    assert grouped.accuracy.high - grouped.accuracy.low < 0.9 * (high - low)
