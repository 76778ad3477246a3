"""Leakage and utility for each strength of a defense (Pan et al. 2020, Figure 7; Song and Raghunathan 2020)."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.result import Estimate
from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import capitalised, cases
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once
from dashboard.topics.defenses.figures import costs, leaks

PLAIN = "No defense"
_BARE = "no defense"
_LOOKS = {
    "utility": theme.Mark(theme.NONMEMBER, "diamond", "dot"),
    "adaptive": theme.Mark(theme.MEMBER, "circle", "solid"),
    "naive": theme.Mark(theme.AGAINST, "square", "dash"),
}
_ENDINGS = {"adaptive": "", "naive": "_naive"}
"""The adversaries, and how the names of their estimates end."""
_ENDS = ("", "_low", "_high", "_chance")
_MUCH = 0.5
"""A share above which the axis of shares goes up to 1."""
_APART = 0.005
"""Levels of chance that differ by more are drawn separately, for each strength and each adversary."""
_TEXTS = ("defense", "setting", "attack", "leak", "service", "cases", "utility_cases")
_FURTHER = {
    "recall": costs.RETRIEVAL,
    "adaptive_lead": "lead",
    "naive_lead": "lead_naive",
    "majority": "majority",
    "adaptive_found": "recall",
    "naive_found": "recall_naive",
    "naive_right": "precision_naive",
    **{f"{name}_{measure}": f"{measure}{end}" for name, end in _ENDINGS.items() for measure in ("auc", "called")},
}
"""Further measures by their estimates: what a search finds, the lead over answers dealt to other victims, the share of
the most frequent values, recall and precision of the named words, the AUC, and the share of targets called members."""
COLUMNS = (
    "number",
    "defense",
    "strength",
    "setting",
    "attack",
    "leak",
    "service",
    "cases",
    "utility_cases",
    *(f"{measure}{end}" for measure in (*_LOOKS, *_FURTHER) for end in _ENDS),
)


@once
def leak(table: pd.DataFrame) -> leaks.Leak:
    """Return the wording of the adversary's success in a table."""
    return leaks.LEAKS[table["leak"].iloc[0] if len(table) else "accuracy"]


@once
def points(settings: Sequence[tuple[str, float, str, Mapping[str, Estimate]]], attack: str = "") -> pd.DataFrame:
    """Return one row for each setting that has estimates, NaN for those not measured.

    Args:
        settings: Defense, its strength, the label of the strength, and the estimates; rows are numbered by setting.
        attack: The attack in words, where others play the same game beside it; it is named where nothing is found.
    """
    rows = []
    for number, (defense, strength, label, figures) in enumerate(settings):
        success = next((name for name in leaks.LEAKS if name in figures and name != leaks.DEALT), None)
        if success is None:
            continue
        kind = leaks.DEALT if leaks.DEALT in figures else success
        row: dict[str, Any] = {"number": number, "defense": defense or PLAIN, "strength": strength, "leak": kind}
        row |= {"setting": f"{label} {strength:g}" if defense else "", "attack": attack}
        utility = next((name for name in costs.NAMES if name in figures), "")
        row |= {"service": utility, "cases": _cases(figures, success), "utility_cases": _cases(figures, utility)}
        names = {"utility": utility, "adaptive": success, "naive": f"{success}_naive", **_FURTHER}
        for measure, name in names.items():
            values = {end: getattr(figures.get(name), end.removeprefix("_") or "value", None) for end in _ENDS}
            row |= {f"{measure}{end}": value for end, value in values.items()}
        rows.append(row)
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    kinds = {name: "str" if name in _TEXTS else "int64" if name == "number" else "float64" for name in COLUMNS}
    return frame.astype(kinds)


def _cases(figures: Mapping[str, Estimate], name: str) -> str:
    """Return how many cases an estimate rests on; empty where it is missing or says nothing of them."""
    return cases(figures[name]) if name in figures and figures[name].n else ""


@once
def counted_cases(table: pd.DataFrame) -> str:
    """Say how many cases each mark of a table rests on."""
    counts, utilities = (list(dict.fromkeys(filter(None, table[column]))) for column in ("cases", "utility_cases"))
    utility = f", and each of utility on {' or '.join(utilities)}" if utilities else ""
    return f"Each figure of an adversary rests on {' or '.join(counts)}{utility}." if counts else ""


@once
def defenses(table: pd.DataFrame) -> list[str]:
    """Return the defenses with estimates for some strength."""
    return [name for name in dict.fromkeys(table["defense"].tolist()) if name != PLAIN]


@once
def plain(table: pd.DataFrame) -> Any | None:
    """Return the row without a defense, or None."""
    return next(iter(records(table[table["defense"] == PLAIN])), None)


@once
def stronger(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table with the more successful adversary of each setting: ``success`` with its interval and chance.

    Where the lead over the same answers dealt to other victims was measured for both, the larger lead decides. A
    further column ``exceeds`` tells whether any adversary is shown to exceed chance: by the interval of its lead where
    that was measured, else by the interval of its success.
    """
    adaptive, naive = leaks.ranked_by(table)
    is_naive = naive.fillna(-np.inf) > adaptive.fillna(-np.inf)
    ends = {f"success{end}": table[f"naive{end}"].where(is_naive, table[f"adaptive{end}"]) for end in _ENDS}
    exceeds = [[leaks.above(row, name) for row in records(table)] for name in _ENDINGS]
    return table.assign(**ends, exceeds=np.any(exceeds, axis=0) if len(table) else np.zeros(0, np.bool_))


@once
def figure(table: pd.DataFrame, defense: str, chosen: int | None = None) -> go.Figure:
    """Draw utility and both adversaries against the evenly spaced strengths of one defense.

    Args:
        table: See `points`.
        defense: Name of the defense.
        chosen: Number of the chosen setting, or None.
    """
    strengths = table[table["defense"] == defense].sort_values("strength").reset_index(drop=True)
    drawing = theme.blank(_axis(strengths), leak(table).both, height=theme.HEIGHT + 20, legend=True)
    if strengths.empty:
        return theme.empty(drawing, "No strength of this defense was computed here.")
    highest = float(np.nanmax(table[[f"{measure}_high" for measure in _LOOKS]]))
    top = theme.WHOLE if highest > _MUCH else 1.2 * highest
    drawing.update_yaxes(range=[-0.02 * top, top], tickformat=".0%", nticks=7)
    ticks = theme.categories([f"{value:g}" for value in strengths["strength"]])
    drawing.update_xaxes(range=[-0.35, len(strengths) - 0.65], **ticks)
    undefended = plain(table)
    drawn = strengths.assign(position=strengths.index)
    for measure, name in labels(strengths).items():
        look = _LOOKS[measure]
        if undefended is not None and math.isfinite(before := getattr(undefended, measure)):
            line = {"color": look.colour, "width": 1.5, "dash": "dot"}
            listed = not any(shape.get("showlegend") for shape in drawing.layout["shapes"])
            theme.rule(drawing, y=before, line=line, name="dotted: no defense", showlegend=listed)
        columns = ("position", measure, f"{measure}_low", f"{measure}_high")
        hover = [f"<b>{setting_name(row)}</b><br>{name}: {measured_in(row, measure)}" for row in records(strengths)]
        traces.interval_line(drawing, drawn, columns, look, name, hover)
    _chances(drawing, strengths)
    for position in drawn.loc[drawn["number"] == chosen, "position"]:
        line = {"color": theme.veil(theme.INK, 0x50), "width": 4}
        theme.rule(drawing, x=position, name="chosen", layer="below", line=line)
    return drawing.figure()


@once
def sentence(table: pd.DataFrame, number: int) -> str:
    """Read one setting aloud: its cost in utility, and the adversary's success."""
    row = next(row for row in records(table) if row.number == number)
    before = plain(table)
    name, wording = setting_name(row), leak(table)
    left = measured_in(row, "adaptive", named=True)
    known = math.isfinite(row.naive)
    adversary = "the adaptive adversary" if known else "the adversary"
    text = f"{name}{',' if row.setting else ''} {costs.of(row, before)} and leaves {adversary} {wording.left} {left}"
    if before is not None:
        text += f", against {percent(before.adaptive)} without a defense"
    text += f"; {wording.chance} is {percent(row.adaptive_chance)}."
    if at := costs.at_chance(row):
        text += f" The interval of its utility {at}."
    if math.isfinite(row.recall):
        text += f" {costs.of_search(row, before)}."
    if leaks.below(row, "adaptive"):
        text += f" {capitalised(adversary)} is below the success of {wording.least}."
    elif not leaks.above(row, "adaptive"):
        text += f" {capitalised(adversary)} is not shown to exceed {wording.chance}{leaks.by_attack(row)}."
    text += leaks.fit(row, "adaptive") + leaks.hidden(row, "adaptive")
    if known:
        text += f" The naive adversary, unaware of the defense, {wording.has} {measured_in(row, 'naive')}"
        text += f"; its own chance is {naive_chance}." if (naive_chance := leaks.own_chance(row)) else "."
        if not leaks.constant(row, "naive"):
            text += leaks.compared(row, wording.chance)
        text += leaks.hidden(row, "naive")
    return text + wording.means


@once
def curve_sentence(table: pd.DataFrame, defense: str) -> str:
    """Read the curve of one defense aloud, from its lowest strength to its highest; a single one beside no defense."""
    measured = stronger(table).dropna(subset="success")
    strengths = measured[measured["defense"] == defense].sort_values("strength")
    if strengths.empty:
        return "No strength of this defense was computed here."
    before, (first, *_), (*_, last) = plain(measured), records(strengths), records(strengths)
    has_naive, wording = bool(strengths["naive"].notna().any()), leak(strengths)
    text = "The stronger of both adversaries" if has_naive else "The adversary"
    if len(strengths) == 1:
        first = before
    if first is None:
        text += f" {wording.has} {measured_in(last, 'success')} ({last.setting}), the only strength computed here"
    elif costs.overlap(first, last, "success"):
        text += f" is not shown to change: {measured_in(first, 'success')} ({first.setting or _BARE}) and "
        text += f"{measured_in(last, 'success')} ({last.setting})"
    else:
        inside = strengths["success"].between(*sorted((first.success, last.success)))
        verb = ("falls" if last.success < first.success else "rises") if inside.iloc[1:-1].all() else "goes"
        text += f" {verb} from {percent(first.success)} "
        text += f"({first.setting or _BARE}) to {percent(last.success)} ({last.setting})"
    inner = records(strengths)[1:-1]
    text += costs.between(inner, (first, last), "success")
    if first is not None and math.isfinite(first.utility) and math.isfinite(last.utility):
        text += f", and utility {costs.change(first, last)}{costs.between(inner, (first, last), 'utility')}"
    at_chance = strengths[~strengths["exceeds"]]
    if at_chance.empty:
        return f"{text}. At every strength {'an' if has_naive else 'the'} adversary exceeds {wording.chance}."
    best = records(costs.cheapest_first(at_chance))[0]
    adversary = "neither adversary is" if has_naive else "the adversary is not"
    text += f". At {together(records(at_chance))} {adversary} shown to exceed {wording.chance}{leaks.by_attack(best)}"
    if math.isfinite(best.utility):
        text += f"{f'. At {best.setting}, ' if len(at_chance) > 1 else '; '}{costs.beside(best, before)}"
    return f"{text}.{_hidden_at(records(at_chance), has_naive=has_naive)}"


def _hidden_at(rows: Sequence[Any], *, has_naive: bool) -> str:
    """Say what `leaks.hidden` does of each adversary at several strengths."""
    text = ""
    for adversary in _ENDINGS:
        named = f"the {adversary} adversary" if has_naive else "the adversary"
        for constant in dict.fromkeys(filter(None, (leaks.constant(row, adversary) for row in rows))):
            alike = [row for row in rows if leaks.constant(row, adversary) == constant]
            text += f" At {together(alike)} {named} {constant}: one constant answer."
        for row in rows:
            if ranks := leaks.area_above(row, adversary):
                text += f" At {row.setting} the AUC of {named}, {ranks}, exceeds chance all the same."
    return text


def together(rows: Sequence[Any]) -> str:
    """Return settings of one defense as a list, with the name of the parameter once: “epsilon 1 and 10”."""
    first, *further = [row.setting for row in rows]
    return joined([first, *(setting.rpartition(" ")[2] for setting in further)])


def setting_name(row: Any) -> str:
    """Return the name of a setting."""
    return f"{row.defense}, {row.setting}" if row.setting else str(row.defense)


@once
def labels(strengths: pd.DataFrame) -> dict[str, str]:
    """Return the measures of a table with their names in the legend."""
    adaptive = "adaptive adversary" if strengths["naive"].notna().any() else "adversary"
    names = {"utility": "utility", "adaptive": adaptive, "naive": "naive adversary"}
    return {measure: name for measure, name in names.items() if strengths[measure].notna().any()}


def _axis(strengths: pd.DataFrame) -> str:
    if strengths.empty:
        return "Strength"
    return f"{capitalised(strengths['setting'].iloc[0].rpartition(' ')[0])} (computed values)"


def _chances(drawing: Drawing, strengths: pd.DataFrame) -> None:
    """Draw chance of the adversaries and of utility, named in the legend: points lie anywhere along the lines."""
    name = leak(strengths).chance
    apart = (strengths["naive_chance"] - strengths["adaptive_chance"]).abs().max() > _APART
    levels = {"adaptive": (f"{'adaptive ' if apart else ''}adversary: {name}", "dash")}
    if apart:
        levels["naive"] = f"naive adversary: {name}", "longdash"
    levels["utility"] = "utility: chance", "longdashdot"
    for measure, (text, dash) in levels.items():
        level = strengths[f"{measure}_chance"]
        if level.isna().all() or strengths[measure].isna().all():
            continue
        line = {"color": theme.CHANCE, "width": 2, "dash": dash}
        if level.max() - level.min() > _APART:
            drawing.add_scatter(x=level.index, y=level, mode="lines", line=line, name=text, hoverinfo="skip")
        else:
            theme.rule(drawing, y=level.mean(), name=text, showlegend=True, line=line)
    if math.isfinite(usual := strengths["majority"].mean()):
        line = {"color": theme.CHANCE, "width": 1.5, "dash": "dot"}
        theme.rule(drawing, y=usual, name="most frequent values of these victims", showlegend=True, line=line)
