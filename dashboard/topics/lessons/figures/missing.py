"""A chart with a point missing: the measured points, the predictions of the missing one, and finally that point."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import scatter, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once
from dashboard.topics.lessons.figures import answers

TITLE = "The missing point"
_HEIGHT, _BESIDE, _APART = 380, 0.15, 0.06
"""Height in pixels; distance of predictions from the measured point, and of equal ones from each other, in ticks."""


@once
def figure(
    rows: pd.DataFrame,
    tick: str,
    predictions: Sequence[float],
    along: str,
    ends: tuple[float, float],
    is_shown: bool,
) -> go.Figure:
    """Draw the points from the left.

    Args:
        rows: Of `answers.table`, one for each tick.
        tick: The tick whose point is predicted.
        predictions: In the unit of the values.
        along: Title of the horizontal axis.
        ends: Of the vertical axis.
        is_shown: Whether the missing point is shown.
    """
    points = records(rows)
    position = [row.name for row in points].index(tick)
    first = points[position]
    drawing = theme.blank(along, "Share, in percent" if first.is_share else first.unit, height=_HEIGHT, legend=True)
    known = [(number, row) for number, row in enumerate(points) if is_shown or row.name != tick]
    answers.add(drawing, [row for _, row in known], upright=True, at=[number for number, _ in known])
    heights = sorted(predictions)
    hover = [answers.written(value, first.is_share, first.unit) for value in heights]
    aside = _BESIDE if is_shown else 0.0
    x = [position - aside - _APART * heights[:number].count(value) for number, value in enumerate(heights)]
    name = answers.predicted(len(predictions))
    if predictions:
        scatter.points(drawing, x, heights, answers.PREDICTED, name, hover, size=15, cliponaxis=False)
    if not pd.isna(first.chance):
        theme.level(drawing, y=first.chance)
    margin = 0.02 * (ends[1] - ends[0])
    ticks = {"tickformat": ".0%"} if first.is_share else {}
    drawing.update_yaxes(range=[ends[0] - margin, ends[1] + margin], nticks=6, **ticks)
    drawing.update_xaxes(range=[-0.5, len(points) - 0.5], **theme.categories([row.name for row in points]))
    return drawing.figure()


@once
def sentence(
    rows: pd.DataFrame,
    tick: str,
    predictions: Sequence[float],
    along: str,
    ends: tuple[float, float],
    is_shown: bool,
) -> str:
    """Read the figure aloud: the points that are shown, and the predictions of the missing one."""
    (first,) = [row for row in records(rows) if row.name == tick]
    measured = answers.read(rows if is_shown else rows[rows["name"] != tick])
    text = f"Measured for {measured}."
    if not predictions:
        return text
    if len(predictions) != 1:
        return f"{text} For {tick} there are {answers.predicted(len(predictions))}."
    return f"{text} You predicted {answers.written(predictions[0], first.is_share, first.unit)} for {tick}."
