"""Accuracy of keyword inference by one quantity at a time, where the catalog has several results."""

from collections.abc import Callable

import streamlit as st

from core import catalog
from core.experiment import Experiment
from core.result import Estimate, Result
from core.statistics.naming import counted
from dashboard.kit import chart, related, stored_results
from dashboard.topics.keywords import settings
from dashboard.topics.keywords.figures import ablation

_TOPICS: dict[str, tuple[ablation.Topic, ...]] = {
    "white_box": ("held",),
    "black_box": ("external", "dimension", "aligned"),
}
_SIDE_BY_SIDE = 2
_NEARLY = 0.98
"""Share of the allowed texts that counts as all: a few generated texts are equal."""


def exist(result: Result, experiment: Experiment) -> bool:
    """Tell whether any quantity has at least two results."""
    return bool(_families(result, experiment))


def show(result: Result, experiment: Experiment) -> None:
    """Draw the accuracy by each quantity with at least two results."""
    if not (families := _families(result, experiment)):
        return
    st.header("Ablations", anchor=False)
    columns = st.columns(_SIDE_BY_SIDE, gap="large") if len(families) > 1 else [st.container()]
    for index, (topic, (results, missing)) in enumerate(families.items()):
        table = ablation.points(
            (
                getattr(other.attack, ablation.FIELDS[topic]),
                _available(topic, other, figures, result),
                figures["accuracy"],
                other == experiment,
            )
            for other, figures in results
        )
        with columns[index % len(columns)]:
            chart.show(
                ablation, table, f"ablation-{topic}", topic, title=ablation.TITLES[topic], is_curve=len(table) > 1
            )
            st.caption(ablation.PAPER[topic])
            if missing:
                st.caption(f"{counted(missing, 'further value')} in the catalog, not computed yet.")


Estimated = list[tuple[Experiment, dict[str, Estimate]]]


def _families(result: Result, experiment: Experiment) -> dict[ablation.Topic, tuple[Estimated, int]]:
    topics = _TOPICS[settings.knowledge(experiment)]
    families = {topic: _family(result, experiment, topic) for topic in topics}
    return {topic: family for topic, family in families.items() if len(family[0]) > 1}


def _family(result: Result, experiment: Experiment, topic: ablation.Topic) -> tuple[Estimated, int]:
    """Return the stored experiments that differ in at most one field of the attack, and the number of missing ones.

    Topics about the DANN compare results of the DANN, whichever classifier the experiment of the page uses.
    """
    field, fits = ablation.FIELDS[topic], _answers(topic)
    fields = (field, "classifier") if topic in ablation.OF_DANN else (field,)
    results, missing = [(experiment, result.estimates)] if fits(experiment) else [], 0
    for other in related.promised(
        experiment, lambda other: fits(other) and settings.differ_only(experiment, other, *fields)
    ):
        figures = stored_results.readable_estimates(catalog.key(other))
        if "accuracy" in figures:
            results.append((other, figures))
        else:
            missing += 1
    return results, missing


def _answers(topic: ablation.Topic) -> Callable[[Experiment], bool]:
    """Return a test whether an experiment uses the classifier that a topic is about."""
    if topic not in ablation.OF_DANN:
        return lambda _: True
    return lambda other: bool(other.attack.as_dict()["classifier"] == "dann")


def _available(topic: ablation.Topic, other: Experiment, figures: dict[str, Estimate], page_result: Result) -> float:
    """Return the largest possible value of a topic's quantity, infinity without a limit, NaN if unknown."""
    if topic == "dimension":
        return float("inf")
    if topic == "aligned":
        return float(page_result.tables["guesses"]["victim"].nunique())
    attack = other.as_dict()["attack"]
    if attack["substitutions"] != 1 or "queries" not in figures:
        return float("nan")
    # Each word yields one more text from each text; an anchor yields two, else the text itself is used too.
    words = page_result.tables["guesses"]["secret"].nunique()
    anchored = attack["anchor"] and attack["knowledge"] == "black_box"
    started = round(figures["queries"].value / (2 * words if anchored else words + 1))
    return float("inf") if started >= _NEARLY * attack["texts"] else float(started)
