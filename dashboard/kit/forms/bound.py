"""Whether a run is short enough for who asks for it: participants of a room may start short runs only."""

from core.experiment import Experiment
from dashboard.kit import visitors
from dashboard.kit.forms import needed
from dashboard.kit.words import duration


def refusal(experiment: Experiment) -> str:
    """Return why the visitor may not start a run, since it takes long; empty where they may."""
    minutes = visitors.current().longest_run()
    if minutes is None:
        return ""
    seconds = needed.expected_seconds(experiment)
    if seconds is not None and seconds <= 60 * minutes:
        return ""
    takes = "how long this one takes is not known" if seconds is None else f"this one takes about {duration(seconds)}"
    return f"In your room a run may take {minutes} min, and {takes}. Choose smaller settings, or ask who leads it."
