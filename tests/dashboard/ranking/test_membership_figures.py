"""Whether a suspected text is stored: each sentence says what its table holds, and changes with it."""

import pandas as pd
import pytest

from core.result import Estimate
from dashboard.kit.figures import roc as curves
from dashboard.topics.ranking.figures import membership


def stored(hits: int, alarms: int) -> pd.DataFrame:
    """Return ten stored candidates and ten others, so many of which score above the threshold."""
    rows = [(True, 1.0 if number < hits else -1.0) for number in range(10)]
    rows += [(False, 1.0 if number < alarms else -1.0) for number in range(10)]
    return pd.DataFrame(rows, columns=["member", "score"]).assign(variant="ranking")


def share(value: float, low: float, high: float, chance: float | None) -> Estimate:
    return Estimate(value=value, low=low, high=high, chance=chance, unit="share of texts")


@pytest.mark.parametrize(("hits", "alarms"), [(9, 1), (3, 5)])
def test_what_lies_right_of_the_threshold_is_said(hits: int, alarms: int) -> None:
    sentence = membership.scores_sentence(stored(hits, alarms))
    assert sentence.startswith(
        f"Right of the threshold lie {10 * hits}% of the 10 stored candidates and {10 * alarms}% of the 10 others."
    )


def test_nothing_is_said_of_scores_of_one_kind_alone() -> None:
    members = stored(9, 1).head(10)
    assert membership.scores_sentence(members) == membership.roc_sentence({}, members) == curves.EMPTY


def test_the_curve_is_read_with_the_rates_at_the_threshold() -> None:
    estimates = {
        "auc": Estimate(value=0.9, low=0.8, high=0.95, chance=0.5, unit="probability"),
        "found": share(0.7, 0.6, 0.8, None),
        "false_alarms": share(0.1, 0.05, 0.2, None),
    }
    sentence = membership.roc_sentence(estimates, stored(7, 1))
    assert sentence.startswith("AUC 0.90") and "0.80–0.95" in sentence and "at a false-positive rate" not in sentence
    assert "it finds 70% (60–80%) of the 10 stored texts and takes 10%" in sentence
    other = membership.roc_sentence(
        {**estimates, "found": share(0.2, 0.1, 0.3, None), "tpr_at_1pct_fpr": share(0.4, 0.3, 0.5, 0.01)}, stored(2, 1)
    )
    assert "at a false-positive rate of 1%, 40% (30–50%) of the stored texts are found, chance 1%" in other
    assert "it finds 20% (10–30%) of the 10 stored texts" in other


def test_places_of_own_texts_are_said() -> None:
    def places(*numbers: int) -> pd.DataFrame:
        return pd.DataFrame({"place": numbers})

    assert (
        "as for 1 of 3 victims. Half of all own texts stand in place 4 or before."
        in membership.similarities_sentence(places(1, 4, 9), 10)
    )
    assert membership.similarities_sentence(places(1, 1), 10) == (
        "One point a victim: above the line its own text is nearer than the 9 decoys, as for 2 of 2 victims."
    )
