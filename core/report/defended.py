"""The defenses that were tried: what the adversary knew, what the attack lost, and what the model's users lost."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from core.audits.storage_formats import change
from core.defenses import EmbeddingDefense
from core.errors import TelltaleError
from core.experiment import Experiment
from core.games.attack import AdaptiveAttack
from core.games.inversion.sensitive_score import is_dealt
from core.report import audited
from core.result import Result, headline
from core.runtime.store import Store

_UTILITY = ("utility", "retrieval_recall_at_10")
"""What users lose by a defense: of stored vectors, which serve a search, its recall."""
_IDLE = ("adaptive", "calibrated", "averaged")
"""Settings of an attack, on or off, that change nothing of its answer where there is no defense."""


def tried(key: str, experiment: Experiment, result: Result, store: Store) -> Iterator[dict[str, Any]]:
    """Yield a row for each headline figure of a defended result, beside the same experiment without defenses."""
    if not experiment.defenses:
        return
    beside, undefended = _undefended(key, experiment, result, store)
    before = undefended.estimates if undefended else {}
    utility = next((name for name in _UTILITY if name in result.estimates and name in before), None)
    for name in headline(result.estimates).values():
        naive = result.estimates.get(f"{name}_naive")
        adapts = naive is not None or (isinstance(experiment.attack, AdaptiveAttack) and experiment.attack.adaptive)
        yield {
            "key": key,
            "undefended": beside,
            "title": " and ".join(defense.named for defense in experiment.defenses),
            "attack": experiment.attack.named,
            "adversary": _adversary(experiment, adapts=adapts),
            "adapts": adapts,
            "keeps_back": experiment.keeps_back,
            "label": audited.labelled(name, result),
            "after": result.estimates[name].model_dump(),
            "naive": naive.model_dump() if naive else None,
            "before": before[name].model_dump() if name in before else None,
            "change": change(result.estimates[name], before[name])._asdict() if name in before else None,
            "utility": change(result.estimates[utility], before[utility])._asdict() if utility else None,
            "utility_of": result.estimates[utility].help if utility else None,
        }


def _adversary(experiment: Experiment, *, adapts: bool) -> str:
    if adapts and any(isinstance(defense, EmbeddingDefense) and defense.keyed for defense in experiment.defenses):
        return "against an adversary that knows the defense, not its key, and adapts to it"
    if adapts:
        return "against an adversary that knows the defense and adapts to it"
    if isinstance(experiment.attack, AdaptiveAttack):
        return "against an adversary that does not know the defense"
    return "against the attack unchanged; no adversary that adapts was measured"


def _undefended(key: str, experiment: Experiment, result: Result, store: Store) -> tuple[str | None, Result | None]:
    """Return the stored result of the same experiment without defenses, and its key; None where there is none.

    Keys of a user's own data are by content. Where the files no longer give the key of the defended result, since they
    have changed or their paths lead elsewhere from this folder, stored results are compared instead.
    """
    settings = [name for name in _IDLE if name in type(experiment.attack).model_fields]
    before = {name: getattr(experiment.attack, name) for name in settings}
    same = experiment.key == key
    for exchanged in product((False, True), repeat=len(settings)):
        changes = {name: before[name] != other for name, other in zip(settings, exchanged, strict=True)}
        try:
            attacked = experiment.attack.replace(**changes)
            plain = experiment.replace(defenses=(), attack=attacked)
            undefended = _of_key(plain.key, store) if same else _alike(plain, result, store)
        except TelltaleError:
            continue
        if undefended is not None:
            return undefended
    return None, None


def _of_key(key: str, store: Store) -> tuple[str, Result] | None:
    undefended = Result.load(store, key)
    return None if undefended is None else (key, undefended)


def _alike(plain: Experiment, defended: Result, store: Store) -> tuple[str, Result] | None:
    """Return the only stored result of an experiment that has read the same data as a defended one, and its key.

    The same data give every figure of both the same chance level and number of decisions, which no defense changes; but
    where chance is what is named from other vectors, the number of decisions alone tells.
    """
    wanted, alike = plain.as_dict(), []
    for key in store.results():
        if store.is_shipped(key):
            continue
        undefended = Result.load(store, key, tables=False)
        if undefended is not None and undefended.experiment == wanted and _same_data(undefended, defended):
            alike.append((key, undefended))
    return alike[0] if len(alike) == 1 else None


def _same_data(first: Result, second: Result) -> bool:
    shared = first.estimates.keys() & second.estimates.keys()
    pairs = [(first.estimates[name], second.estimates[name]) for name in shared]
    return bool(pairs) and all(
        one.n == other.n and (one.chance == other.chance or is_dealt(one) or is_dealt(other)) for one, other in pairs
    )
