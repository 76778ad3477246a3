"""A promised result."""

from dataclasses import dataclass

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
