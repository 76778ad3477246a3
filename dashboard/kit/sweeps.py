"""Sweeps: experiments of the catalogue that differ only in their defenses."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core import catalog
from core.defenses import Defense
from core.experiment import Experiment
from core.statistics.wording.naming import capitalised, spoken
from dashboard.kit.figures import encoders
from dashboard.kit.inputs.declared import Parameter, parameters
from dashboard.kit.shared import once
from dashboard.kit.words import uncapitalised


@dataclass(frozen=True)
class Setting:
    """One experiment of a sweep.

    Attributes:
        experiment: The experiment.
        series: The defense regardless of its strength; empty without a defense.
        strength: Value of its first declared parameter; NaN without a defense.
        label: Label of that parameter; empty without a defense.
    """

    experiment: Experiment
    series: str = ""
    strength: float = float("nan")
    label: str = ""


@dataclass(frozen=True)
class Sweep:
    """Experiments that differ only in their defense.

    Attributes:
        title: Attack, dataset and model.
        settings: The undefended experiment first, then each defense by rising strength.
    """

    title: str
    settings: tuple[Setting, ...]

    @property
    def series(self) -> list[str]:
        """Return the defenses."""
        return list(dict.fromkeys(setting.series for setting in self.settings if setting.series))


@once
def in_catalogue() -> list[Sweep]:
    """Return the sweeps of the catalogue with an undefended experiment, the largest first; those of audits left out."""
    groups: dict[str, list[Experiment]] = {}
    for entry in catalog.entries():
        if len(entry.experiment.defenses) < 2 and not entry.audit:
            undefended = json.dumps({**entry.values, "defenses": []}, sort_keys=True)
            groups.setdefault(undefended, []).append(entry.experiment)
    chosen = [group for group in groups.values() if len({not experiment.defenses for experiment in group}) == 2]
    chosen.sort(key=len, reverse=True)
    titles = _titles([group[0] for group in chosen])
    return [Sweep(title, tuple(_settings(group))) for title, group in zip(titles, chosen, strict=True)]


def strength(defense: Defense) -> float:
    """Return how strong a defense is: the first parameter that it declares; 0 of one without any."""
    first = _first(defense)
    return float(getattr(defense, first.name)) if first else 0.0


def setting(defense: Defense) -> str:
    """Return the strength of a defense in words, such as “epsilon 30”; empty of one without parameters."""
    first = _first(defense)
    return f"{uncapitalised(first.label)} {strength(defense):g}" if first else ""


def against(experiment: Experiment) -> str:
    """Return the model of an experiment: an encoder by its name, any other model by its kind."""
    model = experiment.model
    return encoders.name(model.as_dict()) if hasattr(model, "source") else model.title


def _first(defense: Defense) -> Parameter | None:
    return next(iter(parameters(type(defense)).values()), None)


def _settings(group: Sequence[Experiment]) -> Iterator[Setting]:
    yield from (Setting(experiment) for experiment in group if not experiment.defenses)
    defended = [experiment for experiment in group if experiment.defenses]
    names = _series([experiment.defenses[0] for experiment in defended])
    by_name: dict[str, list[Setting]] = {}
    for name, experiment in zip(names, defended, strict=True):
        defense = experiment.defenses[0]
        first = _first(defense)
        label = uncapitalised(first.label) if first else ""
        by_name.setdefault(name, []).append(Setting(experiment, name, strength(defense), label))
    for settings in by_name.values():
        yield from sorted(settings, key=lambda setting: setting.strength)


def _series(defenses: Sequence[Defense]) -> list[str]:
    """Return each defense's title, with the other parameters in which those of one kind differ."""
    kinds: dict[str, list[dict[str, Any]]] = {}
    for defense in defenses:
        kinds.setdefault(defense.part_name(), []).append(_other_parameters(defense))
    names = []
    for defense in defenses:
        siblings = kinds[defense.part_name()]
        differing = [
            _formatted(name, value)
            for name, value in _other_parameters(defense).items()
            if any(other[name] != value for other in siblings)
        ]
        names.append(", ".join([capitalised(defense.title), *differing]))
    return names


def _other_parameters(defense: Defense) -> dict[str, Any]:
    first = _first(defense)
    left_out = ("part", first.name if first else "")
    return {name: value for name, value in defense.as_dict().items() if name not in left_out}


def _titles(experiments: Sequence[Experiment]) -> list[str]:
    """Return the title of each experiment, with the settings in which experiments of one name differ."""
    names = [f"{one.attack.title} on {one.dataset.title}, {against(one)}" for one in experiments]
    fields = [dict(_fields(one.as_dict())) for one in experiments]
    titles = []
    for name, values in zip(names, fields, strict=True):
        namesakes = [other for other_name, other in zip(names, fields, strict=True) if other_name == name]
        differing = [
            _formatted(path.rpartition(".")[2], value)
            for path, value in values.items()
            if not path.startswith("defenses") and any(other.get(path) != value for other in namesakes)
        ]
        titles.append(", ".join([name, *differing]))
    return titles


def _fields(values: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _fields(value, f"{path}{name}.")
        else:
            yield path + name, value


def _formatted(name: str, value: object) -> str:
    text = ("on" if value else "off") if isinstance(value, bool) else str(value).replace("_", " ")
    return f"{spoken(name).lower()} {text}"
