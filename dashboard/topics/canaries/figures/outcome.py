"""Extracted words and secrets, by repetitions in the data and by method."""

from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import intervals, theme, traces
from dashboard.kit.figures.drawing import Drawing
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted, joined, measured, percent
from dashboard.topics.canaries.figures import canaries

Measure = Literal["hamming", "accuracy"]
MEASURES: dict[Measure, str] = {"hamming": "Wrong words", "accuracy": "Whole secrets"}
"""Measures with their names."""
TITLE = "By repetitions"
METHODS_TITLE = "By method"
_AXES: dict[Measure, str] = {
    "hamming": "Wrong words, HDT (lower: stronger attack)",
    "accuracy": "Whole secrets extracted (higher: stronger attack)",
}
_NO_SECRET = "The result has no secret."
_APART = 0.07
_HEAD = 27
_LANE = 13


def by_attack(cells: pd.DataFrame) -> pd.DataFrame:
    """Return the results of the attack itself by pattern."""
    return cells[cells["own"] & (cells["pattern"] != canaries.ALL)].reset_index(drop=True)


def figure(cells: pd.DataFrame, measure: Measure) -> go.Figure:
    """Draw a line for each pattern over the repetitions."""
    shown = by_attack(cells)
    drawing = theme.blank("Repetitions of each secret in the data", _AXES[measure], legend=True)
    if shown.empty:
        return theme.empty(drawing, _NO_SECRET)
    positions, axis = canaries.places(shown["repetitions"].tolist())
    drawing.update_xaxes(**axis)
    drawing.update_yaxes(range=[-0.05, 1.12], tickformat=".0%", dtick=0.2)
    _levels(drawing, shown, measure)
    names = list(dict.fromkeys(shown["pattern"]))
    for number, name in enumerate(names):
        rows, mark = shown[shown["pattern"] == name], canaries.mark(name)
        traces.series(
            drawing,
            rows["repetitions"].map(positions) + _APART * (number - (len(names) - 1) / 2),
            rows[measure],
            mark,
            width=2.5,
            size=11,
            name=canaries.called(name),
            error_y=intervals.bars(rows[measure], rows[f"{measure}_low"], rows[f"{measure}_high"], mark.colour),
            text=[_hover(row, measure, canaries.called(name)) for row in records(rows)],
        )
    return drawing.figure()


def sentence(cells: pd.DataFrame, measure: Measure) -> str:
    """Read the figure aloud: each pattern at the most repetitions, and the results better than chance."""
    shown = by_attack(cells)
    if shown.empty:
        return _NO_SECRET
    most = int(shown["repetitions"].max())
    shares = [
        f"{_share(row, measure, named=not number)} for the {_lowered(canaries.called(row.pattern))} (chance: "
        f"{percent(_chance(row, measure))})"
        for number, row in enumerate(records(shown[shown["repetitions"] == most]))
    ]
    what = "the share of wrong words" if measure == "hamming" else "the share of secrets extracted whole"
    text = f"{canaries.shown(most)}, {what} is {joined(shares)}."
    beyond = shown[_better(shown, measure)]
    if beyond.empty:
        return f"{text} No interval lies beyond chance: no leak is shown."
    side = "below" if measure == "hamming" else "above"
    if len(beyond) == len(shown):
        return f"{text} Every interval lies {side} chance: the networks reveal words of their secrets."
    verb = "lies" if len(beyond) == 1 else "lie"
    text += f" {len(beyond)} of {counted(len(shown), 'interval')} {verb} {side} chance: "
    rest = shown[~_better(shown, measure)]
    if len(rest) <= len(beyond):
        return f"{text}no leak is shown for {_some(rest)}."
    return f"{text}a leak is shown for {_some(beyond)} only."


def methods_figure(cells: pd.DataFrame, measure: Measure) -> go.Figure:
    """Draw a row for each method, with a point and its interval for each number of repetitions."""
    shown = canaries.over_all(cells)
    if shown.empty:
        return theme.empty(theme.blank(_AXES[measure], ""), _NO_SECRET)
    names = canaries.methods(shown["method"], canaries.own_method(cells))
    marks = theme.ordered(shown["repetitions"].tolist())
    band = _HEAD + _LANE * len(marks)
    drawing = theme.blank(
        _AXES[measure], "", height=theme.TOP + theme.BOTTOM + 19 + band * len(names), legend=len(marks) > 1
    )
    drawing.update_xaxes(range=[-0.03, 1.04], tickformat=".0%", dtick=0.2)
    drawing.update_yaxes(range=[band * len(names), 0], showgrid=False, showticklabels=False)
    theme.level(drawing, x=float(shown[f"{measure}_chance"].mean()))
    for lane, (repetitions, mark) in enumerate(marks.items()):
        rows = shown[shown["repetitions"] == repetitions]
        drawing.add_scatter(
            x=rows[measure],
            y=[band * names.index(name) + _HEAD + _LANE * (lane + 0.2) for name in rows["method"]],
            mode="markers",
            name=canaries.shown(repetitions),
            marker={"color": mark.colour, "symbol": mark.symbol, "size": 10},
            error_x=intervals.bars(rows[measure], rows[f"{measure}_low"], rows[f"{measure}_high"], mark.colour),
            text=[_hover(row, measure, canaries.method(row.method)) for row in records(rows)],
        )
    for row, name in enumerate(names):
        text = canaries.method(name, names[0])
        text = text if row else f"<b>{text}</b>"
        traces.left_label(drawing, text, band * row + _HEAD / 2, bgcolor=theme.veil(theme.BACKGROUND, 0xC0))
    return drawing.figure()


def methods_sentence(cells: pd.DataFrame, measure: Measure) -> str:
    """Read the comparison at the most repetitions aloud: the attack, exhaustive scoring, the baseline and chance."""
    combined = canaries.over_all(cells)
    if combined.empty:
        return _NO_SECRET
    most = int(combined["repetitions"].max())
    rows = {row.method: row for row in records(combined[combined["repetitions"] == most])}
    attack = rows[canaries.own_method(cells)]
    what = "gets {} of the words wrong" if measure == "hamming" else "extracts {} of the secrets whole"
    text = f"{canaries.shown(most)}, the attack {what.format(_share(attack, measure, named=True))}"
    if "exhaustive" in rows and attack.method != "exhaustive":
        whole = rows["exhaustive"]
        text += f"; exhaustive scoring gets {percent(getattr(whole, measure))}, the most that the loss reveals."
        gap = abs(getattr(attack, measure) - getattr(whole, measure))
        text += (
            f" The search misses the {round(100 * gap)} points between them."
            if gap >= 0.005
            else " So the search misses nothing."
        )
    else:
        text += "."
    if "continuous" in rows:
        text += f" The continuous baseline gets {percent(getattr(rows['continuous'], measure))}"
        text += f" (chance: {percent(_chance(attack, measure))})."
    return text


def _levels(drawing: Drawing, shown: pd.DataFrame, measure: Measure) -> None:
    """Draw the levels of chance, one line for each."""
    chances: dict[float, list[str]] = {}
    for pattern, chance in zip(shown["pattern"], shown[f"{measure}_chance"], strict=True):
        names = chances.setdefault(float(chance), [])
        if canaries.called(pattern) not in names:
            names.append(canaries.called(pattern))
    apart = len({percent(chance) for chance in chances}) > 1 and measure == "hamming"
    for chance in chances:
        theme.rule(drawing, y=chance, name="chance")
    levels = ", ".join(f"{percent(chance)} {joined(list(map(_lowered, group)))}" for chance, group in chances.items())
    where: dict[str, Any] = (
        {"yref": "y domain", "y": 1, "yanchor": "top"}
        if measure == "hamming"
        else {"y": max(chances), "yanchor": "bottom"}
    )
    theme.note(
        drawing,
        f"chance: {levels}" if apart else "chance",
        xref="x domain",
        x=1,
        xanchor="right",
        bgcolor=theme.veil(theme.BACKGROUND, 0x90),
        **where,
    )


def _better(shown: pd.DataFrame, measure: Measure) -> "pd.Series[bool]":
    """Return whether each interval lies beyond chance, on the side of a strong attack."""
    if measure == "hamming":
        return shown["hamming_high"] < shown["hamming_chance"]
    return shown["accuracy_low"] > shown["accuracy_chance"]


def _share(row: Any, measure: Measure, *, named: bool = False) -> str:
    return measured(getattr(row, measure), getattr(row, f"{measure}_low"), getattr(row, f"{measure}_high"), named=named)


def _chance(row: Any, measure: Measure) -> float:
    return float(getattr(row, f"{measure}_chance"))


def _hover(row: Any, measure: Measure, name: str) -> str:
    what = "wrong words" if measure == "hamming" else "whole secrets extracted"
    return (
        f"<b>{name}</b>, {canaries.shown(row.repetitions).lower()}<br>{what}: {_share(row, measure)}; chance "
        f"{percent(_chance(row, measure))}<br>{counted(int(row.canaries), 'secret')}"
    )


def _some(rows: pd.DataFrame, most: int = 4) -> str:
    """Name cells by pattern and repetitions, at most ``most`` of them."""
    names = [
        f"{_lowered(canaries.called(row.pattern))} ({canaries.shown(row.repetitions).lower()})" for row in records(rows)
    ]
    return joined(names) if len(names) <= most else joined([*names[:most], f"{len(names) - most} more"])


def _lowered(name: str) -> str:
    """Return a name as it stands within a sentence.

    >>> _lowered("Telephone number"), _lowered("PIN")
    ('telephone number', 'PIN')
    """
    return name if name.isupper() else name[:1].lower() + name[1:]
