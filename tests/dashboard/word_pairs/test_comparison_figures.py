"""Results that differ in one thing, drawn together."""

from dataclasses import replace

import pandas as pd
import pytest

from core.result import Estimate
from dashboard.kit.shared import share
from dashboard.topics.word_pairs.figures import comparison, fractions
from tests.dashboard import samples

ATTACK = {"part": "word_pairs", "shadow_pairs": 50, "penalty": "inverse_root", "adaptive": True, "shadow_data": None}
OWN = share(samples.make())
PROXY = samples.make(attack={**ATTACK, "shadow_data": {"part": "r_mailing_lists"}})
HALF = share(samples.make(defenses=[{"part": "subsampling", "fraction": 0.5}]))
NAIVE = share(samples.make(attack={**ATTACK, "adaptive": False}, defenses=[{"part": "subsampling", "fraction": 0.5}]))
NOISY = samples.make(defenses=[{"part": "vector_noise", "scale": 2.0}])
SKIP = samples.make(model={"part": "word2vec", "mode": "skip_gram"})
OTHER = samples.make(seed=2)


def with_curve(result, curve):
    """The result with another curve, its figures being computed once like those of a stored one."""
    return share(replace(result, tables={**result.tables, "curve": curve}))


@pytest.mark.parametrize(
    ("candidate", "differs"),
    [
        (OWN, set()),
        (PROXY, {"proxy"}),
        (HALF, {"fraction"}),
        (NAIVE, {"fraction"}),
        (NOISY, {"noise"}),
        (SKIP, {"mode"}),
        (OTHER, {"other"}),
    ],
)
def test_differences_are_told_apart(candidate, differs):
    assert comparison.differences(OWN.experiment, candidate.experiment) == differs
    under = comparison.topics(OWN.experiment, candidate.experiment)
    assert under == [topic for topic in comparison.TITLES if differs <= {topic}]


def test_an_adversary_that_need_not_adapt_is_the_same():
    calm = samples.make(attack={**ATTACK, "adaptive": False})
    assert comparison.differences(OWN.experiment, calm.experiment) == set()


def test_labels_say_what_sets_results_apart():
    assert [comparison.label("proxy", result.experiment) for result in (OWN, PROXY)] == [
        "same source",
        "r mailing lists",
    ]
    assert (
        comparison.label("mode", SKIP.experiment) == "skip-gram" and comparison.label("mode", OWN.experiment) == "CBOW"
    )
    assert comparison.label("fraction", NAIVE.experiment) == "50%, not adaptive"
    assert [comparison.label("noise", result.experiment) for result in (OWN, HALF, NOISY)] == [
        "no noise",
        "no noise",
        "noise 2, adaptive",
    ]


def test_one_heuristic_is_not_compared_with_another():
    assert comparison.differences(HALF.experiment, NOISY.experiment) == {"other"}


def test_noise_is_read_with_what_it_costs():
    kept = Estimate(value=0.3, low=0.28, high=0.32, chance=0.01, unit="share of neighbours")
    costly = replace(NOISY, estimates={**NOISY.estimates, "neighbours_kept": kept})
    sentence = comparison.neighbours_sentence([("no noise", OWN), ("noise 2", costly)])
    assert sentence == " Of the ten nearest neighbours of a frequent word, 30% (28–32%) with “noise 2” remain."
    assert comparison.neighbours_sentence([("no noise", OWN)]) == ""


def test_lines_are_drawn_with_chance_for_the_sizes_all_share():
    results = [("same source", OWN), ("proxy", PROXY)]
    assert comparison.sizes(results) == [1, 10, 100] and comparison.sizes([]) == []
    figure = comparison.growth(results, 10)
    assert [trace.name for trace in figure.data if trace.mode == "lines+markers"] == ["same source", "proxy"]
    assert samples.has_chance(figure) and len(samples.titles(figure)) == 2
    assert "neither shows a difference nor excludes one" in comparison.growth_sentence(results, 10)
    assert set(comparison.table(results, 10)["result"]) == {"same source", "proxy"}


def test_with_everything_used_both_adversaries_are_the_same():
    results = [("a", OWN), ("b", HALF), ("c", NAIVE)]
    table = fractions.points(results, 10)
    both = [[0.5, "adaptive"], [1.0, "adaptive"], [0.5, "not adaptive"], [1.0, "not adaptive"]]
    assert table[["fraction", "adversary"]].to_numpy().tolist() == both
    figure = fractions.figure(results, 10)
    assert len(figure.data) == 2 and samples.has_chance(figure)
    for trace in figure.data:
        assert list(trace.x) == pytest.approx([0.5, 1.0], abs=0.01)
    assert fractions.sentence(results, 10).startswith("With 50% of 10 documents used, the attack is right in 74%")
    alone = fractions.sentence(results, 1)
    assert alone.startswith("A target of 1 document is used whole, whatever the share: the attack is right in ")
    assert "Using a fraction" not in alone


@pytest.mark.parametrize(("low", "continues"), [(0.502, False), (0.55, True)])
def test_a_fraction_does_not_stop_the_attack_where_one_of_two_intervals_shows_it(low, continues):
    curves = (HALF.tables["curve"], NAIVE.tables["curve"])
    half, naive = (
        with_curve(result, curve.assign(accuracy=0.58, low=end, high=0.66))
        for result, curve, end in zip((HALF, NAIVE), curves, (0.45, low), strict=True)
    )
    text = fractions.sentence([("a", OWN), ("b", half), ("c", naive)], 10)
    assert ("Using a fraction does not stop the attack." in text) is continues


def shifted(result, by, sizes=(1, 10, 100)):
    """The result, its AUC being changed for targets of some sizes."""
    curve = result.tables["curve"]
    shift = curve["size"].isin(sizes) * by
    ends = {name: curve[name] + shift for name in ("auc", "auc_low", "auc_high")}
    return with_curve(result, curve.assign(**ends))


@pytest.mark.parametrize(
    ("by", "sizes", "says"),
    [
        (0.0, (10,), "ranks members better or worse is not shown (AUC 0.90 (0.85–0.95) against 0.90 (0.85–0.95))."),
        (
            -0.3,
            (1, 10, 100),
            "ranks members worse (AUC 0.60 (0.55–0.65) against 0.90 (0.85–0.95)). That it decides worse",
        ),
        (
            -0.3,
            (10,),
            "ranks members worse (AUC 0.60 (0.55–0.65) against 0.90 (0.85–0.95)); "
            "that is not shown for 1 document and 100 documents. That it decides worse",
        ),
    ],
)
def test_ranking_is_compared_beyond_the_intervals_and_for_every_size(by, sizes, says):
    results = [("a", OWN), ("b", shifted(HALF, by, sizes)), ("c", NAIVE)]
    assert f"The adaptive adversary {says}" in fractions.sentence(results, 10).replace("That the ", "The ")
    results = [("a", OWN), ("b", HALF), ("c", shifted(NAIVE, -0.3))]
    assert "The adaptive adversary ranks members better" in fractions.sentence(results, 10)
    assert "adaptive adversary" not in fractions.sentence(results[:2], 10)


@pytest.mark.parametrize(
    ("gain", "counted", "shown"),
    [
        ((-0.05, 0.01, 0.01), "in 2 and less often in 0", "in none of them beyond both intervals: neither is shown"),
        ((0.05, -0.01, -0.01), "in 0 and less often in 2", "in none of them beyond both intervals: neither is shown"),
        ((0.05, -0.3, 0.01), "in 1 and less often in 1", "in 0 and in 1 of these beyond both intervals."),
        ((-0.3, 0.3, 0.01), "in 2 and less often in 0", "in 1 and in 0 of these beyond both intervals."),
    ],
)
def test_the_stronger_of_both_adversaries_is_counted_where_a_fraction_leaves_something_out(gain, counted, shown):
    curve = NAIVE.tables["curve"]
    shift = curve["size"].map(dict(zip((1, 10, 100), gain, strict=True)))
    ends = {name: curve[name] + shift for name in ("accuracy", "low", "high")}
    sentence = fractions.sentence([("a", OWN), ("b", with_curve(HALF, curve.assign(**ends))), ("c", NAIVE)], 10)
    assert "Of 2 pairs of a fraction and a size of which it leaves something out, the adaptive adversary" in sentence
    assert f"is right more often than the other {counted}, {shown}" in sentence
    assert "pairs of a fraction" not in fractions.sentence([("a", OWN), ("b", HALF)], 10)


def beside_one_preparation(accuracy, auc):
    """An adaptive result with the adversary of one preparation, which is right so often, and ranks with such an AUC."""
    curve = HALF.tables["curve"]
    attacks_rows = curve[(curve["variant"] == "word_pairs") & curve["penalty"].isna()]
    further = attacks_rows.assign(variant="behind_defense", accuracy=accuracy, auc=auc)
    return with_curve(HALF, pd.concat([curve, further], ignore_index=True))


@pytest.mark.parametrize(
    ("accuracy", "auc", "counted"),
    [
        (0.51, 0.2, "2 of 2 pairs (AUC), and is right at least as often in 2."),
        (0.51, 1.0, "0 of 2 pairs (AUC), and is right at least as often in 2."),
        (0.99, 0.2, "2 of 2 pairs (AUC), and is right at least as often in 0."),
    ],
)
def test_one_preparation_is_drawn_and_the_mean_counted_beside_it_where_it_was_run(accuracy, auc, counted):
    below = with_curve(NAIVE, NAIVE.tables["curve"].assign(accuracy=0.5, auc=0.2))
    results = [("a", OWN), ("b", beside_one_preparation(accuracy, auc)), ("c", below)]
    table = fractions.points(results, 10)
    assert table[table["adversary"] == "prepared behind the defense alone"]["fraction"].tolist() == [0.5]
    assert [trace.name for trace in fractions.figure(results, 10).data] == [
        "adaptive",
        "not adaptive",
        "prepared behind the defense alone",
    ]
    text = fractions.sentence(results, 10)
    assert f"and {accuracy:.0%}" in text and "by shadow models behind the defense alone, against" in text
    assert text.endswith(f"as the better of those that prepare in one way in {counted}")
    assert "twice as many" not in fractions.sentence([("a", OWN), ("b", HALF), ("c", NAIVE)], 10)
    assert "twice as many" not in fractions.sentence(results[:2], 10), "without the naive one nothing is compared"


@pytest.mark.parametrize("results", [[], [("a", OWN)]])
def test_no_or_one_result_for_a_size_is_no_error(results):
    size = 7
    assert comparison.growth(results, size).to_json() and fractions.figure(results, size).to_json()
    assert comparison.growth_sentence(results, size) == fractions.sentence(results, size) == "No result for this size."


def test_intervals_are_compared_by_their_ends_not_by_the_highest_accuracy():
    def result(accuracy, low, high):
        return with_curve(OWN, OWN.tables["curve"].assign(accuracy=accuracy, low=low, high=high))

    results = [("A", result(0.7, 0.45, 0.92)), ("B", result(0.69, 0.68, 0.7)), ("C", result(0.55, 0.54, 0.56))]
    assert comparison.growth_sentence(results, 10).endswith("“B” does better than “C” beyond both intervals.")
    assert "neither shows a difference nor excludes one" in comparison.growth_sentence(results[:2], 10)
    best = ("D", result(0.9, 0.85, 0.95))
    assert comparison.growth_sentence([*results[1:], best], 10).endswith(
        "“D” does better than “B” and “C”; “B” does better than “C” beyond both intervals."
    )
