"""The experiment that an attack opens on, and the one that the overview shows."""

from collections.abc import Callable, Mapping, Sequence

from core import catalog
from core.catalog import Entry
from core.datasets import Dataset
from core.errors import TelltaleError
from core.experiment import Experiment
from core.jobs.needs import needs
from core.registry import part
from core.result import Estimate, headline, lead
from dashboard.kit import stored_results


def experiment(attack: str) -> Experiment:
    """Return the experiment that an attack opens on; without one in the catalogue, its first preset.

    Presets come first, then experiments whose texts are on this machine; among these, the `strongest`.
    """
    entries = catalog.entries_of(attack)
    here: dict[Dataset, bool] = {}
    for entry in entries:
        dataset = entry.experiment.dataset
        if dataset not in here:
            here[dataset] = not needs(dataset)
    names = part("attack", attack).presets  # type: ignore[attr-defined]
    presets = [Experiment.preset(attack, name) for name in names]
    if not entries:
        return presets[0]

    def rank(entry: Entry) -> tuple[bool | float, ...]:
        opened = entry.experiment
        return *_rank(entry)[:2], opened in presets, here[opened.dataset], *_rank(entry)[2:]

    return max(entries, key=rank).experiment


def stored(attack: str, fits: Callable[[Experiment], bool]) -> Experiment | None:
    """Return the first experiment of an attack in the catalogue that fits and has a result, or None."""
    for entry in catalog.entries_of(attack):
        if fits(entry.experiment) and stored_results.readable(entry.key) is not None:
            return entry.experiment
    return None


def strongest(entries: Sequence[Entry]) -> Entry:
    """Return the entry whose result lies farthest above chance.

    Entries with a result come first; entries that serve for comparison only come last.
    """
    return max(entries, key=_rank)


def _rank(entry: Entry) -> tuple[bool, bool, float]:
    estimates = _estimates(entry)
    figures = {size: estimates[name] for size, name in headline(estimates).items()}
    return bool(figures), not entry.contrast, lead(figures)


def _estimates(entry: Entry) -> Mapping[str, Estimate]:
    try:
        return stored_results.estimates(entry.key)
    except TelltaleError:
        return {}
