"""What leaked, over many experiments: one row each, with estimate, interval and the level of chance."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from core.result import Estimate
from dashboard.charts import theme
from dashboard.charts.drawing import Drawing
from dashboard.charts.wording import counted, decisions, documents, joined, measured, percent

if TYPE_CHECKING:
    import pandas as pd

TITLE = "What leaked"
_ROW = 32
_TEXT_LINE = 19
_LONGEST_LINE = 50
_STRONG = "#000037"
_HEADLINE = "accuracy"
_PART = re.compile(rf"{_HEADLINE}_([0-9]+)")


@dataclass(frozen=True)
class Row:
    """One experiment of the overview.

    Attributes:
        title: What it is called.
        figures: Its headline figure for each target size, 0 standing for the only one there is.
    """

    title: str
    figures: Mapping[int, Estimate]


def row(title: str, estimates: Mapping[str, Estimate]) -> Row:
    """Return the row of a result.

    Its accuracy for each target size where the figures are about membership (``accuracy_100``), or else its
    ``accuracy``, or else the first figure that has a chance level.
    """
    apart = {
        int(found[1]): figure
        for name, figure in estimates.items()
        if (found := _PART.fullmatch(name)) and figure.members + figure.nonmembers
    }
    if apart:
        return Row(title, dict(sorted(apart.items())))
    known = [figure for figure in estimates.values() if figure.chance is not None]
    headline = estimates.get(_HEADLINE, known[0] if known else None)
    return Row(title, {} if headline is None else {0: headline})


def figure(rows: Sequence[Row]) -> go.Figure:
    """Draw one row an experiment, its name above its points; the first row on top."""
    sizes = sorted({size for row in rows for size in row.figures})
    names = ["<br>".join(wrap(_plain(row.title), _LONGEST_LINE, break_on_hyphens=False)) for row in rows]
    heights = [_ROW + _TEXT_LINE * (name.count("<br>") + 1) for name in names] or [_ROW]
    tops = [sum(heights) - sum(heights[:number]) for number in range(len(heights))]
    drawing = theme.blank(theme.ACCURACY, "", height=sum(heights) + theme.TOP + theme.BOTTOM + 38, legend=True)
    drawing.update_layout(clickmode="event+select")
    drawing.update_xaxes(range=[_start(rows), 1.02], tickformat=".0%", dtick=0.1)
    drawing.update_yaxes(visible=False, range=[0, sum(heights)])
    if not any(row.figures for row in rows):
        return theme.empty(drawing, "No result is here yet.")
    chances = _chances(rows)
    if len(chances) == 1:
        theme.level(drawing, x=chances[0], text="")
    else:
        _levels(drawing, rows, tops, heights)
    marks = theme.ordered(sizes)
    for size in sizes:
        held = [(number, row.figures[size]) for number, row in enumerate(rows) if size in row.figures]
        mark = marks[size]
        drawing.add_scatter(
            x=[figure.value for _, figure in held],
            y=[tops[number] - heights[number] + _ROW * 0.6 for number, _ in held],
            mode="markers",
            name=f"targets of {documents(size)}" if size else "all at once",
            marker={"color": mark.colour, "symbol": mark.symbol, "size": 13},
            selected={"marker": {"opacity": 1}},
            unselected={"marker": {"opacity": 1}},
            error_x={
                "type": "data", "symmetric": False, "array": [figure.high - figure.value for _, figure in held],
                "arrayminus": [figure.value - figure.low for _, figure in held], "thickness": 2.5, "width": 5,
                "color": mark.colour,
            },
            customdata=[[number] for number, _ in held],
            text=[_hover(rows[number].title, size, figure) for number, figure in held],
            hovertemplate="%{text}<extra></extra>",
        )  # fmt: skip
    for top, name in zip(tops, names, strict=True):
        drawing.add_annotation(
            xref="paper", x=0.006, xanchor="left", y=top, yanchor="top", text=name, align="left",
            showarrow=False, font={"size": theme.SMALL, "color": _STRONG}, bgcolor=theme.BACKGROUND, borderpad=1,
        )  # fmt: skip
    return drawing.figure()


def table(rows: Sequence[Row]) -> "pd.DataFrame":
    """Return the numbers behind the figure."""
    import pandas as pd

    return pd.DataFrame(
        [
            {
                "experiment": row.title, "documents": size, "value": figure.value, "low": figure.low,
                "high": figure.high, "chance": figure.chance, "members": figure.members,
                "nonmembers": figure.nonmembers,
            }
            for row in rows
            for size, figure in row.figures.items()
        ],
        columns=["experiment", "documents", "value", "low", "high", "chance", "members", "nonmembers"],
    )  # fmt: skip


def sentence(rows: Sequence[Row]) -> str:
    """Read the figure aloud: in how many experiments something leaked, and where most."""
    measured_rows = [row for row in rows if row.figures]
    if not measured_rows:
        return "No result is here yet."
    leaking = [row for row in measured_rows if any(figure.above_chance() for figure in row.figures.values())]
    text = (
        f"In {len(leaking)} of {counted(len(measured_rows), 'experiment')} the interval of at least one target size "
        "lies above chance."
    )
    if leaking:
        value, size, title = max(
            (figure.value, size, row.title) for row in leaking for size, figure in row.figures.items()
        )
        best = next(row for row in leaking if row.title == title).figures[size]
        of = f" for targets of {documents(size)}" if size else ""
        text += (
            f" The largest leak is in “{title}”: {measured(value, best.low, best.high)} of the guesses are right{of}."
        )
    chances = _chances(measured_rows)
    if len(chances) == 1:
        return f"{text} The dashed line is guessing, {percent(chances[0])}."
    return f"{text} The dashed line in each row is guessing."


def summary(row: Row) -> str:
    """Return a row's figures as text."""
    said = [
        f"{measured(figure.value, figure.low, figure.high)}{f' for {documents(size)}' if size else ''}"
        for size, figure in row.figures.items()
    ]
    return joined(said) if said else "not computed yet"


def _start(rows: Sequence[Row]) -> float:
    lows = [figure.low for row in rows for figure in row.figures.values()]
    return max(min([0.4, *lows, *(chance - 0.05 for chance in _chances(rows))]), 0.02) - 0.02


def _levels(drawing: Drawing, rows: Sequence[Row], tops: Sequence[int], heights: Sequence[int]) -> None:
    """Draw what guessing gives in each row, where it is not the same in all."""
    for number, row in enumerate(rows):
        for chance in _chances([row]):
            drawing.add_shape(
                type="line", x0=chance, x1=chance, y0=tops[number] - heights[number], y1=tops[number], name="chance",
                line={"color": theme.CHANCE, "width": 2, "dash": "dash"},
            )  # fmt: skip


def _chances(rows: Sequence[Row]) -> list[float]:
    """Return the different levels of chance of some rows."""
    return sorted({figure.chance for row in rows for figure in row.figures.values() if figure.chance is not None})


def _hover(title: str, size: int, figure: Estimate) -> str:
    behind = counted(decisions(figure), "decision")
    of = f"{documents(size)} a target, " if size else ""
    return f"<b>{_plain(title)}</b><br>{of}right: {measured(figure.value, figure.low, figure.high)}, {behind}"


def _plain(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
