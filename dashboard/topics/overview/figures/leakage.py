"""Leakage over many experiments: one row each, with estimate, interval and chance."""

import math
from collections.abc import Sequence
from itertools import pairwise
from textwrap import wrap

import pandas as pd
import plotly.graph_objects as go

from core.catalog import seeds
from core.result import Estimate
from core.statistics.wording.naming import cases, counted, documents, lowered, measured_as, valued
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import axes, intervals, scatter, theme, traces
from dashboard.kit.figures.wording import joined, short
from dashboard.topics.overview.figures.measured import Row, above_mean, over_seeds

TITLE = "What leaked"
_LANE, _TEXT_LINE, _GAP = 24, 19, 12
_QUESTION, _TOP_AXIS = 46, 26
"""Heights in pixels: of a lane, a line of an attack's name, the room above it, a question, and the axis above."""
_LONGEST = 24
_LABEL = 0.08
"""Width of the label of a value, on the axis."""
_ABOUT = ("question", "attack", "experiment", "measure", "documents")
_COLUMNS = [*_ABOUT, "value", "low", "high", "chance", "members", "nonmembers", "decisions"]


def figure(rows: Sequence[Row]) -> go.Figure:
    """Draw a lane for each estimate, labelled and with its value; lanes of an attack stand below its name.

    The names of questions and attacks, and what each lane shows, are the labels of the vertical axis, so the legend
    names what all rows have. An invisible bar fills each row, so that a click anywhere in it gives the row's number.
    """
    labels, lanes, ends = _layout(rows)
    height = max(ends, default=_LANE)
    drawing = theme.blank("Headline estimate, as a share", "", inner=round(height) + _TOP_AXIS, legend=True)
    drawing.update_layout(bargap=0)
    if not any(row.figures for row in rows):
        return theme.empty(drawing, "No result yet.")
    written = [valued(row.measure, figure.value) for row in rows for figure in row.figures.values()]
    axes.written_shares(drawing, 1.0, written)
    drawing.update_xaxes(range=[-0.02, 1.02])
    drawing.update_yaxes(
        range=[height, 0],
        tickmode="array",
        tickvals=list(labels),
        ticktext=list(labels.values()),
        ticklabeloverflow="allow",  # none does; else the browser measures all of them again for each
        showgrid=False,
    )
    _axis_above(drawing)
    _rows(drawing, [0, *ends])
    _questions(drawing, rows, [0, *ends])
    for row, row_lanes in zip(rows, lanes, strict=True):
        for chance in _chances([row]):
            span = {"x0": chance, "x1": chance, "y0": row_lanes[0] - _LANE / 2, "y1": row_lanes[-1] + _LANE / 2}
            drawing.add_shape(type="line", name="chance", line=theme.CHANCE_LINE, **span)
    drawing.add_scatter(x=[None], y=[None], mode="lines", line=theme.CHANCE_LINE, name="chance", hoverinfo="skip")
    _points(drawing, rows, lanes)
    _means(drawing, rows, lanes)
    drawing.update_layout(margin={"t": theme.TOP + theme.LINE + _TOP_AXIS})
    highest = [_end(figure) for row in rows for figure in row.figures.values()]
    heights = [y for row_lanes in lanes for y in row_lanes]
    for text, end, y in zip(written, highest, heights, strict=True):
        traces.right_label(drawing, text, end, y)
    return drawing.figure()


def table(rows: Sequence[Row]) -> pd.DataFrame:
    """Return the numbers behind the figure."""
    values = [
        (
            *(row.question, row.attack, row.title, row.measure, size),
            *(estimate.value, estimate.low, estimate.high, estimate.chance),
            *(estimate.members, estimate.nonmembers, estimate.n),
        )
        for row in rows
        for size, estimate in row.figures.items()
    ]
    return pd.DataFrame(values, columns=_COLUMNS)


def sentence(rows: Sequence[Row]) -> str:
    """Read the figure aloud: the number of rows with a leak, and the largest."""
    known = [row for row in rows if row.figures]
    if not known:
        return "No result yet."
    leaking = [row for row in known if any(figure.above_chance() for figure in row.figures.values())]
    text = f"In {len(leaking)} of {counted(len(known), 'attack')} an interval lies above chance."
    if leaking:
        drawn = [(row, size, figure) for row in leaking for size, figure in row.figures.items()]
        best, size, figure = max(drawn, key=lambda lane: _above_chance(lane[2]))
        of = f" for targets of {documents(size)}" if size else ""
        value = measured_as(best.measure, figure, named=True)
        text += f" The farthest above it is “{best.title}”{of}: {lowered(best.measure)} {value}"
        text += f", where chance is {valued(best.measure, figure.chance or 0)}."
    below = [f"“{row.attack or row.title}”" for row in known if any(map(_below_chance, row.figures.values()))]
    if below:
        text += f" Below chance {'lies' if len(below) == 1 else 'lie'} {joined(below)}."
    if several := [(row, size) for row in known for size in row.seeds]:
        most, size = max(several, key=lambda lane: above_mean(*lane))
        text += f" Each estimate is of one seed, and the circle is the mean over {seeds.FEWEST} seeds or more."
        if round(above_mean(most, size), 3) > 0:
            value = valued(most.measure, most.figures[size].value)
            text += f" Farthest above that mean lies “{most.attack or most.title}”: {value}; {over_seeds(most, size)}."
    levels = "The dashed line is" if len(_chances(known)) == 1 else "The dashed line in each row is"
    return f"{text} {levels} chance."


def _above_chance(figure: Estimate) -> float:
    """Return how far the lower end of an interval is drawn above chance; minus infinity where that is unknown."""
    return figure.low - figure.chance if figure.chance is not None and figure.above_chance() else -math.inf


def _below_chance(figure: Estimate) -> bool:
    return figure.chance is not None and figure.high < figure.chance


def _end(figure: Estimate) -> float:
    """Return where an estimate ends to the right, its chance included if a label there would lie on it."""
    end = max(figure.high, figure.value)
    return figure.chance if figure.chance is not None and end < figure.chance < end + _LABEL else end


def _layout(rows: Sequence[Row]) -> tuple[dict[float, str], list[list[float]], list[float]]:
    """Return the labels by height, the heights of each row's lanes, and where each row ends; downwards from 0."""
    labels: dict[float, str] = {}
    lanes, ends = [], []
    y, question = 0.0, ""
    for row in rows:
        if row.question != question:
            labels[y + _QUESTION / 2] = (
                f'<span style="font-size:{theme.TYPE + 2}px"><b>{_plain(row.question)}</b></span>'
            )
            y, question = y + _QUESTION, row.question
        name = wrap(_plain(row.attack or row.title), _LONGEST, break_on_hyphens=False)
        written = "<br>".join(f"<b>{line}</b>" for line in name)
        labels[y + _GAP + len(name) * _TEXT_LINE / 2] = (
            f'<a href="{row.link}" target="_self">{written}</a>' if row.link else written
        )
        y += _GAP + len(name) * _TEXT_LINE
        heights = []
        for size in row.figures:
            heights.append(y + _LANE / 2)
            of = f", {short(size)}" if size else ""
            labels[heights[-1]] = f"{row.measure}{of}, n {row.figures[size].n:,}"
            y += _LANE
        lanes.append(heights)
        ends.append(y)
    return labels, lanes, ends


def _points(drawing: Drawing, rows: Sequence[Row], lanes: Sequence[Sequence[float]]) -> None:
    """Draw all estimates with one mark: the labels of their lanes say what each is."""
    known = [
        (number, size, figure, y)
        for number, (row, row_lanes) in enumerate(zip(rows, lanes, strict=True))
        for (size, figure), y in zip(row.figures.items(), row_lanes, strict=True)
    ]
    value, low, high = ([getattr(figure, end) for _, _, figure, _ in known] for end in ("value", "low", "high"))
    scatter.points(
        drawing,
        value,
        [y for *_, y in known],
        theme.Mark(theme.MEMBER, "diamond", "solid"),
        "estimate with its 95% interval",
        [_hover(rows[number], size, figure) for number, size, figure, _ in known],
        size=13,
        showlegend=True,
        error_x=intervals.bars(value, low, high, theme.MEMBER, 2.5),
        customdata=[[number] for number, *_ in known],
        cliponaxis=False,
        **theme.SELECTABLE,
    )


def _means(drawing: Drawing, rows: Sequence[Row], lanes: Sequence[Sequence[float]]) -> None:
    """Draw the mean over seeds of each estimate that has several."""
    means = [
        (number, size, seeds.mean(row.seeds[size]).value, y)
        for number, (row, row_lanes) in enumerate(zip(rows, lanes, strict=True))
        for size, y in zip(row.figures, row_lanes, strict=True)
        if size in row.seeds
    ]
    if means:
        scatter.points(
            drawing,
            [value for *_, value, _ in means],
            [y for *_, y in means],
            theme.Mark(theme.INK, "circle"),
            "mean over seeds",
            [f"<b>{_plain(rows[number].title)}</b><br>{over_seeds(rows[number], size)}" for number, size, *_ in means],
            size=11,
            hollow=True,
            showlegend=True,
            customdata=[[number] for number, *_ in means],
            cliponaxis=False,
            **theme.SELECTABLE,
        )


def _rows(drawing: Drawing, ends: Sequence[float]) -> None:
    """Fill each row with an invisible bar that can be clicked."""
    drawing.add_bar(
        x=[1.04] * (len(ends) - 1),
        base=-0.02,
        y=[(top + bottom) / 2 for top, bottom in pairwise(ends)],
        width=[bottom - top for top, bottom in pairwise(ends)],
        orientation="h",
        name="rows",
        marker={"color": theme.veil(theme.BACKGROUND, 0x00)},
        hoverinfo="none",
        showlegend=False,
        customdata=[[number] for number in range(len(ends) - 1)],
        **theme.SELECTABLE,
    )


def _questions(drawing: Drawing, rows: Sequence[Row], ends: Sequence[float]) -> None:
    """Draw a line where the rows of another question begin."""
    before = [None, *(row.question for row in rows)]
    for row, above, top in zip(rows, before, ends, strict=False):
        if above is not None and row.question != above:
            across = {"xref": "paper", "x0": 0, "x1": 1, "y0": top, "y1": top}
            line = {"color": theme.veil(theme.INK, 0x50), "width": 1}
            drawing.add_shape(type="line", name="question", line=line, **across)


def _axis_above(drawing: Drawing) -> None:
    """Write the shares above the figure too, which is higher than a screen."""
    below = {key: drawing.layout["xaxis"][key] for key in ("range", "tickformat", "tick0", "dtick")}
    above = {**theme.AXIS, **below, "overlaying": "x", "side": "top", "matches": "x", "showgrid": False, "title": {}}
    drawing.update_layout(xaxis2=above)
    drawing.add_scatter(x=[None], y=[None], xaxis="x2", hoverinfo="skip", showlegend=False)


def _chances(rows: Sequence[Row]) -> list[float]:
    return sorted({figure.chance for row in rows for figure in row.figures.values() if figure.chance is not None})


def _hover(row: Row, size: int, figure: Estimate) -> str:
    of = f"{documents(size)} a target, " if size else ""
    value = f"{lowered(row.measure)} {measured_as(row.measure, figure)}"
    return f"<b>{_plain(row.title)}</b><br>{of}{value}, {cases(figure)}"


def _plain(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
