"""Catalogue experiments that compare with a given one: their stored results, and those not computed yet."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from core import catalog
from core.catalog import seeds
from core.experiment import Experiment
from core.result import Result
from core.spec import Spec
from core.targets.model import Model
from dashboard.kit import landing, links, stored_results
from dashboard.kit.figures import encoders
from dashboard.kit.forms import own_documents, settings_in_words
from dashboard.kit.inputs.declared import parameters
from dashboard.kit.words import literal, uncapitalised

_COMPARED = ("attack", "game", "dataset", "seed")
"""Fields in which a result that is compared with another should differ little."""


@dataclass(frozen=True)
class Related:
    """An experiment of the catalogue with its stored result."""

    experiment: Experiment
    result: Result


def find(experiment: Experiment, fits: Callable[[Experiment], bool]) -> tuple[list[Related], list[Experiment]]:
    """Return stored results that compare with an experiment, the most similar first, and those not computed yet."""
    stored, missing = [], []
    for other in promised(experiment, fits):
        if (result := stored_results.readable(catalog.key(other))) is None:
            missing.append(other)
        else:
            stored.append(Related(other, result))
    stored.sort(key=lambda related: landing.differing(experiment, related.experiment, _COMPARED))
    return stored, missing


def promised(experiment: Experiment, fits: Callable[[Experiment], bool]) -> Iterator[Experiment]:
    """Yield the other experiments of the catalogue with the same attack that fit, each with one seed."""
    for entry in seeds.each_once(catalog.entries_of(experiment.attack.part_name()), experiment.seed):
        other = entry.experiment
        if fits(other) and other != experiment:
            yield other


def same_data(experiment: Experiment, other: Experiment) -> bool:
    """Tell whether both use the same kind of dataset and the same defenses."""
    return experiment.dataset.part_name() == other.dataset.part_name() and experiment.defenses == other.defenses


def same_encoder(experiment: Experiment, other: Experiment) -> bool:
    """Tell whether both attack the same encoder with the same pooling."""
    return encoder(experiment) == encoder(other)


def encoder(experiment: Experiment) -> str:
    """Return the name of an experiment's encoder."""
    return _named(experiment.model)


@lru_cache(1024)
def _named(model: Model) -> str:
    """Return the name of an encoder; a page asks for those of the whole catalogue again and again."""
    return encoders.name(model.as_dict())


def by_encoder(
    experiment: Experiment, result: Result, fits: Callable[[Experiment], bool]
) -> tuple[dict[str, Related], list[str]]:
    """Return one result for each encoder, the given one first, and the encoders without a stored result."""
    stored, missing = find(experiment, lambda other: same_data(experiment, other) and fits(other))
    results = {encoder(experiment): Related(experiment, result)}
    for related in stored:
        results.setdefault(encoder(related.experiment), related)
    absent = dict.fromkeys(encoder(other) for other in missing)
    return results, [name for name in absent if name not in results]


def settings_differ(experiment: Experiment, others: Iterable[Experiment]) -> dict[tuple[str, ...], list[str]]:
    """Return the encoders of experiments that differ in more than the encoder, by the labels of what else differs."""
    encoders_by_settings: dict[tuple[str, ...], list[str]] = {}
    for other in others:
        if labels := tuple(dict.fromkeys(_unlike(experiment, other))):
            encoders_by_settings.setdefault(labels, []).append(encoder(other))
    return encoders_by_settings


def _unlike(experiment: Experiment, other: Experiment) -> Iterator[str]:
    """Yield the labels of the settings, those of the model left out, in which experiments of the same parts differ."""
    pairs: tuple[tuple[Spec, Spec], ...] = (
        (experiment.attack, other.attack),
        (experiment.game, other.game),
        (experiment.dataset, other.dataset),
    )
    for mine, theirs in pairs:
        for name, parameter in parameters(type(mine)).items():
            if getattr(mine, name) != getattr(theirs, name):
                yield uncapitalised(parameter.label)
    if experiment.seed != other.seed:
        yield "seed"


def link(experiment: Experiment, label: str) -> None:
    """Offer the page of another experiment."""
    links.page_link(experiment, literal(label), ":material/open_in_new:")


def about(experiment: Experiment) -> str:
    """Return attack, data and model of an experiment, for a section about others than the page shows."""
    return f"{experiment.attack.title} · {own_documents.title(experiment.dataset)} · {experiment.model.title}"


def differing(experiment: Experiment) -> str:
    """Return the settings of an experiment, for a line below its figure."""
    return literal(settings_in_words.of(experiment))
