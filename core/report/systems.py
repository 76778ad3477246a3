"""What a report says of the audited systems: parts, the settings of each run, and the attacks that were not run."""

from collections.abc import Iterable, Mapping
from typing import Any

from core.experiment import Experiment, misfit
from core.games.attack import Attack
from core.registry import Part, parts
from core.spec import Spec


def described(experiments: Mapping[str, Experiment]) -> list[dict[str, Any]]:
    """Return each dataset and model that was attacked, with the keys of its results."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for key, experiment in experiments.items():
        dataset, model = experiment.dataset, experiment.model
        system = found.setdefault(
            (dataset.part_name(), model.part_name()),
            {
                "dataset": dataset.title,
                "summary": dataset.card.summary,
                "licence": dataset.card.licence,
                "citation": dataset.card.citation,
                "synthetic": dataset.card.synthetic,
                "model": model.title,
                "results": [],
            },
        )
        system["results"].append(key)
    return list(found.values())


def not_run(experiments: Iterable[Experiment]) -> list[dict[str, Any]]:
    """Return the attacks without a result in the report, by the reason why they have none."""
    experiments = list(experiments)
    run = {experiment.attack.part_name() for experiment in experiments}
    found: dict[str, list[str]] = {}
    for cls in parts("attack"):
        if issubclass(cls, Attack) and cls.part_name() not in run:
            found.setdefault(_why(cls, experiments), []).append(cls.title)
    return [{"why": why, "attacks": titles} for why, titles in found.items()]


def _why(attack: type[Attack], experiments: list[Experiment]) -> str:
    reasons = [_unfit(attack, experiment) for experiment in experiments]
    if not all(reasons):
        return "Fits, but no result of it was given to this report."
    alike = len(set(reasons)) == 1
    return reasons[0] if alike else f"Fits none of these systems. Of the first: {reasons[0]}"


def _unfit(attack: type[Attack], experiment: Experiment) -> str:
    dataset = experiment.dataset
    if dataset.holds is not attack.reads:
        return f"Reads {attack.reads.__name__.lower()}; {dataset.title} holds {dataset.holds.__name__.lower()}."
    reason = misfit(attack, experiment.model).removeprefix(f"{attack.part_name()} ")
    return reason[:1].upper() + reason[1:]


def settings(experiment: Experiment, shown: Mapping[str, Any]) -> list[str]:
    """Return each setting that differs from its declared default, as a line such as ``attack.shadow_pairs = 20``.

    Args:
        experiment: The experiment.
        shown: Its plain values, of which some may be withheld.
    """
    owners = {name: getattr(experiment, name) for name in ("dataset", "model", "game", "attack")}
    lines = [line for name, owner in owners.items() for line in _changed(name, owner, shown[name])]
    for place, defense in enumerate(experiment.defenses):
        lines += _changed(f"defenses.{defense.part_name()}", defense, shown["defenses"][place])
    return lines


def _changed(path: str, owner: Spec, shown: Mapping[str, Any]) -> list[str]:
    changed = []
    for name, field in type(owner).model_fields.items():
        value = getattr(owner, name)
        if isinstance(value, Spec):
            changed += [f"{path}.{name} = {value.part_name()}", *_changed(f"{path}.{name}", value, shown[name])]
        elif value != field.get_default():
            changed.append(f"{path}.{name} = {shown[name]}")
    return changed


def versions(experiment: Experiment) -> dict[str, int]:
    """Return the version of each part, which is raised when the same settings would give another result."""
    owners: tuple[Part, ...] = (
        experiment.attack,
        experiment.dataset,
        experiment.model,
        *experiment.defenses,
        experiment.game,
    )
    return {f"{owner.kind} {owner.part_name()}": owner.version for owner in owners}
