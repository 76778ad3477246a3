"""Stored results, looked up by the name of a promised one or by their key."""

from dataclasses import replace

from core import catalog
from core.catalog.entry import Entry
from core.errors import StoreError, UnknownPart
from core.experiment import Experiment
from core.result import Result
from core.runtime.store import Store


def key_of(text: str, store: Store) -> str:
    """Return the key of a promised result by its name, or of any stored one by the key itself.

    Raises:
        UnknownPart: There is no such result.
    """
    promised = {entry.name: entry.key for entry in catalog.entries()}
    if text in promised:
        return promised[text]
    if text not in (known := store.results()):
        listed = "what 'python -m core show' lists, or precomputed/INDEX.md"
        raise UnknownPart("stored result", text, [*promised, *known], listed)
    return text


def load(key: str, store: Store) -> tuple[Experiment, Result]:
    """Return the experiment and the result of a key, with all decisions counted.

    Raises:
        StoreError: The result is absent, damaged or of another version.
        InvalidSpec: Its experiment is not valid any more.
    """
    promised = next((entry for entry in catalog.entries() if entry.key == key), None)
    result = Result.load(store, key) if promised is None else of_entry(promised, store)
    if result is None:
        raise StoreError(f"The stored result {key} is damaged or of another version. Run its experiment again.")
    experiment = Experiment.parse(result.experiment)
    return experiment, replace(result, estimates=experiment.game.counted(result.estimates, result.tables))


def of_entry(entry: Entry, store: Store, *, tables: bool = True) -> Result:
    """Return the stored result of an entry.

    Args:
        entry: The entry.
        store: Holds the results.
        tables: Whether to read its tables, which take nearly all the time.

    Raises:
        StoreError: It is absent or damaged; the message names the command that computes it.
    """
    result = Result.load(store, entry.key, tables=tables)
    if result is None:
        raise StoreError(
            f"{entry.name}: no intact result under precomputed/{entry.key}. "
            f"'python -m core precompute --only {entry.name}' computes it."
        )
    return result
