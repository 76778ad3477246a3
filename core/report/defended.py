"""The defenses that were tried: what the adversary knew, what the attack lost, and what the model's users lost."""

from collections.abc import Iterator
from typing import Any

from core.errors import TelltaleError
from core.experiment import Experiment
from core.report import sentences
from core.result import Result, headline
from core.runtime.store import Store


def tried(key: str, experiment: Experiment, result: Result, store: Store) -> Iterator[dict[str, Any]]:
    """Yield a row for each headline figure of a defended result, beside the same experiment without defenses."""
    if not experiment.defenses:
        return
    beside, undefended = _undefended(experiment, store)
    before = undefended.estimates if undefended else {}
    utility = "utility" in result.estimates and "utility" in before
    for name in headline(result.estimates).values():
        naive = result.estimates.get(f"{name}_naive")
        adapts = naive is not None or bool(getattr(experiment.attack, "adaptive", False))
        yield {
            "key": key,
            "undefended": beside,
            "title": " and ".join(defense.title for defense in experiment.defenses),
            "attack": experiment.attack.title,
            "adversary": _adversary(experiment, adapts=adapts),
            "adapts": adapts,
            "label": sentences.labelled(name),
            "after": result.estimates[name].model_dump(),
            "naive": naive.model_dump() if naive else None,
            "before": before[name].model_dump() if name in before else None,
            "change": sentences.change(result.estimates[name], before[name]) if name in before else None,
            "utility": sentences.change(result.estimates["utility"], before["utility"]) if utility else None,
            "utility_of": result.estimates["utility"].help if utility else None,
        }


def _adversary(experiment: Experiment, *, adapts: bool) -> str:
    if adapts:
        return "against an adversary that knows the defense and adapts to it"
    if hasattr(experiment.attack, "adaptive"):
        return "against an adversary that does not know the defense"
    return "against the attack unchanged; no adversary that adapts was measured"


def _undefended(experiment: Experiment, store: Store) -> tuple[str | None, Result | None]:
    """Return the stored result of the same experiment without defenses, and its key; None where there is none."""
    attack, declared = experiment.attack, type(experiment.attack).model_fields
    attacks = [attack]
    if "adaptive" in declared:
        attacks.append(attack.replace(adaptive=declared["adaptive"].get_default()))
    for attacked in attacks:
        try:
            key = experiment.replace(defenses=(), attack=attacked).key
            undefended = Result.load(store, key)
        except TelltaleError:
            continue
        if undefended is not None:
            return key, undefended
    return None, None
