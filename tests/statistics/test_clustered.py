"""Figures of clustered decisions are those of plain ones, and their intervals know the clusters."""

import numpy as np
import pytest

from core.statistics.clustered import Clustered
from core.statistics.decisions import Trials, accuracy, advantage, auc, roc_band, tpr_at


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def made(apart: float = 1.0, couples: int = 6, documents: int = 30, each: int = 4, shared: float = 0.0) -> Clustered:
    """Decisions about some examples of each document; a share of the noise belongs to the document and the model."""
    draws = np.random.default_rng(1)
    bits = draws.random((couples, documents)) < 0.5
    member = np.stack([bits, ~bits], axis=1).reshape(-1, documents)
    noise = draws.normal(size=(2 * couples, documents, each)) * (1 - shared)
    noise += draws.normal(size=(2 * couples, documents, 1)) * shared
    score = (apart * (member[:, :, None] - 0.5) + noise).reshape(2 * couples, -1)
    document = np.repeat(np.arange(documents), each)
    return Clustered(np.repeat(member, each, axis=1), score, np.repeat(np.arange(couples), 2), document)


def test_figures_agree_with_those_of_plain_decisions() -> None:
    decisions = made()
    trials = Trials(decisions.member, decisions.score, decisions.score > 0)
    found = decisions.figures(rng())
    assert found["accuracy"].value == pytest.approx(accuracy(trials))
    assert found["auc"].value == pytest.approx(auc(trials))
    assert found["advantage"].value == pytest.approx(advantage(trials))
    assert found["tpr_at_1pct_fpr"].value == pytest.approx(tpr_at(trials, 0.01))
    assert np.isnan(found["tpr_at_0.1pct_fpr"].value), "one of 720 non-members is more than 0.1 %"
    assert found["decided"].value == pytest.approx(2 * accuracy(trials) - 1, abs=0.02)
    for figure in found.values():
        assert figure.low <= figure.value <= figure.high or np.isnan(figure.value)


def test_ties_count_half() -> None:
    decisions = made()
    rounded = Clustered(decisions.member, np.round(decisions.score), decisions.couple, decisions.document)
    trials = Trials(rounded.member, rounded.score, rounded.score > 0)
    assert rounded.figures(rng())["auc"].value == pytest.approx(auc(trials))


def test_the_curve_agrees_with_that_of_plain_decisions() -> None:
    decisions = made()
    trials = Trials(decisions.member, decisions.score, decisions.score > 0)
    rates = np.array([0.0, 0.01, 0.1, 0.5, 1.0])
    expected, _, _ = roc_band(trials, rates, rng(), resamples=2)
    assert [point.value for point in decisions.curve(rates, rng())] == pytest.approx(expected.tolist())


def test_chance_lies_within_the_interval_of_scores_that_know_nothing() -> None:
    found = made(apart=0.0).figures(rng())
    assert found["auc"].low < 0.5 < found["auc"].high
    assert found["decided"].low < 0 < found["decided"].high


def test_decisions_that_share_a_document_make_the_interval_wider() -> None:
    alone, shared = (made(apart=0.3, shared=share).figures(rng())["auc"] for share in (0.0, 0.7))
    assert shared.high - shared.low > 1.3 * (alone.high - alone.low)


def test_guessing_has_an_advantage_above_0_since_it_is_a_maximum() -> None:
    nothing = made(apart=0.0)
    guessing = nothing.guessing(rng())
    assert 0 < guessing < 0.12
    assert nothing.figures(rng())["advantage"].value == pytest.approx(guessing, abs=0.08)
    assert made(apart=3.0).guessing(rng()) < 0.12


def test_a_score_from_the_texts_alone_is_right_in_exactly_half() -> None:
    decisions = made()
    alone = np.tile(np.random.default_rng(2).normal(size=decisions.score.shape[1]), (len(decisions.score), 1))
    found = Clustered(decisions.member, alone, decisions.couple, decisions.document).figures(rng())
    for name in ("accuracy", "auc"):
        figure = found[name]
        assert (figure.value, figure.low, figure.high) == pytest.approx((0.5, 0.5, 0.5))


def test_perfect_scores_have_an_interval_nevertheless() -> None:
    found = made(apart=1000.0).figures(rng())["auc"]
    assert found.value == found.high == 1 and 0.5 < found.low < 1


def test_without_knowledge_nineteen_of_twenty_figures_lie_in_the_ranges_of_chance() -> None:
    nothing, something = made(apart=0.0), made(apart=3.0)
    for decisions, inside in ((nothing, True), (something, False)):
        figures = decisions.figures(rng())
        for name, (low, high) in {
            "auc": decisions.chance_areas(rng()),
            "accuracy": decisions.chance_shares(rng()),
        }.items():
            assert low < 0.5 < high
            assert (low <= figures[name].value <= high) == inside, name
