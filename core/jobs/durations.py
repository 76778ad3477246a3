"""How long a run will probably take on this machine, estimated before it starts."""

from collections.abc import Callable
from dataclasses import dataclass

from core.datasets import Dataset
from core.errors import TelltaleError
from core.experiment import Experiment
from core.jobs.timelines import Timelines
from core.runtime.store import Store
from core.text.volume import Volume

_FARTHEST = 30.0
"""Largest ratio of work at which the duration of one run is estimated from another."""
_LEAST = 0.2
"""Smallest share of the other run's time that is estimated: libraries, evidence and figures take that much anyway."""


@dataclass(frozen=True)
class Duration:
    """What a run will probably take.

    Attributes:
        seconds: How long.
        work: Ratio of its work to that of the run it is estimated from; None where that had the same settings.
    """

    seconds: float
    work: float | None = None


def expected(
    experiment: Experiment,
    store: Store,
    volume_of: Callable[[Dataset], Volume | None],
    elsewhere: Callable[[Experiment], float | None],
) -> Duration | None:
    """Return what a run will probably take on this machine; None where nothing like it is known.

    The estimate is the time of a finished run here of the same settings with any seed. Where there is none, it is the
    time of the attack's demo, here or where that was computed, times the ratio of text in all trainings together.

    Args:
        experiment: What is to be run.
        store: The store of the runs.
        volume_of: Returns how much text a dataset holds; None where that is not to be had quickly.
        elsewhere: Returns the seconds that an experiment took where it was computed; None where it was not.
    """
    timelines = Timelines(store)
    if seconds_here := sum(stage.seconds for stage in timelines.exactly(experiment.as_dict())):
        return Duration(seconds_here)
    if "demo" not in experiment.attack.presets:
        return None
    demo = Experiment.preset(experiment.attack.part_name(), "demo")
    known = sum(stage.seconds for stage in timelines.exactly(demo.as_dict())) or elsewhere(demo)
    if not known or experiment.defenses or not _is_alike(experiment, demo):
        return None
    works = []
    for compared in (experiment, demo):
        try:
            volume = volume_of(compared.dataset)
        except TelltaleError:
            return None
        if volume is None or not volume.words:
            return None
        works.append(work(compared, volume))
    ratio = works[0] / works[1]
    return Duration(known * max(ratio, _LEAST), ratio) if ratio <= _FARTHEST else None


def work(experiment: Experiment, volume: Volume) -> float:
    """Return about how many words are worked through, those of several trainings or epochs each time."""
    documents = experiment.game.workload(experiment.attack, volume.documents)
    epochs: int = getattr(experiment.model, "epochs", 1)
    return documents * volume.words / volume.documents * epochs


def _is_alike(one: Experiment, other: Experiment) -> bool:
    """Tell whether the models of two experiments cost as much for each word."""
    names = ("part", "source", "dimension")
    models = [experiment.model.as_dict() for experiment in (one, other)]
    return [models[0].get(name) for name in names] == [models[1].get(name) for name in names]
