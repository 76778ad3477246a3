"""Rules of both adversaries behind a defense: the sentence says which are right more often, and whether AUCs differ."""

import pandas as pd
import pytest

from core import catalog
from core.experiment import Experiment
from dashboard.kit import both_adversaries
from dashboard.topics.translation.figures import thresholds

HALF = 0.02
RULES = {
    "bleu": ("bleu", "one_threshold"),
    "ratio": ("calibrated_reference", "likelihood_ratio"),
    "tree": ("overlap", "decision_tree"),
    "forest": ("overlap", "random_forest"),
}


def methods(auc: float = 0.7, **accuracies: float) -> pd.DataFrame:
    """Return a table of rules with how often each is right, all with the same AUC."""
    rows = [
        {
            **dict(zip(("features", "rule"), RULES[name], strict=True)),
            **{f"accuracy{end}": accuracy + by for end, by in (("", 0), ("_low", -HALF), ("_high", HALF))},
            **{f"auc{end}": auc + by for end, by in (("", 0), ("_low", -HALF), ("_high", HALF))},
        }
        for name, accuracy in accuracies.items()
    ]
    return pd.DataFrame(rows)


@pytest.mark.parametrize("ahead", ["naive", "adaptive"])
def test_rules_are_named_by_which_one_adversary_is_right_more_often_and_the_clearest(ahead: str) -> None:
    better = methods(bleu=0.6, ratio=0.7, tree=0.61, forest=0.55)
    worse = methods(bleu=0.59, ratio=0.6, tree=0.55, forest=0.5)
    text = thresholds.sentence(*((worse, better) if ahead == "naive" else (better, worse)))
    behind = "adaptive" if ahead == "naive" else "naive"
    assert text == (
        f"At AUCs whose intervals overlap, the {ahead} adversary is right more often beyond both intervals by 3 of 4 "
        "rules: likelihood ratio of the reference; decision tree and random forest on overlap with the reference. It "
        "is clearest by likelihood ratio of the reference: 70% (68–72%) against 60% (58–62%). "
        f"Of these, the {behind} one is right more often by none. "
        "So the thresholds are shown to differ, not the ranking."
    )


def test_each_adversary_may_be_right_more_often_by_rules_of_its_own() -> None:
    text = thresholds.sentence(methods(bleu=0.7, ratio=0.6), methods(bleu=0.6, ratio=0.7))
    assert (
        "by 1 of 2 rules: likelihood ratio of the reference: 70% (68–72%) against 60% (58–62%). Of these, the adapt"
        in text
    )
    assert (
        "Of these, the adaptive one is right more often by 1: BLEU alone: 70% (68–72%) against 60% (58–62%). So" in text
    )


def test_rules_that_rank_differently_too_are_told_apart() -> None:
    text = thresholds.sentence(methods(auc=0.8, bleu=0.7, ratio=0.6), methods(bleu=0.6, ratio=0.7))
    assert text == (
        "Where AUCs differ beyond both intervals, too, the naive one is right more often by likelihood ratio of the "
        "reference and the adaptive one is right more often by BLEU alone."
    )


def test_where_intervals_overlap_no_rule_is_named() -> None:
    close = thresholds.sentence(methods(bleu=0.6, ratio=0.6), methods(bleu=0.61, ratio=0.58, tree=0.9))
    assert close == "By no rule of 2 is either adversary right more often beyond both intervals."
    assert thresholds.sentence(methods(bleu=0.6), methods(ratio=0.6)) == "", "they share no rule"


def test_rules_that_are_fitted_alike_are_counted_among_those_that_are_tried() -> None:
    text = thresholds.sentence(methods(bleu=0.6, ratio=0.6, tree=0.7), methods(bleu=0.59, ratio=0.6, tree=0.7))
    assert text == (
        "By no rule of 3 is either adversary right more often beyond both intervals. Of the 2 rules that the adaptive "
        "adversary tries on its own pairs, it takes 1 as the naive one has them, fitted without the defense."
    )
    assert "fitted without" not in thresholds.sentence(methods(auc=0.6, bleu=0.6), methods(bleu=0.6))


@pytest.mark.parametrize("name", ["translations_subsampled", "translations_subsampled_unaware"])
def test_behind_subsampling_one_rule_of_the_naive_adversary_decides_better(name: str) -> None:
    (entry,) = (each for each in catalog.matching(name) if each.name == name)
    results = both_adversaries.results(entry.experiment)
    assert results is not None
    text = thresholds.sentence(*(result.tables["methods"] for result in results))
    assert "the naive adversary is right more often beyond both intervals by 1 of 18 rules: multi-layer per" in text
    assert (
        "the reference: 62% (61–63%) against 59% (58–60%). Of these, the adaptive one is right more often by none."
        in text
    )
    assert "Of the 15 rules that the adaptive adversary tries on its own pairs, it takes 8 as the naive" in text


def test_without_a_defense_there_is_one_adversary() -> None:
    assert both_adversaries.results(Experiment.preset("translation_overlap", "demo")) is None
