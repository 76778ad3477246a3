"""A chart with a point missing: the measured points, the predictions of the missing one, and finally that point."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import scatter, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once
from dashboard.topics.lessons.figures import answers
from dashboard.topics.lessons.lesson import Point

TITLE = "The missing point"
_HEIGHT, _BESIDE, _APART = 380, 0.15, 0.06
"""Height in pixels; distance of predictions from the measured point, and of equal ones from each other, in ticks."""


@once
def figure(rows: pd.DataFrame, point: Point, predictions: Sequence[float], is_shown: bool) -> go.Figure:
    """Draw the points from the left.

    Args:
        rows: Of `answers.table`, one for each tick.
        point: The point that is missing.
        predictions: In the unit of the values.
        is_shown: Whether the missing point is shown.
    """
    points = records(rows)
    position = [row.name for row in points].index(point.tick)
    first = points[position]
    drawing = theme.blank(
        point.along, "Share, in percent" if first.is_share else first.unit, height=_HEIGHT, legend=True
    )
    known = [(number, row) for number, row in enumerate(points) if is_shown or row.name != point.tick]
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
    margin = 0.02 * (point.high - point.low)
    ticks = {"tickformat": ".0%"} if first.is_share else {}
    drawing.update_yaxes(range=[point.low - margin, point.high + margin], nticks=6, **ticks)
    drawing.update_xaxes(range=[-0.5, len(points) - 0.5], **theme.categories([row.name for row in points]))
    return drawing.figure()


@once
def sentence(rows: pd.DataFrame, point: Point, predictions: Sequence[float], is_shown: bool) -> str:
    """Read the figure aloud: the points that are shown, and the predictions of the missing one."""
    (first,) = [row for row in records(rows) if row.name == point.tick]
    measured = answers.read(rows if is_shown else rows[rows["name"] != point.tick])
    text = f"Measured for {measured}."
    if not predictions:
        return text
    if len(predictions) != 1:
        return f"{text} For {point.tick} there are {answers.predicted(len(predictions))}."
    return f"{text} You predicted {answers.written(predictions[0], first.is_share, first.unit)} for {point.tick}."
