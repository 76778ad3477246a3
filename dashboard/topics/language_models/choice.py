"""The choice among the attacks that share the page about recitation."""

from collections.abc import Sequence
from typing import cast

from core.experiment import Experiment
from core.games.attack import Attack
from core.registry import part
from dashboard.kit import attack_choice, landing


def choose(attacks: Sequence[str]) -> str:
    """Draw the attacks by their titles; return that in the address, else the last chosen or the first."""
    return attack_choice.choose(
        "recites/attack",
        "Attack",
        {attack: cast(type[Attack], part("attack", attack)).title for attack in attacks},
        _opened,
        hint="Recitation is of passages of ordinary text, the secret sharer of made-up secrets planted in it.",
    )


def _opened(chosen: str, before: str) -> Experiment:
    return landing.experiment(chosen)
