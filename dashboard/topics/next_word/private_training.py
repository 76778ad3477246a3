"""Differentially private training of language models: privacy guarantee, utility and the attack."""

from collections.abc import Iterable

import pandas as pd
import streamlit as st

from core import catalog
from core.defenses import TrainingDefense
from core.experiment import Experiment
from dashboard.kit import chart, picture, related, stored_results
from dashboard.kit.related import Related
from dashboard.kit.words import literal
from dashboard.topics.next_word import canary_audit
from dashboard.topics.next_word.figures import private_training


def exists(experiment: Experiment | None = None) -> bool:
    """Tell whether there is a private curve."""
    return _shown(experiment) is not None


def prepare() -> None:
    """Derive the first private curve for all sessions."""
    if (shown := _shown(None)) is not None:
        private_training.figure(_points(_curve(shown)))
    canary_audit.prepare()


def show(experiment: Experiment | None = None) -> None:
    """Draw the curve of an experiment, else the first private curve of the catalog.

    Args:
        experiment: The one on the page, if any; the links lead to the others.
    """
    shown = _shown(experiment)
    if shown is None:
        return
    curve = _curve(shown)
    table = _points(curve)
    st.header("Private training", anchor=False)
    same = experiment is None or experiment.dataset == shown.dataset
    st.caption(literal(related.about(shown) + ("" if same else "; not the data of the result above")))
    if experiment is None:
        picture.tell(picture.of_several(shown, len(curve)))
    chart.show(private_training, table, "private-training")
    st.caption(f"{literal(private_training.NOTE)} {related.differing(shown)}")
    with st.container(horizontal=True, gap="medium"):
        for other in curve:
            if other.experiment != experiment:
                name = private_training.named(private_training.promised(other.result.experiment))
                related.link(other.experiment, f"Open {name}")
    canary_audit.show()


def _points(curve: list[Related]) -> pd.DataFrame:
    return private_training.points(tuple(related.result for related in curve))


def _shown(experiment: Experiment | None) -> Experiment | None:
    promised = [entry.experiment for entry in catalog.entries() if _is_private(entry.experiment)]
    if experiment is not None and _on_a_curve(experiment, promised):
        return experiment
    return next(iter(promised), None)


def _curve(shown: Experiment) -> list[Related]:
    """Return the stored results on the curve of an experiment, ordinary training first."""
    here, _ = related.find(shown, lambda other: _alike(shown, other))
    stored = stored_results.readable(catalog.key(shown))
    curve = here if stored is None else [Related(shown, stored), *here]
    return sorted(curve, key=lambda point: -private_training.promised(point.result.experiment))


def _is_private(experiment: Experiment) -> bool:
    return private_training.promised(experiment.as_dict()) < float("inf")


def _on_a_curve(experiment: Experiment, promised: Iterable[Experiment]) -> bool:
    return _is_private(experiment) or any(_alike(experiment, other) for other in promised)


def _alike(shown: Experiment, other: Experiment) -> bool:
    """Tell whether two experiments differ only in the training of the same kind of model."""
    same = (other.dataset, other.game, other.attack) == (shown.dataset, shown.game, shown.attack)
    plain = all(isinstance(defense, TrainingDefense) for defense in other.defenses)
    return same and plain and other.model.part_name() == shown.model.part_name()
