"""A few windows with the attack's scores; their words only where the dataset is on this machine."""

from core.experiment import Experiment
from core.result import Result
from dashboard.kit.examples import shown_examples, window_texts
from dashboard.kit.texts import excerpts

ABSENT = excerpts.absent("The words")


def show(result: Result, experiment: Experiment) -> None:
    """Draw the windows of a chosen band."""
    shown_examples.show(result, experiment, window_texts.read, ABSENT)
