"""The predictions of a room as dots or bars on the axis of what was measured."""

from collections.abc import Sequence
from statistics import quantiles
from textwrap import wrap
from typing import Any

import pandas as pd

from core.statistics.wording.naming import capitalised, counted
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once
from dashboard.topics.lessons.figures import answers, options
from dashboard.topics.lessons.figures.dots import DotStacks
from dashboard.topics.lessons.figures.sketch import Sketch

_GAP, _STACK = 4.5, 110
"""Space above the dots, and height of the tallest stack."""
_LETTER = 7.5
"""Greatest width of a bold letter."""
_CHARACTERS, _FIRM = 50, "\N{NO-BREAK SPACE}"
"""Letters in a line of a label, and a space that breaks no line."""
_LEFT, _LENGTH = Sketch.MARGIN, Sketch.LENGTH


@once
def dots(
    rows: pd.DataFrame, predictions: Sequence[float], ends: tuple[float, float], own_value: float | None, is_shown: bool
) -> str:
    """Draw one dot for each prediction; equal ones are stacked.

    Args:
        rows: One row of `answers.table`.
        predictions: In the unit of the value.
        ends: Of the axis.
        own_value: The viewer's own prediction, marked among the others.
        is_shown: Whether the measured value is shown, too.
    """
    (row,) = records(rows)
    sketch, line, stacks = Sketch(), Sketch.LINE, DotStacks(predictions, ends, _STACK)
    floor = line + stacks.height + _GAP
    chance = sketch.at(row.chance, ends) if is_shown and not pd.isna(row.chance) else None
    if chance is not None:
        _chance(sketch, chance, floor + 2 * line + 3)
    stacks.draw(sketch, floor, sketch.PREDICTED, own_value)
    if is_shown:
        low, value, high = (sketch.at(end, ends) for end in (row.low, row.value, row.high))
        _measured(sketch, (low, value, high), floor + line, f"measured {_written(row, row.value)}", chance)
        floor += 2 * line
    sketch.axis(ends, floor + 3, lambda value: answers.written(value, row.is_share), outside=6)
    return sketch.drawn(floor + 1.6 * line, dots_sentence(rows, predictions, own_value, is_shown))


@once
def dots_sentence(rows: pd.DataFrame, predictions: Sequence[float], own_value: float | None, is_shown: bool) -> str:
    """Read the dots aloud: where the predictions lie, and the measured value if it is shown."""
    (row,) = records(rows)
    count_text = capitalised(counted(len(predictions), "prediction")) if predictions else "No prediction"
    predicted = f"{count_text}{_spread(row, predictions)}."
    yours = "" if own_value is None else f" Yours: {_written(row, own_value)}."
    if not is_shown:
        return f"{predicted}{yours}"
    measured = f"Measured: {answers.read(rows)}."
    if not predictions:
        return measured
    if len(predictions) == 1:
        return f"{measured} {predicted.removesuffix('.')}, {answers.position(row, predictions[0])}.{yours}"
    inside = sum(bool(row.low <= value <= row.high) for value in predictions)
    lie = "lies" if inside <= 1 else "lie"
    return f"{measured} {predicted} {inside or 'None'} of them {lie} in the interval.{yours}"


@once
def bars(rows: pd.DataFrame, chosen: Sequence[str], own_choice: str | None, is_shown: bool) -> str:
    """Draw a bar for each option, as long as the share that chose it.

    Args:
        rows: Of `answers.table`, one for each option.
        chosen: Names of the options that were chosen.
        own_choice: The viewer's own choice.
        is_shown: Whether measured values are shown, too; shares as marks with intervals on the same axis, and
            other values from 0 to 1 where nobody chose, so that the axis is theirs.
    """
    sketch, line, all_options = Sketch(), Sketch.LINE, records(rows)
    first = all_options[0]
    is_theirs = is_shown and not chosen and not first.is_share and rows["low"].min() >= 0 and rows["high"].max() <= 1
    is_marked = is_shown and (first.is_share or is_theirs)
    chance = _LEFT + _LENGTH * first.chance if is_marked and not pd.isna(first.chance) else None
    y = float(line if is_shown else 0)
    for row in all_options:
        votes = sum(choice == row.name for choice in chosen)
        yours = " · yours" if row.name == own_choice else ""
        ending = f"· {votes} of {len(chosen)}{yours}".replace(" ", _FIRM) if chosen else ""
        for text in wrap(f"{capitalised(row.name)} {ending}", _CHARACTERS):
            y += line
            sketch.text(_LEFT, y, text, bold=row.name == own_choice)
        y += 6
        sketch.rule(_LEFT, _LEFT + _LENGTH, y + 10)
        if votes:
            sketch.bar(_LEFT, y, _LENGTH * votes / len(chosen), 10, sketch.PREDICTED)
        y += 12
        if is_shown:
            y += line
            written = f"measured: {_written(row, row.value)}"
            if is_marked:
                low, value, high = (sketch.at(end, (0.0, 1.0)) for end in (row.low, row.value, row.high))
                _measured(sketch, (low, value, high), y - 4, written, chance)
            else:
                sketch.text(_LEFT, y, written, bold=True)
        y += 8
    if chance is not None:
        _chance(sketch, chance, y)
    for part, anchor in ((0.0, "start"), (0.5, "middle"), (1.0, "end")):
        sketch.text(_LEFT + _LENGTH * part, y + line, answers.written(part, not is_theirs), anchor)
    for text in wrap(first.measure, _CHARACTERS, break_on_hyphens=False) if is_theirs else ():
        y += line
        sketch.text(_LEFT + _LENGTH / 2, y + line, text, "middle")
    return sketch.drawn(y + 1.5 * line, bars_sentence(rows, chosen, own_choice, is_shown))


@once
def bars_sentence(rows: pd.DataFrame, chosen: Sequence[str], own_choice: str | None, is_shown: bool) -> str:
    """Read the bars aloud: how many chose each option, and the measured values if they are shown."""
    votes = {row.name: sum(choice == row.name for choice in chosen) for row in records(rows)}
    listed = "; ".join(f"{name}: {count} of {len(chosen)}" for name, count in votes.items())
    yours = "" if own_choice is None else f" Yours: “{own_choice}”."
    if not is_shown:
        return f"{capitalised(listed) if chosen else 'No prediction'}.{yours}"
    if not chosen:
        return options.sentence(rows, chosen)
    right = options.best(rows)
    chosen_text = f"{votes[right]} of {len(chosen)} chose the highest, “{right}”."
    return f"{capitalised(answers.read(rows))}. {chosen_text}{yours}"


def _spread(row: Any, predictions: Sequence[float]) -> str:
    """Return the predictions, or from four on their median and middle half, as text that follows their number."""
    if not predictions:
        return ""
    if len(predictions) < 4:
        return f": {', '.join(_written(row, value) for value in sorted(predictions))}"
    first, middle, third = quantiles(predictions, n=4, method="inclusive")
    half = f", half of them from {_written(row, first)} to {_written(row, third)}"
    return f" with the median {_written(row, middle)}{half}"


def _written(row: Any, value: float) -> str:
    return answers.written(value, row.is_share, row.unit)


def _measured(sketch: Sketch, ends: tuple[float, float, float], y: float, written: str, chance: float | None) -> None:
    """Draw a point with its interval, and its value beside it, where it covers neither the interval nor chance."""
    low, value, high = ends
    sketch.line([(low, y), (high, y)], sketch.MEASURED, 3)
    sketch.dot(value, y, 6, sketch.MEASURED)
    width = _LETTER * len(written)
    lefts, rights = [low - 9 - width], [high + 9]
    if chance is not None:
        lefts, rights = [*lefts, chance - 6 - width], [*rights, chance + 6]
    candidates = [*lefts, *rights] if value > Sketch.WIDTH / 2 else [*rights, *lefts]

    def is_free(left: float) -> bool:
        right = left + width
        is_clear = chance is None or not left - 4 < chance < right + 4
        return left >= 0 and right <= Sketch.WIDTH and is_clear and (right < low - 6 or left > high + 6)

    left = next(filter(is_free, candidates), candidates[0])
    is_left = left < value
    sketch.text(left + width if is_left else left, y + 5, written, "end" if is_left else "start", bold=True)


def _chance(sketch: Sketch, x: float, height: float) -> None:
    sketch.line([(x, Sketch.LINE), (x, height)], sketch.CHANCE, 2, dashed=True)
    sketch.text(x, Sketch.LINE - 4, "chance", "middle")
