"""Dumbbells: two shares in each row, with the target and without it, joined by a line."""

import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording import percent
from dashboard.kit.figures import foreign, scatter, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once

COLUMNS = ("rank", "label", "inside", "outside")
"""Columns of the rows: number returned by a click, name, share with the target, share without."""

_ROW, _NAMED_ROW = 31, 42
_SIDES = (("outside", theme.Mark(theme.NONMEMBER, "square"), 15), ("inside", theme.Mark(theme.MEMBER, "circle"), 11))
"""In drawing order: where both values are equal, the smaller circle lies on the square."""


@once
def figure(
    rows: pd.DataFrame,
    x: str,
    y: str,
    *,
    chosen: int | None = None,
    long: bool = False,
    empty: str = "Nothing here.",
    sides: tuple[str, str] = ("with the target", "without it"),
) -> go.Figure:
    """Draw the rows from the top; a point's ``customdata`` is its row's rank, for a click on it.

    Args:
        rows: With `COLUMNS`.
        x: Title of the horizontal axis.
        y: Title of the vertical axis.
        chosen: Rank of the selected row, or None.
        long: Whether the names are long and so stand above their rows, not beside them.
        empty: Text of a figure without rows.
        sides: Names of the values ``inside`` and ``outside``.
    """
    inner = 19 + max((_NAMED_ROW if long else _ROW) * len(rows), 130)
    drawing = theme.blank(x, y, inner=inner, legend=True)
    if rows.empty:
        return theme.empty(drawing, empty)
    positions = list(range(len(rows)))
    pairs = zip(rows["inside"], rows["outside"], strict=True)
    scatter.strokes(drawing, pairs, positions, theme.veil(theme.INK, 0x60), 4, showlegend=False)
    hover = [
        f"<b>{foreign.shown(row.label)}</b><br>{percent(row.inside)} {sides[0]}, {percent(row.outside)} {sides[1]}"
        for row in records(rows)
    ]
    for (side, mark, size), name in zip(_SIDES, sides[::-1], strict=True):
        click = {"customdata": rows["rank"], **theme.SELECTABLE}
        scatter.points(drawing, rows[side], positions, mark, name, hover, size=size, cliponaxis=False, **click)
    top = float(rows[["inside", "outside"]].max().max())
    top = top if top > 0 else 1.0
    drawing.update_xaxes(range=[-0.03 * top - 0.001, min(1.06 * top + 0.001, theme.WHOLE)], tickformat=".0%", nticks=6)
    names = [
        f"<b>{foreign.shown(row.label)}</b>" if row.rank == chosen else foreign.shown(row.label)
        for row in records(rows)
    ]
    ends = [len(rows) - 0.6, -0.8] if long else [len(rows) - 0.4, -0.6]
    drawing.update_yaxes(range=ends, showticklabels=not long, **theme.categories(names))
    for position, name in zip(positions, names, strict=True) if long else ():
        traces.left_label(drawing, name, position, yshift=17)
    drawing.update_layout(legend={"traceorder": "reversed"})
    return drawing.figure()
