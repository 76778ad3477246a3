"""Stored results, read once for all sessions."""

from collections.abc import Hashable
from pathlib import Path
from threading import Condition

import pandas as pd
from cachetools import LRUCache, cached

from core import catalog, drawings
from core.catalog import seeds
from core.errors import TelltaleError
from core.experiment import Experiment
from core.result import Drawing, Estimate, Result
from core.runtime.store import MANIFEST, Store
from dashboard.kit import shared


def load(key: str) -> Result | None:
    """Return a stored result, read once for all sessions, or None.

    Raises:
        StoreError: The result exists but cannot be read.
    """
    store = Store()
    stamps = _stamps(store, key)
    try:
        return _loaded(store, key, stamps) if any(stamps) else None
    except _Absent:
        return None


def drawing(experiment: Experiment, name: str) -> pd.DataFrame | None:
    """Return a drawing of a stored result, read once for all sessions, or None.

    Raises:
        StoreError: The drawing exists but cannot be read.
    """
    store, of, how = Store(), experiment.key, experiment.drawings[name]
    stamps = tuple(_stamp(folder / MANIFEST) for folder in store.drawing_folders(of, how.key(name, of)))
    try:
        return _drawn(store, how.key(name, of), stamps, of, name, how) if any(stamps) else None
    except _Absent:
        return None


def estimates(key: str) -> dict[str, Estimate]:
    """Return the estimates of a stored result without reading its tables; none without a result.

    Raises:
        StoreError: The result exists but cannot be read.
    """
    store = Store()
    stamps = _stamps(store, key)
    try:
        return _estimates(store, key, stamps) if any(stamps) else {}
    except _Absent:
        return {}


def readable_estimates(key: str) -> dict[str, Estimate]:
    """Return the estimates of a stored result; none without a result that can be read."""
    try:
        return estimates(key)
    except TelltaleError:
        return {}


def over_seeds(experiment: Experiment, name: str) -> tuple[Estimate, ...]:
    """Return an estimate of the promised results of an experiment with three seeds or more; nothing if one lacks it."""
    of_seeds = [readable_estimates(entry.key).get(name) for entry in catalog.with_any_seed(experiment)]
    return tuple(filter(None, of_seeds)) if len(of_seeds) >= seeds.FEWEST and all(of_seeds) else ()


def readable(key: str) -> Result | None:
    """Return a stored result, or None where there is none that can be read."""
    try:
        return load(key)
    except TelltaleError:
        return None


class _Absent(Exception):
    """There is no intact result; that is not remembered, because its files may still be arriving."""


def _place(store: Store, key: str, stamps: tuple[int, ...], *_: object) -> Hashable:
    """Return what tells a result or drawing apart: what comes with the code is the same whatever else is written."""
    return store.shipped, stamps[1] and store.root, key, stamps


@cached(LRUCache(64), key=_place, condition=Condition())
def _loaded(store: Store, key: str, stamps: tuple[int, ...]) -> Result:
    if (result := Result.load(store, key)) is None:
        raise _Absent
    return shared.share(result)


@cached(LRUCache(64), key=_place, condition=Condition())
def _drawn(store: Store, _: str, stamps: tuple[int, ...], of: str, name: str, how: Drawing) -> pd.DataFrame:
    if (table := drawings.load(store, of, name, how)) is None:
        raise _Absent
    return shared.share(table)


@cached(LRUCache(1024), key=_place, condition=Condition())
def _estimates(store: Store, key: str, stamps: tuple[int, ...]) -> dict[str, Estimate]:
    if (result := Result.load(store, key, tables=False)) is None:
        raise _Absent
    return result.estimates


def _stamps(store: Store, key: str) -> tuple[int, ...]:
    """Return the modification time of the result in each folder that may hold it; 0 where it does not."""
    return tuple(
        _stamp(path) for path in (Path(store.shipped, key, MANIFEST), Path(store.root, "results", key, MANIFEST))
    )


def _stamp(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
