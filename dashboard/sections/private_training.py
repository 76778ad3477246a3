"""Differentially private training of language models: the curve of promises, costs and what the attack still finds."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard import panels
from dashboard.charts import private_training
from dashboard.sections import related
from dashboard.words import literal


def show(result: Result, experiment: Experiment) -> None:
    """Draw the curve that the experiment is on, or else the promised one."""
    here, missing = related.find(experiment, lambda other: bool(other.defenses))
    defended = [found.experiment for found in here] + missing
    asked = experiment if _on_a_curve(experiment, defended) else next(iter(defended), None)
    if asked is None:
        return
    here, _ = related.find(experiment, lambda other: _alike(asked, other))
    own = [result] if _alike(asked, experiment) else []
    results = [*own, *(found.result for found in here)]
    table = private_training.points(results)
    st.header("Behind private training", anchor=False)
    panels.figure(
        private_training.figure(table), table, "private-training", private_training.sentence(table),
        title=private_training.TITLE,
    )  # fmt: skip
    if not results:
        return
    st.caption(f"{literal(private_training.SAYS)} {related.differing(asked)}")
    with st.container(horizontal=True, gap="medium"):
        for found in here:
            epsilon = private_training.promised(found.result.experiment)
            related.link(found.experiment, f"Open {private_training.named(epsilon)}")


def _on_a_curve(experiment: Experiment, defended: list[Experiment]) -> bool:
    return any(_alike(experiment, other) for other in defended)


def _alike(asked: Experiment, other: Experiment) -> bool:
    """Tell whether two experiments are the same game about the same data; how models are trained may differ."""
    return (other.dataset, other.game, other.attack) == (asked.dataset, asked.game, asked.attack)
