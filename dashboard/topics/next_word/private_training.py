"""Differentially private training of language models: the curve of promises, costs and what the attack still finds."""

from collections.abc import Iterable

import streamlit as st

from core import catalog
from core.defenses import TrainingDefense
from core.errors import TelltaleError
from core.experiment import Experiment
from dashboard.kit import panels, related, running
from dashboard.kit.related import Related
from dashboard.kit.words import literal
from dashboard.topics.next_word.figures import private_training


def show(experiment: Experiment | None = None) -> None:
    """Draw the curve that an experiment is on, or else the first one that is promised.

    Args:
        experiment: The one that is looked at, if any; the links lead to the others.
    """
    promised = [entry.experiment for entry in catalog.entries() if _is_private(entry.experiment)]
    asked = experiment if experiment is not None and _on_a_curve(experiment, promised) else next(iter(promised), None)
    if asked is None:
        return
    found = _curve(asked)
    table = private_training.points(related.result for related in found)
    st.header("Behind private training", anchor=False)
    panels.figure(
        private_training.figure(table),
        table,
        "private-training",
        private_training.sentence(table),
        title=private_training.TITLE,
    )
    st.caption(f"{literal(private_training.SAYS)} {related.differing(asked)}")
    with st.container(horizontal=True, gap="medium"):
        for one in found:
            if one.experiment != experiment:
                name = private_training.named(private_training.promised(one.result.experiment))
                related.link(one.experiment, f"Open {name}")


def _curve(asked: Experiment) -> list[Related]:
    """Return what is stored of an experiment and of the promised ones alike, ordinary training first."""
    here, _ = related.find(asked, lambda other: _alike(asked, other))
    try:
        own = running.stored(asked.key)
    except TelltaleError:
        own = None
    found = here if own is None else [Related(asked, own), *here]
    return sorted(found, key=lambda one: -private_training.promised(one.result.experiment))


def _is_private(experiment: Experiment) -> bool:
    return private_training.promised(experiment.as_dict()) < float("inf")


def _on_a_curve(experiment: Experiment, promised: Iterable[Experiment]) -> bool:
    return _is_private(experiment) or any(_alike(experiment, other) for other in promised)


def _alike(asked: Experiment, other: Experiment) -> bool:
    """Tell whether two experiments are the same game with the same kind of model, and differ in how it is trained."""
    same = (other.dataset, other.game, other.attack) == (asked.dataset, asked.game, asked.attack)
    plain = all(isinstance(defense, TrainingDefense) for defense in other.defenses)
    return same and plain and other.model.part_name() == asked.model.part_name()
