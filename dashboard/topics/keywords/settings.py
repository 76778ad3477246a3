"""Which experiments on keywords may stand beside each other, and in what they differ."""

from collections.abc import Callable
from typing import Any

from core.attacks.keyword_inference import KeywordInference
from core.experiment import Experiment

VARIED = ("texts", "dimension", "aligned")
"""What is varied on its own to see what the attack owes to it."""


def knowledge(experiment: Experiment) -> str:
    """Return which kind of texts the adversary holds."""
    return str(experiment.as_dict()["attack"]["knowledge"])


def asks_absent(experiment: Experiment) -> bool:
    """Tell whether the words asked about are in no text."""
    return bool(experiment.as_dict()["attack"]["absent"])


def is_plain(experiment: Experiment) -> bool:
    """Tell whether the words are in some texts, and nothing is varied to see what the attack owes to it."""
    attack = experiment.as_dict()["attack"]
    usual = all(attack[name] == KeywordInference.model_fields[name].default for name in VARIED)
    return usual and not asks_absent(experiment)


def alike(asked: Experiment) -> Callable[[Experiment], bool]:
    """Return what tells whether another adversary holds as much of the same kind, and is asked for the same."""

    def fits(other: Experiment) -> bool:
        return _of(asked, "knowledge", "absent", *VARIED) == _of(other, "knowledge", "absent", *VARIED)

    return fits


def differ_only(asked: Experiment, other: Experiment, *fields: str) -> bool:
    """Tell whether two experiments ask the same but for some fields of the attack, and for whom they show beside it."""
    return _without(asked, fields) == _without(other, fields)


def _of(experiment: Experiment, *fields: str) -> list[Any]:
    attack = experiment.as_dict()["attack"]
    return [attack[name] for name in fields]


def _without(experiment: Experiment, fields: tuple[str, ...]) -> dict[str, Any]:
    values = experiment.as_dict()
    attack = {name: value for name, value in values["attack"].items() if name not in (*fields, "rivals")}
    return {**values, "attack": attack}
