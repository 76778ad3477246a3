"""Shares of right answers as bars: a group for each thing that was asked, with intervals and what guessing gives."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import foreign, intervals, theme
from dashboard.kit.figures.drawing import Drawing
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import measured, percent

COLUMNS = ("group", "series", "value", "low", "high", "chance")
"""Columns of the bars: what was asked, who answered, the share, its interval (NaN where unknown), guessing."""


@dataclass(frozen=True)
class Terms:
    """What a pointer on a bar calls the share and the level of chance."""

    share: str = "right"
    guessing: str = "guessing"


RIGHT = Terms()

_LANE, _THIN, _GAP = 1.0, 0.62, 0.5
_PIXELS = 25
_LABEL = 17


def figure(
    bars: pd.DataFrame,
    series: Mapping[str, theme.Mark],
    x: str = theme.ACCURACY,
    *,
    points: Collection[str] = (),
    whole: bool = False,
    terms: Terms = RIGHT,
    empty: str = "Nothing was asked.",
) -> go.Figure:
    """Draw the bars of each group below one another, the groups in the order of the table.

    Args:
        bars: With `COLUMNS`.
        series: How each series looks, in the order of their bars.
        x: Title of the horizontal axis.
        points: Series drawn as points, all of a group in one thin lane below its bars.
        whole: Whether the axis ends at 100%, so that two figures compare.
        terms: What the share and the level of chance are called.
        empty: What to say where there are no bars.
    """
    known = bars[bars["value"].notna()]
    groups = list(dict.fromkeys(known["group"]))
    lanes, centres, bottom = _lanes(known, groups, series, points)
    drawing = theme.blank(x, "", height=theme.TOP + theme.BOTTOM + 19 + int(_PIXELS * max(bottom, 3)), legend=True)
    if known.empty:
        return theme.empty(drawing, empty)
    drawing.update_layout(bargap=0, barmode="overlay")
    end = 1.0 if whole else min(float(known[["value", "high"]].max().max()), 1.0)
    drawing.update_xaxes(range=[0, end * 1.16], tickformat=".0%", nticks=6)
    drawing.update_yaxes(
        range=[bottom, -_GAP],
        tickmode="array",
        tickvals=list(centres.values()),
        showgrid=False,
        ticktext=[foreign.shown(group, _LABEL) for group in groups],
    )
    for name, mark in series.items():
        own = known[known["series"] == name]
        if len(own):
            at = [lanes[row.group, name] for row in records(own)]
            said = [_hover(row, terms) for row in records(own)]
            _series(drawing, own, at, name, mark, said, as_points=name in points)
    _guessing(drawing, known, lanes, bottom, terms.guessing)
    named = [trace for trace in drawing.traces if trace.get("showlegend", True)]
    drawing.update_layout(showlegend=len(named) > 1)
    return drawing.figure()


def table(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Return bars as a table; with no rows, an empty one."""
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    return frame.astype(dict.fromkeys(COLUMNS[2:], "float64"))


def _lanes(
    bars: pd.DataFrame, groups: list[str], series: Mapping[str, theme.Mark], points: Collection[str]
) -> tuple[dict[tuple[str, str], float], dict[str, float], float]:
    """Return where each bar lies, the middle of each group, and where the last group ends; downwards from 0."""
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
    own: pd.DataFrame,
    at: list[float],
    name: str,
    mark: theme.Mark,
    said: list[str],
    *,
    as_points: bool,
) -> None:
    if not as_points:
        drawing.add_bar(
            x=own["value"],
            y=at,
            orientation="h",
            width=0.86 * _LANE,
            name=foreign.shown(name),
            marker={"color": mark.colour},
            text=said,
            textposition="none",
        )
    colour = mark.colour if as_points else theme.INK
    interval = intervals.bars(own["value"], own["low"], own["high"], colour)
    if as_points or own["high"].notna().any():
        drawing.add_scatter(
            x=own["value"],
            y=at,
            mode="markers",
            name=foreign.shown(name),
            showlegend=as_points,
            marker={
                "symbol": mark.symbol,
                "color": colour,
                "size": 10 if as_points else 1,
                "line": {"color": theme.BACKGROUND, "width": 1 if as_points else 0},
            },
            error_x=interval,
            text=said,
        )
    if not as_points:
        drawing.add_scatter(
            x=own[["value", "high"]].max(axis=1),
            y=at,
            mode="text",
            text=[f" {percent(share)}" for share in own["value"]],
            textposition="middle right",
            textfont={"size": theme.SMALL, "color": theme.INK},
            hoverinfo="skip",
            showlegend=False,
            cliponaxis=False,
        )


def _guessing(
    drawing: Drawing, bars: pd.DataFrame, lanes: Mapping[tuple[str, str], float], bottom: float, name: str
) -> None:
    """Draw one line where guessing gives the same everywhere, and a stroke through each bar otherwise."""
    known = bars[bars["chance"].notna()]
    levels = {round(float(chance), 6) for chance in known["chance"]}
    if not levels:
        return
    if len(levels) == 1:
        theme.level(drawing, x=levels.pop(), text=name)
        drawing.layout["annotations"][-1].update(y=0, yanchor="bottom", xanchor="left", xshift=3)
        drawing.update_yaxes(range=[bottom + _THIN, -_GAP])
        return
    x: list[float | None] = []
    y: list[float | None] = []
    for row in records(known):
        at = lanes[row.group, row.series]
        x += [row.chance, row.chance, None]
        y += [at - 0.55 * _LANE, at + 0.55 * _LANE, None]
    drawing.add_scatter(x=x, y=y, mode="lines", name=name, line={"color": theme.CHANCE, "width": 3}, hoverinfo="skip")


def _hover(row: Any, terms: Terms) -> str:
    chance = f"; {terms.guessing} {percent(row.chance)}" if row.chance == row.chance else ""
    return (
        f"<b>{foreign.shown(row.group)}</b>, {foreign.shown(row.series)}<br>"
        f"{terms.share}: {measured(row.value, row.low, row.high)}{chance}"
    )
