"""Which words of secrets were read, by how often they were put among the data, and by the method."""

from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import intervals, theme
from dashboard.kit.figures.drawing import Drawing
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted, joined, measured, percent
from dashboard.topics.canaries.figures import canaries

Measure = Literal["hamming", "accuracy"]
MEASURES: dict[Measure, str] = {"hamming": "Wrong words", "accuracy": "Whole secrets"}
"""What can be drawn, as a person calls it."""
TITLE = "Against how often they were shown"
METHODS_TITLE = "Against other ways of reading"
_AXES: dict[Measure, str] = {
    "hamming": "Wrong words, HDT (lower: stronger attack)",
    "accuracy": "Secrets read whole (higher: stronger attack)",
}
_APART = 0.07
_HEAD = 27
_LANE = 13


def own(cells: pd.DataFrame) -> pd.DataFrame:
    """Return the attack's own figures, one pattern at a time."""
    return cells[cells["own"] & (cells["pattern"] != canaries.ALL)].reset_index(drop=True)


def figure(cells: pd.DataFrame, measure: Measure) -> go.Figure:
    """Draw a line for each pattern, over how often the secrets were put among the data."""
    shown = own(cells)
    drawing = theme.blank("Times that each secret was put among the data", _AXES[measure], legend=True)
    if shown.empty:
        return theme.empty(drawing, "No secret was asked for.")
    places, axis = canaries.places(shown["repetitions"].tolist())
    drawing.update_xaxes(**axis)
    drawing.update_yaxes(range=[-0.05, 1.12], tickformat=".0%", dtick=0.2)
    _levels(drawing, shown, measure)
    names = list(dict.fromkeys(shown["pattern"]))
    for number, name in enumerate(names):
        rows, mark = shown[shown["pattern"] == name], canaries.mark(name)
        drawing.add_scatter(
            x=[places[at] + _APART * (number - (len(names) - 1) / 2) for at in rows["repetitions"]],
            y=rows[measure],
            mode="lines+markers",
            name=canaries.called(name),
            line={"color": mark.colour, "width": 2.5, "dash": mark.dash},
            marker={"color": mark.colour, "symbol": mark.symbol, "size": 11},
            error_y=intervals.bars(rows[measure], rows[f"{measure}_low"], rows[f"{measure}_high"], mark.colour),
            text=[_hover(row, measure, canaries.called(name)) for row in records(rows)],
        )
    return drawing.figure()


def sentence(cells: pd.DataFrame, measure: Measure) -> str:
    """Read the figure aloud: each pattern where it was shown most often, and what lies beyond guessing."""
    shown = own(cells)
    if shown.empty:
        return "No secret was asked for."
    most = int(shown["repetitions"].max())
    said = [
        f"{_share(row, measure, named=not number)} for the {_lowered(canaries.called(row.pattern))} "
        f"(guessing: {percent(_chance(row, measure))})"
        for number, row in enumerate(records(shown[shown["repetitions"] == most]))
    ]
    what = "the share of words that are wrong" if measure == "hamming" else "the share of secrets that are read whole"
    text = f"{canaries.shown(most)}, {what} is {joined(said)}."
    beyond = shown[_better(shown, measure)]
    if beyond.empty:
        return f"{text} No interval shows the attack to do better than guessing: no leak is shown."
    side = "below" if measure == "hamming" else "above"
    if len(beyond) == len(shown):
        return f"{text} Every interval lies {side} guessing: the networks give words of their secrets away."
    verb = "lies" if len(beyond) == 1 else "lie"
    text += f" {len(beyond)} of {counted(len(shown), 'interval')} {verb} {side} guessing: "
    rest = shown[~_better(shown, measure)]
    if len(rest) <= len(beyond):
        return f"{text}no leak is shown for {_some(rest)}."
    return f"{text}a leak is shown for {_some(beyond)} only."


def methods_figure(cells: pd.DataFrame, measure: Measure) -> go.Figure:
    """Draw a row for each way of reading, in it a point with its interval for each number of repetitions."""
    shown = canaries.over_all(cells)
    if shown.empty:
        return theme.empty(theme.blank(_AXES[measure], ""), "No secret was asked for.")
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
    for place, name in enumerate(names):
        text = canaries.method(name, names[0])
        theme.note(
            drawing,
            f"<b>{text}</b>" if not place else text,
            xref="x domain",
            x=0,
            xanchor="left",
            y=band * place + _HEAD / 2,
            yanchor="middle",
            bgcolor=theme.veil(theme.BACKGROUND, 0xC0),
        )
    return drawing.figure()


def methods_sentence(cells: pd.DataFrame, measure: Measure) -> str:
    """Read the comparison aloud where secrets were shown most often: the attack, the best, and a random guess."""
    every = canaries.over_all(cells)
    if every.empty:
        return "No secret was asked for."
    most = int(every["repetitions"].max())
    rows = {row.method: row for row in records(every[every["repetitions"] == most])}
    attack = rows[canaries.own_method(cells)]
    what = "gets {} of the words wrong" if measure == "hamming" else "reads {} of the secrets whole"
    text = f"{canaries.shown(most)}, the attack {what.format(_share(attack, measure, named=True))}"
    if "exhaustive" in rows and attack.method != "exhaustive":
        whole = rows["exhaustive"]
        text += f"; scoring every secret would be {percent(getattr(whole, measure))}, the most that the loss tells."
        gap = abs(getattr(attack, measure) - getattr(whole, measure))
        text += (
            f" The {round(100 * gap)} points between them are what the search misses."
            if gap >= 0.005
            else " So the search misses nothing."
        )
    else:
        text += "."
    if "continuous" in rows:
        text += f" The continuous baseline comes to {percent(getattr(rows['continuous'], measure))},"
        text += f" guessing to {percent(_chance(attack, measure))}."
    return text


def _levels(drawing: Drawing, shown: pd.DataFrame, measure: Measure) -> None:
    """Draw what guessing gives, one line for each different level."""
    chances: dict[float, list[str]] = {}
    for pattern, chance in zip(shown["pattern"], shown[f"{measure}_chance"], strict=True):
        known = chances.setdefault(float(chance), [])
        if canaries.called(pattern) not in known:
            known.append(canaries.called(pattern))
    apart = len({percent(chance) for chance in chances}) > 1 and measure == "hamming"
    for chance in chances:
        theme.rule(drawing, y=chance, name="chance")
    said = ", ".join(f"{percent(chance)} {joined(list(map(_lowered, names)))}" for chance, names in chances.items())
    place: dict[str, Any] = (
        {"yref": "y domain", "y": 1, "yanchor": "top"}
        if measure == "hamming"
        else {"y": max(chances), "yanchor": "bottom"}
    )
    theme.note(
        drawing,
        f"guessing: {said}" if apart else "guessing",
        xref="x domain",
        x=1,
        xanchor="right",
        bgcolor=theme.veil(theme.BACKGROUND, 0x90),
        **place,
    )


def _better(shown: pd.DataFrame, measure: Measure) -> "pd.Series[bool]":
    """Tell which intervals lie beyond guessing, on the side where the attack is strong."""
    if measure == "hamming":
        return shown["hamming_high"] < shown["hamming_chance"]
    return shown["accuracy_low"] > shown["accuracy_chance"]


def _share(row: Any, measure: Measure, *, named: bool = False) -> str:
    return measured(getattr(row, measure), getattr(row, f"{measure}_low"), getattr(row, f"{measure}_high"), named=named)


def _chance(row: Any, measure: Measure) -> float:
    return float(getattr(row, f"{measure}_chance"))


def _hover(row: Any, measure: Measure, name: str) -> str:
    what = "words wrong" if measure == "hamming" else "secrets read whole"
    return (
        f"<b>{name}</b>, {canaries.shown(row.repetitions).lower()}<br>{what}: {_share(row, measure)}; guessing "
        f"{percent(_chance(row, measure))}<br>{counted(int(row.canaries), 'secret')}"
    )


def _some(rows: pd.DataFrame, most: int = 4) -> str:
    """Name cells by what the secret looks like and how often it was shown, some of them where there are many."""
    said = [
        f"{_lowered(canaries.called(row.pattern))} ({canaries.shown(row.repetitions).lower()})" for row in records(rows)
    ]
    return joined(said) if len(said) <= most else joined([*said[:most], f"{len(said) - most} more"])


def _lowered(name: str) -> str:
    """Return a name as it stands within a sentence.

    >>> _lowered("Telephone number"), _lowered("PIN")
    ('telephone number', 'PIN')
    """
    return name if name.isupper() else name[:1].lower() + name[1:]
