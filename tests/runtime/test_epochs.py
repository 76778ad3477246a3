"""A model trained epoch by epoch resumes from what is intact, and from nothing else."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.runtime.context import Arrays, RunContext
from core.runtime.engine import Engine
from core.runtime.epochs import train_by_epochs
from core.runtime.store import Store

_EPOCHS = 5
_ITEMS = (0, 1, 2)


class _KilledError(Exception):
    pass


def _grow(item: int, before: Arrays, number: int) -> Arrays:
    """Return a state that lists its epochs in order."""
    known = before["state"] if before else np.array([item], dtype=np.int64)
    return {"state": np.append(known, number)}


def _train(store: Store, killed_after: int | None = None) -> tuple[dict[int, list[int]], list[int]]:
    seen = []

    def on_epoch(number: int, state: Mapping[int, Arrays]) -> None:
        seen.append(number)
        if number == killed_after:
            raise _KilledError

    context = RunContext(store=store, engine=Engine(workers=1))
    trained = train_by_epochs(context, "Growing", {"name": "test"}, _grow, _ITEMS, _EPOCHS, {}, on_epoch)
    return {item: arrays["state"].tolist() for item, arrays in trained.items()}, seen


def _wholly_trained() -> dict[int, list[int]]:
    return {item: [item, *range(_EPOCHS)] for item in _ITEMS}


def _flip(path: Path, at: int) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= 1
    path.write_bytes(bytes(content))


def _kill(store: Store, after: int) -> list[Path]:
    with pytest.raises(_KilledError):
        _train(store, killed_after=after)
    return sorted(store.root.glob("parts/*/*.npz"))


@pytest.mark.parametrize("after", range(_EPOCHS))
def test_a_killed_training_goes_on_after_its_last_epoch(store: Store, after: int) -> None:
    _kill(store, after)
    assert _train(store) == (_wholly_trained(), list(range(after, _EPOCHS)))


@pytest.mark.parametrize("after", range(_EPOCHS))
@pytest.mark.parametrize("damage", ["flip", "cut", "empty", "remove"])
def test_a_damaged_epoch_is_never_built_on(store: Store, after: int, damage: str) -> None:
    """Its predecessors are gone by then, so that training starts again from nothing, and ends with the same."""
    item = _ITEMS[after % len(_ITEMS)]
    path = next(path for path in _kill(store, after) if path.stem == str(item))
    damages: dict[str, Any] = {
        "flip": lambda: _flip(path, path.stat().st_size // 2),
        "cut": lambda: path.write_bytes(path.read_bytes()[:-1]),
        "empty": lambda: path.write_bytes(b""),
        "remove": path.unlink,
    }
    damages[damage]()
    assert _train(store) == (_wholly_trained(), list(range(_EPOCHS)))


def test_a_damaged_last_epoch_is_trained_again_from_the_one_before_if_that_is_there(store: Store) -> None:
    """A kill between an epoch and the removal of the one before leaves both."""
    _kill(store, 1)
    before = {path: path.read_bytes() for path in store.root.glob("parts/*/*.npz")}
    _kill(store, 2)
    after = set(store.root.glob("parts/*/*.npz"))
    for path, content in before.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    _flip(min(after), 40)
    assert _train(store) == (_wholly_trained(), list(range(1, _EPOCHS)))


def test_only_the_last_epoch_is_kept(store: Store) -> None:
    _train(store)
    assert len(list(store.root.glob("parts/*/*.npz"))) == len(_ITEMS)
    assert _train(store) == (_wholly_trained(), [_EPOCHS - 1])


def test_without_an_epoch_every_state_is_the_one_before_the_first(store: Store) -> None:
    context = RunContext(store=store, engine=Engine(workers=1))
    assert train_by_epochs(context, "Growing", {"name": "test"}, _grow, _ITEMS, 0, {}) == {0: {}, 1: {}, 2: {}}
    assert not sorted(store.root.glob("parts/*"))
