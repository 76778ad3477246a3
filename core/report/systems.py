"""What a report says of the audited systems: parts, the settings of each run, and the attacks that were not run."""

from collections.abc import Iterable, Mapping
from typing import Any

from core.audits import worded
from core.audits.plan import same_network
from core.encoders.records import record_of
from core.experiment import Experiment, fitting, misfit
from core.games.attack import Attack
from core.models.encoder import Encoder
from core.models.unknown_encoder import UnknownEncoder
from core.registry import Part, parts
from core.spec import Spec
from core.targets.model import Model
from core.text.bitext import Bitext
from core.text.contents import Documents, Patterns, Utterances
from core.text.marked import MarkedDocuments
from core.text.vectors import Vectors

_CONTENTS = {
    Bitext: "sentences with their translations",
    Documents: "documents",
    MarkedDocuments: "documents marked as in or out of the training text",
    Patterns: "texts of a known format",
    Utterances: "requests to an assistant with their intents and slots",
    Vectors: "stored vectors",
}
"""Contents of datasets, in words."""
_STRANGER = (
    "The adversary has the embeddings of texts, and a few texts of the same store with theirs. It does not know the "
    "encoder, and may not query it."
)
"""What an attack may do that would query the encoder, where nobody knows which one made the vectors."""
LEAKED = "Texts that leaked with their vectors; the encoder is not asked."
"""What is counted as queries where no encoder is queried."""


def described(experiments: Mapping[str, Experiment]) -> list[dict[str, Any]]:
    """Return each dataset and model that was attacked, with the keys of its results."""
    attacked: dict[tuple[str, ...], dict[str, Any]] = {}
    for key, experiment in experiments.items():
        dataset, model = experiment.dataset, experiment.model
        system = attacked.setdefault(
            (dataset.part_name(), model.part_name(), named(model)),
            {
                "dataset": dataset.title,
                "summary": dataset.card.summary,
                "licence": dataset.card.licence,
                "citation": dataset.card.citation,
                "synthetic": dataset.card.synthetic,
                "model": named(model),
                "results": [],
            },
        )
        system["results"].append(key)
    return list(attacked.values())


def named(model: Model) -> str:
    """Return what a model is called: with the title of its encoder, where that is on record."""
    record = record_of(model.source) if isinstance(model, Encoder) else None
    return f"{model.title}, {record.title}" if record else model.title


def played(experiment: Experiment, others: Iterable[Experiment]) -> dict[str, str]:
    """Return what the adversary may do, and what its queries return.

    Args:
        experiment: What was run.
        others: All that a report holds, this too; they tell which encoder made stored vectors.
    """
    attack = experiment.attack
    if not is_stranger(experiment):
        return {"threat": attack.assumed, "access": attack.returned()}
    threat = _STRANGER if getattr(attack, "practises", True) else attack.assumed
    made = (other.model for other in others if other.dataset == experiment.dataset and isinstance(other.model, Encoder))
    if (local := getattr(attack, "local", "")) and any(same_network(encoder.source, local) for encoder in made):
        threat += " Here both are the same encoder, as it happens; it is not told so."
    return {"threat": threat, "access": "the vectors of the leaked texts only"}


def is_stranger(experiment: Experiment) -> bool:
    """Tell whether the adversary queries no encoder: it is unknown, or the attack has leaked pairs alone."""
    return isinstance(experiment.model, UnknownEncoder) or not getattr(experiment.attack, "practises", True)


def titled(experiment: Experiment) -> str:
    """Return what an attack run is called, with the defenses that it meets."""
    behind = " and ".join(defense.named for defense in experiment.defenses)
    title = worded.named(experiment)
    return f"{title} behind {behind}" if behind else title


def not_run(experiments: Iterable[Experiment]) -> list[dict[str, Any]]:
    """Return the attacks without a result in the report, by the reason why they have none."""
    experiments = list(experiments)
    run = {experiment.attack.part_name() for experiment in experiments}
    by_reason: dict[str, list[str]] = {}
    for cls in parts("attack"):
        if issubclass(cls, Attack) and cls.part_name() not in run:
            by_reason.setdefault(_why(cls, experiments), []).append(cls.title)
    return [{"why": why, "attacks": titles} for why, titles in by_reason.items()]


def _why(attack: type[Attack], experiments: list[Experiment]) -> str:
    """Return what an attack needs that the systems lack; where one lacks nothing, that it could have been run."""
    datasets, models = [], []
    for experiment in experiments:
        if experiment.dataset.holds not in (attack.reads, *attack.also_reads):
            datasets.append(f"{_CONTENTS[experiment.dataset.holds]} ({experiment.dataset.title})")
        elif misfit(attack, experiment.model):
            models.append(f"“{experiment.model.title}”")
        else:
            return "Fits, but no result of it was given to this report."
    kinds, offering = (", ".join(dict.fromkeys(lacking)) for lacking in (datasets, models))
    reasons = [f"Plays on {_CONTENTS[attack.reads]}, not on {kinds}."] if datasets else []
    if models:
        possible = " or ".join(f"“{cls.title}”" for cls in fitting(attack, Model.kind))
        reasons.append(f"Plays on {possible}, not on {offering}.")
    return " ".join(reasons)


def settings(experiment: Experiment, plain_values: Mapping[str, Any]) -> list[str]:
    """Return each setting that differs from its declared default, as a line such as ``attack.shadow_pairs = 20``.

    Args:
        experiment: The experiment.
        plain_values: Its plain values, of which some may be withheld.
    """
    owners = {name: getattr(experiment, name) for name in ("dataset", "model", "game", "attack")}
    lines = [line for name, owner in owners.items() for line in _changed(name, owner, plain_values[name])]
    for number, defense in enumerate(experiment.defenses):
        lines += _changed(f"defenses.{defense.part_name()}", defense, plain_values["defenses"][number])
    return lines


def _changed(path: str, owner: Spec, plain_values: Mapping[str, Any]) -> list[str]:
    changed = []
    for name, field in type(owner).model_fields.items():
        value = getattr(owner, name)
        if isinstance(value, Spec):
            changed += [f"{path}.{name} = {value.part_name()}", *_changed(f"{path}.{name}", value, plain_values[name])]
        elif value != field.get_default():
            changed.append(f"{path}.{name} = {plain_values[name]}")
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
