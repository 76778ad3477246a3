"""One measured value with its interval, and the predictions of it stacked above, on the same axis."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import scatter, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once
from dashboard.topics.lessons.figures import answers

TITLE = "Prediction and measurement"
_HEIGHT, _STACK, _EDGE = 250, 3.0, 90
"""Height of the figure in pixels, height of the tallest stack in rows, and pixels for a written value at the right."""


@once
def figure(rows: pd.DataFrame, predictions: Sequence[float], ends: tuple[float, float]) -> go.Figure:
    """Draw the measured value below, and one mark for each prediction above.

    Args:
        rows: One row of `answers.table`.
        predictions: In the unit of the value.
        ends: Of the horizontal axis.
    """
    (row,) = records(rows)
    drawing = theme.blank(_axis(row), "", height=_HEIGHT, right=_EDGE)
    answers.add(drawing, [row], upright=False, at=[0])
    stacks = Counter(predictions)
    step = min(0.5, _STACK / max(stacks.values(), default=1))
    marks = [(value, 1 + step * level) for value, count in sorted(stacks.items()) for level in range(count)]
    hover = [answers.written(value, row.is_share, row.unit) for value, _ in marks]
    name, x, y = answers.predicted(len(predictions)), [value for value, _ in marks], [height for _, height in marks]
    if predictions:
        scatter.points(drawing, x, y, answers.PREDICTED, name, hover, size=15, cliponaxis=False)
    traces.right_label(drawing, answers.written(row.value, row.is_share, row.unit), max(row.value, row.high), 0)
    if len(predictions) == 1:
        traces.right_label(drawing, hover[0], x[0], 1)
    if not pd.isna(row.chance):
        theme.level(drawing, x=row.chance)
    margin = 0.02 * (ends[1] - ends[0])
    ticks = {"tickformat": ".0%"} if row.is_share else {}
    drawing.update_xaxes(range=[ends[0] - margin, ends[1] + margin], nticks=6, **ticks)
    names = ["measured", "predicted"] if predictions else ["measured"]
    drawing.update_yaxes(range=[-0.7, max([1.0, *y]) + 0.7], **theme.categories(names))
    return drawing.figure()


@once
def sentence(rows: pd.DataFrame, predictions: Sequence[float], ends: tuple[float, float]) -> str:
    """Read the figure aloud: the measured value, and where the predictions lie."""
    (row,) = records(rows)
    text = f"Measured: {answers.read(rows)}."
    if not predictions:
        return text
    if len(predictions) != 1:
        inside = sum(bool(row.low <= value <= row.high) for value in predictions)
        lie = "lies" if inside <= 1 else "lie"
        return f"{text} Of {answers.predicted(len(predictions))}, {inside or 'none'} {lie} in the interval."
    value = predictions[0]
    return f"{text} You predicted {answers.written(value, row.is_share, row.unit)}, {answers.position(row, value)}."


def _axis(row: Any) -> str:
    unit = "percent" if row.is_share else row.unit
    return f"{row.name}, in {unit}" if unit else str(row.name)
