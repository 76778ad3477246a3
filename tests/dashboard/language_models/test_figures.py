"""Figures of attacks by the probability of texts: every statistic, words of a document, and the papers."""

from dataclasses import replace
from functools import cache

import numpy as np

from core.attacks.loss_membership import LossMembership
from core.result import Estimate, table
from core.statistics.intervals import uncertain
from core.statistics.wording import percent
from dashboard.kit.figures.wording import variant
from dashboard.kit.membership.figures import headline
from dashboard.topics.language_models.figures import paper, statistics, words
from tests.dashboard.language_models import samples
from tests.dashboard.samples import has_chance, titles


@cache
def usual():
    return samples.made()


def scores():
    return usual().tables["scores"]


def rivals():
    return usual().tables["rivals"]


def shown_points():
    return statistics.points(usual().tables["roc"], scores(), rivals(), usual().estimates, samples.LOSS, 5)


def test_every_statistic_has_a_curve_and_the_text_alone_is_read_first():
    assert statistics.sizes(scores()) == [1, 5]
    shown = shown_points()
    assert list(dict.fromkeys(shown["variant"])) == [
        *("model_free", samples.LOSS, "loss", "min_k", "min_k_plus", "zlib_ratio")
    ]
    assert (shown["low"] <= shown["true_positive_rate"] + 1e-9).all()
    assert set(shown["members"]) == set(shown["nonmembers"]) == {10}
    curve = ["true_positive_rate", "low", "high"]
    attacks_curve = shown[shown["variant"] == samples.LOSS].set_index("false_positive_rate")[curve]
    game = usual().tables["roc"].query("size == 5").set_index("false_positive_rate")[curve]
    known = attacks_curve["low"] < attacks_curve["high"]
    assert np.array_equal(attacks_curve["true_positive_rate"], game["true_positive_rate"]), "the very curve of the game"
    assert np.array_equal(
        attacks_curve[known & (game["low"] < game["high"])], game[known & (game["low"] < game["high"])]
    )
    figure = statistics.figure(shown, samples.LOSS)
    assert has_chance(figure) and figure.layout.xaxis.type == figure.layout.yaxis.type == "log"
    assert sorted(titles(figure)) == [
        "False-positive rate:<br>non-members taken for members",
        "True-positive rate: members found",
    ]
    text = statistics.sentence(shown, samples.LOSS, 5)
    assert text.startswith("Members found at a false-positive rate of 10%, with 5 documents of a target: ")
    assert ") by “Blind baseline: text alone” and " in text, "the text alone first"
    assert text.count("by “") == 2 and ". Chance is 10%. Of 4 other statistics, “" in text
    last = shown["variant"].isin(["min_k", "zlib_ratio"])
    rate = shown["true_positive_rate"]
    for high, low in (("min_k", "zlib_ratio"), ("zlib_ratio", "min_k")):
        planted = rate.where(~last, 0.5).mask(shown["variant"] == high, 1.0).mask(shown["variant"] == low, 0.01)
        text = statistics.sentence(shown.assign(true_positive_rate=planted), samples.LOSS, 5)
        assert f"“{variant(low, samples.LOSS)}” finds the fewest, 1%" in text
        assert f", and “{variant(high, samples.LOSS)}” the most, 100%" in text
    one = shown[shown["variant"].isin(["model_free", samples.LOSS, "min_k"])]
    assert f"Chance is 10%. “{variant('min_k', samples.LOSS)}” finds " in statistics.sentence(one, samples.LOSS, 5)
    text = statistics.sentence(shown, samples.LOSS, 5)
    assert "10 decisions about non-members allow no rate below 10%" in text
    text = statistics.sentence(shown.assign(nonmembers=40), samples.LOSS, 5)
    assert "40 decisions about non-members allow no rate below 2.5%." in text


def test_a_rate_has_the_interval_of_its_estimate_and_no_sentence_says_that_there_is_none():
    estimate = Estimate(value=0.5, low=0.2, high=0.9, chance=0.01, unit="share", members=10, nonmembers=10)
    estimates = {"tpr_at_1pct_fpr_5": estimate, "tpr_at_1pct_fpr_min_k_5": estimate.model_copy(update={"low": 0.3})}
    sure = usual().tables["roc"].assign(true_positive_rate=1.0, low=1.0, high=1.0)
    shown = statistics.points(sure, scores(), rivals(), estimates, samples.LOSS, 5)
    at_one = shown[np.isclose(shown["false_positive_rate"], 0.01)].set_index("variant")
    assert at_one.loc[samples.LOSS, ["low", "high"]].tolist() == [0.2, 0.9]
    assert at_one.loc["min_k", ["low", "high"]].tolist() == [0.3, 0.9]
    sentence = statistics.sentence(shown, samples.LOSS, 5)
    low = uncertain(1.0, 1.0, 4)[0]
    assert f"100% ({percent(low).removesuffix('%')}–100%) by “{variant(samples.LOSS, samples.LOSS)}”" in sentence
    assert "no interval" not in sentence
    last = shown[shown["false_positive_rate"] == 1]
    assert (last["low"] == 1).all(), "whoever takes everybody for a member finds everybody"


def test_scores_that_differ_by_rounding_find_none():
    noise = np.where(rivals()["target"] % 2, 9e-10, -9e-10)
    same = rivals().assign(score=rivals()["score"].where(rivals()["variant"] != "min_k", noise))
    shown = statistics.points(usual().tables["roc"], scores(), same, usual().estimates, samples.LOSS, 5)
    last = shown[(shown["variant"] == "min_k") & (shown["true_positive_rate"] > 0)]
    assert last["false_positive_rate"].tolist() == [1.0]


def test_a_statistic_has_one_colour_in_all_figures_of_the_page():
    shown = shown_points()
    curves = {trace.name: trace.line.color for trace in statistics.figure(shown, samples.LOSS).data if trace.name}
    points = headline.figure(usual().tables["curve"], samples.LOSS).data
    colours = {trace.name: trace.marker.color for trace in points if trace.name}
    shared = set(curves) & set(colours)
    assert len(shared) >= 4 and {name: curves[name] for name in shared} == {name: colours[name] for name in shared}


def test_without_both_kinds_nothing_is_drawn():
    everyone = samples.made(members=np.full((5, 8), True))
    tables = map(everyone.tables.get, ("roc", "scores", "rivals"))
    shown = statistics.points(*tables, everyone.estimates, samples.LOSS, 5)
    assert shown.empty
    assert statistics.sentence(shown, samples.LOSS, 5) == "No ROC curve: it needs both members and non-members."
    assert statistics.figure(shown, samples.LOSS).data


def test_words_are_coloured_by_how_much_likelier_they_are():
    shown = words.of(usual().tables["words"], 0)
    marked = words.coloured(("a", "b*", "c", "d", "e"), tuple(shown["gain_in"].head(5)))
    assert marked == r":orange-background[:orange[**a**]] :orange[**b\***] :blue[c] d :gray[e]"
    assert f"find 2 of its {len(shown) - 1} known words" in words.sentence(shown)
    assert "Models without it find 1 (" in words.sentence(shown)
    nobody = table(LossMembership.tables["words"], [])
    assert "No model was trained on this target" in words.sentence(nobody)


def test_the_papers_stand_beside_what_is_measured():
    rows = paper.rows(usual())
    assert rows["method"].tolist()[:3] == ["Likelihood ratio (LiRA)", "RMIA", "Min-K%++"]
    assert len(rows) == 3 + 6 and rows["reported"].tolist()[3].startswith("AUC 0.")
    sentence = paper.sentence(usual())
    assert sentence.startswith("Over targets of all sizes, the attack reaches an AUC of ")
    assert f"an AUC of {usual().estimates['auc'].value:.2f} (" in sentence
    lower = usual().estimates["auc"].model_copy(update={"value": 0.4, "low": 0.3, "high": 0.5})
    assert "an AUC of 0.40 (0.30–0.50)" in paper.sentence(replace(usual(), estimates={"auc": lower}))
    assert paper.sentence(replace(usual(), estimates={})) == "AUC is not measurable here."
