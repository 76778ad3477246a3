"""Sweeps: experiments of the catalog that are equal but for their defenses."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.catalog import entries
from core.defenses import Defense
from core.experiment import Experiment
from dashboard.kit.figures import encoders
from dashboard.kit.forms.declared import Parameter, parameters
from dashboard.kit.words import spoken


@dataclass(frozen=True)
class Setting:
    """One experiment of a sweep.

    Attributes:
        experiment: What was asked.
        series: Which defense, one strength of it like another; empty without a defense.
        strength: Value of its first declared parameter; NaN without a defense.
        label: What that parameter is called; empty without a defense.
    """

    experiment: Experiment
    series: str = ""
    strength: float = float("nan")
    label: str = ""


@dataclass(frozen=True)
class Sweep:
    """Experiments that are equal but for their defenses, of which each has one at most.

    Attributes:
        title: Which attack, on what, against which model.
        settings: The undefended one in front, then each defense by rising strength.
    """

    title: str
    settings: tuple[Setting, ...]

    @property
    def series(self) -> list[str]:
        """Return the defenses."""
        return list(dict.fromkeys(setting.series for setting in self.settings if setting.series))


def found() -> list[Sweep]:
    """Return every sweep of the catalog that has an undefended experiment to be held against, the largest first."""
    experiments = [entry.experiment for entry in entries()]
    groups: dict[str, list[Experiment]] = {}
    for experiment in experiments:
        if len(experiment.defenses) < 2:
            alike = json.dumps({**experiment.as_dict(), "defenses": []}, sort_keys=True)
            groups.setdefault(alike, []).append(experiment)
    chosen = [group for group in groups.values() if 0 < sum(bool(one.defenses) for one in group) < len(group)]
    chosen.sort(key=len, reverse=True)
    titles = _titles([group[0] for group in chosen])
    return [Sweep(title, tuple(_settings(group))) for title, group in zip(titles, chosen, strict=True)]


def strength(defense: type[Defense]) -> Parameter:
    """Return the parameter of a defense that is its strength: the first it declares."""
    return next(iter(parameters(defense).values()))


def setting(defense: Defense) -> str:
    """Return how strong a defense is, such as “epsilon 30”."""
    first = strength(type(defense))
    return f"{_lower(first.label)} {getattr(defense, first.name):g}"


def against(experiment: Experiment) -> str:
    """Return what an experiment attacks: an encoder by its own name, any other model by its kind."""
    model = experiment.model
    return encoders.name(model.as_dict()) if hasattr(model, "source") else model.title


def _settings(group: Sequence[Experiment]) -> Iterator[Setting]:
    yield from (Setting(one) for one in group if not one.defenses)
    defended = [one for one in group if one.defenses]
    names = _series([one.defenses[0] for one in defended])
    by_name: dict[str, list[Setting]] = {}
    for name, one in zip(names, defended, strict=True):
        defense = one.defenses[0]
        first = strength(type(defense))
        value = float(getattr(defense, first.name))
        by_name.setdefault(name, []).append(Setting(one, name, value, _lower(first.label)))
    for settings in by_name.values():
        yield from sorted(settings, key=lambda setting: setting.strength)


def _series(defenses: Sequence[Defense]) -> list[str]:
    """Return each defense's title, with the other parameters in which those of one kind differ."""
    kinds: dict[str, list[dict[str, Any]]] = {}
    for defense in defenses:
        kinds.setdefault(defense.part_name(), []).append(_rest(defense))
    names = []
    for defense in defenses:
        rests = kinds[defense.part_name()]
        own = _rest(defense)
        said = [_said(name, own[name]) for name in own if any(rest[name] != own[name] for rest in rests)]
        names.append(", ".join([defense.title[:1].upper() + defense.title[1:], *said]))
    return names


def _rest(defense: Defense) -> dict[str, Any]:
    first = strength(type(defense)).name
    return {name: value for name, value in defense.as_dict().items() if name not in ("part", first)}


def _titles(experiments: Sequence[Experiment]) -> list[str]:
    """Return what each experiment is called, with the settings in which those of one name differ."""
    names = [f"{one.attack.title} on {one.dataset.title}, {against(one)}" for one in experiments]
    fields = [dict(_fields(one.as_dict())) for one in experiments]
    titles = []
    for name, own in zip(names, fields, strict=True):
        namesakes = [other for called, other in zip(names, fields, strict=True) if called == name]
        said = [
            _said(path.rpartition(".")[2], value)
            for path, value in own.items()
            if not path.startswith("defenses") and any(other.get(path) != value for other in namesakes)
        ]
        titles.append(", ".join([name, *said]))
    return titles


def _fields(values: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _fields(value, f"{path}{name}.")
        else:
            yield path + name, value


def _lower(label: str) -> str:
    return label[:1].lower() + label[1:]


def _said(name: str, value: object) -> str:
    said = ("on" if value else "off") if isinstance(value, bool) else str(value).replace("_", " ")
    return f"{spoken(name).lower()} {said}"
