"""Extracted words and secrets, by repetitions in the data."""

from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import counted, lowered
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import intervals, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once
from dashboard.topics.canaries.figures import canaries

Measure = Literal["hamming", "accuracy"]
MEASURES: dict[Measure, str] = {"hamming": "Wrong words", "accuracy": "Whole secrets"}
"""Measures with their names."""
TITLE = "By repetitions"
ALONE = "By kind of secret"
"""Title where every secret is shown equally often, so that there is no line to draw."""
AXES: dict[Measure, str] = {
    "hamming": "Share of wrong words (lower: stronger attack)",
    "accuracy": "Whole secrets extracted (higher: stronger attack)",
}
NO_SECRET = "The result has no secret."
_APART = 0.07
REMEMBERED = "What is not read out may be remembered all the same: that is what its exposure tells."
_FEW = 10
"""Trials below which an interval is so wide that a reader asks why."""
_MOST_NAMED = 4
"""Of more groups, the others are counted."""
_ABOVE = 50
"""Room for the name of a level above the plot, below a legend of three lines, in pixels."""


@once
def trials(secrets: pd.DataFrame) -> str:
    """Say over what the intervals are, and why they are wide where they are over few; empty without secrets."""
    if not (number := int(secrets["trial"].nunique())):
        return ""
    over = f"Intervals are over {counted(number, 'trial')}, each with secrets and networks of its own."
    return f"{over} So few leave them wide." if number < _FEW else over


@once
def by_attack(cells: pd.DataFrame) -> pd.DataFrame:
    """Return the results of the attack itself by pattern."""
    return cells[cells["own"] & (cells["pattern"] != canaries.ALL)].reset_index(drop=True)


@once
def figure(cells: pd.DataFrame, measure: Measure) -> go.Figure:
    """Draw a line for each pattern over the repetitions."""
    results = canaries.of_measure(by_attack(cells), measure)
    drawing = theme.blank("Repetitions of each secret in the data", AXES[measure], legend=True)
    if results.empty:
        return theme.empty(drawing, NO_SECRET)
    positions, axis = canaries.positions(results["repetitions"].tolist())
    drawing.update_xaxes(**axis)
    drawing.update_yaxes(range=[-0.05, theme.WHOLE], tickformat=".0%", dtick=0.2)
    # The legend stands above the name of the level of chance.
    drawing.update_layout(height=theme.HEIGHT + _ABOVE, margin={"t": theme.TOP + 19 + _ABOVE})
    _levels(drawing, results, measure)
    names = list(dict.fromkeys(results["pattern"]))
    for number, name in enumerate(names):
        rows, mark = results[results["pattern"] == name], canaries.mark(name)
        traces.series(
            drawing,
            rows["repetitions"].map(positions) + _APART * (number - (len(names) - 1) / 2),
            rows["value"],
            mark,
            width=2.5,
            size=11,
            mode="lines+markers" if len(rows) > 1 else "markers",
            name=canaries.pattern_name(name),
            error_y=intervals.bars(rows["value"], rows["low"], rows["high"], mark.colour),
            text=[hover(row, measure, canaries.pattern_name(name)) for row in records(rows)],
        )
    return drawing.figure()


@once
def sentence(cells: pd.DataFrame, measure: Measure) -> str:
    """Read the figure aloud: each pattern at the most repetitions, and which secrets leaked."""
    results = canaries.of_measure(by_attack(cells), measure)
    if results.empty:
        return NO_SECRET
    most = int(results["repetitions"].max())
    shares = [
        f"{measured_in(row, named=not number)} for the {lowered(canaries.pattern_name(row.pattern))} (chance: "
        f"{percent(row.chance)})"
        for number, row in enumerate(records(results[results["repetitions"] == most]))
    ]
    quantity = "the share of wrong words" if measure == "hamming" else "the share of secrets extracted whole"
    text = f"{canaries.shown_times(most)}, {quantity} is {joined(shares)}."
    return " ".join(filter(None, (text, _leak(results, measure), _never_shown(results, measure))))


def _leak(results: pd.DataFrame, measure: Measure) -> str:
    """Say which groups of shown secrets are read out; a group is a pattern at one number of repetitions.

    What is not read out may be remembered all the same: that is what the exposure tells.
    """
    groups = results[results["repetitions"] > 0]
    better = _better(groups, measure)
    leaking, unproven = groups[better], groups[~better]
    if leaking.empty:
        return f"No interval lies beyond chance: none is shown to be read out. {REMEMBERED}"
    if unproven.empty:
        every = {1: "The", 2: "Both groups of"}.get(len(groups), f"All {len(groups)} groups of")
        return f"{every} shown secrets leaked."
    text = f"{len(leaking)} of {len(groups)} groups of shown secrets leaked"
    if len(unproven) <= len(leaking):
        return f"{text}; that is not shown for {_group_names(unproven)}. {REMEMBERED}"
    return f"{text}: {_group_names(leaking)}. {REMEMBERED}"


def _never_shown(results: pd.DataFrame, measure: Measure) -> str:
    """Compare the secrets that no network was shown with chance, at which they should lie."""
    groups = results[results["repetitions"] == 0]
    if groups.empty:
        return ""
    leaking = groups[_better(groups, measure)]
    if len(leaking):
        verb = "lies" if len(leaking) == 1 else "lie"
        return f"Beware: {_group_names(leaking)} {verb} beyond chance too, so chance may be misplaced."
    if not _better(results, measure).any():
        return ""
    subject = "Those" if len(groups) == 1 else f"The {len(groups)} groups"
    return f"{subject} never shown did not, as it should be."


def _levels(drawing: Drawing, results: pd.DataFrame, measure: Measure) -> None:
    """Draw the levels of chance, one line for each."""
    chances: dict[float, list[str]] = {}
    for pattern, chance in zip(results["pattern"], results["chance"], strict=True):
        names = chances.setdefault(float(chance), [])
        if canaries.pattern_name(pattern) not in names:
            names.append(canaries.pattern_name(pattern))
    apart = len({percent(chance) for chance in chances}) > 1 and measure == "hamming"
    for chance in chances:
        theme.rule(drawing, y=chance, name="chance")
    levels = ", ".join(f"{percent(chance)} {joined(list(map(lowered, group)))}" for chance, group in chances.items())
    where: dict[str, Any] = (
        {"yref": "y domain", "y": 1, "yanchor": "bottom", "yshift": 3}
        if measure == "hamming"
        else {"y": max(chances), "yanchor": "bottom"}
    )
    text = f"chance: {levels}" if apart else "chance"
    theme.note(drawing, text, xref="x domain", x=1, xanchor="right", bgcolor=theme.BACKDROP, **where)


def hover(row: Any, measure: Measure, name: str) -> str:
    """Return the text under a pointer for a row of one measure."""
    quantity = "wrong words" if measure == "hamming" else "whole secrets extracted"
    return (
        f"<b>{name}</b>, {canaries.shown_times(row.repetitions).lower()}<br>{quantity}: {measured_in(row)}; chance "
        f"{percent(row.chance)}<br>{counted(int(row.canaries), 'secret')}"
    )


def _better(results: pd.DataFrame, measure: Measure) -> "pd.Series[bool]":
    """Return whether each interval excludes chance, on the side of a strong attack."""
    return results["high"] < results["chance"] if measure == "hamming" else results["low"] > results["chance"]


def _group_names(rows: pd.DataFrame) -> str:
    """Name groups by pattern and repetitions; of many, name the first and count the others."""
    names = [
        f"{lowered(canaries.pattern_name(row.pattern))} ({canaries.shown_times(row.repetitions).lower()})"
        for row in records(rows)
    ]
    return (
        joined(names)
        if len(names) <= _MOST_NAMED
        else joined([*names[:_MOST_NAMED], f"{len(names) - _MOST_NAMED} more"])
    )
