"""A task under every defense that was tried on it: a slider of strengths, utility against privacy, and all figures."""

from functools import partial
from typing import Any, cast

import pandas as pd
import streamlit as st

from core import catalog
from core.defenses import Defense
from core.errors import TelltaleError
from core.experiment import Experiment
from core.games.attack import AdaptiveAttack
from core.registry import names, parts
from core.result import Estimate
from core.statistics.intervals import Interval
from core.statistics.wording.naming import capitalised, counted
from core.statistics.wording.units import in_percent
from dashboard.kit import both_adversaries, choices, glossary, links, panels, stored_results, sweeps
from dashboard.kit.browser import clicks, picture
from dashboard.kit.figures import adversaries, encoders
from dashboard.kit.figures.tables import records, where
from dashboard.kit.figures.wording import apart
from dashboard.kit.figures.wording import points as points_of
from dashboard.kit.sweeps import Setting, Sweep
from dashboard.kit.words import literal
from dashboard.topics.defenses import measured, sensitivity
from dashboard.topics.defenses.figures import costs, pareto
from dashboard.topics.defenses.figures import defense as charts

_TASK, _DEFENSE, _STRENGTH = "view.task", "view.defense", "view.strength"
_FIGURES = {
    **{name: f"Utility: {measure}" for name, measure in costs.NAMES.items()},
    costs.RETRIEVAL: "Utility: nearest ten found",
    "accuracy": "Accuracy, adaptive adversary",
    "accuracy_naive": "Accuracy, naive adversary",
    "f1": "F1, adaptive adversary",
    "f1_naive": "F1, naive adversary",
}
_PAIRED = "accuracy"
"""The estimate whose single answers are stored."""
_COLUMNS = {
    "page": "experiment",
    "defense": "defense",
    "setting": "strength",
    "utility": "utility",
    "utility_low": "utility, low",
    "utility_high": "utility, high",
    "utility_chance": "utility, chance",
    "recall": "recall@10",
    "recall_low": "recall@10, low",
    "recall_high": "recall@10, high",
    "adaptive": "adaptive",
    "adaptive_low": "adaptive, low",
    "adaptive_high": "adaptive, high",
    "naive": "naive",
    "naive_low": "naive, low",
    "naive_high": "naive, high",
    "adaptive_chance": "adversary, chance",
}
_NO_SHARES = ("experiment", "defense", "strength")


_ABOUT = (
    "Noise, rounding or a projection changes embeddings before release. Their utility falls, and an adaptive adversary "
    "trains on embeddings with the same defense."
)


def prepare() -> None:
    """Draw what each sweep shows first, for all sessions."""
    for table in map(measured.points, sweeps.in_catalogue()):
        for name in charts.defenses(table)[:1]:
            strengths = records(table[table["defense"] == name].sort_values("strength"))
            number = strengths[len(strengths) // 2].number
            charts.figure(table, name, number), charts.sentence(table, number)
            pareto.figure(table, number), pareto.sentence(table)


@st.fragment
def show() -> None:
    """Draw the chosen sweep among those that have results, the most informative first."""
    tables = {sweep.title: (sweep, measured.points(sweep)) for sweep in sweeps.in_catalogue()}
    ordered = sorted(tables.items(), key=lambda item: _priority(item[1][1]), reverse=True)
    known = {title: pair for title, pair in ordered if charts.defenses(pair[1])}
    if not known:
        st.info("No sweep of a defense is computed yet. Any single strength can be run live.")
        _live_everywhere()
        return
    st.header("All defenses of one task", anchor=False)
    panels.note(_ABOUT)
    sweep, table = known[choices.many("Attack, data and model", list(known), _TASK)]
    picture.tell(picture.of_several(sweep.settings[0].experiment, len(table)))
    if setting := _setting(sweep, table):
        st.caption(setting, help=glossary.explained(setting))
    _explore(sweep, table)
    if absent := len(sweep.settings) - len(table):
        st.caption(f"{absent} of {counted(len(sweep.settings), 'experiment')} of this sweep are not computed yet.")
    if len(charts.defenses(table)) > 1:
        panels.folded(
            "The curve of every defense", partial(_every_defense, table), icon=":material/stacked_line_chart:"
        )
    sensitivity.fold()
    panels.folded("All figures", partial(_figures, sweep, table), icon=":material/table:")


def _figures(sweep: Sweep, table: pd.DataFrame) -> None:
    """Draw every figure of a sweep as a table of shares in percent."""
    listed = _listed(sweep, table)
    shares = {name: st.column_config.NumberColumn(format="percent") for name in listed if name not in _NO_SHARES}
    experiment = st.column_config.LinkColumn("Experiment", display_text="Open", help="Its page, in a new tab.")
    panels.table(listed, "defenses", column_config={**shares, "experiment": experiment})


def _setting(sweep: Sweep, table: pd.DataFrame) -> str:
    """Say who the adversaries are where there are two, and on which scale the embeddings are."""
    experiment = sweep.settings[0].experiment
    text = ""
    if table["naive"].notna().any():
        adapts = isinstance(experiment.attack, AdaptiveAttack)
        text = both_adversaries.NOTE if adapts else adversaries.explanation({"defenses": [sweep.series]})
    return " ".join(filter(None, (text, encoders.scale(experiment.model.as_dict()))))


def _priority(table: pd.DataFrame) -> tuple[int, float]:
    """Return a sort key: the number of defenses, then the utility above chance without a defense."""
    before = charts.plain(table)
    lead = -1.0 if before is None else float(before.utility_low - before.utility_chance)
    return len(charts.defenses(table)), lead if lead == lead else -1.0


@st.fragment
def _explore(sweep: Sweep, table: pd.DataFrame) -> None:
    """Draw all settings, where a click chooses one, and below them the chosen one with the curve of its defense."""
    defenses, all_settings = charts.defenses(table), st.container()
    st.header("One defense", anchor=False)
    with st.container(horizontal=True, gap="large", vertical_alignment="bottom"):
        name = choices.many("Defense", defenses, _DEFENSE, width=300)
        row = _strength(table[table["defense"] == name].sort_values("strength"))
    setting, before = sweep.settings[row.number], charts.plain(table)
    estimates = both_adversaries.estimates(setting.experiment)
    left, right = st.columns([1, 2], gap="large")
    with left:
        plain = None if before is None else sweep.settings[before.number].experiment
        gap = None if plain is None else measured.gap(plain, setting.experiment)
        _headline(estimates, {} if plain is None else stored_results.readable_estimates(catalog.key(plain)), gap)
        _ways_on(setting)
    with right:
        drawn, strengths = charts.figure(table, name, row.number), where(table, "defense", name)
        panels.figure(drawn, strengths, "strength", charts.sentence(table, row.number), title=f"{name} by strength")
        measured.draw_cases(strengths)
    click: dict[str, Any] = {"on_select": lambda: _take_click(table), "selection_mode": "points"}
    drawn, sentence = pareto.figure(table, row.number), pareto.sentence(table)
    with all_settings:
        panels.figure(drawn, table, "pareto", sentence, title=pareto.TITLE, **click)
        measured.draw_cases(table)


def _strength(strengths: pd.DataFrame) -> Any:
    """Draw the slider of strengths and return the chosen row."""
    values = strengths["strength"].tolist()
    label = capitalised(strengths["setting"].iloc[0].rpartition(" ")[0])
    choices.forget(_STRENGTH, values)
    if len(values) == 1:
        st.markdown(f":gray[{literal(label)}]  \n{values[0]:g}", width="content")
        return records(strengths)[0]
    wanted = choices.linked(_STRENGTH)
    chosen = st.select_slider(
        label,
        values,
        values[len(values) // 2],
        format_func="{:g}".format,
        key=_STRENGTH,
        bind="query-params",
        width=480,
    )
    choices.tell(label, wanted, values, "{:g}".format, chosen)
    return records(strengths)[values.index(chosen)]


def _headline(figures: dict[str, Estimate], before: dict[str, Estimate], gap: Interval | None) -> None:
    """Show the estimates of one setting, each with its difference from the undefended one.

    Args:
        figures: Its estimates.
        before: Those without a defense.
        gap: By how much the adversary is right more often than without a defense, in pairs; None where unknown.
    """
    with st.container(horizontal=True, gap="medium", key="headline"):
        for name, label in _FIGURES.items():
            if name not in figures:
                continue
            figure, plain = figures[name], before.get(name.removesuffix("_naive"))
            panels.metric(
                label,
                panels.value(figure),
                panels.interval(figure),
                width=300,
                help=literal(figure.help) or None,
                **({} if plain is None else _change(figure, plain, name, gap)),
            )


def _change(figure: Estimate, plain: Estimate, name: str, gap: Interval | None) -> dict[str, str]:
    """Return the difference from the undefended estimate for `st.metric`, in grey where none is shown.

    The accuracy of the adaptive adversary rests on the same questions with and without a defense: the interval of their
    difference in pairs tells, and for all else whether both intervals overlap.
    """
    change = figure.value - plain.value
    shares = panels.value(figure), panels.value(plain)
    delta = points_of(change)
    # as written: a difference of both rounded alike would say none
    if in_percent(figure.unit) and shares[0] != shares[1]:
        delta = f"{'−' if change < 0 else ''}{apart(*shares)}"
    alike = figure.low <= plain.high and plain.low <= figure.high
    described = {"delta_description": "not shown: intervals overlap"}
    if gap is not None and name == _PAIRED:
        low, high = (points_of(end).partition(" ")[0] for end in (gap.low, gap.high))
        alike = gap.low <= 0 <= gap.high
        description = f"{'not shown in pairs' if alike else 'in pairs'} ({low} to {high})"
        described = {"delta_description": description}
    if alike:
        return {"delta": delta, "delta_color": "gray", "delta_arrow": "off", **described}
    return {
        "delta": f"+{delta}" if change > 0 else delta,
        "delta_color": "green" if (change > 0) == (name in costs.USEFUL) else "red",
        "delta_arrow": "up" if change > 0 else "down",
        **(described if gap is not None and name == _PAIRED else {}),
    }


def _ways_on(setting: Setting) -> None:
    """Link to the experiment, and to a live run of another strength."""
    experiment = setting.experiment
    with st.container(gap="xsmall", key="ways-on"):
        links.page_link(experiment, "Open this experiment", ":material/open_in_new:")
        live = offline(experiment.attack.part_name(), experiment.defenses[0])
        if live is not None:
            links.page_link(live, f"Run another strength live on {live.dataset.title}", ":material/play_arrow:")


def _live_everywhere() -> None:
    """Link to each attack's small experiment with each defense that fits it."""
    for defense in cast(tuple[type[Defense], ...], parts("defense")):
        with st.container(horizontal=True, gap="medium", key=f"live-{defense.part_name()}"):
            st.markdown(f"**{literal(capitalised(defense.title))}**", width="content")
            for attack in names("attack"):
                if (live := offline(attack, defense())) is not None:
                    links.page_link(live, live.attack.title)


def offline(attack: str, defense: Defense) -> Experiment | None:
    """Return the attack's demo with a defense, or None where they do not fit."""
    try:
        return Experiment.preset(attack, "demo", defenses=[defense.as_dict()])
    except TelltaleError:
        return None


def _every_defense(table: pd.DataFrame) -> None:
    defenses = charts.defenses(table)
    for start in range(0, len(defenses), 2):
        for column, name in zip(st.columns(2, gap="large"), defenses[start : start + 2], strict=False):
            with column:
                measured.curve(table, name, defenses.index(name))


def _listed(sweep: Sweep, table: pd.DataFrame) -> pd.DataFrame:
    """Return the table for people, each row with the link to its experiment."""
    pages = [links.address_of(sweep.settings[number].experiment) for number in table["number"]]
    known = table.assign(page=pages)[list(_COLUMNS)].dropna(axis="columns", how="all").round(4)
    return known.rename(columns=_COLUMNS)


def _take_click(table: pd.DataFrame) -> None:
    for number in clicks.numbers("pareto"):
        row = next(row for row in records(table) if row.number == number)
        if row.setting:
            st.session_state[_DEFENSE], st.session_state[_STRENGTH] = row.defense, row.strength
