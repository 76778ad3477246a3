"""Inversion of the same embeddings under each defense, and the utility that the defense costs."""

import streamlit as st

from core.experiment import Experiment
from dashboard import navigation
from dashboard.kit import panels, sweeps
from dashboard.topics.defenses import measured
from dashboard.topics.defenses.figures import defense as charts
from dashboard.topics.defenses.figures import pareto

_SIDE_BY_SIDE = 2


def show(experiment: Experiment) -> None:
    """Draw utility against privacy for all defenses and the curve of each; nothing without results."""
    undefended = experiment.replace(defenses=[])
    sweep = next((each for each in sweeps.found() if each.settings[0].experiment == undefended), None)
    if sweep is None:
        return
    table = measured.points(sweep)
    tried = charts.defenses(table)
    if not tried:
        return
    st.header("Under defenses", anchor=False)
    numbers = [number for number, setting in enumerate(sweep.settings) if setting.experiment == experiment]
    chosen = next((number for number in numbers if number in table["number"].tolist()), None)
    panels.figure(pareto.figure(table, chosen), table, "pareto", pareto.sentence(table), title=pareto.TITLE)
    columns = st.columns(_SIDE_BY_SIDE, gap="large") if len(tried) > 1 else [st.container()]
    for number, name in enumerate(tried):
        with columns[number % len(columns)]:
            measured.curve(table, name, number, chosen)
    st.page_link(
        navigation.FOLDER / "defenses.py",
        label="Compare all strengths on the Defenses page",
        icon=":material/shield:",
        query_params={"view.task": sweep.title},
    )
