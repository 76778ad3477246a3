"""Comparison of experiments on keyword inference: in which settings they differ."""

from collections.abc import Callable
from typing import Any

from core.attacks.keyword_inference import KeywordInference
from core.experiment import Experiment
from dashboard.kit import landing

VARIED = ("texts", "dimension", "aligned", "alignment")
"""Fields that the comparisons with the paper vary."""


def knowledge(experiment: Experiment) -> str:
    """Return the adversary's knowledge, ``white_box`` or ``black_box``."""
    return str(experiment.attack.as_dict()["knowledge"])


def asks_absent(experiment: Experiment) -> bool:
    """Tell whether the keywords are in no text."""
    return bool(experiment.attack.as_dict()["absent"])


def is_plain(experiment: Experiment) -> bool:
    """Tell whether the keywords are in some texts, and no field of an ablation is varied."""
    attack = experiment.attack.as_dict()
    usual = all(attack[name] == KeywordInference.model_fields[name].default for name in VARIED)
    return usual and not asks_absent(experiment)


def alike(experiment: Experiment) -> Callable[[Experiment], bool]:
    """Return a test whether another experiment has the same knowledge, keywords and ablation fields."""
    return lambda other: _of(experiment, "knowledge", "absent", *VARIED) == _of(other, "knowledge", "absent", *VARIED)


def differ_only(experiment: Experiment, other: Experiment, *fields: str) -> bool:
    """Tell whether two experiments differ only in some fields of the attack, among them the field ``rivals``."""
    differing = landing.differing(experiment, other, Experiment.model_fields.keys() - {"attack"})
    return not differing and _without(experiment, fields) == _without(other, fields)


def _of(experiment: Experiment, *fields: str) -> list[Any]:
    attack = experiment.attack.as_dict()
    return [attack[name] for name in fields]


def _without(experiment: Experiment, fields: tuple[str, ...]) -> dict[str, Any]:
    return {name: value for name, value in experiment.attack.as_dict().items() if name not in (*fields, "rivals")}
