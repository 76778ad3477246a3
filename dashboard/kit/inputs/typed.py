"""Whether somebody typed or uploaded a part of an experiment, which is theirs alone to see."""

from collections.abc import Collection
from functools import cache
from typing import Any

from core import catalog
from core.experiment import Experiment
from core.games.attack import Attack
from core.runtime.store import Store
from core.spec import Spec
from dashboard.kit.inputs import allowed, kept_uploads
from dashboard.kit.inputs.declared import parameters, parts_of


def is_typed(experiment: Experiment, known: Collection[str] = ()) -> bool:
    """Tell whether somebody typed or brought a part of an experiment: a sentence, a secret, keywords, documents.

    An encoder counts that this server does not offer. What a preset or a stored result of the attack says there comes
    with Telltale: nobody typed it.

    Args:
        experiment: The experiment.
        known: Digests that name a visitor whose uploads do not count.
    """
    typed = [text for owner in parts_of(experiment) if not _gave(known, owner) for text in _texts(owner)]
    return bool(typed) and not _shipped_texts(experiment.attack.part_name()).issuperset(typed)


def _gave(visitor: Collection[str], owner: Spec) -> bool:
    """Tell whether a visitor gave all files of a part: who gives the same vectors may not have given their texts."""
    paths = [getattr(owner, name) for name, parameter in parameters(type(owner)).items() if parameter.is_path]
    given = [path for path in paths if path]
    return bool(given) and all(kept_uploads.gave(visitor, Store(), path) for path in given)


@cache
def _shipped_texts(attack: str) -> frozenset[tuple[type[Spec], str, Any]]:
    """Return the texts in presets and stored results of an attack."""
    presets = [Experiment.preset(attack, name) for name in Attack.by_name(attack).presets]
    experiments = [*presets, *(entry.experiment for entry in catalog.entries_of(attack))]
    return frozenset(text for experiment in experiments for owner in parts_of(experiment) for text in _texts(owner))


def _texts(owner: Spec) -> list[tuple[type[Spec], str, Any]]:
    """Return each free text of a part that differs from its default, with its place."""
    return [
        (type(owner), name, getattr(owner, name))
        for name, parameter in parameters(type(owner)).items()
        if "str" in (parameter.kind, parameter.item)
        and getattr(owner, name) != parameter.default
        and not (allowed.is_encoder(parameter) and getattr(owner, name) in allowed.sources(parameter))
    ]
