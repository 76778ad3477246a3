"""Trains models epoch by epoch and stores each epoch, so that a killed run loses one at most."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from core.keys import key_of
from core.runtime.context import Arrays, RunContext


def train_by_epochs(
    context: RunContext,
    stage: str,
    identity: Mapping[str, Any],
    function: Callable[..., Arrays],
    items: Iterable[int],
    epochs: int,
    shared: Mapping[str, Any],
    on_epoch: Callable[[int, Mapping[int, Arrays]], None] = lambda number, state: None,
    steps: int = 1,
) -> dict[int, Arrays]:
    """Return ``function(item, before=..., number=..., **shared)`` after the last epoch of every item.

    Without an epoch, that is the empty mapping which the first would begin with. All items finish an epoch before any
    begins the next. The state before an epoch is deleted once the epoch is stored.

    Args:
        context: Where epochs are trained and stored.
        stage: What the progress report calls the training; the number of the epoch is appended.
        identity: All that determines the outcome, plain values.
        function: One epoch of one item. ``before`` is what it returned after the epoch before, an empty mapping at
            first; it may return that again when the item needs no further epoch.
        items: Numbers of the trainings.
        epochs: Number of epochs.
        shared: Further arguments, the same for all items and epochs.
        on_epoch: Called after each epoch with its number, from 0, and the state of every item.
        steps: Steps of an epoch that progress counts, if ``function`` tells them by `core.runtime.steps.tell`.
    """
    items = list(items)
    keys = [key_of({**identity, "pass": number}) for number in range(epochs)]
    first, state = _resumed(context, keys, items)
    if first > 1:
        context.store.delete_arrays(keys[first - 2])
    if state:
        on_epoch(first - 1, state)
    for number in range(first, epochs):
        title = f"{stage}, epoch {number + 1} of {epochs}"
        before = {item: {"before": state.get(item, {})} for item in items}
        state = dict(
            context.train(title, keys[number], function, items, {**shared, "number": number}, before, steps_each=steps)
        )
        if number:
            context.store.delete_arrays(keys[number - 1])
        on_epoch(number, state)
    return {item: state.get(item, {}) for item in items}


def _resumed(context: RunContext, keys: Sequence[str], items: Sequence[int]) -> tuple[int, dict[int, Arrays]]:
    """Return the number of the first epoch that is still to be trained, and the state before it.

    An epoch counts as trained when each of its files can be read and has the digest it was stored with, because the
    epochs before it are deleted.
    """
    for number in reversed(range(len(keys))):
        if (state := context.stored(keys[number], items)) is not None:
            return number + 1, state
    return 0, {}
