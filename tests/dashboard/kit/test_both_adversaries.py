"""Both adversaries of a defended experiment: the twin of an adversary."""

from core.experiment import Experiment
from dashboard.kit import both_adversaries


def test_an_adversary_that_averages_has_a_naive_twin_that_cannot() -> None:
    experiment = Experiment.preset(
        "word_pairs", "demo", defenses=[{"part": "subsampling"}], attack={"part": "word_pairs", "averaged": True}
    )
    naive = both_adversaries._with(experiment, adaptive=False)
    assert naive.attack == experiment.attack.replace(adaptive=False, averaged=False)
    assert both_adversaries.estimates(experiment) == {}, "neither is stored"
    assert both_adversaries.by_adaptive(naive).attack == experiment.attack.replace(averaged=False)
