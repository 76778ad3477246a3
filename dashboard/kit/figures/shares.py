"""Shares as grouped bars with intervals and the level of chance."""

from collections.abc import Collection, Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording import measured_in, percent
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import axes, foreign, intervals, scatter, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once

COLUMNS = ("group", "series", "value", "low", "high", "chance")
"""Columns of the bars: group, series, share, its interval and chance; NaN where unknown."""


_LANE, _THIN, _GAP = 1.0, 0.62, 0.5
_PIXELS = 25
_LABEL = 17


@once
def figure(
    bars: pd.DataFrame,
    series: Mapping[str, theme.Mark],
    x: str = theme.ACCURACY,
    *,
    points: Collection[str] = (),
    full_axis: bool = False,
    share: str = "right",
    empty: str = "No query was made.",
) -> go.Figure:
    """Draw the bars of each group below one another, the groups in the order of the table.

    Args:
        bars: With `COLUMNS`.
        series: How each series looks, in the order of their bars.
        x: Title of the horizontal axis.
        points: Series drawn as points, all of a group in one thin lane below its bars.
        full_axis: Whether the axis ends at 100%, so that two figures compare.
        share: Name of the share.
        empty: Text of a figure without bars.
    """
    known = bars[bars["value"].notna()]
    groups = list(dict.fromkeys(known["group"]))
    lanes, centres, bottom = _lanes(known, groups, series, points)
    drawing = theme.blank(x, "", inner=19 + int(_PIXELS * max(bottom, 3)), legend=True)
    if known.empty:
        return theme.empty(drawing, empty)
    drawing.update_layout(bargap=0, barmode="overlay")
    end = 1.0 if full_axis else min(float(known[["value", "high"]].max().max()), 1.0)
    axes.written_shares(drawing, end, [percent(share) for share in known["value"]])
    drawing.update_yaxes(
        range=[bottom, -_GAP],
        tickmode="array",
        tickvals=list(centres.values()),
        showgrid=False,
        ticktext=[foreign.shown(group, _LABEL) for group in groups],
    )
    for name, mark in series.items():
        one_series = known[known["series"] == name]
        if len(one_series):
            heights = [lanes[row.group, name] for row in records(one_series)]
            hover = [_hover(row, share) for row in records(one_series)]
            _series(drawing, one_series, heights, name, mark, hover, as_points=name in points)
    _chance(drawing, known, lanes, bottom)
    drawing.update_layout(showlegend=sum(trace.get("showlegend", True) for trace in drawing.traces) > 1)
    return drawing.figure()


def bar(group: str, series: str, row: Any, prefix: str = "") -> dict[str, Any]:
    """Return the bar of a row of inferred secrets: its accuracy, or the measure whose columns have a prefix."""
    ends = {end: getattr(row, f"{prefix}_{end}" if prefix else end) for end in ("low", "high", "chance")}
    return {"group": group, "series": series, "value": getattr(row, prefix or "accuracy"), **ends}


def table(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Return bars as a table, possibly empty."""
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    return frame.astype(dict.fromkeys(COLUMNS[2:], "float64"))


def _lanes(
    bars: pd.DataFrame, groups: list[str], series: Mapping[str, theme.Mark], points: Collection[str]
) -> tuple[dict[tuple[str, str], float], dict[str, float], float]:
    """Return the height of each bar, the middle of each group, and the end of the last group; downwards from 0."""
    present = {(row.group, row.series) for row in records(bars)}
    lanes: dict[tuple[str, str], float] = {}
    centres = {}
    y = 0.0
    for group in groups:
        top = y
        for name in series:
            if (group, name) in present and name not in points:
                lanes[group, name] = y + _LANE / 2
                y += _LANE
        thin = [name for name in series if (group, name) in present and name in points]
        lanes.update({(group, name): y + _THIN / 2 for name in thin})
        y += _THIN if thin else 0
        centres[group] = (top + y) / 2
        y += _GAP
    return lanes, centres, y


def _series(
    drawing: Drawing,
    bars: pd.DataFrame,
    y: list[float],
    name: str,
    mark: theme.Mark,
    hover: list[str],
    *,
    as_points: bool,
) -> None:
    label = foreign.shown(name)
    if not as_points:
        look = {"orientation": "h", "width": 0.86 * _LANE, "marker": {"color": mark.colour}}
        drawing.add_bar(x=bars["value"], y=y, name=label, text=hover, textposition="none", **look)
    if as_points or bars["high"].notna().any():
        colour, size, edge = (mark.colour, 10, 1) if as_points else (theme.INK, 1, 0)
        error = intervals.bars(bars["value"], bars["low"], bars["high"], colour)
        dot, rim = theme.Mark(colour, mark.symbol), {**scatter.RIM, "width": edge}
        more: dict[str, Any] = {"error_x": error, "showlegend": as_points}
        scatter.points(drawing, bars["value"], y, dot, label, hover, size=size, edge=rim, cliponaxis=False, **more)
    if not as_points:
        written = [f"\u2002{percent(share)}" for share in bars["value"]]
        ends = bars[["value", "high"]].max(axis=1)
        traces.texts(drawing, ends, y, written, textposition="middle right", cliponaxis=False)


def _chance(drawing: Drawing, bars: pd.DataFrame, lanes: Mapping[tuple[str, str], float], bottom: float) -> None:
    """Draw one line where chance is the same everywhere, and a stroke through each bar otherwise."""
    known = bars[bars["chance"].notna()]
    levels = {round(float(chance), 6) for chance in known["chance"]}
    if not levels:
        return
    if len(levels) == 1:
        theme.level(drawing, x=levels.pop(), text="chance")
        drawing.layout["annotations"][-1].update(y=0, yanchor="bottom", xanchor="left", xshift=3)
        drawing.update_yaxes(range=[bottom + _THIN, -_GAP])
        return
    heights = [lanes[row.group, row.series] for row in records(known)]
    ends = [(height - 0.55 * _LANE, height + 0.55 * _LANE) for height in heights]
    scatter.chances(drawing, known["chance"], ends)


def _hover(row: Any, share: str) -> str:
    chance = f"; chance {percent(row.chance)}" if row.chance == row.chance else ""
    return f"<b>{foreign.shown(row.group)}</b>, {foreign.shown(row.series)}<br>{share}: {measured_in(row)}{chance}"
