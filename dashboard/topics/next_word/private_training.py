"""Differentially private training of language models: privacy guarantee, utility and the attack."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from core import catalog
from core.defenses import TrainingDefense
from core.experiment import Experiment
from dashboard.kit import chart, related, stored_results
from dashboard.kit.browser import picture
from dashboard.kit.membership import canary_audit
from dashboard.kit.related import Related
from dashboard.kit.words import literal
from dashboard.topics.next_word.figures import private_training


def exists(experiment: Experiment | None = None) -> bool:
    """Tell whether there is a private curve."""
    return _subject(experiment) is not None


def prepare() -> None:
    """Derive the first private curve for all sessions."""
    if (subject := _subject(None)) is not None:
        private_training.figure(_points(_curve(subject)))
    canary_audit.prepare()


def show(experiment: Experiment | None = None) -> None:
    """Draw the curve of an experiment, else the first private curve of the catalog.

    Args:
        experiment: The experiment of the page, if any; the links lead to the others on the curve.
    """
    subject = _subject(experiment)
    if subject is None:
        return
    curve = _curve(subject)
    table = _points(curve)
    st.header("Private training", anchor=False)
    same = experiment is None or experiment.dataset == subject.dataset
    st.caption(literal(related.about(subject) + ("" if same else "; not the data of the result above")))
    if experiment is None:
        picture.tell(picture.of_several(subject, len(curve)))
    chart.show(private_training, table, "private-training")
    st.caption(f"{literal(private_training.note(table))} {related.differing(subject)}")
    with st.container(horizontal=True, gap="medium"):
        for other in curve:
            if other.experiment != experiment:
                name = private_training.point_name(private_training.promised(other.result.experiment))
                related.link(other.experiment, f"Open {name}")
    canary_audit.show()


def _points(curve: list[Related]) -> pd.DataFrame:
    return private_training.points(tuple(related.result for related in curve))


def _subject(experiment: Experiment | None) -> Experiment | None:
    """Return the experiment whose curve is drawn: that of the page where it is on one, else the catalog's first."""
    promised = [entry.experiment for entry in catalog.entries() if _is_private(entry.values)]
    if experiment is not None and (
        _is_private(experiment.as_dict()) or any(_alike(experiment, other) for other in promised)
    ):
        return experiment
    return next(iter(promised), None)


def _curve(subject: Experiment) -> list[Related]:
    """Return the stored results on the curve of an experiment, ordinary training first."""
    curve, _ = related.find(subject, lambda other: _alike(subject, other))
    stored = stored_results.readable(catalog.key(subject))
    if stored is not None:
        curve.insert(0, Related(subject, stored))
    return sorted(curve, key=lambda point: -private_training.promised(point.result.experiment))


def _is_private(experiment: Mapping[str, Any]) -> bool:
    return private_training.promised(experiment) < float("inf")


def _alike(subject: Experiment, other: Experiment) -> bool:
    """Tell whether two experiments differ only in the training of the same kind of model."""
    same = (other.dataset, other.game, other.attack) == (subject.dataset, subject.game, subject.attack)
    plain = all(isinstance(defense, TrainingDefense) for defense in other.defenses)
    return same and plain and other.model.part_name() == subject.model.part_name()
