"""How long a run will probably take on this machine, estimated before it starts."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from pydantic.fields import FieldInfo

from core.datasets import Dataset
from core.encoders.records import NamesEncoders
from core.errors import TelltaleError
from core.experiment import Experiment
from core.games.attack import Attack
from core.jobs.forecast import Stage
from core.jobs.timelines import Timelines, kind, shipped
from core.registry import Part
from core.runtime.store import Store
from core.text.volume import Volume

_FARTHEST = 30.0
"""Largest ratio of work at which the duration of one run is estimated from another."""
_LEAST = 0.2
"""Smallest share of the other run's time that is estimated: libraries, evidence and figures take that much anyway."""
_WORKING = ("Embedding", "Preparing", "Reading", "Training")
"""How the names of stages begin that take longer the more text there is; of the others, that is not said."""


@dataclass(frozen=True)
class Duration:
    """What a run will probably take.

    Attributes:
        seconds: How long, if it never waits for cores that others use.
        work: Ratio of its work to that of the run it is estimated from; None where that had the same settings, but for
            its seed and for what somebody typed.
        waited: Seconds for which that run waited for cores besides, where it was finished here.
    """

    seconds: float
    work: float | None = None
    waited: float = 0.0


def expected(
    experiment: Experiment,
    store: Store,
    volume_of: Callable[[Dataset], Volume | None],
    elsewhere: Callable[[Experiment], float | None],
) -> Duration | None:
    """Return what a run will probably take on this machine; None where nothing like it is known.

    The estimate is the time of a finished run here of the same settings with any seed, or of the same settings without
    what somebody typed, here or where that was computed. Where there is none, it is the time of the attack's demo, here
    or where that was computed. What of it works through text is multiplied by the ratio of text in all trainings
    together; libraries, evidence and figures take as long as in the demo. An attack without a demo of its own is judged
    by that of the attack that it extends.

    Args:
        experiment: What is to be run.
        store: The store of the runs.
        volume_of: Returns how much text a dataset holds; None where that is not to be had quickly.
        elsewhere: Returns the seconds that an experiment took where it was computed; None where it was not.
    """
    plain = untyped(experiment)
    if known_here := here(experiment, store) or here(plain, store):
        return known_here
    if plain != experiment and (seconds := elsewhere(plain)):
        return Duration(seconds)
    demo = _demo(type(experiment.attack))
    if demo is None:
        return None
    stages = Timelines(store).exactly(demo.as_dict())
    known = sum(stage.seconds for stage in stages) or elsewhere(demo)
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
    if ratio > _FARTHEST:
        return None
    working = _working(stages or shipped().get(kind(demo.as_dict()), []))
    return Duration(known * max(1 - working + working * ratio, _LEAST), ratio)


def here(experiment: Experiment, store: Store) -> Duration | None:
    """Return what the latest run here of the same settings with any seed took; None where none was finished."""
    stages = Timelines(store).exactly(experiment.as_dict())
    seconds = sum(stage.seconds for stage in stages)
    return Duration(seconds, waited=sum(stage.waited for stage in stages)) if seconds else None


def untyped(experiment: Experiment) -> Experiment:
    """Return an experiment without the texts that somebody typed for its game and its attack, such as a secret.

    A run takes as long with one text as with another.
    """
    for name in ("game", "attack"):
        part: Part = getattr(experiment, name)
        fields = type(part).model_fields
        texts = {each: field.default for each, field in fields.items() if field.annotation is str and _is_free(field)}
        with suppress(TelltaleError):  # the other settings may demand a text
            experiment = experiment.replace(**{name: part.replace(**texts)})
    return experiment


def _is_free(field: FieldInfo) -> bool:
    return not any(isinstance(mark, NamesEncoders) for mark in field.metadata)


def _demo(attack: type[Attack]) -> Experiment | None:
    """Return the demo of an attack, or of the nearest one that it extends; None where there is none."""
    declaring = (
        each for each in attack.__mro__ if issubclass(each, Attack) and "demo" in vars(each).get("presets", {})
    )
    nearest = next(declaring, None)
    return None if nearest is None else Experiment.preset(nearest.part_name(), "demo")


def _working(stages: Sequence[Stage]) -> float:
    """Return which share of the time of stages works through text; all of it where no stage is known."""
    whole = sum(stage.seconds for stage in stages)
    working = sum(stage.seconds for stage in stages if stage.name.startswith(_WORKING))
    return working / whole if whole else 1.0


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
