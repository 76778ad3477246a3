"""Gain by shadow pairs: the figure is of the table, and the sentence follows from it, also a contrary one."""

import pytest

from dashboard.topics.language_models.figures import over_pairs
from tests.dashboard.kept_results import Open, figures
from tests.dashboard.language_models import samples
from tests.dashboard.samples import has_chance, validated

FREE = ("zlib_ratio", "min_k")


def table(first=1.0, apart=9.0, free=0.5):
    made = samples.made(samples.RATIO, apart=apart, more=FREE, fewer=((1, first), (2, apart)))
    curve = made.tables["curve"]
    weak = curve["variant"].isin(["loss", *FREE])
    ends = {"auc": 0.5 + free / 10, "auc_low": 0.45, "auc_high": 0.55 + free / 10}
    return over_pairs.table(curve.assign(**{name: curve[name].mask(weak, value) for name, value in ends.items()}))


def test_every_number_of_pairs_is_compared_with_the_best_statistic_without_them() -> None:
    rows = table()
    assert rows["pairs"].tolist() == [1, 2, 4, 0, 0, 0]
    best = rows.loc[rows["pairs"] == 0, "auc"].max()
    attack = rows[rows["pairs"] > 0]
    assert (attack["auc"] - attack["gain"]).tolist() == pytest.approx([best] * 3)
    figure = validated(over_pairs.figure(rows))
    assert has_chance(figure)
    assert {"Likelihood ratio (the attack)", "Loss alone"} <= {trace.name for trace in figure.data}
    assert over_pairs.table(samples.made(samples.RATIO).tables["curve"]).empty, "one number of pairs is no comparison"


def test_the_sentence_follows_from_the_gains() -> None:
    sentence = over_pairs.sentence(table())
    assert "Without a shadow model, “" in sentence and "The likelihood ratio adds" in sentence
    assert "with 1 pair" in sentence and "with 4 pairs" in sentence
    none = over_pairs.sentence(table(first=0.0, apart=0.0, free=3.0))
    assert "None of these gains is shown to be above 0." in none and "rank better than" not in none
    assert over_pairs.sentence(over_pairs.table(samples.made(samples.LOSS).tables["curve"])) == over_pairs._EMPTY


@pytest.mark.parametrize(
    ("gain_lows", "says"),
    [
        ((0.1, 0.1, 0.1), "It is above 0 from 1 pair on."),
        ((0.0, 0.1, 0.1), "It is above 0 from 2 pairs on."),
        ((-0.1, 0.0, 0.1), "It is above 0 from 4 pairs on."),
        ((0.1, 0.0, 0.1), ""),
        ((0.0, -0.1, 0.0), "None of these gains is shown to be above 0."),
    ],
)
def test_a_gain_is_above_0_from_as_many_pairs_as_its_intervals_show(gain_lows, says):
    rows = table()
    rows.loc[rows["pairs"] > 0, "gain_low"] = gain_lows
    sentence = over_pairs.sentence(rows)
    assert says in sentence and ("above 0" in sentence) == bool(says)


@pytest.mark.parametrize(("low", "better"), [(0.71, True), (0.65, False), (0.5, False)])
def test_more_pairs_rank_better_where_the_difference_is_shown(low, better):
    rows = table()
    rows.loc[rows["pairs"] > 0, "gain_low"] = 0.1
    rows.loc[rows["pairs"] == 1, ["auc", "auc_low", "auc_high"]] = 0.6, 0.5, 0.7
    rows.loc[rows["pairs"] == 4, ["auc", "auc_low", "auc_high"]] = 0.72, low, 0.9
    sentence = over_pairs.sentence(rows)
    assert sentence.endswith(" 4 pairs rank better than 1.") == better
    assert sentence.endswith(" That 4 pairs rank better than 1 is not shown.") != better


def test_the_page_shows_it_where_several_numbers_were_played(open_result: Open) -> None:
    several = samples.made(samples.RATIO, more=FREE, fewer=((1, 1.0), (2, 2.0)))
    assert "over-pairs" in figures(open_result(several, unfolded=True))
