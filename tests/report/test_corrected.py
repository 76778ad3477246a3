"""Figures beside the main ones: what the model's users get from it is no leak."""

from core.experiment import Experiment
from core.report.corrected import above_chance
from tests.dashboard.embedding_results import estimate, result


def test_utility_above_chance_is_no_evidence_of_a_leak() -> None:
    useful = ("utility", "retrieval_recall_at_10", "retrieval_ndcg_at_10", "neighbours_kept", "neighbours_train")
    figures = {name: estimate(0.9, 0.1) for name in ("f1", "recall_names", *useful)}
    experiment = Experiment.preset("multilabel_inversion", "demo")
    above = above_chance(experiment, result(experiment, figures, {}), with_names=True)
    assert (above["count"], above["of"], [other["label"] for other in above["others"]]) == (2, 2, ["recall names"])
