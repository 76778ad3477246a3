"""Accuracy of keyword inference by what the DANN aligns with, and by one quantity at a time, where both are stored."""

from collections.abc import Callable

import streamlit as st

from core import catalog
from core.experiment import Experiment
from core.result import Estimate, Result
from core.statistics.wording.naming import counted
from dashboard.kit import chart, panels, related, stored_results
from dashboard.topics.keywords import settings
from dashboard.topics.keywords.figures import ablation, alignment

_TOPICS: dict[str, tuple[ablation.Topic, ...]] = {
    "white_box": ("held",),
    "black_box": ("external", "dimension", "aligned"),
}
_SIDE_BY_SIDE = 2
_NEARLY = 0.98
"""Share of the allowed texts that counts as all: a few generated texts are equal."""


def exist(result: Result, experiment: Experiment) -> bool:
    """Tell whether both alignments of the DANN have a result, or any quantity at least two."""
    return are_aligned(result, experiment) or bool(_families(result, experiment))


def are_aligned(result: Result, experiment: Experiment) -> bool:
    """Tell whether there are stored results of both alignments of the DANN, on the data of an experiment."""
    return set(_aligned(result, experiment)) == {"all", "asked"}


def show(result: Result, experiment: Experiment) -> None:
    """Draw both alignments of the DANN, then the accuracy by each quantity with at least two results."""
    _alignment(result, experiment)
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


def _alignment(result: Result, experiment: Experiment) -> None:
    """Draw the DANN aligned with all victims beside the one aligned with those asked, where there are both."""
    if not are_aligned(result, experiment):
        return
    aligned = _aligned(result, experiment)
    results = {name: other.result for name, other in aligned.items()}
    chart.show(alignment, alignment.bars(results), "alignment", drawn=results)
    panels.note(alignment.PAPER)
    if experiment != aligned["asked"].experiment:
        related.link(aligned["asked"].experiment, "Open the DANN aligned with those asked")


def _aligned(result: Result, experiment: Experiment) -> dict[str, related.Related]:
    """Return a result of the DANN for each alignment that has one, that of the page before others."""

    def fits(other: Experiment) -> bool:
        return _is_dann(other) and settings.differ_only(experiment, other, "classifier", "alignment")

    this = [related.Related(experiment, result)] if _is_dann(experiment) else []
    by_alignment: dict[str, related.Related] = {}
    for one in (*this, *related.find(experiment, fits)[0]):
        by_alignment.setdefault(one.experiment.attack.as_dict()["alignment"], one)
    return by_alignment


def _is_dann(experiment: Experiment) -> bool:
    return bool(experiment.attack.as_dict()["classifier"] == "dann")


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
    return _is_dann if topic in ablation.OF_DANN else lambda _: True


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
