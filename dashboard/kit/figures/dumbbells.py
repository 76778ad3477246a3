"""Two values a row, with the target and without it, joined by a line: the longer, the more the row tells."""

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import foreign, theme
from dashboard.kit.figures.tables import records, values
from dashboard.kit.figures.wording import percent

COLUMNS = ("rank", "label", "inside", "outside")
"""Columns of the rows: a number that a click gives back, a name, the share with the target, the share without."""

_ROW, _NAMED_ROW = 31, 42
_SIDES = (("outside", theme.NONMEMBER, "square", 15), ("inside", theme.MEMBER, "circle", 11))
"""What is drawn later lies on top: where both values are equal, the smaller circle lies in the square."""


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
        rows: With `COLUMNS`, shares in both of the last.
        x: What the shares are of.
        y: What a row is.
        chosen: Rank of the row that is looked at, or None.
        long: Whether the names are long and so stand above their rows, not beside them.
        empty: What to say where there is no row.
        sides: What the values of ``inside`` and of ``outside`` are called.
    """
    height = theme.TOP + theme.BOTTOM + 19 + max((_NAMED_ROW if long else _ROW) * len(rows), 130)
    drawing = theme.blank(x, y, height=height, legend=True)
    if rows.empty:
        return theme.empty(drawing, empty)
    places = list(range(len(rows)))
    ends: list[float | None] = []
    for row in records(rows):
        ends += [row.inside, row.outside, None]
    drawing.add_scatter(
        x=ends,
        y=[at for place in places for at in (place, place, None)],
        mode="lines",
        hoverinfo="skip",
        line={"color": theme.veil(theme.INK, 0x60), "width": 4},
        showlegend=False,
    )
    said = [
        f"<b>{foreign.shown(row.label)}</b><br>{percent(row.inside)} {sides[0]}, {percent(row.outside)} {sides[1]}"
        for row in records(rows)
    ]
    for (side, colour, symbol, size), name in zip(_SIDES, sides[::-1], strict=True):
        drawing.add_scatter(
            x=values(rows[side]),
            y=places,
            mode="markers",
            name=name,
            customdata=values(rows["rank"]),
            marker={"color": colour, "symbol": symbol, "size": size},
            text=said,
            selected={"marker": {"opacity": 1}},
            unselected={"marker": {"opacity": 1}},
        )
    top = float(rows[["inside", "outside"]].max().max())
    top = top if top > 0 else 1.0
    drawing.update_xaxes(range=[-0.03 * top - 0.001, 1.06 * top + 0.001], tickformat=".0%", nticks=6)
    names = [
        f"<b>{foreign.shown(row.label)}</b>" if row.rank == chosen else foreign.shown(row.label)
        for row in records(rows)
    ]
    drawing.update_yaxes(
        range=[len(rows) - (0.6 if long else 0.4), -0.8 if long else -0.6],
        showgrid=False,
        tickmode="array",
        tickvals=places,
        ticktext=names,
        showticklabels=not long,
    )
    for place, name in zip(places, names, strict=True) if long else ():
        theme.note(drawing, name, xref="x domain", x=0, xanchor="left", y=place, yshift=17, yanchor="middle")
    drawing.update_layout(clickmode="event+select", legend={"traceorder": "reversed"})
    return drawing.figure()
