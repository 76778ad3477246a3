"""A promised result."""

from dataclasses import dataclass
from typing import Any

from core.experiment import Experiment


@dataclass(frozen=True)
class Entry:
    """A promised result.

    Attributes:
        name: What the command line calls it.
        title: What pages call it.
        says: One sentence: what it is there to show.
        experiment: What was run.
        contrast: Whether it is only there for others to stand out against: random weights, one setting of an ablation,
            a defense.
    """

    name: str
    title: str
    says: str
    experiment: Experiment
    contrast: bool = False


def varied(attack: str, /, preset: str = "paper", **changes: Any) -> Experiment:
    """Return an attack's preset with some fields of its parts changed, or with another part in place of one.

    Args:
        attack: Name of the attack.
        preset: Name of the preset.
        changes: By field of the experiment, those fields of its part that change; a dict that names another part, and
            whatever is no dict, takes the place of what was there.
    """
    values = Experiment.preset(attack, preset).as_dict()
    for field, change in changes.items():
        before = values[field]
        same = isinstance(change, dict) and change.get("part", before["part"]) == before["part"]
        values[field] = {**before, **change} if same else change
    return Experiment.parse(values)
