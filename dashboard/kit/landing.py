"""The experiment that an attack opens on, and the one that the overview shows."""

from collections.abc import Mapping, Sequence

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
    """Return the experiment that an attack opens on; without any promised one, its first preset.

    One whose texts are on this machine comes before others; among these, the `strongest`.
    """
    known = catalog.entries_of(attack)
    here: dict[Dataset, bool] = {}
    for each in known:
        dataset = each.experiment.dataset
        if dataset not in here:
            here[dataset] = not needs(dataset)
    if not known:
        presets = part("attack", attack).presets  # type: ignore[attr-defined]
        return Experiment.preset(attack, next(iter(presets)))
    return max(known, key=lambda each: (*_rank(each)[:2], here[each.experiment.dataset], *_rank(each)[2:])).experiment


def strongest(known: Sequence[Entry]) -> Entry:
    """Return the entry whose result lies farthest above chance.

    An entry with a result comes before one without, and others before those that serve for comparison only.
    """
    return max(known, key=_rank)


def _rank(entry: Entry) -> tuple[bool, bool, float]:
    estimates = _estimates(entry)
    figures = {size: estimates[name] for size, name in headline(estimates).items()}
    return bool(figures), not entry.contrast, lead(figures)


def _estimates(each: Entry) -> Mapping[str, Estimate]:
    try:
        return stored_results.estimates(each.key)
    except TelltaleError:
        return {}
