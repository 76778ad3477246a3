"""Where a run does its work: an engine to train on, a store that forgets nothing, and someone to tell."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.engine import Engine
from core.progress import Progress
from core.store import Store

Arrays = Mapping[str, NDArray[Any]]


@dataclass
class Lab:
    """The means of a run.

    Attributes:
        store: Keeps each training as soon as it is finished.
        engine: Where trainings take place.
        progress: Is told of every stage and every finished training.
        trainings: How many trainings were computed here, rather than found in the store.
        training_seconds: Seconds spent inside all trainings, found ones included.
    """

    store: Store = field(default_factory=Store)
    engine: Engine = field(default_factory=Engine)
    progress: Progress = field(default_factory=Progress)
    trainings: int = 0
    training_seconds: float = 0.0

    def train(
        self,
        stage: str,
        key: str,
        function: Callable[..., Arrays],
        items: Iterable[int],
        shared: Mapping[str, Any],
    ) -> Iterator[tuple[int, Arrays]]:
        """Yield ``(item, function(item, **shared))`` for every item, in any order, computing each one only once ever.

        Args:
            stage: What people read while it goes on.
            key: Key of everything that determines the outcome besides the item.
            function: A function of the item that any process can import; returns arrays.
            items: Numbers of the trainings.
            shared: Further arguments, the same for all items.
        """
        items = list(items)
        names = self.store.part_names(key)
        stored = [item for item in items if str(item) in names]
        missing = set(items) - set(stored)
        self.progress.stage(stage, total=len(items), done=len(stored))
        for item in stored:
            arrays = self.store.get_part(key, str(item))
            if arrays is None:
                missing.add(item)
                self.progress.advance(-1)
            else:
                self.training_seconds += float(arrays.pop("seconds"))
                yield item, arrays
        for item, arrays in self.engine.map(_timed, sorted(missing), {"function": function, "shared": shared}):
            self.store.put_part(key, str(item), arrays)
            self.trainings += 1
            self.training_seconds += float(arrays["seconds"])
            self.progress.advance()
            yield item, {name: array for name, array in arrays.items() if name != "seconds"}


def _timed(item: int, function: Callable[..., Arrays], shared: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
    began = time.perf_counter()
    arrays = function(item, **shared)
    return {**arrays, "seconds": np.float64(time.perf_counter() - began)}
