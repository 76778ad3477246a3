"""Drawings of results: found in the store, or drawn from what a run kept, once somebody looks."""

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from core.errors import StoreError
from core.experiment import Experiment
from core.registry import part
from core.result import Drawing
from core.runtime.claims import Claims, Patience
from core.runtime.context import RunContext
from core.runtime.store import Store
from core.runtime.table_files import from_parquet, parquet

if TYPE_CHECKING:
    import pandas as pd


def load(store: Store, of: str, name: str, drawing: Drawing) -> "pd.DataFrame | None":
    """Return a drawing of the result with a key, or None when it is not drawn yet, or damaged.

    Raises:
        StoreError: It exists but cannot be read.
    """
    files = store.get_drawing(of, key := drawing.key(name, of))
    if files is None:
        return None
    try:
        return from_parquet(files[_file(name)])
    except (KeyError, ValueError) as error:
        raise StoreError(f"The drawing {key} is intact but cannot be read: {error}.") from error


def missing(store: Store, experiment: Experiment) -> list[str]:
    """Return the names of the drawings of a result that are absent or damaged."""
    if not (drawings := experiment.drawings):
        return []
    of = experiment.key
    return [name for name, each in drawings.items() if store.get_drawing(of, each.key(name, of)) is None]


def draw(experiment: Experiment, context: RunContext) -> None:
    """Draw what is missing of a result, each drawing once however many processes ask; what was not kept stays missing.

    Raises:
        StoreError: A drawing cannot be stored.
        RunCancelled: A person stopped it.
    """
    for name, drawing in experiment.drawings.items():
        _draw_once(name, drawing, experiment.key, context)


def former_files(experiment: Mapping[str, Any]) -> frozenset[str]:
    """Return the files of drawings, which results of an earlier version hold beside their own."""
    files = set[str]()
    for kind in ("attack", "game"):
        with suppress(LookupError, TypeError):  # an experiment of another form has no files to pass over
            files |= {_file(name) for name in part(kind, experiment[kind]["part"]).drawings}  # type: ignore[attr-defined]
    return frozenset(files)


def _draw_once(name: str, drawing: Drawing, of: str, context: RunContext) -> None:
    store, key = context.store, drawing.key(name, of)
    claims, waited = Claims(store, key), Patience()
    try:
        while store.get_drawing(of, key) is None and store.has_arrays(of, key):
            if claims.take(0) or waited.exhausted:
                if store.get_drawing(of, key) is None and (kept := store.get_arrays(of, key)) is not None:
                    store.put_drawing(of, key, {_file(name): parquet(drawing.draw(kept, context.progress))})
                    if not store.has_result(of):  # deleted meanwhile, with all that belongs to it
                        store.delete(of)
                return
            waited.for_holders(claims.beats([0]), idle=True)
    finally:
        claims.close()


def _file(name: str) -> str:
    return f"{name}.parquet"
