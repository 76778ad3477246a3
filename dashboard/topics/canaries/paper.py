"""Tables 2, 4 and 5 and Figures 2 to 5 of Parikh et al. 2022, beside our stored results for the same secrets."""

from collections.abc import Callable, Iterable, Sequence

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import chart, choices, panels, related
from dashboard.kit.figures.tables import where
from dashboard.kit.words import literal
from dashboard.topics.canaries.figures import alone, canaries, repetitions
from dashboard.topics.canaries.figures import paper as charts
from dashboard.topics.canaries.figures.outcome import MEASURES, Measure
from dashboard.topics.canaries.figures.paper import SCHEDULE, STRONGEST, Results
from dashboard.topics.canaries.figures.printed import ORDER, TABLE_2, TABLE_4, TABLE_5, Setting, Table

_TABLES = {"table_2": TABLE_2, "table_5": TABLE_5, "table_4": TABLE_4}
_GROWTH, _DATA = "figure_2", "figure_3"
_PARTS = {
    "table_2": "Best of up to 500 times (Table 2)",
    "table_5": "Best of up to 2,000 times (Table 5)",
    "table_4": "Shown once (Table 4)",
    _GROWTH: "By repetitions (Figure 2)",
    _DATA: "By data (Figures 3 to 5)",
}
_PAPERS = Setting("snips", 4)
"""The secrets that networks with one each are compared on."""
_DRAWN = {*TABLE_2.settings, *TABLE_4.settings, *repetitions.DATASETS}


@st.fragment
def show(result: Result, experiment: Experiment) -> None:
    """Draw the chosen table or figure of the paper, a column for each pattern."""
    st.header("Comparison with the paper", anchor=False)
    results, missing = _results(result, experiment)
    part = choices.few("Table or figure", _PARTS, "view.paper", default="table_2")
    with st.container(horizontal=True, gap="large"):
        measure: Measure = choices.few("Measure", MEASURES, "view.paper_measure", default="hamming")
        method = SCHEDULE
        if part == _DATA:
            methods = [SCHEDULE, STRONGEST]
            method = choices.few("Method", methods, "view.paper_method", called=canaries.method, default=SCHEDULE)
    settings = _table(_TABLES[part], results, measure) if part in _TABLES else _curves(part, results, measure, method)
    _alone(results, measure)
    notes = [charts.SAYS]
    if not _comparable(experiment) or Setting.of(experiment.as_dict()) not in _DRAWN:
        notes.insert(0, "The experiment above has no counterpart in the paper and is not drawn here.")
    st.caption(literal(" ".join(notes)))
    _links(settings, results, missing)


def _table(table: Table, results: Results, measure: Measure) -> Iterable[Setting]:
    """Draw the chosen measure of a table, and return the settings of its secrets."""
    points = charts.points(table, results)
    st.markdown(literal(charts.verdict(points, measure)))
    parts = [where(points, "pattern", pattern) for pattern in ORDER]
    _columns(f"paper-{table.number}", parts, charts.figure, charts.sentence, measure)
    st.caption(literal(charts.choice(table, points)))
    return table.settings


def _curves(part: str, results: Results, measure: Measure, method: str) -> Iterable[Setting]:
    """Draw the chosen measure by repetitions, and return the settings of its secrets."""
    grows = part == _GROWTH
    lines = repetitions.by_method(results) if grows else repetitions.by_dataset(results, method)
    sentence = repetitions.growth_sentence if grows else repetitions.data_sentence
    parts = [repetitions.points(lines, pattern, measure) for pattern in ORDER]
    _columns(f"paper-{part}", parts, repetitions.figure, sentence, measure)
    st.caption(literal(repetitions.SAYS_2 if grows else repetitions.SAYS_3))
    return (repetitions.FIGURE_2,) if grows else repetitions.DATASETS


def _alone(results: Results, measure: Measure) -> None:
    """Draw networks with one secret beside those with one of each pattern, where both are stored."""
    together = results.get(_PAPERS)
    if together is None:
        return
    stored = [other.result for other in related.find(Experiment.parse(together.experiment), _one_pattern)[0]]
    if stored:
        chart.show(alone, alone.points(together, tuple(stored), measure), "alone", measure)


def _columns(
    name: str,
    parts: Sequence[pd.DataFrame],
    figure: Callable[[pd.DataFrame, Measure], go.Figure],
    sentence: Callable[[pd.DataFrame, Measure], str],
    measure: Measure,
) -> None:
    """Draw a figure for each pattern, side by side."""
    for pattern, points, column in zip(ORDER, parts, st.columns(len(ORDER), gap="medium"), strict=True):
        text, title = sentence(points, measure), canaries.pattern_name(pattern)
        with column:
            panels.figure(figure(points, measure), points, f"{name}-{pattern}", text, title=title)


def _results(result: Result, experiment: Experiment) -> tuple[Results, dict[Setting, Experiment]]:
    """Return by setting the stored results that are comparable with the paper, and the promised ones still missing."""
    available, missing = related.find(experiment, _comparable)
    stored = {Setting.of(experiment.as_dict()): result} if _comparable(experiment) else {}
    for other in available:
        stored.setdefault(Setting.of(other.experiment.as_dict()), other.result)
    absent = {Setting.of(other.as_dict()): other for other in missing}
    results = {setting: stored[setting] for setting in sorted(stored)}  # what is drawn of them is shared among pages
    return results, {setting: other for setting, other in absent.items() if setting not in results}


def _comparable(experiment: Experiment) -> bool:
    """Tell whether an experiment has no defense, the preset's model and attack, all its patterns, and exact copies."""
    return _as_paper(experiment) and len(experiment.as_dict()["game"]["patterns"]) == len(ORDER)


def _one_pattern(experiment: Experiment) -> bool:
    """Tell whether networks hold one secret each, as in the paper, and differ from its preset in nothing else."""
    return _as_paper(experiment) and len(experiment.as_dict()["game"]["patterns"]) == 1


def _as_paper(experiment: Experiment) -> bool:
    paper = Experiment.preset(experiment.attack.part_name(), "paper")
    if experiment.as_dict()["game"]["changed"]:
        return False
    return experiment.replace(dataset=paper.dataset, game=paper.game, seed=paper.seed) == paper


def _links(settings: Iterable[Setting], results: Results, missing: dict[Setting, Experiment]) -> None:
    """Link to the results that are drawn, and to experiments that are not computed yet."""
    with st.container(horizontal=True, gap="medium"):
        for setting in settings:
            if setting in results:
                related.link(Experiment.parse(results[setting].experiment), f"Open {_setting_name(setting)}")
            elif setting in missing:
                related.link(missing[setting], f"Not computed yet: {_setting_name(setting)}")


def _setting_name(setting: Setting) -> str:
    data = repetitions.DATASETS[Setting(setting.dataset, 4)]
    return f"{setting.label.replace('<br>', ' ')} on {data}"
