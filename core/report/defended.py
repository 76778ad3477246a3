"""The defenses that were tried: what the adversary knew, what the attack lost, and what the model's users lost."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import product
from typing import Any

from core.audits.storage_formats import change
from core.defenses import Defense, EmbeddingDefense
from core.errors import InvalidSpec, TelltaleError
from core.experiment import Experiment
from core.games.attack import Attack
from core.games.inversion.sensitive_score import is_dealt
from core.report import audited
from core.result import Result, headline
from core.runtime.store import Store

_UTILITY = ("utility", "retrieval_recall_at_10")
"""What users lose by a defense: of stored vectors, which serve a search, its recall."""
_IDLE = ("adaptive", "calibrated", "averaged")
"""Settings of an attack, on or off, that change nothing of its answer where there is no defense."""


def tried(key: str, experiment: Experiment, result: Result, store: Store) -> Iterator[dict[str, Any]]:
    """Yield a row for each headline figure of a defended result, beside no defense, and beside the other adversary."""
    if not experiment.defenses:
        return
    alike = _alike_but(experiment.attack, _IDLE)
    beside, undefended = _stored_beside(key, experiment, result, store, alike, ())
    twin, other = _twin(key, experiment, result, store)
    before = undefended.estimates if undefended else {}
    of_twin = other.estimates if other else {}
    unaware = experiment.attack.unaware
    utility = next((name for name in _UTILITY if name in result.estimates and name in before), None)
    for name in headline(result.estimates).values():
        naive = result.estimates.get(f"{name}_naive")
        adapts = naive is not None or experiment.attack.adapts_to(experiment.defenses)
        adaptive = None if adapts else of_twin.get(name)
        naive = of_twin.get(name) if adapts and naive is None else naive
        yield {
            "key": key,
            "undefended": beside,
            "title": " and ".join(defense.named for defense in experiment.defenses),
            "attack": experiment.attack.named,
            "adversary": _adversary(experiment, adapts=adapts, unaware=unaware),
            "adapts": adapts,
            "unaware": unaware,
            "keeps_back": experiment.keeps_back,
            "label": audited.labelled(name, result),
            "after": result.estimates[name].model_dump(),
            "twin": twin,
            "naive": naive.model_dump() if naive else None,
            "adaptive": adaptive.model_dump() if adaptive else None,
            "before": before[name].model_dump() if name in before else None,
            "change": change(result.estimates[name], before[name])._asdict() if name in before else None,
            "utility": change(result.estimates[utility], before[utility])._asdict() if utility else None,
            "utility_of": result.estimates[utility].help if utility else None,
        }


def _adversary(experiment: Experiment, *, adapts: bool, unaware: bool) -> str:
    if adapts and any(isinstance(defense, EmbeddingDefense) and defense.keyed for defense in experiment.defenses):
        return "against an adversary that knows the defense, not its key, and adapts to it"
    if adapts:
        return "against an adversary that knows the defense and adapts to it"
    if unaware:
        return "against an adversary that does not know the defense"
    return "against the attack unchanged; no adversary that adapts was measured"


def _alike_but(attack: Attack, names: Iterable[str]) -> Iterator[Attack]:
    """Yield an attack, and the same with other values of settings that are on or off, where it has them."""
    settings = [name for name in names if name in type(attack).model_fields]
    for exchanged in product((False, True), repeat=len(settings)):
        changes = {name: getattr(attack, name) != other for name, other in zip(settings, exchanged, strict=True)}
        with suppress(InvalidSpec):
            yield attack.replace(**changes)


def _twin(key: str, experiment: Experiment, result: Result, store: Store) -> tuple[str | None, Result | None]:
    """Return the stored result of the adversary that knows the defense where this one does not, or the reverse.

    Nothing else differs; but who does not know the defense cannot average, so that its twin may do so, and is then
    sought last.
    """
    twin = experiment.attack.knowing(adaptive=experiment.attack.unaware)
    if twin == experiment.attack:
        return None, None
    twins = _alike_but(twin, ("averaged",))
    return _stored_beside(key, experiment, result, store, twins, experiment.defenses)


def _stored_beside(
    key: str,
    experiment: Experiment,
    result: Result,
    store: Store,
    attacks: Iterable[Attack],
    defenses: Sequence[Defense],
) -> tuple[str | None, Result | None]:
    """Return the stored result of the same experiment by one of some attacks behind defenses, and its key, or None.

    Keys of a user's own data are by content. Where the files no longer give the key of the given result, since they
    have changed or their paths lead elsewhere from this folder, stored results are compared instead.
    """
    same = experiment.key == key
    for attack in attacks:
        try:
            other = experiment.replace(defenses=defenses, attack=attack)
            found = _of_key(other.key, store) if same else _alike(other, result, store)
        except TelltaleError:
            continue
        if found is not None:
            return found
    return None, None


def _of_key(key: str, store: Store) -> tuple[str, Result] | None:
    found = Result.load(store, key)
    return None if found is None else (key, found)


def _alike(other: Experiment, given: Result, store: Store) -> tuple[str, Result] | None:
    """Return the only stored result of an experiment that has read the same data as a given one, and its key.

    The same data give every figure of both the same chance level and number of decisions, which no defense changes; but
    where chance is what is named from other vectors, the number of decisions alone tells.
    """
    wanted, alike = other.as_dict(), []
    for key in store.results():
        if store.is_shipped(key):
            continue
        stored = Result.load(store, key, tables=False)
        if stored is not None and stored.experiment == wanted and _same_data(stored, given):
            alike.append((key, stored))
    return alike[0] if len(alike) == 1 else None


def _same_data(first: Result, second: Result) -> bool:
    shared = first.estimates.keys() & second.estimates.keys()
    pairs = [(first.estimates[name], second.estimates[name]) for name in shared]
    return bool(pairs) and all(
        one.n == other.n and (one.chance == other.chance or is_dealt(one) or is_dealt(other)) for one, other in pairs
    )
