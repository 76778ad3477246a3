"""Tables 2, 4 and 5 and Figures 2 to 5 of the paper on canaries, with the stored results of the same secrets."""

from collections.abc import Iterable

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import choices, panels, related
from dashboard.kit.words import literal
from dashboard.topics.canaries.figures import canaries, repetitions
from dashboard.topics.canaries.figures import paper as canary_paper
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
_DRAWN = {*TABLE_2.settings, *TABLE_4.settings, *repetitions.DATASETS}


@st.fragment
def show(result: Result, experiment: Experiment) -> None:
    """Draw what is chosen of the paper, a column for each pattern."""
    st.header("Beside the paper", anchor=False)
    results, missing = _results(result, experiment)
    part = choices.few("Of the paper", _PARTS, "view.paper", default="table_2")
    with st.container(horizontal=True, gap="large"):
        measure: Measure = choices.few("Measure", MEASURES, "view.paper_measure", default="hamming")
        method = SCHEDULE
        if part == _DATA:
            method = choices.few(
                "Read by", [SCHEDULE, STRONGEST], "view.paper_method", called=canaries.method, default=SCHEDULE
            )
    settings = _table(_TABLES[part], results, measure) if part in _TABLES else _curves(part, results, measure, method)
    said = [canary_paper.SAYS]
    if not _comparable(experiment) or Setting.of(experiment.as_dict()) not in _DRAWN:
        said.insert(0, "The experiment above has no place in the paper and is not drawn here.")
    st.caption(literal(" ".join(said)))
    _links(settings, results, missing)


def _table(table: Table, results: Results, measure: Measure) -> Iterable[Setting]:
    """Draw the chosen measure of a table, and return which secrets it is about."""
    every = canary_paper.points(table, results)
    st.markdown(literal(canary_paper.verdict(every, measure)))
    for pattern, column in zip(ORDER, st.columns(len(ORDER), gap="medium"), strict=True):
        shown = every[every["pattern"] == pattern]
        with column:
            panels.figure(
                canary_paper.figure(shown, measure),
                shown,
                f"paper-{table.number}-{pattern}",
                canary_paper.sentence(shown, measure),
                title=canaries.called(pattern),
            )
    st.caption(literal(canary_paper.choice(table, every)))
    return table.settings


def _curves(part: str, results: Results, measure: Measure, method: str) -> Iterable[Setting]:
    """Draw the chosen measure by repetitions, and return which secrets it is about."""
    grows = part == _GROWTH
    lines = repetitions.by_method(results) if grows else repetitions.by_dataset(results, method)
    say = repetitions.growth_sentence if grows else repetitions.data_sentence
    for pattern, column in zip(ORDER, st.columns(len(ORDER), gap="medium"), strict=True):
        shown = repetitions.points(lines, pattern, measure)
        with column:
            panels.figure(
                repetitions.figure(shown, measure),
                shown,
                f"paper-{part}-{pattern}",
                say(shown, measure),
                title=canaries.called(pattern),
            )
    st.caption(literal(repetitions.SAYS_2 if grows else repetitions.SAYS_3))
    return (repetitions.FIGURE_2,) if grows else repetitions.DATASETS


def _results(result: Result, experiment: Experiment) -> tuple[Results, dict[Setting, Experiment]]:
    """Return by their secrets the results that stand beside the paper, and the promised ones that are not here."""
    here, missing = related.find(experiment, _comparable)
    known = {Setting.of(experiment.as_dict()): result} if _comparable(experiment) else {}
    for other in here:
        known.setdefault(Setting.of(other.experiment.as_dict()), other.result)
    absent = {Setting.of(other.as_dict()): other for other in missing}
    return known, {setting: other for setting, other in absent.items() if setting not in known}


def _comparable(experiment: Experiment) -> bool:
    """Tell whether an experiment has no defense, and the model and the attack that stand for the paper's."""
    paper = Experiment.preset(experiment.attack.part_name(), "paper")
    return experiment.replace(dataset=paper.dataset, game=paper.game, seed=paper.seed) == paper


def _links(settings: Iterable[Setting], results: Results, missing: dict[Setting, Experiment]) -> None:
    """Lead to the results that are drawn, and to what could be computed."""
    with st.container(horizontal=True, gap="medium"):
        for setting in settings:
            if setting in results:
                related.link(Experiment.parse(results[setting].experiment), f"Open {_named(setting)}")
            elif setting in missing:
                related.link(missing[setting], f"Not computed here yet: {_named(setting)}")


def _named(setting: Setting) -> str:
    data = repetitions.DATASETS[Setting(setting.dataset, 4)]
    return f"{setting.asked.replace('<br>', ' ')} on {data}"
