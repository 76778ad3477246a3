"""Trains models pass by pass, and keeps each pass, so that a killed run loses one at most."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from core.lab import Arrays, Lab
from core.spec import key_of


def train_by_passes(
    lab: Lab,
    stage: str,
    identity: Mapping[str, Any],
    function: Callable[..., Arrays],
    items: Iterable[int],
    epochs: int,
    shared: Mapping[str, Any],
    heard: Callable[[int, Mapping[int, Arrays]], None] = lambda number, state: None,
) -> dict[int, Arrays]:
    """Return ``function(item, before=..., number=..., **shared)`` after the last pass of every item.

    All items take a pass before any takes the next. What a pass needs of the one before is deleted after it.

    Args:
        lab: Where passes are trained and kept.
        stage: What people read while it goes on; the number of the pass is put after it.
        identity: All that determines the outcome, plain values.
        function: One pass of one item. It is given what it returned after the pass before, an empty mapping at first,
            and may return that again when the item needs no more passes.
        items: Numbers of the trainings.
        epochs: Passes.
        shared: Further arguments, the same for all items and passes.
        heard: Told of the number of each finished pass, from 0, and of the state after it.
    """
    items = list(items)
    keys = [key_of({**identity, "pass": number}) for number in range(epochs)]
    done = [number for number, key in enumerate(keys) if lab.store.part_names(key) >= {str(item) for item in items}]
    state: dict[int, Arrays] = {}
    for number in range(max(done, default=0), epochs):
        now = f"{stage}, pass {number + 1} of {epochs}"
        before = {item: {"before": state.get(item, {})} for item in items}
        state = dict(lab.train(now, keys[number], function, items, {**shared, "number": number}, before))
        if number:
            lab.store.delete_parts(keys[number - 1])
        heard(number, state)
    return {item: state[item] for item in items}
