"""Leakage and utility for each strength of a defense (Pan et al. 2020, Figure 7; Song and Raghunathan 2020)."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.result import Estimate
from dashboard.kit.figures import theme, traces
from dashboard.kit.figures.drawing import Drawing
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined, measured_in, percent
from dashboard.kit.shared import once
from dashboard.kit.words import capitalised
from dashboard.topics.defenses.figures import costs

PLAIN = "No defense"
_BARE = "no defense"
_LOOKS = {
    "utility": theme.Mark(theme.NONMEMBER, "diamond", "dot"),
    "adaptive": theme.Mark(theme.MEMBER, "circle", "solid"),
    "naive": theme.Mark(theme.AGAINST, "square", "dash"),
}
_ADVERSARIES = ("adaptive", "naive")
_ENDS = ("", "_low", "_high", "_chance")
_MUCH = 0.5
"""A share above which the axis of shares goes up to 1."""
_TEXTS = ("defense", "setting", "leak", "service")
COLUMNS = (
    "number",
    "defense",
    "strength",
    "setting",
    "leak",
    "service",
    *(f"{measure}{end}" for measure in (*_LOOKS, "recall") for end in _ENDS),
)


@dataclass(frozen=True)
class Leak:
    """Wording of the adversary's success.

    Attributes:
        axis: Title of its axis.
        both: Title of an axis that it shares with the utility.
        has: Verb phrase before a figure: “is right in” 68%.
        left: Complement before a figure: leaves the adversary “right in” 68%.
        chance: Name of the level of chance.
        least: What the level of chance is.
    """

    axis: str
    both: str
    has: str
    left: str
    chance: str
    least: str


LEAKS = {
    "accuracy": Leak(
        "Accuracy of the adversary",
        "Accuracy",
        "is right in",
        "right in",
        "chance",
        "predicting the majority class",
    ),
    "f1": Leak(
        "F1 of the adversary",
        "F1 of the adversary, accuracy",
        "reaches an F1 of",
        "with an F1 of",
        "the frequency baseline",
        "predicting the same frequent words for every text",
    ),
}
"""By the estimate of the adversary's success."""


@once
def leak(table: pd.DataFrame) -> Leak:
    """Return the wording of the adversary's success in a table."""
    return LEAKS[table["leak"].iloc[0] if len(table) else "accuracy"]


@once
def points(settings: Sequence[tuple[str, float, str, Mapping[str, Estimate]]]) -> pd.DataFrame:
    """Return one row for each setting that has estimates, NaN for those not measured.

    Args:
        settings: Defense, its strength, the label of the strength, and the estimates; rows are numbered by setting.
    """
    rows = []
    for number, (defense, strength, label, figures) in enumerate(settings):
        success = next((name for name in LEAKS if name in figures), None)
        if success is None:
            continue
        row: dict[str, Any] = {"number": number, "defense": defense or PLAIN, "strength": strength, "leak": success}
        row["setting"] = f"{label} {strength:g}" if defense else ""
        utility = next((name for name in costs.NAMES if name in figures), "")
        row["service"] = utility
        names = {"utility": utility, "adaptive": success, "naive": f"{success}_naive", "recall": costs.RETRIEVAL}
        for measure, name in names.items():
            values = {end: getattr(figures.get(name), end.removeprefix("_") or "value", None) for end in _ENDS}
            row |= {f"{measure}{end}": value for end, value in values.items()}
        rows.append(row)
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    kinds = {name: "str" if name in _TEXTS else "int64" if name == "number" else "float64" for name in COLUMNS}
    return frame.astype(kinds)


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

    A further column ``exceeds`` tells whether the interval of any adversary lies above chance.
    """
    is_naive = table["naive"].fillna(-np.inf) > table["adaptive"].fillna(-np.inf)
    ends = {f"success{end}": table[f"naive{end}"].where(is_naive, table[f"adaptive{end}"]) for end in _ENDS}
    exceeds = [table[f"{name}_low"] > table[f"{name}_chance"] for name in _ADVERSARIES]
    return table.assign(**ends, exceeds=exceeds[0] | exceeds[1])


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
        hover = [_hover(row, measure, name) for row in records(strengths)]
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
    name, wording = named(row), leak(table)
    left = measured_in(row, "adaptive", named=True)
    known = math.isfinite(row.naive)
    adversary = "the adaptive adversary" if known else "the adversary"
    text = f"{name} {costs.of(row, before)} and leaves {adversary} {wording.left} {left}"
    if before is not None:
        text += f", against {percent(before.adaptive)} without a defense"
    text += f"; {wording.chance} is {percent(row.adaptive_chance)}."
    if at := costs.at_chance(row):
        text += f" The interval of its utility {at}."
    if math.isfinite(row.recall):
        text += f" {costs.of_search(row, before)}."
    if row.adaptive_high < row.adaptive_chance:
        text += f" {_sentence(adversary)} is below the success of {wording.least}."
    elif row.adaptive_low <= row.adaptive_chance:
        text += f" {_sentence(adversary)} is not shown to exceed {wording.chance}."
    if known:
        text += f" The naive adversary, unaware of the defense, {wording.has} {measured_in(row, 'naive')}."
        text += _compared(row, wording.chance)
    return text


@once
def curve_sentence(table: pd.DataFrame, defense: str) -> str:
    """Read the curve of one defense aloud, from its lowest strength to its highest; one alone beside no defense."""
    measured = stronger(table).dropna(subset="success")
    strengths = measured[measured["defense"] == defense].sort_values("strength")
    if strengths.empty:
        return "No strength of this defense was computed here."
    before, (first, *_), (*_, last) = plain(measured), records(strengths), records(strengths)
    both, wording = strengths["naive"].notna().any(), leak(strengths)
    text = "The stronger of both adversaries" if both else "The adversary"
    if len(strengths) == 1:
        first = before
    if first is None:
        text += f" {wording.has} {measured_in(last, 'success')} ({last.setting}), the only strength computed here"
    elif costs.overlap(first, last, "success"):
        text += f" is not shown to change: {measured_in(first, 'success')} ({first.setting or _BARE}) and "
        text += f"{measured_in(last, 'success')} ({last.setting})"
    else:
        text += f" {'falls' if last.success < first.success else 'rises'} from {percent(first.success)} "
        text += f"({first.setting or _BARE}) to {percent(last.success)} ({last.setting})"
    if first is not None and math.isfinite(first.utility) and math.isfinite(last.utility):
        text += f", and utility {costs.change(first, last)}"
    at_chance = strengths[~strengths["exceeds"]]
    if at_chance.empty:
        return f"{text}. At every strength {'an' if both else 'the'} adversary exceeds {wording.chance}."
    best = records(at_chance.sort_values("utility", na_position="first", kind="stable"))[-1]
    adversary = "neither adversary is" if both else "the adversary is not"
    text += f". At {_together(records(at_chance))} {adversary} shown to exceed {wording.chance}"
    if not math.isfinite(best.utility):
        return f"{text}."
    return f"{text}{f'. At {best.setting}, ' if len(at_chance) > 1 else '; '}{costs.beside(best, before)}."


def _together(rows: Sequence[Any]) -> str:
    """Return settings of one defense as a list, with the name of the parameter once: “epsilon 1 and 10”."""
    first, *others = [row.setting for row in rows]
    return joined([first, *(setting.rpartition(" ")[2] for setting in others)])


def named(row: Any) -> str:
    """Return the name of a setting."""
    return f"{row.defense}, {row.setting}" if row.setting else str(row.defense)


@once
def labels(strengths: pd.DataFrame) -> dict[str, str]:
    """Return the measures of a table with their names in the legend."""
    adaptive = "adaptive adversary" if strengths["naive"].notna().any() else "adversary"
    names = {"utility": "utility", "adaptive": adaptive, "naive": "naive adversary"}
    return {measure: name for measure, name in names.items() if strengths[measure].notna().any()}


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _compared(row: Any, chance: str) -> str:
    """Say what it means that one adversary is more successful than the other, beyond both intervals or chance."""
    if row.naive_high < row.adaptive_low:
        if row.adaptive_low <= row.adaptive_chance:
            return ""
        if row.naive_high < row.naive_chance:
            return f" That is less than {chance}: what it learnt from plain embeddings misleads it here."
        return " So part of the protection depends on the defense being unknown."
    text = (
        " It exceeds the adaptive one, which is therefore not the strongest."
        if row.naive_low > row.adaptive_high
        else ""
    )
    if row.adaptive_low <= row.adaptive_chance and row.naive_low > row.naive_chance:
        text += f" It exceeds {chance}: the embeddings still leak."
    return text


def _axis(strengths: pd.DataFrame) -> str:
    if strengths.empty:
        return "Strength"
    return f"{capitalised(strengths['setting'].iloc[0].rpartition(' ')[0])} (computed values)"


def _chances(drawing: Drawing, strengths: pd.DataFrame) -> None:
    """Draw chance of the adversary and of utility, named in the legend: points lie anywhere along the lines."""
    for measure, text in (("adaptive", f"adversary: {leak(strengths).chance}"), ("utility", "utility: chance")):
        level = strengths[f"{measure}_chance"].mean()
        if not math.isfinite(level) or strengths[measure].isna().all():
            continue
        dash = "dash" if measure == "adaptive" else "longdashdot"
        theme.rule(drawing, y=level, name=text, showlegend=True, line={"color": theme.CHANCE, "width": 2, "dash": dash})


def _hover(row: Any, measure: str, name: str) -> str:
    return f"<b>{named(row)}</b><br>{name}: {measured_in(row, measure)}"
