"""How long a run will probably take on this machine, said before it is started."""

from collections.abc import Callable
from dataclasses import dataclass

from core.datasets import Dataset
from core.errors import TelltaleError
from core.experiment import Experiment
from core.jobs.timelines import Timelines
from core.runtime.store import Store
from core.text.volume import Volume

_FARTHEST = 30.0
"""A run of more times the work of another than this is not judged by it."""
_LEAST = 0.2
"""A run with less than this share of the work still takes about so much of the time: libraries, evidence, figures."""


@dataclass(frozen=True)
class Duration:
    """What a run will probably take.

    Attributes:
        seconds: How long.
        work: How many times the work of the run that it is judged by; None where that had the same settings.
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

    It is judged by a finished run of the same settings with any seed here, or else by the attack's demo: what that took
    here, or where it was computed, times how much more text is worked through, in all trainings together.

    Args:
        experiment: What is to be run.
        store: The store of the runs.
        volume_of: Returns how much text a dataset holds; None where that is not to be had quickly.
        elsewhere: Returns the seconds that an experiment took where it was computed; None where it was not.
    """
    timelines = Timelines(store)
    if here := sum(stage.seconds for stage in timelines.exactly(experiment.as_dict())):
        return Duration(here)
    if "demo" not in experiment.attack.presets:
        return None
    demo = Experiment.preset(experiment.attack.part_name(), "demo")
    known = sum(stage.seconds for stage in timelines.exactly(demo.as_dict())) or elsewhere(demo)
    if not known or experiment.defenses or not _is_alike(experiment, demo):
        return None
    works = []
    for each in (experiment, demo):
        try:
            held = volume_of(each.dataset)
        except TelltaleError:
            return None
        if held is None or not held.words:
            return None
        works.append(work(each, held))
    ratio = works[0] / works[1]
    return Duration(known * max(ratio, _LEAST), ratio) if ratio <= _FARTHEST else None


def work(experiment: Experiment, held: Volume) -> float:
    """Return about how many words are worked through, those of several trainings or epochs each time."""
    documents = experiment.game.workload(experiment.attack, held.documents)
    epochs: int = getattr(experiment.model, "epochs", 1)
    return documents * held.words / held.documents * epochs


def _is_alike(one: Experiment, other: Experiment) -> bool:
    """Tell whether the models of two experiments cost as much for each word."""
    names = ("part", "source", "dimension")
    models = [each.model.as_dict() for each in (one, other)]
    return [models[0].get(name) for name in names] == [models[1].get(name) for name in names]
