"""Figures of clustered decisions equal those of plain ones, and their intervals respect the clusters."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binomtest

from core.statistics import clustered
from core.statistics.clustered import Clustered
from core.statistics.decisions import Decisions
from core.statistics.intervals import Interval


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def decided(apart: float = 1.0, couples: int = 6, documents: int = 30, each: int = 4, shared: float = 0.0) -> Clustered:
    """Decisions about some examples of each document; a share of the noise belongs to the document and the model."""
    draws = np.random.default_rng(1)
    bits = draws.random((couples, documents)) < 0.5
    member = np.stack([bits, ~bits], axis=1).reshape(-1, documents)
    noise = draws.normal(size=(2 * couples, documents, each)) * (1 - shared)
    noise += draws.normal(size=(2 * couples, documents, 1)) * shared
    score = (apart * (member[:, :, None] - 0.5) + noise).reshape(2 * couples, -1)
    document = np.repeat(np.arange(documents), each)
    return Clustered(np.repeat(member, each, axis=1), score, np.repeat(np.arange(couples), 2), document)


def figures(decisions: Clustered, *names: str) -> dict[str, Interval]:
    return decisions.figures(names, rng())


def bootstrapped(decisions: Clustered, *names: str) -> dict[str, Interval]:
    return Decisions.figures(decisions, names, rng())


def test_figures_agree_with_those_of_plain_decisions() -> None:
    decisions = decided()
    plain = Decisions(decisions.member, decisions.score)
    intervals = figures(decisions, *Clustered.statistics)
    for name in ("accuracy", "auc", "advantage", "precision", "recall", "tpr_at_1pct_fpr"):
        assert intervals[name].value == pytest.approx(plain.value(name))
    assert np.isnan(intervals["tpr_at_0.1pct_fpr"].value), "one of 720 non-members is more than 0.1%"
    assert intervals["decided"].value == pytest.approx(2 * plain.value("accuracy") - 1, abs=0.02)
    for figure in intervals.values():
        assert figure.low <= figure.value <= figure.high or np.isnan(figure.value)


def test_where_half_of_all_decisions_are_about_members_accuracy_has_the_interval_of_the_difference_of_rates() -> None:
    decisions = decided()
    assert all(decisions.member[::2].sum(axis=0) + decisions.member[1::2].sum(axis=0) == 6)
    intervals = figures(decisions, "accuracy", "decided")
    assert intervals["decided"] == pytest.approx([2 * end - 1 for end in intervals["accuracy"]])


def test_ties_count_half() -> None:
    decisions = decided()
    rounded = Clustered(decisions.member, np.round(decisions.score), decisions.couple, decisions.document)
    assert rounded.value("auc") == pytest.approx(Decisions(rounded.member, rounded.score).value("auc"))


def test_the_curve_agrees_with_that_of_plain_decisions() -> None:
    decisions = decided()
    rates = np.array([0.0, 0.01, 0.1, 0.5, 1.0])
    curves = [of.roc(rates, rng(), 50) for of in (decisions, Decisions(decisions.member, decisions.score))]
    mine, plain = ([row["true_positive_rate"] for row in curve] for curve in curves)
    assert mine == pytest.approx(plain)


def test_chance_lies_within_the_interval_of_random_scores() -> None:
    intervals = figures(decided(apart=0.0), "auc", "decided")
    assert intervals["auc"].low < 0.5 < intervals["auc"].high
    assert intervals["decided"].low < 0 < intervals["decided"].high


def test_decisions_that_share_a_document_make_the_interval_wider() -> None:
    independent, shared = (figures(decided(apart=0.3, shared=share), "auc")["auc"] for share in (0.0, 0.7))
    assert shared.high - shared.low > 1.3 * (independent.high - independent.low)


def test_decisions_that_share_nothing_are_counted_once() -> None:
    """The bootstrap of couples and documents counts the variance of single decisions three times."""
    alone = decided(apart=0.3, couples=20, documents=30, each=1)
    names = ("accuracy", "auc")
    once, thrice = figures(alone, *names), bootstrapped(alone, *names)
    for name in names:
        assert once[name].value == thrice[name].value
        assert once[name].high - once[name].low < 0.8 * (thrice[name].high - thrice[name].low), name
    share = binomtest(int((alone.positive == alone.member).sum()), alone.member.size).proportion_ci(method="wilson")
    assert once["accuracy"].low == pytest.approx(share.low, abs=0.02)
    assert once["accuracy"].high == pytest.approx(share.high, abs=0.02)


def test_many_decisions_are_left_out_in_groups_with_about_the_same_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    few = decided(apart=0.5, couples=6, documents=60, each=2)
    singly = figures(few, "auc")["auc"]
    monkeypatch.setattr(clustered, "_CELLS", 0)
    in_groups = figures(few, "auc")["auc"]
    assert in_groups.value == singly.value and in_groups != singly
    assert in_groups.high - in_groups.low == pytest.approx(singly.high - singly.low, rel=0.15)


def test_a_single_couple_says_nothing_of_others() -> None:
    alone = decided(couples=1, documents=80)
    assert figures(alone, "auc", "accuracy") == bootstrapped(alone, "auc", "accuracy")


def test_guesses_have_an_advantage_above_0_since_it_is_a_maximum() -> None:
    nothing = decided(apart=0.0)
    by_chance = nothing.chance_advantage(rng())
    assert 0 < by_chance < 0.12
    assert nothing.value("advantage") == pytest.approx(by_chance, abs=0.08)
    assert decided(apart=3.0).chance_advantage(rng()) < 0.12


def test_a_score_from_the_texts_alone_is_right_in_exactly_half() -> None:
    decisions = decided()
    alone = np.tile(np.random.default_rng(2).normal(size=decisions.score.shape[1]), (len(decisions.score), 1))
    by_texts = Clustered(decisions.member, alone, decisions.couple, decisions.document)
    for figure in figures(by_texts, "accuracy", "auc").values():
        assert (figure.value, figure.low, figure.high) == (0.5, 0.5, 0.5)


def test_perfect_scores_have_an_interval_nevertheless() -> None:
    area = figures(decided(apart=1000.0), "auc")["auc"]
    assert area.value == area.high == 1 and 0.5 < area.low < 1


def test_figures_of_random_scores_lie_in_the_ranges_of_chance() -> None:
    nothing, something = decided(apart=0.0), decided(apart=3.0)
    for decisions, inside in ((nothing, True), (something, False)):
        for name, (low, high) in {
            "auc": decisions.chance_areas(rng()),
            "accuracy": decisions.chance_shares(rng()),
        }.items():
            assert low < 0.5 < high
            assert (low <= decisions.value(name) <= high) == inside, name


def test_the_interval_of_an_advantage_by_chance_alone_reaches_down_to_none() -> None:
    low = [figures(by_chance(seed), "advantage")["advantage"].low for seed in range(10)]
    assert max(low) < 0.02
    leaked = figures(decided(apart=3.0), "advantage")["advantage"]
    assert leaked.low > 0.5 and leaked.low <= leaked.value <= leaked.high


def by_chance(seed: int) -> Clustered:
    """Return decisions by scores that tell nothing."""
    decisions = decided()
    return replace(decisions, score=np.random.default_rng(seed).normal(size=decisions.member.shape))
