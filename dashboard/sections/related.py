"""Stored results of the catalogue that answer the same question as the one looked at, and those still missing."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import streamlit as st

from core import catalog
from core.errors import TelltaleError
from core.experiment import Experiment
from core.result import Result
from core.runtime.store import Store
from dashboard import links, navigation, panels, running
from dashboard.charts import encoders
from dashboard.words import literal


@dataclass(frozen=True)
class Related:
    """A promised result that is here.

    Attributes:
        experiment: What was asked.
        result: The answer.
    """

    experiment: Experiment
    result: Result


def find(asked: Experiment, fits: Callable[[Experiment], bool]) -> tuple[list[Related], list[Experiment]]:
    """Return the promised results that fit beside an experiment, those most like it first, and those not here."""
    here, missing = [], []
    for other in promised(asked, fits):
        try:
            stored = running.stored(other.key)
        except TelltaleError:
            stored = None
        if stored is None:
            missing.append(other)
        else:
            here.append(Related(other, stored))
    here.sort(key=lambda related: _unlike(asked, related.experiment))
    return here, missing


def promised(asked: Experiment, fits: Callable[[Experiment], bool]) -> Iterator[Experiment]:
    """Yield the other promised experiments with the same attack that fit beside one."""
    for entry in catalog.entries():
        other = entry.experiment
        if other.attack.part_name() == asked.attack.part_name() and other != asked and fits(other):
            yield other


def same_data(asked: Experiment, other: Experiment) -> bool:
    """Tell whether both are about the same kind of texts behind the same defenses."""
    return asked.dataset.part_name() == other.dataset.part_name() and asked.defenses == other.defenses


def same_encoder(asked: Experiment, other: Experiment) -> bool:
    """Tell whether both attack the same encoder, with the same of its hidden states."""
    return encoder(asked) == encoder(other)


def encoder(experiment: Experiment) -> str:
    """Return what the encoder of an experiment is called."""
    return encoders.name(experiment.model.as_dict())


def by_encoder(
    asked: Experiment, result: Result, fits: Callable[[Experiment], bool]
) -> tuple[dict[str, Related], list[str]]:
    """Return one result for each encoder, the one looked at first, and the encoders whose results are not here."""
    here, missing = find(asked, lambda other: same_data(asked, other) and fits(other))
    found = {encoder(asked): Related(asked, result)}
    for related in here:
        found.setdefault(encoder(related.experiment), related)
    absent = dict.fromkeys(encoder(experiment) for experiment in missing)
    return found, [name for name in absent if name not in found]


def settings_differ(asked: Experiment, others: Iterable[Experiment]) -> list[str]:
    """Return the encoders whose results differ from the one looked at in more than the encoder."""
    return [encoder(other) for other in others if other.replace(model=asked.model) != asked]


def link(experiment: Experiment, label: str) -> None:
    """Offer the page of another experiment."""
    page = navigation.file_of(experiment.attack.part_name())
    if page is not None:
        query = links.written(experiment, Store())
        st.page_link(page, label=literal(label), icon=":material/open_in_new:", query_params=query)


def differing(experiment: Experiment) -> str:
    """Return the settings of an experiment, for a line below its figure."""
    return literal(panels.settings(experiment))


def _unlike(asked: Experiment, other: Experiment) -> int:
    """Return in how many of attack, game, data and seed two experiments differ."""
    return sum(getattr(asked, part) != getattr(other, part) for part in ("attack", "game", "dataset", "seed"))
