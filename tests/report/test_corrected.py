"""Figures beside the main ones: what the model's users get from it is no leak."""

from core.experiment import Experiment
from core.report.corrected import above_chance
from core.result import Estimate, distinct
from tests.dashboard.embedding_results import estimate, result


def test_utility_above_chance_is_no_evidence_of_a_leak() -> None:
    useful = ("utility", "retrieval_recall_at_10", "retrieval_ndcg_at_10", "neighbours_kept", "neighbours_train")
    figures = {name: estimate(0.9, 0.1) for name in ("f1", "recall_names", *useful)}
    experiment = Experiment.preset("multilabel_inversion", "demo")
    above = above_chance(experiment, result(experiment, figures, {}), with_names=True)
    assert (above["count"], above["of"], [other["label"] for other in above["others"]]) == (2, 2, ["recall names"])


def test_a_figure_of_one_size_that_repeats_that_of_all_counts_once_and_the_main_one_is_beside_none() -> None:
    figures = {"accuracy": estimate(0.8, 0.5), "accuracy_20": estimate(0.8, 0.5), "auc": estimate(0.9, 0.5)}
    figures |= {"auc_20": estimate(0.9, 0.5), "auc_pairs_20": estimate(0.7, 0.5)}
    assert list(distinct(figures)) == ["accuracy", "auc", "auc_pairs_20"]
    experiment = Experiment.preset("word_pairs", "demo")
    above = above_chance(experiment, result(experiment, figures, {}), with_names=True)
    assert (above["count"], above["of"], [other["value"] for other in above["others"]]) == (3, 3, [0.9, 0.7])


def test_figures_above_chance_by_their_own_intervals_are_kept_where_none_is_after_correction() -> None:
    experiment = Experiment.preset("word_pairs", "demo")
    narrow, wide = (Estimate(value=0.6, low=low, high=0.7, chance=0.5, unit="probability") for low in (0.505, 0.49))
    figures = {"accuracy": narrow, "auc": narrow, "auc_pairs": wide, "auc_model_free": narrow}
    above = above_chance(experiment, result(experiment, figures, {}), with_names=True)
    assert (above["count"], above["of"]) == (0, 3)
    assert [figure["label"] for figure in above["uncorrected"]] == ["AUC"], "neither the main figure nor the baseline"
    figures |= {"auc_pairs": estimate(0.9, 0.5)}
    above = above_chance(experiment, result(experiment, figures, {}), with_names=True)
    assert (above["count"], above["uncorrected"]) == (1, [])
