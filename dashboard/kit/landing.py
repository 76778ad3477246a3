"""The experiment that an attack opens on, in the menu as on the overview, and the one that leaks most clearly."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from core import catalog
from core.catalog import Entry
from core.datasets import Dataset
from core.experiment import Experiment
from core.games.attack import Attack
from core.jobs.needs import needs
from core.result import headline, lead
from dashboard.kit import stored_results

_FEW = 3
"""Results that are offered instead of one that is not computed yet."""


def experiment(attack: str) -> Experiment:
    """Return the experiment that an attack opens on; without one in the catalogue, its first preset.

    The overview shows the same one, which is the `first` of its entries.
    """
    entries = catalog.entries_of(attack)
    if entries:
        return first(entries).experiment
    name = next(iter(Attack.by_name(attack).presets))
    return Experiment.preset(attack, name)


def first(entries: Sequence[Entry]) -> Entry:
    """Return the entry of an attack that its page opens on.

    Presets come first, then experiments whose texts are on this machine; among these, the `clearest`. Entries with a
    result come before all others, entries that serve for comparison only come last.
    """
    attack = entries[0].experiment.attack
    presets = [Experiment.preset(attack.part_name(), name) for name in attack.presets]

    def preference(entry: Entry) -> tuple[bool, bool]:
        return not entry.contrast, entry.experiment in presets

    preferred = sorted(entries, key=preference, reverse=True)
    # The results of entries further down are looked at only where those above have none: there are hundreds.
    groups = [list(alike) for _, alike in groupby(preferred, preference)]
    best = map(_clearest_here, groups)
    return next((entry for entry in best if _rank(entry)[0]), None) or _clearest_here(groups[0])


def _clearest_here(entries: Sequence[Entry]) -> Entry:
    """Return the `clearest` of equally preferred entries; those whose texts are on this machine come first."""
    here: dict[Dataset, bool] = {}

    def rank(entry: Entry) -> tuple[bool, bool, float]:
        dataset, (has_result, _, lies_above) = entry.experiment.dataset, _rank(entry)
        if dataset not in here:
            here[dataset] = not needs(dataset)
        return has_result, here[dataset], lies_above

    return max(entries, key=rank)


def stored(attack: str, fits: Callable[[Experiment], bool]) -> Experiment | None:
    """Return the first experiment of an attack in the catalogue that fits and has a result, or None."""
    for entry in catalog.entries_of(attack):
        if fits(entry.experiment) and stored_results.readable(entry.key) is not None:
            return entry.experiment
    return None


def clearest(entries: Sequence[Entry]) -> Entry:
    """Return the entry whose result lies farthest above chance, by the lower end of its interval.

    Entries with a result come first; entries that serve for comparison only come last.
    """
    return max(entries, key=_rank)


def nearest(wanted: Experiment) -> list[Entry]:
    """Return entries of the same attack that have a result, the most similar first: some, to look at instead."""
    measured = [
        entry for entry in catalog.entries_of(wanted.attack.part_name()) if stored_results.readable_estimates(entry.key)
    ]
    return sorted(
        measured, key=lambda entry: (entry.contrast, differing(wanted, entry.experiment, Experiment.model_fields))
    )[:_FEW]


def differing(experiment: Experiment, other: Experiment, fields: Iterable[str]) -> int:
    """Return in how many of some fields two experiments differ."""
    return sum(getattr(experiment, name) != getattr(other, name) for name in fields)


def _rank(entry: Entry) -> tuple[bool, bool, float]:
    estimates = stored_results.readable_estimates(entry.key)
    figures = {size: estimates[name] for size, name in headline(estimates, entry.experiment.game.main).items()}
    return bool(figures), not entry.contrast, lead(figures)
