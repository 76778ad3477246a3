"""ROC curves on logarithmic axes, never below what the counts can say."""

import numpy as np
import pandas as pd
import pytest

from core.result import Estimate
from core.statistics.intervals import uncertain
from dashboard.kit.figures import roc as curves
from dashboard.kit.figures import theme
from dashboard.kit.membership.figures import roc
from tests.dashboard import samples

AREAS = {1: 0.6, 10: float("nan"), 100: 0.998}


def test_curves_begin_at_one_non_member():
    tables = samples.make(plays=24).tables
    figure = roc.figure(tables["roc"], tables["scores"], AREAS)
    curves = [trace for trace in figure.data if trace.mode == "lines" and trace.name not in ("", "chance")]
    assert [trace.name for trace in curves] == ["1 doc, AUC 0.60", "10 docs", "100 docs, AUC 0.998"]
    _, others = roc.counts(tables["scores"], 1)
    assert others == 24 and all(min(trace.x) == pytest.approx(1 / 24) for trace in curves)
    assert samples.has_chance(figure) and len(samples.titles(figure)) == 2
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"


def test_one_percent_is_marked_only_where_it_can_be_measured():
    few, many = (samples.make(sizes=(10,), plays=plays).tables for plays in (20, 120))
    marked = [
        [trace for trace in roc.figure(tables["roc"], tables["scores"], {}).data if trace.mode == "markers"]
        for tables in (few, many)
    ]
    assert not marked[0] and marked[1][0].x[0] == roc.MARK


def test_the_sentence_speaks_of_the_lowest_rate_that_counts_allow():
    few, many = (samples.make(sizes=(10,), plays=plays).tables for plays in (20, 120))
    assert (
        "At a false-positive rate of 5%" in (sentence := roc.sentence(few["roc"], few["scores"]))
        and "already 5%" in sentence
    )
    sentence = roc.sentence(many["roc"], many["scores"])
    assert f"finds {100 * 0.01**0.3:.0f}% (95% interval" in sentence and "chance is 1%" in sentence


@pytest.mark.parametrize("keep", [True, False])
def test_one_class_alone_gives_no_curve(keep):
    tables = samples.make().tables
    scores = tables["scores"][tables["scores"]["member"] == keep]
    figure = roc.figure(tables["roc"], scores, AREAS)
    assert [trace.name for trace in figure.data] == ["chance"]
    assert "both members and non-members" in roc.sentence(tables["roc"], scores)


def test_rates_of_zero_are_not_drawn_on_a_logarithmic_axis():
    tables = samples.make(sizes=(10,)).tables
    zero = tables["roc"].assign(true_positive_rate=0.0, low=0.0, high=np.nan)
    _, curve = roc.figure(zero, tables["scores"], {}).data
    assert curve.name.endswith(": finds none") and set(curve.x) == set(curve.y) == {None}
    assert "no member is found at any rate below 100%: targets of 10 documents." in roc.sentence(zero, tables["scores"])
    assert "no member is found" not in roc.sentence(tables["roc"], tables["scores"])
    assert roc.figure(samples.nothing()["roc"], tables["scores"], {}).to_json()


def test_the_interval_goes_in_the_steps_of_its_curve():
    rates = pd.DataFrame(
        {
            "false_positive_rate": [0.01, 0.5, 1],
            "true_positive_rate": [0, 0.6, 1],
            "low": [0, 0.5, 1],
            "high": [0.02, 0.7, 1],
        }
    )
    drawing = curves.blank(0.01, 0.01, legend=True)
    curves.add(drawing, rates, 0.01, theme.ordered([1])[1], "attack", band=True)
    band = next(trace for trace in drawing.figure().data if trace.fill == "toself")
    outline = list(zip(band.x, band.y, strict=True))
    assert outline[:3] == [(0.5, 0.7), (1, 0.7), (1, 1)], "no slope between measured rates, no band without its curve"
    always = rates.assign(true_positive_rate=0.1)
    sentence = curves.undrawn({"the attack": always, "BLEU": rates}, 100)
    assert sentence == (
        "At low false-positive rates no member is found by BLEU below 50%: a logarithmic axis cannot show 0%."
    )
    assert "by the attack below 50% and BLEU below 50%:" in curves.undrawn({"the attack": rates, "BLEU": rates}, 100)
    assert curves.undrawn({"the attack": always}, 100) == ""
    never = curves.undrawn({"the attack": rates.assign(true_positive_rate=0), "BLEU": rates}, 100)
    assert never == f"{sentence} Not drawn, as no member is found at any rate below 100%: the attack."
    rates = rates.assign(true_positive_rate=[0.02, 0.6, 1])
    drawing = curves.blank(0.01, 0.01, legend=True)
    curves.add(drawing, rates, 0.01, theme.ordered([1])[1], "attack", band=True)
    curves.add(drawing, rates, 0.01, theme.ordered([1])[1], "the same again", band=True)
    band, *_ = [trace for trace in drawing.figure().data if trace.fill == "toself"]
    assert min(band.x) == 0.5 and min(band.y) == 0.5, "no block down to the lower edge, where the interval begins at 0"
    upper = [trace for trace in drawing.figure().data if trace.name == curves.FROM_ZERO]
    assert [(list(trace.x), list(trace.y)) for trace in upper] == [([0.01, 0.5], [0.02, 0.7])] * 2
    assert [trace.showlegend for trace in upper] == [True, False]


def test_a_curve_has_the_intervals_of_the_estimates_and_else_at_least_those_of_independent_decisions():
    rates = {"false_positive_rate": [0.01, 0.1, 1.0], "true_positive_rate": 1.0, "low": 1.0, "high": 1.0}
    sure = pd.DataFrame(rates).assign(size=1)
    scores = pd.DataFrame([{"play": play, "target": target, "size": 1} for play in range(3) for target in range(40)])
    known = Estimate(value=1.0, low=0.7, high=1.0, chance=0.01, unit="share", members=60, nonmembers=60)
    wilson = uncertain(1.0, 1.0, 3)
    bare = roc.settled(sure, scores, {}, "")
    assert list(zip(bare["low"], bare["high"], strict=True)) == [wilson, wilson, (1.0, 1.0)]
    settled = roc.settled(sure, scores, {"tpr_at_1pct_fpr_1": known, "tpr_at_1pct_fpr": bare}, "")
    assert list(zip(settled["low"], settled["high"], strict=True)) == [(0.7, 1.0), (0.7, 1.0), (1.0, 1.0)], (
        "a higher rate finds no fewer members"
    )
    other = roc.settled(sure, scores, {"tpr_at_1pct_fpr_loss_1": known}, "loss")
    assert other["low"].tolist() == settled["low"].tolist()
    wide = roc.settled(sure.assign(low=0.8), scores, {}, "")
    assert wide["low"].tolist() == [0.8] * 3
    falling = roc.settled(sure.assign(low=[0.3, 0.2, 1.0]), scores, {}, "")
    assert falling["low"].tolist() == [0.3, 0.3, 1.0]
