"""The same texts read back behind each defense that was tried, and what the defense costs the embedding's use."""

import streamlit as st

from core.errors import TelltaleError
from core.experiment import Experiment
from core.result import Estimate
from dashboard import navigation
from dashboard.kit import panels, running, sweeps
from dashboard.topics.defenses.figures import defense as charts
from dashboard.topics.defenses.figures import pareto

_SIDE_BY_SIDE = 2


def show(experiment: Experiment) -> None:
    """Draw the trade of all defenses and the curve of each; nothing where none was tried on this experiment."""
    sweep = next((one for one in sweeps.found() if one.settings[0].experiment == _bare(experiment)), None)
    if sweep is None:
        return
    table = charts.points((one.series, one.strength, one.label, _figures(one.experiment)) for one in sweep.settings)
    tried = charts.defenses(table)
    if not tried:
        return
    st.header("Behind a defense", anchor=False)
    numbers = [number for number, one in enumerate(sweep.settings) if one.experiment == experiment]
    chosen = next((number for number in numbers if number in table["number"].tolist()), None)
    panels.figure(pareto.figure(table, chosen), table, "pareto", pareto.sentence(table), title=pareto.TITLE)
    columns = st.columns(_SIDE_BY_SIDE, gap="large") if len(tried) > 1 else [st.container()]
    for place, name in enumerate(tried):
        with columns[place % len(columns)]:
            panels.figure(
                charts.figure(table, name, chosen),
                table[table["defense"] == name],
                f"defense-{place}",
                charts.curve_sentence(table, name),
                title=name,
            )
    st.page_link(
        navigation.FOLDER / "defenses.py",
        label="Look at each strength on the page of defenses",
        icon=":material/shield:",
        query_params={"view.task": sweep.title},
    )


def _bare(experiment: Experiment) -> Experiment:
    return experiment.replace(defenses=[])


def _figures(experiment: Experiment) -> dict[str, Estimate]:
    try:
        return running.figures(experiment.key)
    except TelltaleError:
        return {}
