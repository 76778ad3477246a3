"""The attack of an experiment under each defense that was tried against it, and the utility that each costs."""

from functools import partial

import streamlit as st

from core.experiment import Experiment
from dashboard import navigation
from dashboard.kit import panels, sweeps, tabs
from dashboard.topics.defenses import measured
from dashboard.topics.defenses.figures import defense as charts
from dashboard.topics.defenses.figures import pareto

_SIDE_BY_SIDE = 2


def tab(experiment: Experiment) -> tabs.Draw | None:
    """Return what the tab of defenses draws; None without a result under a defense."""
    sweep = _sweep(experiment)
    return partial(show, experiment) if sweep is not None and charts.defenses(measured.points(sweep)) else None


def show(experiment: Experiment) -> None:
    """Draw utility against privacy for all defenses and the curve of each; nothing without results."""
    if (sweep := _sweep(experiment)) is None or not (tried := charts.defenses(table := measured.points(sweep))):
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


def _sweep(experiment: Experiment) -> sweeps.Sweep | None:
    """Return the sweep that an experiment belongs to, if any."""
    undefended = experiment.replace(defenses=[])
    return next((sweep for sweep in sweeps.in_catalogue() if sweep.settings[0].experiment == undefended), None)
