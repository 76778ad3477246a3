"""The choice among the attacks that share the page about recitation."""

from collections.abc import Mapping

from core.experiment import Experiment
from dashboard.kit import attack_choice, landing


def choose(attacks: Mapping[str, str]) -> str:
    """Draw the choice; return the attack in the address, else the last chosen or the first.

    Args:
        attacks: Label of each attack, by name.
    """
    return attack_choice.choose(
        "recites/attack",
        "What is read out",
        attacks,
        _opened,
        hint="Passages of ordinary text that the model continues, or made-up secrets that were planted in it.",
    )


def _opened(chosen: str, before: str) -> Experiment:
    return landing.experiment(chosen)
