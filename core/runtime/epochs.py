"""Trains models pass by pass, and keeps each pass, so that a killed run loses one at most."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from core.runtime.context import Arrays, RunContext
from core.spec import key_of


def train_by_epochs(
    context: RunContext,
    stage: str,
    identity: Mapping[str, Any],
    function: Callable[..., Arrays],
    items: Iterable[int],
    epochs: int,
    shared: Mapping[str, Any],
    on_epoch: Callable[[int, Mapping[int, Arrays]], None] = lambda number, state: None,
) -> dict[int, Arrays]:
    """Return ``function(item, before=..., number=..., **shared)`` after the last pass of every item.

    All items take a pass before any takes the next. What a pass needs of the one before is deleted after it.

    Args:
        context: Where passes are trained and kept.
        stage: What people read while it goes on; the number of the pass is put after it.
        identity: All that determines the outcome, plain values.
        function: One pass of one item. It is given what it returned after the pass before, an empty mapping at first,
            and may return that again when the item needs no more passes.
        items: Numbers of the trainings.
        epochs: Passes.
        shared: Further arguments, the same for all items and passes.
        on_epoch: Told of the number of each finished pass, from 0, and of the state after it.
    """
    items = list(items)
    keys = [key_of({**identity, "pass": number}) for number in range(epochs)]
    first, state = _resumed(context, keys, items)
    if first > 1:
        context.store.delete_arrays(keys[first - 2])
    if state:
        on_epoch(first - 1, state)
    for number in range(first, epochs):
        now = f"{stage}, pass {number + 1} of {epochs}"
        before = {item: {"before": state.get(item, {})} for item in items}
        state = dict(context.train(now, keys[number], function, items, {**shared, "number": number}, before))
        if number:
            context.store.delete_arrays(keys[number - 1])
        on_epoch(number, state)
    return {item: state[item] for item in items}


def _resumed(context: RunContext, keys: Sequence[str], items: Sequence[int]) -> tuple[int, dict[int, Arrays]]:
    """Return the number of the first pass that is still to be trained, and the state before it.

    A pass counts as trained when every one of its files can be read and has the digest it was stored with: what the
    next pass builds on is all there is of those before.
    """
    for number in reversed(range(len(keys))):
        if (state := context.stored(keys[number], items)) is not None:
            return number + 1, state
    return 0, {}
