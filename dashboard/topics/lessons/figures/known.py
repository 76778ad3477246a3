"""The measured points of a chart with a point missing, as a small drawing, and one's own prediction of that point."""

from collections.abc import Sequence
from textwrap import wrap

import pandas as pd

from core.statistics.wording import percent
from core.statistics.wording.naming import capitalised
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once
from dashboard.kit.words import number
from dashboard.topics.lessons.figures import answers, missing
from dashboard.topics.lessons.figures.sketch import Sketch
from dashboard.topics.lessons.lesson import Point

_LEFT, _RIGHT, _TOP, _HEIGHT = 44, 332, 34, 125
"""Ends of the horizontal axis, top of the vertical one, and its length."""
_LETTER, _PARTS = 6.8, 5
"""Greatest width of a letter, and intervals between ticks of the vertical axis."""


@once
def picture(rows: pd.DataFrame, point: Point, predictions: Sequence[float]) -> str:
    """Draw the points from the left, and a question mark where one is missing.

    Args:
        rows: Of `answers.table`, one for each tick.
        point: The point that is missing.
        predictions: The viewer's own prediction of it, drawn in place of the question mark; empty without one.
    """
    sketch, line, points = Sketch(), Sketch.LINE, records(rows)
    first, width = points[0], (_RIGHT - _LEFT) / len(rows)

    def height(value: float) -> float:
        return _TOP + _HEIGHT * (1 - Sketch.share(value, point.ends))

    sketch.text(_LEFT - 34, line - 3, "Share" if first.is_share else capitalised(first.unit))
    for part in range(_PARTS + 1):
        value = point.low + (point.high - point.low) * part / _PARTS
        sketch.text(_LEFT - 6, height(value) + 5, percent(value) if first.is_share else number(value), "end")
        if not part:
            sketch.rule(_LEFT, _RIGHT, height(value))
    if not pd.isna(first.chance):
        sketch.line([(_LEFT, height(first.chance)), (_RIGHT, height(first.chance))], sketch.CHANCE, 2, dashed=True)
        is_low = height(first.chance) + line > _TOP + _HEIGHT
        sketch.text(_RIGHT, height(first.chance) + (-5 if is_low else line - 3), "chance", "end")
    names = [wrap(row.name, max(int(width / _LETTER), 1)) for row in points]
    for column, (row, name) in enumerate(zip(points, names, strict=True)):
        x = _LEFT + width * (column + 0.5)
        for below, text in enumerate(name, start=1):
            sketch.text(x, _TOP + _HEIGHT + below * line, text, "middle", bold=row.name == point.tick)
        if row.name != point.tick:
            sketch.line([(x, height(row.low)), (x, height(row.high))], sketch.MEASURED, 3)
            sketch.dot(x, height(row.value), 5, sketch.MEASURED)
            sketch.text(x, height(row.high) - 9, answers.written(row.value, row.is_share), "middle", bold=True)
        elif not predictions:
            sketch.text(x, _TOP - 9, "?", "middle", bold=True)
        else:
            sketch.dot(x, height(predictions[0]), 6, sketch.PREDICTED, ringed=True)
            sketch.text(
                x, height(predictions[0]) - 12, answers.written(predictions[0], row.is_share), "middle", bold=True
            )
    floor = _TOP + _HEIGHT + (max(map(len, names)) + 1.2) * line
    sketch.text((_LEFT + _RIGHT) / 2, floor, point.along, "middle")
    return sketch.drawn(floor + 0.5 * line, missing.sentence(rows, point, predictions, False))
