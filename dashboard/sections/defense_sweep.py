"""A task under every defense that was tried on it: a slider through the strengths, the trade, and all figures."""

from typing import Any, cast
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from core.defenses import Defense
from core.errors import TelltaleError
from core.experiment import Experiment
from core.registry import names, parts
from core.result import Estimate
from core.runtime.store import Store
from dashboard import links, navigation, panels, running
from dashboard.charts import defense as charts
from dashboard.charts import pareto
from dashboard.charts.tables import records
from dashboard.charts.wording import counted, percent
from dashboard.sweeps import Setting, Sweep
from dashboard.words import literal

_TASK, _DEFENSE, _STRENGTH = "view.task", "view.defense", "view.strength"
_FIGURES = {
    "utility": "Utility",
    "neighbours_test": "Utility: next sentence found",
    "accuracy": "Adversary, adaptive",
    "accuracy_naive": "Adversary, naive",
    "f1": "Adversary’s F1, adaptive",
    "f1_naive": "Adversary’s F1, naive",
}
_USEFUL = ("utility", "neighbours_test")
_COLUMNS = {
    "page": "experiment",
    "defense": "defense",
    "setting": "strength",
    "utility": "utility",
    "utility_low": "utility, low",
    "utility_high": "utility, high",
    "utility_chance": "utility, guessing",
    "adaptive": "adaptive",
    "adaptive_low": "adaptive, low",
    "adaptive_high": "adaptive, high",
    "naive": "naive",
    "naive_low": "naive, low",
    "naive_high": "naive, high",
    "adaptive_chance": "adversary guessing",
}


@st.fragment
def show(sweeps: list[Sweep]) -> None:
    """Draw the sweep that is chosen among those that have figures, the most telling one in front."""
    tables = {sweep.title: (sweep, _points(sweep)) for sweep in sweeps}
    found = sorted(tables.items(), key=lambda item: _worth(item[1][1]), reverse=True)
    known = {title: both for title, both in found if charts.defenses(both[1])}
    if not known:
        st.info("No sweep of a defense is computed here yet. Any single strength can be tried live.")
        _live_everywhere()
        return
    _kept(_TASK, list(known))
    sweep, table = known[st.selectbox("Attack, data and model", list(known), key=_TASK, bind="query-params")]
    _explore(sweep, table)
    if absent := len(sweep.settings) - len(table):
        st.caption(f"{absent} of {counted(len(sweep.settings), 'experiment')} of this sweep are not computed here yet.")
    _others(table)
    panels.table(
        _listed(sweep, table),
        "defenses",
        title="All figures",
        column_config={"experiment": st.column_config.LinkColumn(display_text="Open", help="Its page, in a new tab.")},
    )


def _worth(table: pd.DataFrame) -> tuple[int, float]:
    """Return how many defenses were tried, and how much utility there is to lose: what to show first has most."""
    before = charts.plain(table)
    lead = -1.0 if before is None else float(before.utility_low - before.utility_chance)
    return len(charts.defenses(table)), lead if lead == lead else -1.0


@st.fragment
def _explore(sweep: Sweep, table: pd.DataFrame) -> None:
    """Draw what the slider moves: the figures of one setting, its place on the curve and among all others."""
    defenses = charts.defenses(table)
    _kept(_DEFENSE, defenses)
    with st.container(horizontal=True, gap="large", vertical_alignment="bottom"):
        name = st.selectbox("Defense", defenses, key=_DEFENSE, bind="query-params", width=300)
        row = _strength(table[table["defense"] == name].sort_values("strength"))
    setting = sweep.settings[row.number]
    figures, before = _figures(setting.experiment), charts.plain(table)
    left, right = st.columns([1, 2], gap="large")
    with left:
        _headline(figures, {} if before is None else _figures(sweep.settings[before.number].experiment))
        _ways_on(setting)
    with right:
        panels.figure(
            charts.figure(table, name, row.number),
            table[table["defense"] == name],
            "strength",
            charts.sentence(table, row.number),
            title=name,
        )
    panels.figure(
        pareto.figure(table, row.number),
        table,
        "pareto",
        pareto.sentence(table),
        title=pareto.TITLE,
        on_select=lambda: _take_click(table),
        selection_mode="points",
    )


def _strength(own: pd.DataFrame) -> Any:
    """Let one of the strengths be chosen, and return its row."""
    values = own["strength"].tolist()
    label = own["setting"].iloc[0].rpartition(" ")[0]
    label = f"{label[:1].upper()}{label[1:]}"
    _kept(_STRENGTH, values)
    if len(values) == 1:
        st.markdown(f":gray[{literal(label)}]  \n{values[0]:g}", width="content")
        return records(own)[0]
    chosen = st.select_slider(
        label,
        values,
        values[len(values) // 2],
        format_func=lambda value: f"{value:g}",
        key=_STRENGTH,
        bind="query-params",
        width=480,
    )
    return records(own)[values.index(chosen)]


def _headline(figures: dict[str, Estimate], before: dict[str, Estimate]) -> None:
    """Show the figures of one setting, each with its distance from the same without a defense."""
    with st.container(horizontal=True, gap="medium", key="headline"):
        for name, label in _FIGURES.items():
            if name not in figures:
                continue
            figure, plain = figures[name], before.get(name.removesuffix("_naive"))
            change = 0.0 if plain is None else 100 * (figure.value - plain.value)
            shown = f"{change:+.1f}" if abs(change) < 2 else f"{change:+.0f}"
            with st.container(width=300, gap=None):
                st.metric(
                    label,
                    percent(figure.value),
                    None if plain is None else f"{shown} points",
                    delta_color="off" if not float(shown) else "normal" if name in _USEFUL else "inverse",
                    help=literal(figure.help) or None,
                )
                st.caption(literal(panels.interval(figure)))


def _ways_on(setting: Setting) -> None:
    """Link to the experiment, and to a run of another strength on data that is at hand."""
    experiment = setting.experiment
    page = navigation.file_of(experiment.attack.part_name())
    if page is None:
        return
    with st.container(gap=None, key="ways-on"):
        st.page_link(
            page,
            label="Open this experiment",
            icon=":material/open_in_new:",
            query_params=links.written(experiment, Store()),
        )
        live = offline(experiment.attack.part_name(), experiment.defenses[0])
        if live is not None:
            st.page_link(
                page,
                label=f"Try another strength live on {live.dataset.title}",
                icon=":material/play_arrow:",
                query_params=links.written(live, Store()),
            )


def _live_everywhere() -> None:
    """Link to each attack's small experiment with each defense that fits it."""
    for defense in cast(tuple[type[Defense], ...], parts("defense")):
        with st.container(horizontal=True, gap="medium", key=f"live-{defense.part_name()}"):
            st.markdown(f"**{literal(defense.title[:1].upper() + defense.title[1:])}**", width="content")
            for attack in names("attack"):
                page, live = navigation.file_of(attack), offline(attack, defense())
                if page is not None and live is not None:
                    st.page_link(page, label=live.attack.title, query_params=links.written(live, Store()))


def offline(attack: str, defense: Defense) -> Experiment | None:
    """Return the attack's demo with a defense, or None where it cannot be had."""
    try:
        return Experiment.preset(attack, "demo", defenses=[defense.as_dict()])
    except TelltaleError:
        return None


def _others(table: pd.DataFrame) -> None:
    """Draw the curve of every defense, where there are several."""
    defenses = charts.defenses(table)
    if len(defenses) < 2:
        return
    st.header("Every defense", anchor=False)
    for place in range(0, len(defenses), 2):
        for column, name in zip(st.columns(2, gap="large"), defenses[place : place + 2], strict=False):
            with column:
                panels.figure(
                    charts.figure(table, name),
                    table[table["defense"] == name],
                    f"defense-{defenses.index(name)}",
                    charts.curve_sentence(table, name),
                    title=name,
                )


def _points(sweep: Sweep) -> pd.DataFrame:
    return charts.points((one.series, one.strength, one.label, _figures(one.experiment)) for one in sweep.settings)


def _figures(experiment: Experiment) -> dict[str, Estimate]:
    try:
        return running.figures(experiment.key)
    except TelltaleError:
        return {}


def _listed(sweep: Sweep, table: pd.DataFrame) -> pd.DataFrame:
    """Return the table for a person, each row with the link to its experiment."""
    pages = []
    for number in table["number"]:
        experiment = sweep.settings[number].experiment
        pages.append(f"{experiment.attack.part_name()}?{urlencode(links.written(experiment, Store()))}")
    known = table.assign(page=pages)[list(_COLUMNS)].dropna(axis="columns", how="all").round(4)
    return known.rename(columns=_COLUMNS)


def _kept(key: str, options: list[Any]) -> None:
    """Forget a choice that is not on offer any more."""
    if st.session_state.get(key) not in options:
        st.session_state.pop(key, None)


def _take_click(table: pd.DataFrame) -> None:
    clicked = cast(Any, st.session_state["pareto.figure"]).selection.points
    numbers = [point["customdata"] for point in clicked]
    for number in [one[0] if isinstance(one, list) else one for one in numbers]:
        row = next(row for row in records(table) if row.number == number)
        if row.setting:
            st.session_state[_DEFENSE], st.session_state[_STRENGTH] = row.defense, row.strength
