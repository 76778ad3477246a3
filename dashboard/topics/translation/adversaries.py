"""Both adversaries behind a defense: what each is trusted to answer, then rule by rule."""

from core.experiment import Experiment
from dashboard.kit import both_adversaries, panels
from dashboard.topics.translation.figures import thresholds


def show(experiment: Experiment) -> None:
    """Draw both adversaries of a defended experiment, where both are stored, and compare their rules."""
    both_adversaries.show([both_adversaries.by_adaptive(experiment)], experiment)
    if results := both_adversaries.results(experiment):
        panels.statement(thresholds.sentence(*(result.tables["methods"] for result in results)))
