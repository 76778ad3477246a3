"""The promised results: experiments whose results ship with the code."""

import pkgutil
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module
from pathlib import Path

from core import drawings
from core.catalog.entry import Entry
from core.errors import TelltaleError, UnknownPart
from core.experiment import Experiment
from core.result import Result
from core.runtime.store import DRAWINGS, READERS, Store

__all__ = ["Entry", "check", "entries", "entries_of", "key", "matching", "with_any_seed"]

_SAYING = ("README.md", "INDEX.md")
"""Files that say what the folder of promised results holds."""


@cache
def entries() -> tuple[Entry, ...]:
    """Return the promised results of all modules of this folder that have an ``ORDER``, in that order."""
    modules = [import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__)]
    listed = sorted((module for module in modules if hasattr(module, "ORDER")), key=lambda module: int(module.ORDER))
    return tuple(entry for module in listed for entry in module.entries())


def entries_of(attack: str) -> tuple[Entry, ...]:
    """Return the promised results of an attack by its name, in the order of the pages."""
    return tuple(entry for entry in entries() if entry.attack == attack)


def with_any_seed(experiment: Experiment) -> list[Entry]:
    """Return the promised results of an experiment with any seed."""
    values = {**experiment.as_dict(), "seed": None}
    entries = entries_of(experiment.attack.part_name())
    return [entry for entry in entries if {**entry.values, "seed": None} == values]


def key(experiment: Experiment) -> str:
    """Return the key of an experiment; that of a promised one is derived once, as `Entry.key` says."""
    entry = _by_identity().get(id(experiment))
    return experiment.key if entry is None else entry.key


@cache
def _by_identity() -> dict[int, Entry]:
    return {id(entry.experiment): entry for entry in entries()}


def matching(pattern: str) -> list[Entry]:
    """Return the entries whose name matches a shell pattern.

    Raises:
        UnknownPart: No name matches.
    """
    matches = [entry for entry in entries() if fnmatchcase(entry.name, pattern)]
    if not matches:
        raise UnknownPart("precomputed result", pattern, [entry.name for entry in entries()])
    return matches


def check(store: Store, pattern: str = "*") -> list[str]:
    """Return a line for each promised result or drawing that is absent, damaged or another's, and each extra one."""
    problems = []
    shipped = replace(store, root=store.shipped / "none beside these")
    for entry in matching(pattern):
        key = entry.key
        if not store.is_shipped(key):
            problems.append(f"{entry.name}: no result under precomputed/{key}.")
            continue
        result = Result.load(shipped, key)
        if result is None:
            problems.append(f"{entry.name}: precomputed/{key} is damaged.")
        elif _read(result) != entry.experiment:
            problems.append(f"{entry.name}: precomputed/{key} holds another experiment.")
        absent = drawings.missing(shipped, entry.experiment)
        problems += [f"{entry.name}: its drawing {name} is absent or damaged." for name in absent]
    return problems + [f"precomputed/{path} is not promised by any entry." for path in _extra(store.shipped)]


def _extra(shipped: Path) -> list[str]:
    """Return files and folders that are neither a promised result, nor a drawing of one, nor say what is there."""
    promised = {READERS.name, DRAWINGS, *_SAYING}
    for entry in entries():
        promised.add(of := entry.key)
        promised |= {f"{DRAWINGS}/{of}/{drawing.key(name, of)}" for name, drawing in entry.experiment.drawings.items()}
    found = (path for pattern in ("*", f"{DRAWINGS}/*/*") for path in shipped.glob(pattern))
    return sorted({path.relative_to(shipped).as_posix() for path in found} - promised)


def _read(result: Result) -> Experiment | None:
    """Return the experiment of a result, which may lack fields that are newer; None where it is none any more."""
    try:
        return Experiment.parse(result.experiment)
    except TelltaleError:
        return None
