"""Summary of translation membership: the result at the top, the conclusions at the bottom."""

from dataclasses import replace

import streamlit as st

from core.experiment import Experiment
from core.games.translation_membership.group_counts import SIZE
from core.result import Result
from core.statistics.grouped import PARTITIONS
from dashboard.kit import glossary, panels, stored_results
from dashboard.topics.translation.figures import conclusions as charts

_GIVEN = {
    "translations": "translations",
    "scores": "translations, their probabilities and those of given translations,",
}
"""What Bob queries a service for, by what it gives."""
_WHO = (
    "Alice trains the translator. Bob, the adversary, queries it for {given} and infers from them which sentence "
    f"pairs she trained on: single ones, or groups of {SIZE} that are all in or all out. Figures of groups "
    f"are means over {PARTITIONS} random partitions of the pairs into groups."
)


def show(result: Result, experiment: Experiment) -> None:
    """Say in numbers whether membership of one pair is revealed."""
    st.header("Is the membership of one pair revealed?", anchor=False)
    panels.note(_WHO.format(given=_GIVEN[result.experiment["attack"]["service"]]))
    answer = charts.answer(result.estimates, epochs(result, experiment), result.tables["classifiers"])
    groups = result.tables["groups"]
    panels.statement(f"{answer} {charts.beyond(result.tables['methods'], groups)}")
    panels.estimates(replace(result, estimates=charts.with_groups(result.estimates, groups)), charts.FIGURES)
    panels.more_estimates(result, charts.MORE_FIGURES)


def conclude(result: Result, experiment: Experiment) -> None:
    """List the conclusions, and what is not shown."""
    st.header("Conclusions", anchor=False)
    single, grouped = (stored_results.over_seeds(experiment, name) for name in ("accuracy", "group_accuracy"))
    lines = charts.conclusions(
        result.estimates,
        result.tables["classifiers"],
        result.tables["groups"],
        synthetic=experiment.dataset.card.synthetic,
        couples=int(result.experiment["game"]["couples"]),
        scores=result.experiment["attack"]["service"] == "scores",
        spread=charts.over_seeds(single, grouped),
    )
    st.markdown("\n".join(f"- {line}" for line in lines), help=glossary.explained(" ".join(lines)))


def epochs(result: Result, experiment: Experiment) -> int:
    """Return the number of training epochs of Alice's translators."""
    training = result.tables["training"]
    number = training.loc[training["holder"] == "target", "passes"]
    return int(number.max()) if len(number) else int(getattr(experiment.model, "epochs", 0))
