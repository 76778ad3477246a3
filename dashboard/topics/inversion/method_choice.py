"""The choice among the methods of inversion, which share a page."""

from collections.abc import Sequence

from core.experiment import Experiment
from core.statistics.naming import capitalised
from dashboard import navigation
from dashboard.kit import attack_choice
from dashboard.kit.forms import form
from dashboard.topics.inversion import same_texts


def choose(methods: Sequence[str]) -> str:
    """Draw the methods, and return the one in the address; without any there, the last chosen or the first."""
    return attack_choice.choose(
        "inversion/method",
        "Method",
        {method: capitalised(same_texts.short_title(navigation.title_of(method))) for method in methods},
        _opened,
        hint="How the adversary recovers words. Another method opens on the same texts, where that is computed.",
    )


def _opened(chosen: str, before: str) -> Experiment:
    """Return what a method shows beside the experiment before."""
    return same_texts.counterpart(form.last_valid(before), chosen)
