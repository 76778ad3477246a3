"""The experiment that an attack opens on, from the menu and on the overview alike."""

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
    """Return the experiment that an attack opens on; without any promised one, its first preset."""
    known = [entry for entry in catalog.entries() if entry.experiment.attack.part_name() == attack]
    return entry(known).experiment if known else Experiment.preset(attack, next(iter(part("attack", attack).presets)))  # type: ignore[attr-defined]


def entry(known: Sequence[Entry]) -> Entry:
    """Return the entry of an attack to open first.

    An entry with a result comes before one without, others before those that serve for comparison only, then one whose
    texts are on this machine, and then the one farthest above chance.
    """
    here: dict[Dataset, bool] = {}

    def rank(each: Entry) -> tuple[bool, bool, bool, float]:
        dataset = each.experiment.dataset
        if dataset not in here:
            here[dataset] = not needs(dataset)
        estimates = _estimates(each)
        figures = {size: estimates[name] for size, name in headline(estimates).items()}
        return bool(figures), not each.contrast, here[dataset], lead(figures)

    return max(known, key=rank)


def _estimates(each: Entry) -> Mapping[str, Estimate]:
    try:
        return stored_results.estimates(each.key)
    except TelltaleError:
        return {}
