"""A promised result: one whose files ship with the code."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from core.experiment import Experiment

_BOTH_WAYS = (
    "The adversary trains shadow models alike, and as many without the defense, and decides by the kind that does "
    "better on its own texts."
)
"""What one who knows the defense does, the end of a summary."""


@dataclass(frozen=True)
class Entry:
    """A promised result.

    Attributes:
        name: Its name on the command line.
        title: Its title on pages.
        summary: One sentence on what it shows.
        experiment: The experiment.
        contrast: Whether it serves for comparison only: random weights, one setting of an ablation, a defense.
        audit: Whether it is a step of an audit, whose page shows it.
    """

    name: str
    title: str
    summary: str
    experiment: Experiment
    contrast: bool = False
    audit: bool = False

    @cached_property
    def attack(self) -> str:
        """Name of the experiment's attack."""
        return self.experiment.attack.part_name()

    @cached_property
    def key(self) -> str:
        """Key of the experiment, derived once: later changes to the files of its encoder do not count."""
        return self.experiment.key

    @cached_property
    def values(self) -> dict[str, Any]:
        """The experiment as plain values; not to be changed."""
        return self.experiment.as_dict()

    @cached_property
    def unseeded(self) -> str:
        """What entries have in common that differ in their seed only."""
        return json.dumps({**self.values, "seed": None}, sort_keys=True)


def as_stored(experiment: Experiment) -> Experiment:
    """Return an experiment on embeddings of length one, as stores hold them, with the utility that defenses get."""
    model, game = experiment.model.replace(length="unit"), experiment.game.replace(utility="tuned")
    return experiment.replace(model=model, game=game)


def without_examples(experiment: Experiment) -> Experiment:
    """Return an experiment whose result holds no words of single texts, as where these are people's e-mails."""
    return experiment.replace(game=experiment.game.replace(examples=0))


def without_near_copies(entry: Entry) -> Entry:
    """Return an entry for comparison, whose game takes no near copies.

    Args:
        entry: What it is compared with, on a collection that keeps them.
    """
    played = entry.experiment
    return replace(
        entry,
        name=f"{entry.name}_without_copies",
        title=f"{entry.title}, without near copies",
        summary=f"{entry.summary} Of messages that share half of their runs of words, only the longest is taken.",
        experiment=played.replace(dataset=played.dataset.replace(near_copies="left out")),
        contrast=True,
    )


def by_both_adversaries(entry: Entry) -> Iterator[Entry]:
    """Yield an entry behind a defense, whose adversary knows it and chooses, and its twin, whose adversary does not.

    Args:
        entry: The entry; what its adversary does is added to its summary.
    """
    played = entry.experiment
    yield replace(entry, summary=f"{entry.summary} {_BOTH_WAYS}")
    yield replace(
        entry,
        name=f"{entry.name}_unaware",
        title=f"{entry.title}, naive adversary",
        summary=f"{entry.summary} The adversary does not know the defense, and trains its shadow models without it.",
        experiment=played.replace(attack=played.attack.knowing(adaptive=False)),
    )


def defended(
    undefended: Experiment, strengths: Mapping[str, tuple[str, Sequence[float]]]
) -> Iterator[tuple[str, str, float, Experiment]]:
    """Yield an experiment behind each defense at each strength.

    Yields:
        Name of the defense, its field, the value, and the experiment.
    """
    for name, (field, values) in strengths.items():
        for value in values:
            yield name, field, value, undefended.replace(defenses=[{"part": name, field: value}])


def demo(attack: str, title: str, detail: str) -> Entry:
    """Return the small experiment that anyone can run live.

    Args:
        attack: Name of the attack, whose preset ``demo`` is taken.
        title: Title of the entry.
        detail: Continues the sentence "The small experiment that anyone can run live".
    """
    summary = f"The small experiment that anyone can run live{detail}."
    return Entry(f"demo_{attack}", title, summary, Experiment.preset(attack, "demo"))


def varied(attack: str, /, preset: str = "paper", **changes: Any) -> Experiment:
    """Return an attack's preset with fields of its parts changed, or with parts replaced.

    Args:
        attack: Name of the attack.
        preset: Name of the preset.
        changes: By field of the experiment, the changed fields of its part. A dict that names another part, or any
            other value, replaces the part.
    """
    values = Experiment.preset(attack, preset).as_dict()
    for field, change in changes.items():
        before = values[field]
        same = isinstance(change, dict) and change.get("part", before["part"]) == before["part"]
        values[field] = {**before, **change} if same else change
    return Experiment.parse(values)
